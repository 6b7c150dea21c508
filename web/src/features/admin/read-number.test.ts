import { expect, it } from 'vitest'
import { readNumber } from './read-number.ts'

const whole = { min: 0, max: 50_000, decimals: 0 } as const
const price = { min: 0, max: 1000, decimals: 2 } as const

it.for([
  ['1200', 1200],
  [' 1,200 ', 1200],
  ['1 200', 1200],
  ['50,000', 50_000],
  ['0', 0],
  ['50000', 50_000],
] as const)('reads %s as a whole number', ([text, value]) => {
  expect(readNumber(text, whole)).toEqual({ value })
})

it.for(['', 'abc', '-1', '1.5', '1,5', '5 0', '50001', '1e3'])(
  'refuses "%s" where a whole number is asked for',
  (text) => {
    expect(readNumber(text, whole)).toEqual({ problem: 'Enter a whole number from 0\u00A0to\u00A050,000.' })
  },
)

it('reads a price to the cent, and no finer one', () => {
  expect(readNumber('0.05', price)).toEqual({ value: 0.05 })
  expect(readNumber('.5', price)).toEqual({ value: 0.5 })
  expect(readNumber('12', price)).toEqual({ value: 12 })
  for (const text of ['0.055', '1,5', '1000.01', '.'])
    expect(readNumber(text, price)).toEqual({
      problem: 'Enter a number with at most 2 decimals from 0\u00A0to\u00A01,000.',
    })
})
