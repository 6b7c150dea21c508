import type { PaymentSettings } from '#contract/settings.ts'
import { packFields } from '#pricing'
import { expect, it } from 'vitest'
import { largePriceChange } from './price-change.ts'

const amounts = [10, 50, 100, 200, 300, 500]
const now = {
  basePricePerMillion: 0.07,
  bulkDiscountPercent: 0,
  currentStock: 1_000,
  ...packFields((index) => ({ amount: amounts[index] ?? 0, discount: 5 * (index + 1) })),
} as unknown as PaymentSettings
const changed = (change: Partial<PaymentSettings>) => largePriceChange(now, { ...now, ...change })

it.for<[string, Partial<PaymentSettings>, string | undefined]>([
  ['ten times the price', { basePricePerMillion: 0.7 }, '1M then cost $0.70 instead of $0.07.'],
  ['less than half', { basePricePerMillion: 0.03 }, '1M then cost $0.03 instead of $0.07.'],
  ['half as much again', { basePricePerMillion: 0.1 }, undefined],
  ['a bulk discount', { bulkDiscountPercent: 60 }, '1M then cost $0.03 instead of $0.07.'],
  ['a small bulk discount', { bulkDiscountPercent: 40 }, undefined],
  ['the discount of one pack', { pack3Discount: 90 }, '100M then cost $0.70 instead of $5.95.'],
  ['a pack for nothing', { pack1Discount: 100 }, '10M then cost $0.00 instead of $0.67.'],
  ['what the server refuses', { bulkDiscountPercent: 120 }, undefined],
  ['the stock', { currentStock: 1 }, undefined],
])('%s', ([, change, says]) => {
  expect(changed(change)).toBe(says)
})
