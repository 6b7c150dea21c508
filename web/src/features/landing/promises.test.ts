import { expect, it } from 'vitest'
import type { PaymentSettings } from '#contract/settings.ts'
import { largestDiscount, promisesOf } from './promises.ts'

const settings = {
  pack1Discount: 5,
  pack2Discount: 10,
  pack3Discount: 15,
  pack4Discount: 20,
  pack5Discount: 25,
  pack6Discount: 30,
  bulkDiscountPercent: 0,
  preOrdersEnabled: false,
} as PaymentSettings
const known = { deliveryMode: 'instant', settings } as const

it('finds the largest discount that a buyer can get off the base price', () => {
  expect(largestDiscount(settings)).toBe(30)
  expect(largestDiscount({ ...settings, bulkDiscountPercent: 15 })).toBe(40)
  expect(largestDiscount({ ...settings, pack6Discount: 0 })).toBe(25)
})

it('promises what holds for the shop as it is', () => {
  expect(promisesOf(known)).toEqual([
    'Support answers within 6 hours',
    'Up to 30% off on bulk',
    'Delivery in seconds to 30 seconds',
  ])
  const nothingOff = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, name.endsWith('Discount') ? 0 : value]),
  ) as unknown as PaymentSettings
  expect(promisesOf({ ...known, settings: nothingOff })).toEqual([
    'Support answers within 6 hours',
    'Delivery in seconds to 30 seconds',
  ])
})

it('promises no seconds where staff hand over, where pre-orders are taken, or before that is known', () => {
  const ahead = { ...settings, preOrdersEnabled: true }
  for (const one of [{ deliveryMode: 'staff' }, { settings: ahead }, { settings: undefined }] as const)
    expect(promisesOf({ ...known, ...one }).join()).not.toMatch(/seconds/)
  expect(promisesOf({ ...known, settings: ahead }).at(-1)).toBe(
    'Delivery typically 5-10 minutes, pre-orders within 7-10 days',
  )
})
