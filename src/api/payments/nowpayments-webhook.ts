import { type NamedPayment, takePaymentNews } from '../../commands/take-payment-news.ts'
import { parseExactJson } from '../../payments/exact-json.ts'
import { webhookBody } from '../../payments/nowpayments-replies.ts'
import { isSignedByNowPayments } from '../../payments/nowpayments-signature.ts'
import { type Shop, systemCaller } from '../../shop/shop.ts'
import type { WebhookAnswer, WebhookHandler } from '../api.ts'

/** A provider repeats a webhook that was not answered by then. */
const ANSWER_MS = 2_000
/** News that was taken lately; forgetting it only asks the provider once more. */
const REMEMBERED_MAX = 10_000

interface Options {
  readonly shop: Shop
  readonly secret: string
  /** Queues the same look for when this one fails or takes too long. */
  readonly lookLater: (named: NamedPayment) => Promise<void>
  readonly answerMs?: number
}

const answers = {
  taken: { status: 200, text: 'ok', result: 'taken' },
  foreign: { status: 200, text: 'ok', result: 'foreign' },
  unplaced: { status: 200, text: 'ok', result: 'unplaced' },
  repeated: { status: 200, text: 'ok', result: 'repeated' },
  unsigned: { status: 401, text: 'the signature is not right', result: 'unsigned' },
  malformed: { status: 400, text: 'not a payment', result: 'malformed' },
  late: { status: 503, text: 'not yet', result: 'late' },
} as const satisfies Record<string, WebhookAnswer>

/** A webhook of NOWPayments is a hint: its signature is checked, then the payment is read again, and 200 means that the log has it. */
export function nowPaymentsWebhook({ shop, secret, lookLater, answerMs = ANSWER_MS }: Options): WebhookHandler {
  const taken = new Set<string>()

  async function take(named: NamedPayment, news: string): Promise<keyof typeof answers> {
    const result = await takePaymentNews(shop, { ...systemCaller(shop.random), actor: 'provider' }, named)
    taken.add(news)
    const [oldest] = taken
    if (taken.size > REMEMBERED_MAX && oldest !== undefined) taken.delete(oldest)
    return result
  }

  return async ({ body, headers }) => {
    const signature = headers['x-nowpayments-sig']
    if (!isSignedByNowPayments(body, typeof signature === 'string' ? signature : undefined, secret))
      return answers.unsigned
    const given = webhookBody.safeParse(jsonOf(body))
    if (!given.success) return answers.malformed
    const { payment_id: paymentId, payment_status: status, actually_paid: paid, order_id: reference } = given.data
    // Nothing that is signed names the moment, so that an old webhook can be sent again.
    const news = `${paymentId} ${status} ${paid ?? ''}`
    if (taken.has(news)) return answers.repeated
    const named = { method: 'crypto', paymentId, reference: reference ?? '' } as const
    const result = await inTime(take(named, news), answerMs)
    if (result !== undefined) return answers[result]
    await lookLater(named).catch(() => undefined)
    return answers.late
  }
}

function jsonOf(body: Buffer): unknown {
  try {
    return parseExactJson(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Undefined where it fails or takes longer; it goes on all the same. */
async function inTime<Result>(work: Promise<Result>, ms: number): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  const result = await Promise.race([work.catch(() => undefined), late])
  clearTimeout(timer)
  return result
}
