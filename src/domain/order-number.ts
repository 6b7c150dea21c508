/** Crockford's base 32: no I, L, O, U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const DIGITS = 7
const SPACE = 2 ** (5 * DIGITS)
/** The last serial that has a number. */
export const SERIAL_MAX = SPACE - 1
const LOW = 2 ** 17
const ROUNDS = 6

/** A keyed pseudo-random function: same inputs, same result; 0 to 2^18 - 1. */
export type RoundFunction = (round: number, half: number) => number

/**
 * A serial (1 to 2^35 - 1) as 7 characters and a check character. Different serials give different numbers (a Feistel network is a permutation), and
 * without the key a number reveals nothing of the count.
 */
export function orderNumberOf(serial: number, round: RoundFunction): string {
  if (!Number.isSafeInteger(serial) || serial < 1 || serial > SERIAL_MAX)
    throw new RangeError(`no order number for serial ${serial}`)
  let text = ''
  for (let rest = permute(serial, round), digit = 0; digit < DIGITS; digit += 1, rest = Math.floor(rest / 32))
    text = digitOf(rest % 32) + text
  return text + checkCharacterOf(text)
}

/** Halves of 18 and 17 bits, which change in turn. */
function permute(value: number, round: RoundFunction): number {
  let high = Math.floor(value / LOW)
  let low = value % LOW
  for (let index = 0; index < ROUNDS; index += 2) {
    high ^= round(index, low)
    low ^= round(index + 1, high) % LOW
  }
  return high * LOW + low
}

// Luhn's algorithm over base 32 detects every wrong character and nearly every swap of two neighbours.
function checkCharacterOf(text: string): string {
  let sum = 0
  for (const [index, character] of text.split('').reverse().entries()) {
    const product = ALPHABET.indexOf(character) * (index % 2 === 0 ? 2 : 1)
    sum += Math.floor(product / 32) + (product % 32)
  }
  return digitOf((32 - (sum % 32)) % 32)
}

function digitOf(value: number): string {
  return ALPHABET[value] ?? ''
}
