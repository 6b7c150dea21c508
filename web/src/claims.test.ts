import { expect, it } from 'vitest'
import { claims } from './claims.ts'
import { stepTitles } from './components/layout/steps.tsx'

it('makes the claims of the owner, and these alone', () => {
  expect(claims).toMatchObject({
    support: 'Support answers within 6 hours',
    delivery: 'Delivery in seconds to 30 seconds',
    deliveryTypically: 'typically 5-10 minutes',
    deliveryByPolicy: '5-30 minutes',
    bulk: 'Up to {percent}% off on bulk',
    preOrder: '7-10 days',
    cryptoConfirmation: '5-15 minutes',
  })
})

it('calls the six steps of a purchase by their names', () => {
  expect(stepTitles).toEqual([
    'Select Quantity',
    'Customer Information',
    'Market ID Verification',
    'Payment Method',
    'Payment',
    'Complete',
  ])
})
