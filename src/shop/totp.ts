import { createHmac } from 'node:crypto'

/* Codes by time, RFC 6238: SHA-1, 6 digits, 30 s, which every authenticator app knows. */

const STEP_MS = 30_000
const DIGITS = 6
/** The phone's clock may be this many steps behind or ahead. */
const DRIFT = 1

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function stepAt(ms: number): number {
  return Math.floor(ms / STEP_MS)
}

export function totp(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7f_ff_ff_ff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The step of this code, if it is one of now and later than `after`. */
export function stepOf(
  code: string,
  { secret, now, after }: { secret: Uint8Array; now: number; after: number },
): number | undefined {
  for (let step = stepAt(now) - DRIFT; step <= stepAt(now) + DRIFT; step += 1)
    if (step > after && totp(secret, step) === code) return step
  return undefined
}

/** RFC 4648, without padding: the bytes must be a multiple of 5. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('')
}
