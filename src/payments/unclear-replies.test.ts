import { expect, it } from 'vitest'
import { reportOf as cashfreeReport } from './cashfree/cashfree-report.ts'
import { paymentsReply, refundsReply } from './cashfree/cashfree-replies.ts'
import { paymentReply } from './nowpayments/nowpayments-replies.ts'
import { reportOf as nowPaymentsReport } from './nowpayments/nowpayments-report.ts'
import type { KnownPayment } from './payment-provider.ts'
import { disputeReply, orderReply } from './paypal/paypal-replies.ts'
import { disputeOf, reportOf as paypalReport } from './paypal/paypal-report.ts'
import { withoutBuyer } from './provider-calls.ts'
import { meaningOf } from './word-meanings.ts'
import { paymentWords as upiWords } from './upigateway/upigateway-words.ts'
import { paymentRequest } from './testing/samples.ts'

const { requestedAt } = paymentRequest()
const asked = { reference: 'REFERENCE-1', requestedAt, startedAt: requestedAt, askedMinor: 2_500, otherIds: [] }
const known: KnownPayment = { ...asked, paymentId: '5000000001', payAmount: '0.5', payCurrency: 'ltc' }
const upi = { ...known, paymentId: known.reference, payAmount: '25.00', payCurrency: 'INR' } as const

const order = (order_status: string) => ({
  order_id: 'REFERENCE-1',
  order_amount: '25.00',
  order_currency: 'INR',
  order_status,
})
const tried = (payment_status: string, changes: object = {}) => ({
  cf_payment_id: 'try-1',
  order_id: 'REFERENCE-1',
  is_captured: true,
  payment_amount: '25.00',
  payment_currency: 'INR',
  payment_status,
  ...changes,
})

const captured = (...captures: object[]) =>
  orderReply.parse({
    id: 'ORDER1',
    status: 'COMPLETED',
    purchase_units: [{ custom_id: 'REFERENCE-1', payments: { captures } }],
  })
const capture = (id: string, status: string) => ({ id, status, amount: { currency_code: 'USD', value: '25.00' } })
const usd = { ...known, payAmount: '25.00', payCurrency: 'USD' }

const coin = (changes: object) =>
  paymentReply.parse({
    payment_id: known.paymentId,
    payment_status: 'levitating',
    price_amount: '25.00',
    price_currency: 'usd',
    pay_amount: '0.5',
    pay_currency: 'ltc',
    order_id: 'REFERENCE-1',
    ...changes,
  })

const ofTries = (status: string, ...payments: object[]) =>
  cashfreeReport(upi, { order: order(status), payments: payments as ReturnType<typeof tried>[], back: null })

it('coins under an unknown status are seen', () =>
  expect(nowPaymentsReport(known, [coin({ actually_paid: '0.4' })])).toEqual({
    status: 'confirming',
    amountPaid: '0.4',
    receipts: [],
    parts: [{ id: '5000000001', amount: '0.4', currency: 'ltc' }],
  }))

it('a transfer of unknown status next to received coins is seen, and without an amount it is unclear', () => {
  const main = coin({ payment_status: 'finished', actually_paid: '0.5' })
  const child = coin({ payment_id: '5000000002', parent_payment_id: known.paymentId, actually_paid: '0.1' })
  expect(nowPaymentsReport(known, [main, child])).toMatchObject({
    status: 'received',
    receipts: [{ receiptId: known.paymentId }],
    parts: [{ id: '5000000002', amount: '0.1' }],
  })
  expect(nowPaymentsReport(known, [main, { ...child, actually_paid: null }])).toMatchObject({ isUnclear: true })
})

it('a second pending try next to a paid one is seen', () => {
  const [second, third] = [{ cf_payment_id: 'try-2' }, { cf_payment_id: 'try-3' }]
  const report = ofTries('PAID', tried('SUCCESS'), tried('PENDING', second), tried('FAILED', third))
  expect(report).toMatchObject({ receipts: [{ receiptId: 'try-1' }], parts: [{ id: 'try-2' }], ended: ['try-3'] })
})

it('the money of a capture of unknown status is seen', () =>
  expect(paypalReport(usd, captured(capture('C1', 'LEVITATING')))).toMatchObject({
    status: 'confirming',
    parts: [{ id: 'C1', amount: '25.00', currency: 'USD' }],
  }))

it('a pending capture next to a completed one is seen', () =>
  expect(paypalReport(usd, captured(capture('C1', 'COMPLETED'), capture('C2', 'PENDING')))).toMatchObject({
    status: 'received',
    receipts: [{ receiptId: 'C1' }],
    parts: [{ id: 'C2', amount: '25.00' }],
  }))

it.for([
  ['RESOLVED_SELLER_FAVOUR', 'won'],
  ['RESOLVED_BUYER_FAVOUR', 'lost'],
  ['ACCEPTED', 'lost'],
  ['RESOLVED_WITH_PAYOUT', 'open'],
  ['NONE', 'open'],
  ['LEVITATING', 'open'],
] as const)('a PayPal dispute with outcome %s is %s', ([outcome_code, outcome]) => {
  const disputed_transactions = [{ seller_transaction_id: 'C1' }]
  const reply = { dispute_id: 'PP-D-1', status: 'RESOLVED', dispute_outcome: { outcome_code }, disputed_transactions }
  const { receipts } = paypalReport(usd, captured(capture('C1', 'COMPLETED')))
  expect(disputeOf(disputeReply.parse(reply), receipts)).toMatchObject({ outcome })
})

it('an unknown word has the meaning of `other`, even if an object has such a property', () => {
  for (const word of ['levitating', 'other', 'constructor']) expect(meaningOf(upiWords, word)).toBe(upiWords.other)
})

it('an unreadable try or refund does not hide others', () => {
  const one = { order_id: 'REFERENCE-1', payment_amount: '25.00', payment_currency: 'INR', payment_status: 'SUCCESS' }
  const tries = paymentsReply.parse([
    { ...one, cf_payment_id: null },
    { ...one, cf_payment_id: 'try-2' },
  ])
  expect(tries).toMatchObject({ read: [{ cf_payment_id: 'try-2' }], unread: 1 })
  expect(refundsReply.parse([{ cf_payment_id: 'try-2' }])).toEqual({ read: [], unread: 1 })
})

it('an unreadable link of a refund does not hide others', () => {
  const amount = { currency_code: 'USD', value: '5.00' }
  const links = [null, { rel: 'up', href: 'https://api-m.paypal.com/v2/payments/captures/C2' }]
  const refunds = [{ status: 'COMPLETED', amount, links }]
  const captures = [capture('C1', 'COMPLETED'), capture('C2', 'COMPLETED')]
  const units = [{ custom_id: 'REFERENCE-1', payments: { captures, refunds } }]
  const reply = orderReply.parse({ id: 'ORDER1', status: 'COMPLETED', purchase_units: units })
  expect(paypalReport(usd, reply).receipts.map(({ reversedAmount }) => reversedAmount)).toEqual(['0', '5.00'])
})

it('a message is cut before buyer data is searched in it', () => {
  expect(withoutBuyer(`call ${'a'.repeat(20)} 9876543210 now`)).toBe(`call ${'a'.repeat(20)} … now`)
  // Uncut, the text would be one word with an address, and the search quadratic.
  expect(withoutBuyer(`${'a'.repeat(40_000)}@example.test`)).toBe('a'.repeat(200))
})
