import { createHmac, timingSafeEqual } from 'node:crypto'

/** Base64 of HMAC-SHA256 over the timestamp and the body's bytes, as `x-webhook-signature` has it. */
export function cashfreeSignature(timestamp: string, body: string | Buffer, secret: string): string {
  return createHmac('sha256', secret.trim()).update(timestamp).update(body).digest('base64')
}

/** Whether the secret's owner signed these bytes: a body that was parsed and written again is another one. Compared in constant time. */
export function isSignedByCashfree(
  body: Buffer,
  { timestamp, signature }: Readonly<Record<'timestamp' | 'signature', unknown>>,
  secret: string,
): boolean {
  if (typeof timestamp !== 'string' || typeof signature !== 'string' || !/^\d{1,20}$/.test(timestamp)) return false
  const [given, right] = [Buffer.from(signature), Buffer.from(cashfreeSignature(timestamp, body, secret))]
  return given.byteLength === right.byteLength && timingSafeEqual(given, right)
}
