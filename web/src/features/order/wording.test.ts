import { expect, it } from 'vitest'
import { canPay, holdsUntil, sentenceOf, stillDueCents, wording } from './wording.ts'

const may = { pay: true, requote: false, cancel: true, approve: false, settle: false, deliver: false, refund: false }

it('a screen asks for payment if the shop accepts one, but not during a confirmation or a review', () => {
  expect(canPay({ situation: 'to-pay', may })).toBe(true)
  expect(canPay({ situation: 'to-pay', may: { ...may, pay: false } })).toBe(false)
  expect(canPay({ situation: 'seen', may })).toBe(false)
  expect(canPay({ situation: 'looked-into', may })).toBe(false)
})

it('an ended order promises no coins, since a pre-order had none', () =>
  expect(`${wording.expired.sentence} ${wording.cancelled.sentence}`).not.toMatch(/coins/))

it('the deadline says what the shop waits for', () => {
  expect(holdsUntil({ preOrder: false, paymentStatus: 'waiting' })).toBe('Reserved for you until')
  expect(holdsUntil({ preOrder: false, paymentStatus: 'processing' })).toMatch(/while your payment is confirmed/)
  expect(holdsUntil({ preOrder: false, paymentStatus: 'partially_paid' })).toMatch(/for the rest of the payment/)
})

it('a pre-order promises no reserved coins', () => {
  const { sentence } = wording['pre-order-to-pay']
  expect(sentence).toMatch(/pre-order/)
  expect(`${sentence} ${holdsUntil({ preOrder: true, paymentStatus: 'pending' })}`).not.toMatch(/reserved/i)
  expect(wording['to-pay'].sentence).toMatch(/reserved/)
})

it('a paid order will be handed over, and is not called delivered', () =>
  expect(wording.delivering).toMatchObject({
    badge: 'Paid',
    sentence: 'Your payment is safe. The order is paid and will be handed over (typically 5-10 minutes).',
  }))

it('an order under review promises no delivery', () => {
  const { badge, sentence } = wording['looked-into']
  expect(`${badge}. ${sentence}`).not.toMatch(/safe|will be handed|delivered/)
})

it('an order whose money was taken back is not called paid', () =>
  expect(wording['taken-back'].sentence).toBe('Delivered. Thank you.'))

it('a refund that may be partial is not called a refund of the payment', () =>
  expect(`${wording.refunded.sentence} ${wording['partly-refunded'].sentence}`).not.toMatch(/your payment/i))

it('a failed payment is named by its reason: cancelled is not declined, and expired is not failed', () => {
  const said = ['cancelled', 'declined', 'expired', 'refunded', 'failed'].map((status) =>
    sentenceOf({ situation: 'failed-payment', transactionData: { id: 'x', status, method: 'paypal' } }),
  )
  expect(said).toEqual([
    'Your PayPal payment was cancelled. Please try again.',
    'PayPal declined this payment. No money was taken.',
    'The payment was not made in time. If you have sent money for it, please write to support.',
    'The money of this payment went back. Please pay again.',
    'The payment was not successful. Please try again. If you have sent money for it, please write to support.',
  ])
})

it('the missing amount is shown while the order can be paid', () => {
  const short = { situation: 'short', dueCents: 24, may } as const
  expect(stillDueCents(short)).toBe(24)
  expect(stillDueCents({ ...short, may: { ...may, pay: false } })).toBe(0)
})
