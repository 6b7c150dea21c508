import { expect, it } from 'vitest'
import type { Order } from '#contract/order.ts'
import type { PaymentSettings } from '#contract/settings.ts'
import { offersOf } from './method-offers.ts'

const order = { totalAmount: '4.25', inrPerUsd: 86.5 } as Order
const settings = { paypalEnabled: true, cryptoEnabled: true, upiEnabled: true } as PaymentSettings

it('adds the fee to a wallet payment alone, and turns dollars into rupees half up', () => {
  expect(offersOf(order, settings).map((offer) => offer.amount)).toEqual(['4.65', '4.25', '367.63'])
})

it('takes what the shop charges over what it works out itself', () => {
  const told = [{ method: 'upi', available: true, reason: null, payable: '368.00', currency: 'INR' } as const]
  expect(offersOf({ ...order, methods: told }, settings).find((offer) => offer.method === 'upi')?.charge).toBe(
    '₹368.00',
  )
})

it('closes a method that is switched off, or that the shop refuses for this order', () => {
  const told = [
    { method: 'crypto', available: false, reason: 'Below the minimum', payable: '4.25', currency: 'USD' } as const,
  ]
  const offers = offersOf({ ...order, methods: told }, { ...settings, paypalEnabled: false })
  expect(offers.map((offer) => [offer.method, offer.reason])).toEqual([
    ['paypal', 'Currently unavailable'],
    ['crypto', 'Below the minimum'],
    ['upi', null],
  ])
})

it('leaves a method open while its switch is not known', () => {
  expect(offersOf(order, undefined).every((offer) => offer.isAvailable)).toBe(true)
})
