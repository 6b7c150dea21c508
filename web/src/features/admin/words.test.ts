import type { AttentionReason, Order } from '#contract/order.ts'
import { expect, it } from 'vitest'
import {
  ageOf,
  approvalSentence,
  adviceOn,
  detailOf,
  lackSentence,
  paidWith,
  monthName,
  reasonsOf,
  statusOf,
  transactionsTitle,
  changeSince,
} from './words.ts'

type Stated = Parameters<typeof statusOf>[0] & Parameters<typeof detailOf>[0]

const pending: Stated = {
  status: 'pending',
  paymentStatus: 'pending',
  endedAs: null,
  attention: null,
  deleted: false,
  paidCents: 0,
  refundedCents: 0,
  transactionData: null,
}
const expired: Stated = { ...pending, status: 'failed', endedAs: 'expired' }
const paid: Stated = { ...pending, paymentStatus: 'completed', paidCents: 25 }
const completed: Stated = { ...paid, status: 'completed', endedAs: 'completed' }
const withAttention = (order: Stated): Stated => ({
  ...order,
  attention: { reason: 'over', message: '', since: '', reasons: ['over'] },
})

const stated = (order: Stated) => `${statusOf(order).text} ${detailOf(order)}`.trim()

it('knows two states and how an order has ended, and says beside them what is meant', () => {
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

it('calls approved, not paid, what no money came for', () => {
  expect([paid, completed].map((order) => stated({ ...order, paidCents: 0 }))).toEqual([
    'Processing approved',
    'Completed approved',
  ])
  expect(stated({ ...completed, paidCents: 0, transactionData: { id: '', status: 'reversed', method: null } })).toBe(
    'Completed',
  )
})

it('joins several reasons in one sentence', () => {
  expect(reasonsOf(['short'])).toBe('Paid too little')
  expect(reasonsOf(['short', 'late-and-short', 'over'])).toBe('Paid too little, ended uncovered, paid too much')
})

it('takes Litecoin where no method was chosen', () => {
  expect([paidWith(null), paidWith('upi')]).toEqual(['Litecoin', 'UPI'])
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

const ready = (deliveryMode: 'staff' | 'webhook') => ({ ready: { deliveryMode, since: '' } })
const callUnknown = { reason: 'delivery-unknown', message: '', since: '', reasons: ['delivery-unknown'] } as const

it('says what approving does by the way in which the order is handed over', () => {
  const given = 'Approve says that the coins were given: the order is completed. There is no way back.'
  const asked = 'Approve asks the bot to give the coins.'
  const open = { ready: null, attention: null }
  expect((['staff', 'instant', 'webhook'] as const).map((mode) => approvalSentence(open, mode))).toEqual([
    given,
    given,
    asked,
  ])
  expect(approvalSentence({ ...open, ...ready('staff') }, 'webhook')).toBe(given)
  expect(approvalSentence({ ...open, ...ready('webhook') }, 'instant')).toBe(asked)
  expect(approvalSentence({ ...open, attention: { ...callUnknown, reasons: ['delivery-unknown'] } }, 'webhook')).toBe(
    given,
  )
})

it('says before an approval what an order lacks of its price', () => {
  const totalAmount = '11.20'
  expect([0, 560, 1119, 1120, 1200].map((paidCents) => lackSentence({ paidCents, totalAmount }))).toEqual([
    'No money is held for this order of $11.20.',
    'Only $5.60 of $11.20 is held for this order.',
    'Only $11.19 of $11.20 is held for this order.',
    undefined,
    undefined,
  ])
})

it('says for how long an order has waited', () => {
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

it('says what of an order has changed', () => {
  const before = {
    ...({} as Order),
    status: 'pending',
    endedAs: null,
    paymentStatus: 'completed',
    attention: null,
    paidCents: 500,
  } as Order
  expect(changeSince(before, { ...before, paidCents: 250 })).toBe('$2.50 is held now, before it was $5.00.')
  const completed = { ...before, status: 'completed', endedAs: 'completed' } as const
  expect(changeSince(before, completed)).toBe('Its status is Completed now, before it was Processing.')
  expect(changeSince(before, before)).toBe('Its history has a new entry.')
})

it.each(['never-confirmed', 'capture-unknown', 'wrong-coin', 'payment-unclear'] as const)(
  'advises about %s by what the order is now: no delivery of what is delivered or deleted',
  (reason) => {
    const at = (order: Stated) => adviceOn({ ...order, totalAmount: '10.00' }, reason)
    expect(at({ ...pending, paidCents: 0 })).toMatch(
      /approve the order to deliver it. Otherwise delete the order first, .* then pay back what came\.$/,
    )
    expect(at({ ...expired, paidCents: 400 })).toMatch(
      /settle this first, and then pay back what came, as well as the \$4\.00 that is held\.$/,
    )
    for (const order of [completed, { ...expired, deleted: true }]) expect(at(order)).not.toMatch(/approve|deliver it/)
  },
)

const taken = (order: Stated, reasons: AttentionReason[]) =>
  adviceOn(
    { ...order, totalAmount: '10.00', attention: { reason: 'reversed', message: '', since: '', reasons } },
    'reversed',
  )

it('calls an order undelivered after a reversal only where it is', () => {
  expect(taken(paid, ['reversed'])).toMatch(/stays undelivered until it is approved/)
  expect(taken(paid, ['reversed', 'delivery-unknown'])).toMatch(/\$0\.25 of \$10\.00 is held now\.$/)
  expect(taken(completed, ['reversed'])).toMatch(/^The coins were given\./)
})

it('says of a short order that more money is on its way', () => {
  const short = { ...pending, totalAmount: '10.00', paymentStatus: 'partially_paid' } as const
  expect(adviceOn(short, 'short')).toMatch(/^It ends by the rest/)
  expect(adviceOn({ ...short, paymentStatus: 'processing' }, 'short')).toMatch(/^More money was seen/)
})

it('says that an approval asks no bot for coins that it has given', () => {
  const attention = {
    reason: 'delivered-after-end',
    reasons: ['delivered-after-end' as const],
    message: '',
    since: '',
  } as const
  expect(
    approvalSentence({ ready: null, attention: { ...attention, reasons: [...attention.reasons] } }, 'webhook'),
  ).toMatch(/coins were given/)
})
