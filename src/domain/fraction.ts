import { decimalFrom } from './decimal.ts'

/** An exact number, which may be negative. `divisor` is above zero. */
export interface Fraction {
  readonly units: bigint
  readonly divisor: bigint
}

export const zero: Fraction = { units: 0n, divisor: 1n }

/** `of` × amount ÷ asked, exactly. Both amounts are plain decimal text; throws `RangeError` if nothing was asked. */
export function shareOf(of: number, amount: string, askedAmount: string): Fraction {
  const asked = decimalFrom(askedAmount)
  const given = amount === askedAmount ? asked : decimalFrom(amount)
  if (asked.units === 0n) throw new RangeError('A payment over an amount of zero covers nothing.')
  return {
    units: BigInt(of) * given.units * 10n ** BigInt(asked.decimals),
    divisor: asked.units * 10n ** BigInt(given.decimals),
  }
}

export function plus(one: Fraction, other: Fraction): Fraction {
  if (one.divisor === other.divisor) return { units: one.units + other.units, divisor: one.divisor }
  return {
    units: one.units * other.divisor + other.units * one.divisor,
    divisor: one.divisor * other.divisor,
  }
}

export function minus(one: Fraction, other: Fraction): Fraction {
  return plus(one, { units: -other.units, divisor: other.divisor })
}

export function times(one: Fraction, by: Fraction): Fraction {
  return { units: one.units * by.units, divisor: one.divisor * by.divisor }
}

/** `by` is above zero. */
export function dividedBy(one: Fraction, by: Fraction): Fraction {
  return times(one, { units: by.divisor, divisor: by.units })
}

export function sumOf(fractions: readonly Fraction[]): Fraction {
  return fractions.reduce(plus, zero)
}

export function whole(number: number): Fraction {
  return { units: BigInt(number), divisor: 1n }
}

export function isLessThan(one: Fraction, other: Fraction): boolean {
  return one.units * other.divisor < other.units * one.divisor
}

/** The largest whole number that is not above it. Throws `RangeError` beyond what a number can count exactly. */
export function floorOf({ units, divisor }: Fraction): number {
  const floor = Number(units / divisor - (units < 0n && units % divisor !== 0n ? 1n : 0n))
  if (!Number.isSafeInteger(floor)) throw new RangeError(`An amount of ${floor} is beyond what can be counted.`)
  return floor
}

export function ceilingOf({ units, divisor }: Fraction): number {
  return floorOf({ units: units + divisor - 1n, divisor })
}

/** To the nearest whole number, half up. */
export function rounded({ units, divisor }: Fraction): number {
  return floorOf({ units: units * 2n + divisor, divisor: divisor * 2n })
}

/** The nearest number; a larger fraction never gives a smaller one. */
export function numberOf({ units, divisor }: Fraction): number {
  return Number(units) / Number(divisor)
}
