import { expect, it } from 'vitest'
import type { PaymentSettings } from '#contract/settings.ts'
import { largestDiscount, promisesOf } from './promises.ts'

const packs = (discountOf: (pack: number) => number) =>
  Object.fromEntries([1, 2, 3, 4, 5, 6].map((pack) => [`pack${pack}Discount`, discountOf(pack)]))
const others = { bulkDiscountPercent: 0, preOrdersEnabled: false }
const settings = { ...others, ...packs((pack) => 5 * pack) } as unknown as PaymentSettings
const known = { deliveryMode: 'instant', settings } as const

it('largestDiscount combines the largest pack discount with the bulk discount', () => {
  expect(largestDiscount(settings)).toBe(30)
  expect(largestDiscount({ ...settings, bulkDiscountPercent: 15 })).toBe(40)
  expect(largestDiscount({ ...settings, pack6Discount: 0 })).toBe(25)
})

it('the landing page promises what holds for this shop', () => {
  expect(promisesOf(known)).toEqual([
    'Support answers within 6 hours',
    'Up to 30% off on bulk',
    'Delivery in seconds to 30 seconds',
  ])
  const nothingOff = { ...settings, ...packs(() => 0) }
  expect(promisesOf({ ...known, settings: nothingOff })).toEqual([
    'Support answers within 6 hours',
    'Delivery in seconds to 30 seconds',
  ])
})

it('no delivery in seconds is promised if staff deliver, pre-orders are on, or settings are unknown', () => {
  const ahead = { ...settings, preOrdersEnabled: true }
  for (const one of [{ deliveryMode: 'staff' }, { settings: ahead }, { settings: undefined }] as const)
    expect(promisesOf({ ...known, ...one }).join()).not.toMatch(/seconds/)
  expect(promisesOf({ ...known, settings: ahead }).at(-1)).toBe(
    'Delivery typically 5-10 minutes, pre-orders within 7-10 days',
  )
})
