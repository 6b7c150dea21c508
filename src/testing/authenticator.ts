import { stepAt, totp } from '../shop/totp.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code that an authenticator app with this secret shows. */
export function codeAt(secret: string, ms: number): string {
  const bits = secret
    .split('')
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const bytes = (bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2))
  return totp(Uint8Array.from(bytes), stepAt(ms))
}

/** Six digits that are no code now. */
export function wrongCodeAt(secret: string, ms: number): string {
  const valid = new Set([-60_000, -30_000, 0, 30_000, 60_000].map((away) => codeAt(secret, ms + away)))
  return ['000000', '000001', '000002', '000003', '000004', '000005'].find((code) => !valid.has(code)) ?? ''
}
