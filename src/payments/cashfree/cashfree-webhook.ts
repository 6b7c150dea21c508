import { createHmac, timingSafeEqual } from 'node:crypto'
import { webhookBody } from './cashfree-replies.ts'
import { exactJsonIn } from '../exact-json.ts'
import type { ReceivedWebhook, WebhookRead } from '../payment-provider.ts'

/** Webhooks of Cashfree are signed with the client secret. Their time is not checked: a late repeat is as valid as the first. */
export function readCashfreeWebhook({ body, headers }: ReceivedWebhook, secret: string): WebhookRead {
  const signed = { timestamp: headers['x-webhook-timestamp'], signature: headers['x-webhook-signature'] }
  if (!isSignedByCashfree(body, signed, secret)) return 'unsigned'
  const given = webhookBody.safeParse(exactJsonIn(body))
  if (!given.success) return 'malformed'
  const { order, payment, dispute, order_details: disputed, ...refunds } = given.data.data
  const refund = refunds.refund ?? refunds.auto_refund
  const reference = order?.order_id ?? refund?.order_id ?? disputed?.order_id
  // Settlements and other account news name no payment.
  if (reference === undefined) return 'foreign'
  const what =
    (refund && `refund ${refund.cf_refund_id} ${refund.refund_status}`) ??
    (dispute && `dispute ${dispute.dispute_id} ${dispute.dispute_status}`) ??
    `${payment?.cf_payment_id ?? ''} ${payment?.payment_status ?? given.data.type}`
  return { paymentId: reference, reference, news: `${reference} ${what}` }
}

/** Base64 of HMAC-SHA256 over the timestamp and the body's bytes, as in `x-webhook-signature`. */
export function cashfreeSignature(timestamp: string, body: string | Buffer, secret: string): string {
  return createHmac('sha256', secret.trim()).update(timestamp).update(body).digest('base64')
}

/** Whether the secret's owner signed these bytes, before any parsing, which could change them. Compares in constant time. */
export function isSignedByCashfree(
  body: Buffer,
  { timestamp, signature }: Readonly<Record<'timestamp' | 'signature', unknown>>,
  secret: string,
): boolean {
  if (typeof timestamp !== 'string' || typeof signature !== 'string' || !/^\d{1,20}$/.test(timestamp)) return false
  const [given, right] = [Buffer.from(signature), Buffer.from(cashfreeSignature(timestamp, body, secret))]
  return given.byteLength === right.byteLength && timingSafeEqual(given, right)
}
