import fc from 'fast-check'
import { expect, it } from 'vitest'
import { marketIdsFor } from './market-ids.ts'
import { marketIdAmounts } from './pricing.ts'
import { refusalOf } from './testing/examples.ts'

const marketId = '12345678'
const other = '87654321'

it.for([1, 50, 99])('all of an order of %dM goes to its one market id', (quantityM) => {
  expect(marketIdsFor(quantityM, { marketId, marketIds: undefined })).toStrictEqual([{ marketId, amountM: quantityM }])
  expect(marketIdsFor(quantityM, { marketId, marketIds: [] })).toStrictEqual([{ marketId, amountM: quantityM }])
  const listed = [{ marketId, amountM: quantityM }]
  expect(marketIdsFor(quantityM, { marketId, marketIds: listed })).toStrictEqual(listed)
})

it.for([
  [{ marketId: other, amountM: 99 }],
  [{ marketId, amountM: 98 }],
  [
    { marketId, amountM: 50 },
    { marketId: other, amountM: 49 },
  ],
])('an order of up to 99M rejects any other list of market ids: %j', (marketIds) =>
  expect(refusalOf(() => marketIdsFor(99, { marketId, marketIds }))).toBe('market-ids/wrong'),
)

const refused = (quantityM: number, amounts: number[], first = marketId) =>
  refusalOf(() => {
    const marketIds = amounts.map((amountM, index) => ({ marketId: index === 0 ? first : other, amountM }))
    return marketIdsFor(quantityM, { marketId, marketIds })
  })

it('a larger order takes exactly as many market ids as it needs', () => {
  expect(refused(100, [50, 50])).toBeUndefined()
  expect(refused(101, [50, 50, 1])).toBeUndefined()
  expect(refused(101, [1, 50, 50])).toBeUndefined()
  expect(refused(100, [])).toBe('market-ids/wrong')
  expect(refused(100, [50])).toBe('market-ids/wrong')
  expect(refused(100, [50, 25, 25])).toBe('market-ids/wrong')
})

it('no market id of a larger order gets more than 50M or less than 1M', () => {
  expect(refused(100, [51, 49])).toBe('market-ids/wrong')
  expect(refused(101, [50, 51, 0])).toBe('market-ids/wrong')
})

it('the market ids of a larger order add up to its quantity', () => {
  expect(refused(120, [50, 50, 19])).toBe('market-ids/wrong')
  expect(refused(120, [50, 50, 21])).toBe('market-ids/wrong')
})

it('the list of a larger order begins with the main market id', () =>
  expect(refused(100, [50, 50], other)).toBe('market-ids/wrong'))
it('a larger order needs a list of market ids', () =>
  expect(refusalOf(() => marketIdsFor(100, { marketId, marketIds: undefined }))).toBe('market-ids/wrong'))

it('a larger order accepts the split that the shop proposes', () =>
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 50_000 }), (quantityM) => {
      expect(refused(quantityM, marketIdAmounts(quantityM))).toBeUndefined()
    }),
  ))
