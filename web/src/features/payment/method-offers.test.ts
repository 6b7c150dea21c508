import { expect, it } from 'vitest'
import type { PaymentSettings } from '#contract/settings.ts'
import { offersOf } from './method-offers.ts'

const open = { available: true, reason: null }
const methods = [
  { ...open, method: 'paypal', payable: '4.65', currency: 'USD' },
  { method: 'crypto', available: false, reason: 'Below the minimum', payable: '4.25', currency: 'USD' },
  { ...open, method: 'upi', payable: '367.63', currency: 'INR' },
] as const

it('a method is unavailable if it is off, or refused for this order', () => {
  const settings = { paypalEnabled: false, cryptoEnabled: true, upiEnabled: true } as PaymentSettings
  const offers = offersOf({ methods: [...methods] }, settings)
  expect(offers.map(({ charge, reason }) => [charge, reason])).toEqual([
    ['$4.65', 'Currently unavailable'],
    ['$4.25', 'Below the minimum'],
    ['₹367.63', null],
  ])
})
