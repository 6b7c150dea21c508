import { LRUCache } from 'lru-cache'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { takePaymentNews } from '../../commands/take-payment-news.ts'
import { type ReceivedWebhook, unlessAway, type WebhookNews } from '../../payments/payment-provider.ts'
import { inTime } from '../../ports/in-time.ts'
import { providerNamed } from '../../shop/providers.ts'
import { type Shop, systemCaller } from '../../shop/shop.ts'
import type { WebhookAnswer, WebhookHandler } from '../api.ts'

/** Longer than the calls of fifty webhooks at once take at a provider's pace. Most providers repeat a webhook before that; it then waits for the same look. */
const ANSWER_MS = 15_000
/** News that was taken lately; forgetting it only asks the provider once more. */
const REMEMBERED_MAX = 10_000
/** Of webhooks that are not signed: anyone can ask for a look. The workers' checks find what is not looked at. */
const LOOKS_PER_SECOND = 3
const SECONDS_PER_PAYMENT = 5

export interface WebhookOptions {
  readonly shop: Shop
  /** Keeps when the last webhook of a provider came. */
  readonly keepCame?: (provider: string, atMs: number) => void
  readonly answerMs?: number
}

/** Nothing says that the provider sent it. */
const refused = new Set<string>(['unsigned', 'malformed'])
/** Whether the provider sent these is not known yet. */
const unjudged = new Set<string>(['late', 'limited'])

const answers = {
  taken: { status: 200, text: 'ok', result: 'taken' },
  foreign: { status: 200, text: 'ok', result: 'foreign' },
  unplaced: { status: 200, text: 'ok', result: 'unplaced' },
  repeated: { status: 200, text: 'ok', result: 'repeated' },
  unsigned: { status: 401, text: 'the signature is not right', result: 'unsigned' },
  malformed: { status: 400, text: 'not a payment', result: 'malformed' },
  limited: { status: 429, text: 'too many', result: 'limited' },
  late: { status: 503, text: 'not yet', result: 'late' },
} as const satisfies Record<string, WebhookAnswer>
type Answer = keyof typeof answers

/** A webhook is a hint: what it names is read again at the provider, and 200 means that the log has it. The provider repeats what is answered 503. */
export function providerWebhook(
  { shop, keepCame, answerMs = ANSWER_MS }: WebhookOptions,
  provider: string,
): WebhookHandler {
  /** By their news: the same many times at once is one question to the provider. */
  const taken = new LRUCache<string, Answer, WebhookNews>({
    max: REMEMBERED_MAX,
    ignoreFetchAbort: true,
    fetchMethod: async (_news, _old, { context }) => look(context),
  })
  const each = new RateLimiterMemory({ points: 1, duration: SECONDS_PER_PAYMENT })
  const all = new RateLimiterMemory({ points: LOOKS_PER_SECOND, duration: 1 })
  const gateway = providerNamed(shop, provider)

  async function answerTo(webhook: ReceivedWebhook): Promise<Answer> {
    const said = (await gateway?.readWebhook?.(webhook)) ?? 'foreign'
    if (typeof said === 'string') return said
    const { news, reference } = said
    if (reference !== '' && !shop.keys.referred(reference)) return 'foreign'
    if (news === undefined) return (await mayLook(reference)) ? look(said) : 'limited'
    return taken.has(news) ? 'repeated' : taken.forceFetch(news, { context: said })
  }

  async function look({ paymentId, reference }: WebhookNews): Promise<Answer> {
    const caller = { ...systemCaller(shop.random), actor: 'provider' } as const
    return takePaymentNews(shop, caller, { provider, paymentId, reference })
  }

  async function mayLook(reference: string): Promise<boolean> {
    try {
      await each.consume(reference)
    } catch {
      return false
    }
    try {
      await all.consume('all')
      return true
    } catch {
      // It was not looked at.
      await each.delete(reference)
      return false
    }
  }

  function noteCame(result: string): void {
    const { health } = gateway ?? {}
    if (!health || unjudged.has(result)) return
    const at = shop.clock.now()
    if (refused.has(result)) health.refusedWebhookAt = at
    else {
      health.webhookAt = at
      keepCame?.(provider, at)
    }
  }

  return async (webhook) => {
    // It goes on when it takes longer.
    const result = await inTime(answerTo(webhook).catch(unlessAway), answerMs, undefined)
    const answer = answers[result ?? 'late']
    noteCame(answer.result)
    return gateway?.hasUnsignedWebhooks ? { ...answer, status: 200, text: 'ok' } : answer
  }
}
