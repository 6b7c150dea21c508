import { expect, it } from 'vitest'
import { checkoutStep } from './checkout-step.ts'

it('finds the step of a checkout from what the order holds', () => {
  const nothing = { customerEmail: '', discordUsername: '', marketId: '', pokecoinAmount: 0 }
  const customer = { customerEmail: 'ann@example.com', discordUsername: 'ann' }
  expect([
    checkoutStep(nothing),
    checkoutStep({ ...nothing, pokecoinAmount: 5 }),
    checkoutStep({ ...nothing, ...customer }),
    checkoutStep({ ...nothing, ...customer, marketId: '12345678' }),
  ]).toEqual([1, 2, 3, 4])
})
