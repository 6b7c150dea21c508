import { expect, it } from 'vitest'
import { coinsFor, COINS_MAX } from './stack-height.ts'

it('draws three more coins for every tenfold', () => {
  expect([1, 10, 100, 1_000, 10_000].map(coinsFor)).toEqual([1, 4, 7, 10, 13])
})

it('draws no coin for nothing, and never more than fit', () => {
  expect([0, Number.NaN, -5].map(coinsFor)).toEqual([0, 0, 0])
  expect(coinsFor(10_000_000)).toBe(COINS_MAX)
})
