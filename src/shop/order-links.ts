import type { ShopKeys } from './keys.ts'
import { signer } from './signer.ts'

/** Signed links that open an order unmasked in another browser. Nothing is stored: the same order and expiry give the same link. */
export interface OrderLinks {
  /** The token is behind the `#`, so that no server, proxy or scanner of mails sees it. */
  linkTo(orderId: string, expiresAt: number): string
  /** Whether the token is of this order and has not expired. */
  opens(orderId: string, token: string, now: number): boolean
}

const SECOND_MS = 1_000
/** The expiry in seconds, base 36, and a signature. */
const TOKEN = /^([\da-z]{6,8})\.([\w-]+)$/

export function orderLinks(keys: Pick<ShopKeys, 'secretFor'>, publicUrl: string): OrderLinks {
  const { sign, isSigned } = signer(keys.secretFor('order-link'), 'open')
  return {
    linkTo(orderId, expiresAt) {
      const expiry = Math.floor(expiresAt / SECOND_MS).toString(36)
      return `${publicUrl}/order/${orderId}#open=${expiry}.${sign(`${orderId} ${expiry}`)}`
    },
    opens(orderId, token, now) {
      const [, expiry = '', signature] = TOKEN.exec(token) ?? []
      return isSigned(`${orderId} ${expiry}`, signature) && Number.parseInt(expiry, 36) * SECOND_MS > now
    },
  }
}
