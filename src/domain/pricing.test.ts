import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  divideHalfUp,
  marketIdAmounts,
  marketIdCount,
  packDiscount,
  packsOf,
  paiseOf,
  QUANTITY_MAX_M,
  quote,
  unitPrice,
} from './pricing.ts'
import { DEFAULT_SETTINGS } from './settings/settings.ts'

const packs = packsOf(DEFAULT_SETTINGS)
const defaultPrice = unitPrice(DEFAULT_SETTINGS)

it('one million costs 0.05 by default', () => expect(defaultPrice).toBe(500))
it('the unit price is the base price less the bulk discount, exact to a hundredth of a cent', () => {
  expect(unitPrice({ basePriceCents: 5, bulkDiscountPercent: 15 })).toBe(425)
  expect(unitPrice({ basePriceCents: 7, bulkDiscountPercent: 33 })).toBe(469)
  expect(unitPrice({ basePriceCents: 100_000, bulkDiscountPercent: 100 })).toBe(0)
})

it.for(
  Object.entries({ 1: 0, 9: 0, 10: 5, 49: 5, 50: 10, 99: 10, 100: 15, 199: 15, 200: 20, 299: 20, 300: 25, 499: 25 }),
)('the discount of %sM is %d percent', ([quantityM, percent]) =>
  expect(packDiscount(packs, Number(quantityM))).toBe(percent),
)

it.for([500, 50_000])('the discount of %dM is 30 percent', (quantityM) =>
  expect(packDiscount(packs, quantityM)).toBe(30),
)

it('a later pack wins over an earlier one, whatever their amounts', () => {
  const odd = [
    { amountM: 100, discountPercent: 50 },
    { amountM: 10, discountPercent: 5 },
  ]
  expect(packDiscount(odd, 100)).toBe(5)
  expect(packDiscount(odd, 9)).toBe(0)
  expect(packDiscount([], 9)).toBe(0)
})

it.for(
  Object.entries({ 1: 5, 10: 48, 50: 225, 100: 425, 200: 800, 300: 1125, 500: 1750, 1000: 3500, 50_000: 175_000 }),
)('the total of %sM is %d cents by default', ([quantityM, totalCents]) =>
  expect(quote({ unitPriceTenThousandths: defaultPrice, packs }, Number(quantityM)).totalCents).toBe(totalCents),
)

it('a quote contains what it was calculated from', () =>
  expect(quote({ unitPriceTenThousandths: 425, packs }, 100)).toStrictEqual({
    quantityM: 100,
    unitPriceTenThousandths: 425,
    discountPercent: 15,
    totalCents: 361,
  }))

it('the total is exact for every price that can be set', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: QUANTITY_MAX_M }),
      fc.integer({ min: 0, max: 100_000 }),
      fc.nat(100),
      fc.nat(100),
      (quantityM, basePriceCents, bulkDiscountPercent, discountPercent) => {
        const unitPriceTenThousandths = unitPrice({ basePriceCents, bulkDiscountPercent })
        const { totalCents } = quote({ unitPriceTenThousandths, packs: [{ amountM: 1, discountPercent }] }, quantityM)
        const numerator = BigInt(quantityM) * BigInt(unitPriceTenThousandths) * BigInt(100 - discountPercent)
        expect(BigInt(totalCents)).toBe((2n * numerator + 10_000n) / 20_000n)
      },
    ),
  ))

it('whole numbers are divided half up, exactly', () =>
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 1_000_000 }), (numerator, denominator) => {
      const exact = (2n * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator))
      expect(BigInt(divideHalfUp(numerator, denominator))).toBe(exact)
    }),
  ))

it.for(Object.entries({ 0: 0, 100: 8650, 425: 36_763, 1: 87, 175_000: 15_137_500 }))(
  '%s cents at 86.5 rupees are %d paise',
  ([cents, paise]) => expect(paiseOf(Number(cents), 8650)).toBe(paise),
)

it.for<[number, number[]]>([
  [1, [1]],
  [99, [99]],
  [100, [50, 50]],
  [101, [50, 50, 1]],
  [149, [50, 50, 49]],
  [150, [50, 50, 50]],
])('%dM is split over market ids as %j', ([quantityM, amounts]) =>
  expect(marketIdAmounts(quantityM)).toStrictEqual(amounts),
)

it('market ids above 99M get up to 50M each and add up to the quantity', () =>
  fc.assert(
    fc.property(fc.integer({ min: 100, max: QUANTITY_MAX_M }), (quantityM) => {
      const amounts = marketIdAmounts(quantityM)
      expect(amounts).toHaveLength(Math.ceil(quantityM / 50))
      expect(amounts).toHaveLength(marketIdCount(quantityM))
      expect(Math.min(...amounts)).toBeGreaterThanOrEqual(1)
      expect(Math.max(...amounts)).toBeLessThanOrEqual(50)
      expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(quantityM)
    }),
  ))
