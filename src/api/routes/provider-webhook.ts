import { LRUCache } from 'lru-cache'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { takePaymentNews } from '../../commands/take-payment-news.ts'
import {
  type ReceivedWebhook,
  unlessAway,
  type WebhookNews,
  type WebhookRead,
} from '../../payments/payment-provider.ts'
import { inTime } from '../../ports/in-time.ts'
import { providerNamed } from '../../shop/providers.ts'
import { type CommandContext, systemCaller } from '../../shop/command-context.ts'
import type { WebhookHandler } from '../api.ts'

/** NOWPayments waits 3 s for an answer, less than a slow check takes; the repeat of a webhook waits for the same check. */
const ANSWER_MS = 2_500
/** Recent news; forgetting one only costs another call to the provider. */
const REMEMBERED_MAX = 10_000
/** For unsigned webhooks, which anyone can send. The workers' checks find what these limits skip. */
const CHECKS_PER_SECOND = 3
const SECONDS_PER_PAYMENT = 5

export interface WebhookOptions {
  readonly context: CommandContext
  /** Stores when the last webhook of a provider arrived. */
  readonly storeArrival?: (provider: string, atMs: number) => void
  readonly answerMs?: number
}

/** Not proven to be the provider's. */
const refused = new Set<string>(['unsigned', 'malformed'])
/** Not known to be the provider's. */
const unjudged = new Set<string>(['unread', 'limited'])

const answers = {
  taken: { status: 200, text: 'ok', result: 'taken' },
  foreign: { status: 200, text: 'ok', result: 'foreign' },
  unplaced: { status: 200, text: 'ok', result: 'unplaced' },
  repeated: { status: 200, text: 'ok', result: 'repeated' },
  unsigned: { status: 401, text: 'the signature is not right', result: 'unsigned' },
  malformed: { status: 400, text: 'not a payment', result: 'malformed' },
  limited: { status: 429, text: 'too many', result: 'limited' },
  unread: { status: 503, text: 'not yet', result: 'failed' },
  failed: { status: 503, text: 'not yet', result: 'failed' },
} as const
type Answer = keyof typeof answers
/** The check has not ended. */
const late = { status: 503, text: 'not yet' }

/**
 * A webhook is a hint: its payment is read again at the provider, and 200 means that the log has the result. The provider repeats a webhook after a 503;
 * a check that takes longer continues, and the repeat gets its result.
 */
export function providerWebhook(
  { context, storeArrival, answerMs = ANSWER_MS }: WebhookOptions,
  provider: string,
): WebhookHandler {
  /** Results by news: concurrent repeats share one call to the provider. */
  const results = new LRUCache<string, Answer, WebhookNews>({
    max: REMEMBERED_MAX,
    ignoreFetchAbort: true,
    fetchMethod: async (_news, _old, { context }) => check(context),
  })
  const each = new RateLimiterMemory({ points: 1, duration: SECONDS_PER_PAYMENT })
  const all = new RateLimiterMemory({ points: CHECKS_PER_SECOND, duration: 1 })
  const gateway = providerNamed(context, provider)

  async function resultOf(webhook: ReceivedWebhook): Promise<Answer> {
    const parsed = await read(webhook)
    if (typeof parsed === 'string') return parsed
    const { news, reference } = parsed
    if (reference !== '' && !context.keys.referred(reference)) return 'foreign'
    if (news !== undefined && results.has(news)) return 'repeated'
    if (news === undefined && !(await mayCheck(reference))) return 'limited'
    const checking = news === undefined ? check(parsed) : results.forceFetch(news, { context: parsed })
    return (await checking.catch(unlessAway)) ?? 'failed'
  }

  async function read(webhook: ReceivedWebhook): Promise<WebhookRead | 'unread'> {
    try {
      return (await gateway?.readWebhook?.(webhook)) ?? 'foreign'
    } catch (error) {
      unlessAway(error)
      return 'unread'
    }
  }

  async function check({ paymentId, reference }: WebhookNews): Promise<Answer> {
    const caller = { ...systemCaller(context.random), actor: 'provider' } as const
    return takePaymentNews(context, caller, { provider, paymentId, reference })
  }

  async function mayCheck(reference: string): Promise<boolean> {
    try {
      await each.consume(reference)
    } catch {
      return false
    }
    try {
      await all.consume('all')
      return true
    } catch {
      // The payment was not checked, so a repeat may check it.
      await each.delete(reference)
      return false
    }
  }

  function noteArrival(result: Answer): void {
    const { health } = gateway ?? {}
    if (!health || unjudged.has(result)) return
    const at = context.clock.now()
    if (refused.has(result)) health.refusedWebhookAt = at
    else {
      health.webhookAt = at
      storeArrival?.(provider, at)
    }
  }

  return async (webhook) => {
    const checked = resultOf(webhook)
    checked.then(noteArrival, () => undefined)
    const answer = await inTime(
      checked.then((result) => answers[result]),
      answerMs,
      late,
    )
    const { status, text } = gateway?.hasUnsignedWebhooks ? { status: 200, text: 'ok' } : answer
    return { status, text, result: checked.then((result) => answers[result].result) }
  }
}
