import { createHmac, createSecretKey } from 'node:crypto'
import type { Request } from 'express'
import { cookieOf, type CookieOptions, cookieText } from '../http/cookies.ts'
import { isSameText } from './same-text.ts'

const COOKIE = 'placed_here'
const KEPT_S = 180 * 24 * 3_600

/** Recognizes the browser that placed an order, by a sealed cookie sent only with requests about this order. */
export interface PlacedHere {
  cookieFor(orderId: string): string
  isTrueOf(request: Request, orderId: string): boolean
}

export function placedHere(secret: Uint8Array, { isSecure }: Pick<CookieOptions, 'isSecure'>): PlacedHere {
  const key = createSecretKey(secret)
  const seal = (orderId: string): string => createHmac('sha256', key).update(`placed ${orderId}`).digest('base64url')
  return {
    cookieFor: (orderId) =>
      cookieText(COOKIE, seal(orderId), {
        path: `/api/orders/${orderId}`,
        maxAgeS: KEPT_S,
        sameSite: 'Strict',
        isSecure,
      }),
    isTrueOf(request, orderId) {
      const given = cookieOf(request, COOKIE)
      return given !== undefined && isSameText(given, seal(orderId))
    },
  }
}
