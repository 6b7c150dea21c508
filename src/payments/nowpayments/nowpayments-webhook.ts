import { createHmac, timingSafeEqual } from 'node:crypto'
import { exactJsonIn } from '../exact-json.ts'
import { webhookBody } from './nowpayments-replies.ts'
import type { ReceivedWebhook, WebhookRead } from '../payment-provider.ts'

/** Deeper than any webhook, and far below what would exhaust the stack. */
const DEPTH_MAX = 20
/** A webhook has 600 bytes. Rewriting a longer body costs more than a stranger's request may. */
const REWRITTEN_BYTES_MAX = 8_000

/** Webhooks of NOWPayments are signed with a shared secret. */
export function readNowPaymentsWebhook({ body, headers }: ReceivedWebhook, secret: string): WebhookRead {
  const signature = headers['x-nowpayments-sig']
  if (!isSignedByNowPayments(body, typeof signature === 'string' ? signature : undefined, secret)) return 'unsigned'
  const given = webhookBody.safeParse(exactJsonIn(body))
  if (!given.success) return 'malformed'
  const { payment_id: paymentId, payment_status: status, actually_paid: paid, order_id: reference } = given.data
  // The signature covers no time, so an old webhook can be replayed: the shop then only checks the payment again.
  return { paymentId, reference: reference ?? '', news: `${paymentId} ${status} ${paid ?? ''}` }
}

/** HMAC-SHA512 over the body with sorted keys, as in `x-nowpayments-sig`. */
export function nowPaymentsSignature(body: string | Buffer, secret: string): string {
  return createHmac('sha512', secret.trim()).update(body).digest('hex')
}

/**
 * Whether the secret's owner signed this body: as it was sent, or rewritten in one of the two ways that NOWPayments documents. Compared in constant
 * time.
 */
export function isSignedByNowPayments(body: Buffer, signature: string | undefined, secret: string): boolean {
  if (signature === undefined || !/^[0-9a-f]{128}$/i.test(signature)) return false
  const given = Buffer.from(signature, 'hex')
  const isBy = (text: string | Buffer): boolean =>
    timingSafeEqual(given, Buffer.from(nowPaymentsSignature(text, secret), 'hex'))
  return isBy(body) || signedTexts(body).some(isBy)
}

/** What NOWPayments may have signed instead of the bytes: compact JSON with all keys sorted, or with the sorted top-level keys as the list of keys to write. */
export function signedTexts(body: Buffer): readonly string[] {
  if (body.byteLength > REWRITTEN_BYTES_MAX) return []
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    const keys = typeof parsed === 'object' && parsed !== null ? Object.keys(parsed).toSorted() : null
    return [JSON.stringify(sortKeys(parsed, 0)), JSON.stringify(parsed, keys)]
  } catch {
    return []
  }
}

function sortKeys(value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) throw new RangeError('nested too deeply')
  if (Array.isArray(value)) return value.map((item: unknown) => sortKeys(item, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item, depth + 1)]))
}
