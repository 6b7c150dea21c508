/** Providers send any precision; longer text is rejected. */
const AMOUNT_LENGTH_MAX = 80

/** An amount in whole units: 25.40 is 2540 with 2 decimals. */
interface Decimal {
  readonly units: bigint
  readonly decimals: number
}

/** The share of an order that a payment covers. */
interface Share {
  readonly coversCents: number
  /** The full amount; plain decimal text, above zero. */
  readonly askedAmount: string
}

/** Decimals of an amount due, at least: enough for most coins. A coin with more shows them in its asked amount. */
const DUE_DECIMALS = 6

/** The amount that pays `dueCents` of a share, rounded up, so that it never falls short. */
export function amountDue({ coversCents: cents, askedAmount }: Share, dueCents: number): string {
  if (dueCents >= cents) return askedAmount
  const decimals = Math.max(decimalFrom(askedAmount).decimals, DUE_DECIMALS)
  return shareUp(askedAmount, { by: String(dueCents), of: String(cents), decimals })
}

/** amount × by ÷ of, rounded up to `decimals`. `of` is above zero. */
export function shareUp(amount: string, share: { by: string; of: string; decimals: number }): string {
  const [given, by, of] = [decimalFrom(amount), decimalFrom(share.by), decimalFrom(share.of)]
  const numerator = given.units * by.units * 10n ** BigInt(of.decimals + share.decimals)
  const divisor = of.units * 10n ** BigInt(given.decimals + by.decimals)
  return decimalText({ units: (numerator + divisor - 1n) / divisor, decimals: share.decimals })
}

/** Plain decimal text above zero: digits, at most one dot, no sign, no exponent. */
export function isPositiveDecimal(text: string): boolean {
  return isDecimal(text) && /[1-9]/.test(text)
}

/** `0.29411765` for 29411765 units with 8 decimals; never an exponent. */
export function decimalText({ units, decimals }: Decimal): string {
  const digits = String(units).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

const EXPONENT_MAX = 60

/** A number as JSON writes it, such as 1.2e-7, as plain decimal text; undefined for a negative or an unbounded one. */
export function plainDecimal(text: string): string | undefined {
  const match = text.length <= AMOUNT_LENGTH_MAX && /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text)
  if (!match) return undefined
  const [, whole = '', fraction = '', exponent = '0'] = match
  const decimals = fraction.length - Number(exponent)
  if (Math.abs(Number(exponent)) > EXPONENT_MAX) return undefined
  const units = BigInt(whole + fraction) * 10n ** BigInt(Math.max(-decimals, 0))
  const plain = decimalText({ units, decimals: Math.max(decimals, 0) })
  return isDecimal(plain) ? plain : undefined
}

/** Exact at any number of decimals. */
export function decimalSum(texts: readonly string[]): string {
  const parts = texts.map(decimalFrom)
  const decimals = Math.max(0, ...parts.map((part) => part.decimals))
  const units = parts.reduce((sum, part) => sum + part.units * 10n ** BigInt(decimals - part.decimals), 0n)
  return decimalText({ units, decimals })
}

/** `amount` less `other`, exactly; zero if `other` is more. */
export function decimalRest(amount: string, other: string): string {
  const [one, two] = [decimalFrom(amount), decimalFrom(other)]
  const decimals = Math.max(one.decimals, two.decimals)
  const units = one.units * 10n ** BigInt(decimals - one.decimals) - two.units * 10n ** BigInt(decimals - two.decimals)
  return units > 0n ? decimalText({ units, decimals }) : '0'
}

/** Exact at any number of decimals. */
export function isLess(amount: string, other: string): boolean {
  if (amount === other) return false
  const [one, two] = [decimalFrom(amount), decimalFrom(other)]
  return one.units * 10n ** BigInt(two.decimals) < two.units * 10n ** BigInt(one.decimals)
}

/** 2.5 is the same as 2.50. */
export function isSame(amount: string, other: string): boolean {
  return !isLess(amount, other) && !isLess(other, amount)
}

/** Throws on anything but plain decimal text. */
export function decimalFrom(text: string): Decimal {
  if (!isDecimal(text))
    throw new RangeError(`Not a plain decimal amount: ${JSON.stringify(text.slice(0, AMOUNT_LENGTH_MAX))}`)
  const dot = text.indexOf('.')
  return { units: BigInt(text.replace('.', '')), decimals: dot === -1 ? 0 : text.length - dot - 1 }
}

/** Plain decimal text: digits, at most one dot, no sign, no exponent. */
export function isDecimal(text: string): boolean {
  return text.length <= AMOUNT_LENGTH_MAX && /^\d+(?:\.\d+)?$/.test(text)
}
