import { type NamedPayment, takePaymentNews } from '../../commands/take-payment-news.ts'
import { inTime } from '../../ports/in-time.ts'
import { type Shop, systemCaller } from '../../shop/shop.ts'
import type { WebhookAnswer, WebhookHandler } from '../api.ts'

/** A provider repeats a webhook that was not answered by then. */
const ANSWER_MS = 2_000
/** News that was taken lately; forgetting it only asks the provider once more. */
const REMEMBERED_MAX = 10_000

export interface WebhookOptions {
  readonly shop: Shop
  /** Queues the same look for when this one fails or takes too long. */
  readonly lookLater: (named: NamedPayment) => Promise<void>
  readonly answerMs?: number
}

/** What a webhook says. Only the payment that it names is believed, and it is read again. */
export interface WebhookNews {
  readonly named: NamedPayment
  /** The same text for the same news: what was taken is not looked at again. */
  readonly news: string
  /** Whether the provider sent it, where only a call can tell. */
  readonly isSent?: () => Promise<boolean>
}

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

type MaybePromise<Value> = Value | Promise<Value>

/** A webhook is a hint: what it names is read again at the provider, and 200 means that the log has it. */
export function providerWebhook(
  { shop, lookLater, answerMs = ANSWER_MS }: WebhookOptions,
  read: (webhook: Parameters<WebhookHandler>[0]) => MaybePromise<WebhookNews | keyof typeof answers>,
): WebhookHandler {
  const taken = new Set<string>()
  const taking = new Map<string, Promise<keyof typeof answers>>()

  async function take({ named, news, isSent }: WebhookNews): Promise<keyof typeof answers> {
    if (isSent && !(await isSent())) return 'unsigned'
    // The same news many times at once is one question to the provider.
    const work = taking.get(news) ?? look(named, news).finally(() => taking.delete(news))
    taking.set(news, work)
    return work
  }

  async function look(named: NamedPayment, news: string): Promise<keyof typeof answers> {
    const result = await takePaymentNews(shop, { ...systemCaller(shop.random), actor: 'provider' }, named)
    taken.add(news)
    const [oldest] = taken
    if (taken.size > REMEMBERED_MAX && oldest !== undefined) taken.delete(oldest)
    return result
  }

  return async (webhook) => {
    const said = await read(webhook)
    if (typeof said === 'string') return answers[said]
    if (taken.has(said.news)) return answers.repeated
    const work = take(said).catch(() => undefined)
    // It goes on when it takes longer.
    const result = await inTime(work, answerMs, undefined)
    if (result !== undefined) return answers[result]
    await lookLater(said.named).catch(() => undefined)
    return answers.late
  }
}
