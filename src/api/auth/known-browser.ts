import { createHmac, createSecretKey } from 'node:crypto'
import type { Request } from 'express'
import { cookieOf } from '../http/cookies.ts'
import { isSameText } from './same-text.ts'

export const BROWSER_COOKIE = 'known_browser'
export const BROWSER_KNOWN_S = 180 * 24 * 3_600
const ID_CHARACTERS = 36

/** Browsers that the owner has logged in from, by a signed id in a cookie. It grants nothing: it only keeps strangers' attempts from counting against the owner. */
export interface KnownBrowsers {
  /** The request's browser id, if it was signed here. */
  of(request: Request): string | undefined
  cookieFor(id: string): string
}

export function knownBrowsers(secret: Uint8Array): KnownBrowsers {
  const key = createSecretKey(secret)
  const signatureOf = (id: string): string => createHmac('sha256', key).update(`browser ${id}`).digest('base64url')
  return {
    of(request) {
      const value = cookieOf(request, BROWSER_COOKIE)
      if (value === undefined) return undefined
      const id = value.slice(0, ID_CHARACTERS)
      return isSameText(value.slice(ID_CHARACTERS + 1), signatureOf(id)) ? id : undefined
    },
    cookieFor: (id) => `${id}.${signatureOf(id)}`,
  }
}
