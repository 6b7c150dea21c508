import { expect, it } from 'vitest'
import { savedPercent } from './offer.ts'

it('says what a pack saves once its price is rounded to cents', () => {
  const packs = [
    { amountM: 10, discountPercent: 5 },
    { amountM: 50, discountPercent: 10 },
  ]
  // 10M cost $0.50, and with 5% off $0.475: $0.48.
  expect([1, 10, 50].map((quantityM) => savedPercent({ unitPriceTenThousandths: 500, packs }, quantityM))).toEqual([
    0, 4, 10,
  ])
  expect(savedPercent({ unitPriceTenThousandths: 0, packs }, 10)).toBe(0)
})
