import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { ShopKeys } from './keys.ts'

/** Signed links that open an order unmasked in another browser. Nothing is stored: the same order and expiry give the same link. */
export interface OrderLinks {
  /** The token is behind the `#`, so that no server, proxy or scanner of mails sees it. */
  linkTo(orderId: string, expiresAt: number): string
  /** Whether the token is of this order and has not expired. */
  opens(orderId: string, token: string, now: number): boolean
}

const SECOND_MS = 1_000
/** The expiry in seconds, base 36, and 18 bytes of HMAC. */
const TOKEN = /^([\da-z]{6,8})\.([\w-]{24})$/

export function orderLinks(keys: Pick<ShopKeys, 'secretFor'>, publicUrl: string): OrderLinks {
  const key = createSecretKey(keys.secretFor('order-link'))
  const signatureOf = (orderId: string, expiry: string): string =>
    createHmac('sha256', key).update(`${orderId} ${expiry}`).digest().subarray(0, 18).toString('base64url')
  return {
    linkTo(orderId, expiresAt) {
      const expiry = Math.floor(expiresAt / SECOND_MS).toString(36)
      return `${publicUrl}/order/${orderId}#open=${expiry}.${signatureOf(orderId, expiry)}`
    },
    opens(orderId, token, now) {
      const [, expiry = '', signature = ''] = TOKEN.exec(token) ?? []
      if (signature === '') return false
      const isSigned = timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(orderId, expiry)))
      return isSigned && Number.parseInt(expiry, 36) * SECOND_MS > now
    },
  }
}
