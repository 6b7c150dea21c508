import type { Order } from '#contract/order.ts'
import { expect, it } from 'vitest'
import {
  ageOf,
  approvalSentence,
  causesOf,
  deletionSentence,
  detailOf,
  differenceOf,
  isLeftOut,
  lackSentence,
  paidWith,
  statusOf,
  transactionsTitle,
} from './staff-words.ts'

type Stated = Parameters<typeof statusOf>[0] & Parameters<typeof detailOf>[0]

const pending: Stated = {
  status: 'pending',
  paymentStatus: 'pending',
  situation: 'to-pay',
  endedAs: null,
  attention: null,
  deleted: false,
  refundedCents: 0,
}
const expired: Stated = { ...pending, status: 'failed', situation: 'expired', endedAs: 'expired' }
const paid: Stated = { ...pending, paymentStatus: 'completed', situation: 'delivering' }
const completed: Stated = { ...paid, status: 'completed', situation: 'completed', endedAs: 'completed' }
const since = { message: '', since: '', isHeldBack: false, forBuyer: null }
const needing = (...names: string[]): NonNullable<Order['attention']> => {
  const forStaff = names.map((name) => ({ name, advice: '', page: '', refundReason: null }))
  return { ...since, reason: 'over', reasons: ['over'], forStaff }
}
const withAttention = (order: Stated): Stated => ({ ...order, attention: needing('Paid too much') })

const stated = (order: Stated) => `${statusOf(order).text} ${detailOf(order)}`.trim()

it('an order is shown with one of two states or its end, and a detail', () => {
  const cancelled: Stated = { ...expired, endedAs: 'cancelled' }
  expect([pending, paid, expired, cancelled, completed].map(stated)).toEqual([
    'Processing not paid',
    'Processing paid',
    'Expired',
    'Cancelled',
    'Completed',
  ])
  expect(detailOf(withAttention(expired))).toBe('paid too much')
  expect(detailOf(withAttention(completed))).toBe('paid too much')
  expect(detailOf({ ...withAttention(completed), deleted: true })).toBe('deleted')
})

it('an order that staff approved for less is shown as approved, not as paid', () => {
  expect(stated({ ...paid, situation: 'approved' })).toBe('Processing approved')
  expect(stated({ ...completed, situation: 'delivered' })).toBe('Completed approved')
  expect(stated({ ...completed, situation: 'taken-back' })).toBe('Completed')
})

it('causesOf joins several causes', () => {
  expect(causesOf({ attention: needing('Paid too little', 'Payment unclear', 'Paid too much') })).toBe(
    'Paid too little, payment unclear, paid too much',
  )
})

it('an order without a method is shown as Litecoin', () => {
  expect([paidWith(null), paidWith('upi')]).toEqual(['Litecoin', 'UPI'])
  expect(([null, 'upi', 'paypal', 'crypto'] as const).map(transactionsTitle)).toEqual([
    'Payment Transactions',
    'Payment Transactions',
    'PayPal Transactions',
    'Crypto Transactions',
  ])
})

const ready = (deliveryMode: 'staff' | 'webhook') => ({ ready: { deliveryMode, since: '' } })
const given = (reason: 'delivery-unknown' | 'delivered-after-end') => ({ ...since, reason, reasons: [reason] })

it('the text of an approval depends on the delivery of the order', () => {
  const gives = 'Approve says that the coins were given: the order is completed. There is no way back.'
  const asks = 'Approve asks the bot to give the coins.'
  const open = { ready: null, attention: null }
  expect((['staff', 'instant', 'webhook'] as const).map((mode) => approvalSentence(open, mode))).toEqual([
    gives,
    gives,
    asks,
  ])
  expect(approvalSentence({ ...open, ...ready('staff') }, 'webhook')).toBe(gives)
  expect(approvalSentence({ ...open, ...ready('webhook') }, 'instant')).toBe(asks)
  for (const reason of ['delivery-unknown', 'delivered-after-end'] as const)
    expect(approvalSentence({ ...open, attention: given(reason) }, 'webhook')).toBe(gives)
})

it('an approval warns of missing money', () => {
  const totalAmount = '11.20'
  expect([0, 560, 1119, 1120, 1200].map((paidCents) => lackSentence({ paidCents, totalAmount }))).toEqual([
    'No money is held for this order of $11.20.',
    'Only $5.60 of $11.20 is held for this order.',
    'Only $11.19 of $11.20 is held for this order.',
    undefined,
    undefined,
  ])
})

it('ageOf shows how long an order has waited', () => {
  const since = '2026-01-01T00:00:00.000Z'
  const after = (minutes: number) => ageOf(since, Date.parse(since) + minutes * 60_000)
  expect([-1, 0.5, 1, 59, 60, 1_439, 1_440, 2_880].map(after)).toEqual([
    '< 1 min',
    '< 1 min',
    '1 min',
    '59 min',
    '1 h',
    '23 h',
    '1 day',
    '2 days',
  ])
})

it('the money that decides is what is missing, or what goes back', () => {
  const differences = [
    { dueCents: 27, toPayBackCents: 0 },
    { dueCents: 0, toPayBackCents: 59 },
    { dueCents: 0, toPayBackCents: 0 },
  ]
  expect(differences.map(differenceOf)).toEqual(['$0.27 missing', '$0.59 to pay back', ''])
})

it('a deletion names the money of its orders, and what is left out', () => {
  const [none, held] = [{ paidCents: 0 }, { paidCents: 1240 }]
  const sentences = [
    deletionSentence([none], []),
    deletionSentence([held], []),
    deletionSentence([held, held], []),
    deletionSentence([none, held], [held]),
    deletionSentence([none, held, held, held], [held, held]),
  ]
  expect(sentences).toEqual([
    'It holds no money.',
    'It holds $12.40; deleting pays nothing back.',
    'They hold $24.80; deleting pays nothing back.',
    '1 of them holds $12.40 and is left out.',
    '2 of them hold $24.80 and are left out.',
  ])
})

it('an order whose money or coins ask for a decision is not deleted among others', () => {
  const order = { paidCents: 0, toPayBackCents: 0, ready: null, attention: null }
  const ready = { deliveryMode: 'staff', since: '' } as const
  const left = [
    { ...order, status: 'pending' as const },
    { ...order, status: 'completed' as const, paidCents: 500 },
    { ...order, status: 'completed' as const, paidCents: 600, toPayBackCents: 100 },
    { ...order, status: 'failed' as const, paidCents: 500 },
    { ...order, status: 'pending' as const, ready },
  ]
  expect(left.map(isLeftOut)).toEqual([false, false, true, true, true])
})

it('a dispute is listed with the day on which its answer is due', () => {
  const { forStaff } = needing('Payment disputed', 'Paid too much')
  const dueAt = '2026-12-03T10:00:00.000Z'
  const attention: Order['attention'] = { ...since, reason: 'disputed', reasons: ['disputed', 'over'], forStaff, dueAt }
  expect(causesOf({ attention })).toBe('Payment disputed, due 3 Dec, paid too much')
  expect(detailOf({ ...completed, attention })).toBe('payment disputed, due 3 Dec')
})
