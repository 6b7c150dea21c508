import type { Order } from '#contract/order.ts'
import { expect, it } from 'vitest'
import {
  detailOf,
  mayBeApproved,
  mayBeSettled,
  methodName,
  monthName,
  reasonsOf,
  statusOf,
  transactionsTitle,
} from './words.ts'

type Stated = Pick<Order, 'status' | 'paymentStatus' | 'endedAs' | 'attention' | 'deleted'>

const pending: Stated = {
  status: 'pending',
  paymentStatus: 'pending',
  endedAs: null,
  attention: null,
  deleted: false,
}
const expired: Stated = { ...pending, status: 'failed', endedAs: 'expired' }
const completed: Stated = { ...pending, status: 'completed', paymentStatus: 'completed', endedAs: 'completed' }
const withAttention = (order: Stated): Stated => ({
  ...order,
  attention: { reason: 'over', message: '', since: '', reasons: ['over'] },
})

it('knows two states, and says beside them what is meant', () => {
  expect([pending, expired, completed].map((order) => `${statusOf(order).text} ${detailOf(order)}`.trim())).toEqual([
    'Processing not paid',
    'Processing expired',
    'Completed',
  ])
  expect(detailOf(withAttention(completed))).toBe('paid too much')
  expect(detailOf({ ...withAttention(completed), deleted: true })).toBe('deleted')
})

it('tells several reasons in one sentence', () => {
  expect(reasonsOf(['short'])).toBe('Paid too little')
  expect(reasonsOf(['short', 'late-and-short', 'over'])).toBe('Paid too little, late and short, paid too much')
})

it('offers to approve what is pending, and what has ended and needs a person', () => {
  expect(mayBeApproved(pending)).toBe(true)
  expect(mayBeApproved(expired)).toBe(false)
  expect(mayBeApproved(withAttention(expired))).toBe(true)
  expect(mayBeApproved(withAttention(completed))).toBe(false)
  expect(mayBeApproved({ ...pending, deleted: true })).toBe(false)
})

it('offers to settle what needs a person, but no order that is still pending', () => {
  expect(mayBeSettled(withAttention(completed))).toBe(true)
  expect(mayBeSettled(withAttention(pending))).toBe(false)
  expect(mayBeSettled({ ...withAttention(pending), deleted: true })).toBe(true)
  expect(mayBeSettled(completed)).toBe(false)
})

it('takes Litecoin where no method was chosen', () => {
  expect([methodName(null), methodName('upi')]).toEqual(['Litecoin', 'UPI'])
  expect(([null, 'upi', 'paypal', 'crypto'] as const).map(transactionsTitle)).toEqual([
    'Payment Transactions',
    'Payment Transactions',
    'PayPal Transactions',
    'Crypto Transactions',
  ])
})

it('names a month', () => {
  expect(monthName('2026-01')).toBe('January 2026')
})
