import type { Request } from 'express'

const COOKIE_LENGTH_MAX = 4_096
/** The signed id of a browser that the owner has logged in from. */
export const BROWSER_COOKIE = 'known_browser'
/** The signature of an order's id, sent only with calls about it. */
export const PLACED_COOKIE = 'placed_here'
/** Lifetime of these cookies. */
export const COOKIE_LIFETIME_S = 180 * 24 * 3_600

/** A cookie's value; undefined if missing. */
export function cookieOf(request: Request, name: string): string | undefined {
  const { cookie } = request.headers
  if (cookie === undefined) return undefined
  for (const part of cookie.split(';')) {
    const [key, value] = part.trim().split('=', 2)
    if (key === name && value !== undefined && value.length <= COOKIE_LENGTH_MAX) return value
  }
  return undefined
}

interface CookieOptions {
  /** `/api` by default. */
  readonly path?: string
  readonly maxAgeS: number
  readonly sameSite: 'Strict' | 'Lax'
  readonly isSecure: boolean
}

/** A cookie that scripts cannot read and that is sent to the API only. */
export function cookieText(
  name: string,
  value: string,
  { path = '/api', maxAgeS, sameSite, isSecure }: CookieOptions,
): string {
  return `${name}=${value}; Path=${path}; Max-Age=${maxAgeS}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`
}
