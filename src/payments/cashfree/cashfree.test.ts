import { expect, it } from 'vitest'
import { cashfreeCheckout } from './cashfree.ts'
import { PaymentRejected, ProviderAway, ReferenceUsed } from '../payment-provider.ts'
import { atDouble } from '../testing/at-double.ts'

const payer = { name: 'ash', email: 'ash@example.test', phone: '9876543210' }
const at = atDouble('cashfree', { askedMinor: 17_000, currency: 'INR', customer: payer })

it('opening a payment sends only what the gateway needs, with the amount to the paisa', async () => {
  expect((await at.opened()).payAmount).toBe('170.00')
  expect(at.double.calls[0]?.body).toBe(
    '{"order_id":"REFERENCE-1","order_amount":170.00,"order_currency":"INR",' +
      '"customer_details":{"customer_id":"REFERENCE1","customer_phone":"9876543210"},' +
      '"order_meta":{"return_url":"https://shop.example/pay/REFERENCE-1","payment_methods":"upi",' +
      '"notify_url":"https://shop.example/api/webhooks/cashfree"},"order_expiry_time":"2026-03-01T16:30:00+05:30"}',
  )
})

it('opening a payment returns what the checkout in the browser needs', async () => {
  const { url, intents } = await at.provider().create(at.request())
  expect(url).toBeNull()
  const [order] = at.double.all()
  const script = `${new URL(at.double.url).origin}/js/v3/cashfree.js`
  expect(intents).toEqual({
    payment_session_id: order?.session,
    checkout_script: script,
    checkout_mode: 'sandbox',
  })
})

it('opening again after a lost answer returns the same payment, with any phone number', async () => {
  for (const [reference, phone] of [
    ['REFERENCE-1', '9876543210'],
    ['REFERENCE-2', '9123456780'],
  ] as const) {
    at.double.fail({ answer: 'lost', on: 'create' })
    await expect(at.provider().create(at.request({ reference }))).rejects.toThrow(ProviderAway)
    const { intents } = await at.provider().create(at.request({ reference, customer: { ...payer, phone } }))
    const order = at.double.known(reference)
    expect(intents).toMatchObject({ payment_session_id: order.session })
  }
  expect(at.double.paymentIds()).toEqual(['REFERENCE-1', 'REFERENCE-2'])
})

it('a reference whose order has another amount or has ended is reported as used', async () => {
  await at.opened()
  await expect(at.provider().create(at.request({ askedMinor: 17_001 }))).rejects.toThrow(ReferenceUsed)
  at.double.happen('REFERENCE-1', { do: 'EXPIRED' })
  await expect(at.provider().create(at.request())).rejects.toThrow(ReferenceUsed)
})

it('a rejection has the words of the gateway without those of the buyer', async () => {
  at.double.refusesAll = { status: 400, message: 'invalid value 98765432 of <ash@example.test>' }
  const refused = at.provider().create(at.request())
  const words = 'customer_details.customer_phone_invalid invalid value … of …'
  await expect(refused).rejects.toMatchObject({
    name: 'PaymentRejected',
    message: `Cashfree refuses it (400): ${words}`,
  })
})

it('rejected keys are reported as such, not as a rejected payment', async () => {
  const refused = at.provider({ CASHFREE_CLIENT_SECRET: 'another' }).create(at.request())
  await expect(refused).rejects.toThrow(ProviderAway)
  await expect(refused).rejects.toThrow('CASHFREE_CLIENT_SECRET')
})

it('the gateway is not called for as long as it asks', async () => {
  const payment = await at.opened()
  const asked = at.provider()
  at.double.retryAfter = 30
  at.double.fail({ answer: '429', on: 'check' })
  await expect(asked.check(payment)).rejects.toThrow(ProviderAway)
  const calls = at.double.calls.length
  at.nowMs += 29_999
  await expect(asked.check(payment)).rejects.toThrow(ProviderAway)
  expect(at.double.calls).toHaveLength(calls)
  at.nowMs += 1
  expect((await asked.check(payment)).status).toBe('waiting')
})

async function after(...acts: { do: string; amount?: string }[]) {
  const payment = await at.opened()
  for (const act of acts) at.double.happen(payment.paymentId, act)
  return at.provider().check(payment)
}

it.for([
  [['drop'], 'waiting'],
  [['fail'], 'failed'],
  [['fail', 'pend'], 'confirming'],
  [['fail', 'EXPIRED'], 'expired'],
  [['pend', 'EXPIRED'], 'confirming'],
  [['TERMINATION_REQUESTED'], 'waiting'],
  [['TERMINATED'], 'cancelled'],
  // A successful try of an open order, and a paid order without a try.
  [['pay', 'ACTIVE'], 'confirming'],
  [['PAID'], 'confirmed'],
  [['pay', 'LEVITATING'], 'confirming'],
] as const)('after %j a payment is %s and nothing is received', async ([acts, status]) => {
  const report = await after(...acts.map((what) => ({ do: what })))
  expect(report).toMatchObject({ status, amountPaid: null, receipts: [] })
})

it('received money is exact and has the id of its try', async () => {
  const report = await after({ do: 'fail' }, { do: 'pay' })
  const receiptId = at.double.known('REFERENCE-1').tries[1]?.id
  expect(report).toMatchObject({
    status: 'received',
    amountPaid: '170.00',
    receipts: [{ receiptId, amount: '170.00', currency: 'INR', askedAmount: '170.00', reversedAmount: '0' }],
  })
})

it('a surcharge does not count as received', async () => {
  expect((await after({ do: 'pay', amount: '173.40' })).receipts).toMatchObject([{ amount: '170.00' }])
})

it('refunds are reported as reversed amounts', async () => {
  const part = await after({ do: 'pay' }, { do: 'refund', amount: '70.50' })
  expect(part).toMatchObject({ status: 'received', receipts: [{ amount: '170.00', reversedAmount: '70.50' }] })
  at.double.happen('REFERENCE-1', { do: 'refund', amount: '99.50' })
  const all = await at.provider().check(await at.opened())
  expect(all).toMatchObject({ status: 'refunded', receipts: [{ reversedAmount: '170.00' }] })
})

it('refunds that are under way or failed are reported apart', async () => {
  const report = await after({ do: 'pay' }, { do: 'refund-pending', amount: '70' }, { do: 'refund-cancelled' })
  const back = { reversedAmount: '0', pendingAmount: '70.00', failedAmount: '170.00' }
  expect(report).toMatchObject({ status: 'received', receipts: [{ amount: '170.00', ...back }] })
})

it.for(['ACTIVE', 'LEVITATING'])('the refunds of a paid order are read when its status becomes %s', async (status) => {
  const report = await after({ do: 'pay' }, { do: 'refund' }, { do: status })
  const receiptId = at.double.known('REFERENCE-1').tries[0]?.id
  expect(report).toMatchObject({ receipts: [], ended: [receiptId], back: [{ receiptId, amount: '170.00' }] })
  expect(report.parts).toBeUndefined()
})

it('a try that is voided after its success has ended', async () => {
  const payment = await at.opened()
  at.double.happen(payment.paymentId, { do: 'pay' })
  const [tried] = at.double.known(payment.paymentId).tries
  if (tried) tried.status = 'VOID'
  expect(await at.provider().check(payment)).toMatchObject({ receipts: [], ended: [tried?.id] })
})

it('a refund reverses only its own try', async () => {
  const { receipts } = await after({ do: 'over' }, { do: 'refund', amount: '170.00' })
  expect(receipts.map(({ reversedAmount }) => reversedAmount)).toEqual(['170.00', '0'])
})

it('when refunds cannot be read the money is reported with an unknown reversed amount', async () => {
  const payment = await at.opened()
  at.double.happen(payment.paymentId, { do: 'pay' })
  at.double.fail({ answer: '429', on: 'back' })
  expect((await at.provider().check(payment)).receipts).toMatchObject([{ amount: '170.00', reversedAmount: null }])
})

it('an unreadable reply does not pause the gateway', async () => {
  const payment = await at.opened()
  Object.assign(at.double.known(payment.paymentId), { id: null })
  const gateway = at.provider()
  for (let turn = 0; turn < 3; turn += 1) await expect(gateway.check(payment)).rejects.toThrow('cannot be read')
})

it('a nonsensical amount is reported as unclear', async () => {
  const report = await after({ do: 'pay', amount: '99999999999' })
  expect(report).toMatchObject({ status: 'confirmed', receipts: [], isUnclear: true })
})

it('an order at another price is rejected as another order', async () => {
  const payment = await at.opened()
  await expect(at.provider().check({ ...payment, askedMinor: 16_999 })).rejects.toThrow(PaymentRejected)
})

it('the checkout is loaded from Cashfree’s own hosts, or from the double', () => {
  expect(cashfreeCheckout('https://api.cashfree.com/pg')).toEqual({
    script: 'https://sdk.cashfree.com/js/v3/cashfree.js',
    mode: 'production',
    windows: {
      hosts: ['https://sdk.cashfree.com', 'https://api.cashfree.com', 'https://payments.cashfree.com'],
      hasInlineStyles: false,
    },
  })
  expect(cashfreeCheckout('https://sandbox.cashfree.com/pg')).toMatchObject({
    mode: 'sandbox',
    windows: {
      hosts: ['https://sdk.cashfree.com', 'https://sandbox.cashfree.com', 'https://payments-test.cashfree.com'],
    },
  })
  expect(cashfreeCheckout('http://127.0.0.1:4103/pg').windows.hosts).toEqual(['http://127.0.0.1:4103'])
})

it('a dispute names by when to answer, in UTC', async () => {
  const payment = await at.opened()
  for (const what of ['pay', 'dispute']) at.double.happen('REFERENCE-1', { do: what })
  const dueMs = at.double.known('REFERENCE-1').disputes[0]?.dueMs ?? 0
  const { disputes } = await at.provider().check(payment)
  expect(disputes).toMatchObject([{ outcome: 'open', respondBy: new Date(dueMs).toISOString() }])
})
