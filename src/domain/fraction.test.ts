import { expect, it } from 'vitest'
import { ceilingOf, floorOf, type Fraction, isLessThan, minus, plus, rounded, shareOf, whole } from './fraction.ts'

it.for([
  { asked: '0.29411765', covers: 2500, paid: '0.29411766', cents: 2500 },
  { asked: '3', covers: 100, paid: '2.999999999999999999999999', cents: 99 },
  { asked: '1', covers: 5_000_000_000, paid: '1.1', cents: 5_500_000_000 },
])('$paid of $asked covers $cents of $covers cents', ({ asked, covers, paid, cents }) => {
  expect(floorOf(shareOf(covers, paid, asked))).toBe(cents)
})

it('parts of a cent add up to whole ones', () => {
  const third = shareOf(25, '1', '3')
  expect([floorOf(third), floorOf(plus(third, plus(third, third)))]).toEqual([8, 25])
  expect(isLessThan(plus(third, third), whole(17))).toBe(true)
})

const quarter: Fraction = { units: 1n, divisor: 4n }
it.for<[what: string, fraction: Fraction, floor: number, ceiling: number, nearest: number]>([
  ['a whole number', whole(-3), -3, -3, -3],
  ['a part above zero', quarter, 0, 1, 0],
  ['a part below zero', minus(quarter, whole(1)), -1, 0, -1],
  ['a half', plus(quarter, quarter), 0, 1, 1],
])('%s is rounded down, up and to the nearest', ([, fraction, ...expected]) =>
  expect([floorOf(fraction), ceilingOf(fraction), rounded(fraction)]).toEqual(expected),
)

it('a share of nothing is refused', () => {
  expect(() => shareOf(100, '1', '0.00')).toThrow('amount of zero')
})

it('an amount beyond the countable range is refused', () => {
  expect(() => floorOf(shareOf(100, '99999999999', '0.00000001'))).toThrow('beyond')
})
