import { expect, it } from 'vitest'
import { orderStatus, paymentStatus } from '#contract/order.ts'
import { isApprovedUnpaid } from '../../api/orders.ts'
import {
  canPay,
  hasUpiFailed,
  holdsUntil,
  paymentWord,
  sentenceOf,
  situationOf,
  stillDueCents,
  wording,
} from './wording.ts'

const all = orderStatus.options.flatMap((status) =>
  paymentStatus.options.flatMap((paymentStatus) =>
    ([null, 'completed', 'expired', 'cancelled', 'refunded'] as const).map((endedAs) => ({
      status,
      paymentStatus,
      endedAs,
      preOrder: false,
      attention: null,
      paidCents: 0,
    })),
  ),
)

const may = { pay: true, requote: false, cancel: true, approve: false, settle: false, deliver: false, refund: false }

const unpaid = {
  status: 'pending',
  paymentStatus: 'pending',
  endedAs: null,
  preOrder: false,
  attention: null,
  paidCents: 0,
  totalAmount: '10.00',
} as const

it('every state of an order has a sentence', () => {
  expect(all.filter((order) => !wording[situationOf(order)].sentence)).toEqual([])
})

it('a screen asks for payment if the shop accepts one, but not during a confirmation', () => {
  expect(canPay({ ...unpaid, may })).toBe(true)
  expect(canPay({ ...unpaid, may: { ...may, pay: false } })).toBe(false)
  expect(canPay({ ...unpaid, paymentStatus: 'processing', may })).toBe(false)
})

it('expired, cancelled and refunded orders are distinguished', () => {
  const ended = { ...unpaid, status: 'failed', paymentStatus: 'failed' } as const
  for (const endedAs of ['expired', 'cancelled', 'refunded'] as const)
    expect(situationOf({ ...ended, endedAs })).toBe(endedAs)
  expect(wording.refunded.badge).toBe('Refunded')
  expect(situationOf({ ...ended, endedAs: 'refunded', paidCents: 600 })).toBe('partly-refunded')
  // A pre-order had no coins.
  expect(`${wording.expired.sentence} ${wording.cancelled.sentence}`).not.toMatch(/coins/)
})

it('the deadline says what the shop waits for', () => {
  expect(holdsUntil({ ...unpaid, paymentStatus: 'waiting' })).toBe('Reserved for you until')
  expect(holdsUntil({ ...unpaid, paymentStatus: 'processing' })).toMatch(/while your payment is confirmed/)
  expect(holdsUntil({ ...unpaid, paymentStatus: 'partially_paid' })).toMatch(/for the rest of the payment/)
})

it('a pre-order promises no reserved coins', () => {
  const ahead = { ...unpaid, preOrder: true }
  expect(wording[situationOf(ahead)].sentence).toMatch(/pre-order/)
  expect(`${wording[situationOf(ahead)].sentence} ${holdsUntil(ahead)}`).not.toMatch(/reserved/i)
  expect(wording[situationOf({ ...ahead, preOrder: false })].sentence).toMatch(/reserved/)
})

it('a paid order will be handed over, and is not called delivered', () => {
  const paid = { ...unpaid, paymentStatus: 'completed', paidCents: 225 } as const
  const { badge, sentence } = wording[situationOf(paid)]
  expect(badge).toBe('Paid')
  expect(sentence).toBe('Your payment is safe. The order is paid and will be handed over (typically 5-10 minutes).')
})

const attention = { reason: 'reversed', reasons: ['reversed'], message: '', since: '', forBuyer: '' } as const
const needing = (isHeldBack: boolean) => ({ attention: { ...attention, reasons: ['reversed' as const], isHeldBack } })

it('an order under review promises no delivery and asks for no money', () => {
  for (const preOrder of [false, true]) {
    const held = { ...unpaid, ...needing(true), paymentStatus: 'completed', preOrder } as const
    const { badge, sentence } = wording[situationOf(held)]
    expect(`${badge}. ${sentence}`).not.toMatch(/safe|will be handed|delivered/)
    expect(canPay({ ...held, may })).toBe(false)
  }
  expect(situationOf({ ...unpaid, ...needing(false), paymentStatus: 'completed', paidCents: 225 })).toBe('delivering')
})

it('an order whose money was taken back is not called paid', () =>
  expect(sentenceOf({ ...unpaid, ...needing(true), ...noMoney, status: 'completed' })).toBe('Delivered. Thank you.'))

it('a refund that may be partial is not called a refund of the payment', () =>
  expect(`${wording.refunded.sentence} ${wording['partly-refunded'].sentence}`).not.toMatch(/your payment/i))

const noMoney = { paidCents: 0, refundedCents: 0, transactionData: null }

const begun = (method: 'crypto' | 'upi') => ({ transactionData: { id: 'x', status: 'failed', method } })

it('a payment is called failed only if one was started', () => {
  const ended = { ...unpaid, status: 'failed', paymentStatus: 'failed', paymentMethod: 'upi' } as const
  expect(paymentWord({ ...ended, ...noMoney })).toBe('Not paid')
  expect(paymentWord({ ...ended, ...noMoney, ...begun('crypto') })).toBe('Failed')
  expect(paymentWord({ ...unpaid, ...noMoney, paymentStatus: 'partially_paid' })).toBe('Partially paid')
  expect(paymentWord({ ...ended, ...noMoney, ...begun('crypto'), ...needing(false) })).toBe('Not known yet')
  expect(paymentWord({ ...ended, ...noMoney, ...begun('crypto'), paidCents: 100 })).toBe('Arrived')
  const held = { ...unpaid, ...noMoney, ...needing(true), paidCents: 1_000 }
  expect(paymentWord({ ...held, paymentStatus: 'failed' })).toBe('Not known yet')
  expect(paymentWord({ ...held, paymentStatus: 'completed' })).toBe('Completed')
  const upi = [{ transactionData: null }, begun('crypto'), begun('upi')].map((one) =>
    hasUpiFailed({ ...ended, ...one }),
  )
  expect(upi).toEqual([false, false, true])
})

it('only an order without its money is called approved by the shop', () => {
  const approved = { ...unpaid, ...noMoney, status: 'completed', paymentStatus: 'completed' } as const
  const reversed = { transactionData: { id: 'x', status: 'reversed', method: 'crypto' } } as const
  expect(paymentWord(approved)).toBe('Approved by the shop')
  expect(situationOf({ ...approved, status: 'pending' })).toBe('approved')
  expect(sentenceOf(approved)).toBe('Approved by the shop and delivered. Thank you.')
  for (const other of [{ paidCents: 995 }, { refundedCents: 1000 }, reversed]) {
    expect(isApprovedUnpaid({ ...approved, ...other })).toBe(false)
    expect(sentenceOf({ ...approved, ...other })).toBe('Paid and delivered. Thank you.')
  }
  expect(sentenceOf({ ...approved, paidCents: 400 })).toBe('Approved by the shop and delivered. Thank you.')
})

it('the missing amount is shown while the order can be paid', () => {
  const short = { ...unpaid, paymentStatus: 'partially_paid', totalAmount: '0.48', paidCents: 24, may } as const
  expect(stillDueCents(short)).toBe(24)
  expect(stillDueCents({ ...short, may: { ...may, pay: false } })).toBe(0)
})
