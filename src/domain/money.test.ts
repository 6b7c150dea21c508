import fc from 'fast-check'
import { expect, it } from 'vitest'
import { centsFrom, centsToText } from './money.ts'

it.for<[number, string]>([
  [0, '0.00'],
  [5, '0.05'],
  [40, '0.40'],
  [2540, '25.40'],
  [100_000, '1000.00'],
  [-5, '-0.05'],
  [-2540, '-25.40'],
])('%d cents are written as %s', ([cents, text]) => expect(centsToText(cents)).toBe(text))

it.for<[string | number, number]>([
  ['25.40', 2540],
  ['25.4', 2540],
  ['25', 2500],
  [25.4, 2540],
  [25, 2500],
  [0.07, 7],
  ['0.00', 0],
  ['999999999.99', 99_999_999_999],
])('the amount %j is read as %d cents', ([amount, cents]) => expect(centsFrom(amount)).toBe(cents))

it.for<string | number>(['', ' ', '25.', '.40', '25.400', '25,40', '-1', '+1', '1e3', '0x10', '25.40 ', '1234567890'])(
  'the text %j is no amount',
  (amount) => expect(centsFrom(amount)).toBeUndefined(),
)

it.for([0.1 + 0.2, -1, 1e21, Number.NaN, Number.POSITIVE_INFINITY, 25.405])('the number %d is no amount', (amount) =>
  expect(centsFrom(amount)).toBeUndefined(),
)

it('every written amount is read back', () =>
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (cents) => {
      expect(centsFrom(centsToText(cents))).toBe(cents)
      expect(centsFrom(Number(centsToText(cents)))).toBe(cents)
    }),
  ))
