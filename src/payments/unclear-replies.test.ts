import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { cashfree } from './cashfree.ts'
import { reportOf as cashfreeReport } from './cashfree-report.ts'
import { paymentsReply, refundsReply } from './cashfree-replies.ts'
import { paymentReply } from './nowpayments-replies.ts'
import { reportOf as nowPaymentsReport } from './nowpayments-report.ts'
import { type KnownPayment, PaymentRejected, type PaymentProvider } from './payment-provider.ts'
import { paypal } from './paypal.ts'
import { disputeReply, orderReply } from './paypal-replies.ts'
import { disputeOf, reportOf as paypalReport } from './paypal-report.ts'
import { withoutBuyer } from './provider-calls.ts'
import { meaningOf, providerWords } from './provider-words.ts'
import { upiGateway } from './upigateway.ts'

const START = Date.parse('2026-03-01T10:00:00.000Z')
const startedAt = new Date(START).toISOString()
const known: KnownPayment = {
  paymentId: '5000000001',
  reference: 'REFERENCE-1',
  requestedAt: startedAt,
  startedAt,
  askedMinor: 2_500,
  currency: 'USD',
  payAmount: '0.5',
  payCurrency: 'ltc',
  otherIds: [],
}

type Answer = (path: string) => { status?: number; body: unknown } | undefined

/** A gateway that answers whatever a test says. */
async function asked<Value>(answer: Answer, ask: (url: string) => Promise<Value>): Promise<Value> {
  const server = createServer((request, response) => {
    const { status = 200, body } = answer(request.url ?? '') ?? { status: 404, body: {} }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const now = () => START
const upi = { ...known, paymentId: known.reference, currency: 'INR', payAmount: '25.00', payCurrency: 'INR' } as const

function upiStanding(data: object): Promise<Awaited<ReturnType<PaymentProvider['check']>>> {
  const body = { status: true, data: { client_txn_id: 'REFERENCE-1', amount: 25, ...data } }
  return asked(
    () => ({ body }),
    async (url) => upiGateway({ url, key: 'key', now }).check(upi),
  )
}

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

const refusing: Answer = (path) =>
  path.includes('oauth2')
    ? { body: { access_token: 'token', expires_in: 3600 } }
    : { status: 422, body: { name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'A_NEW_ISSUE' }] } }
const later = () => START + 4 * 3_600_000

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

describe('a word that is not known', () => {
  it('with coins under it is that they are seen', () =>
    expect(nowPaymentsReport(known, [coin({ actually_paid: '0.4' })])).toEqual({
      status: 'confirming',
      amountPaid: '0.4',
      receipts: [],
      parts: [{ id: '5000000001', amount: '0.4', currency: 'ltc' }],
    }))
  it('with other coins under it is that they are in another coin', () => {
    const wrong = coin({ payment_status: 'wrong_asset_confirmed', pay_currency: 'btc', actually_paid: '0.4' })
    const main = coin({ payment_status: 'waiting' })
    const child = { ...wrong, payment_id: '5000000002', parent_payment_id: known.paymentId }
    expect(nowPaymentsReport(known, [main, child])).toMatchObject({
      receipts: [],
      strays: [{ receiptId: '5000000002', amount: '0.4', currency: 'btc' }],
    })
  })
  it('beside coins that have arrived is seen, and of no coins is not clear', () => {
    const main = coin({ payment_status: 'finished', actually_paid: '0.5' })
    const child = coin({ payment_id: '5000000002', parent_payment_id: known.paymentId, actually_paid: '0.1' })
    expect(nowPaymentsReport(known, [main, child])).toMatchObject({
      status: 'received',
      receipts: [{ receiptId: known.paymentId }],
      parts: [{ id: '5000000002', amount: '0.1' }],
    })
    expect(nowPaymentsReport(known, [main, { ...child, actually_paid: null }])).toMatchObject({ isUnclear: true })
  })

  it.for([
    ['order', 'LEVITATING', 'SUCCESS'],
    ['try', 'ACTIVE', 'LEVITATING'],
  ] as const)('of the %s at Cashfree, with a try that has money, is that it is seen', ([, status, word]) => {
    const replies = { order: order(status), payments: [tried(word)], back: null }
    expect(cashfreeReport(upi, replies)).toMatchObject({
      status: 'confirming',
      receipts: [],
      parts: [{ id: 'try-1', amount: '25.00', currency: 'INR' }],
    })
  })
  it('of an order at Cashfree without a try is not clear', () =>
    expect(cashfreeReport(upi, { order: order('LEVITATING'), payments: [], back: null })).toMatchObject({
      status: 'unknown',
      isUnclear: true,
    }))
  it('of a second try beside one that was paid is that it is seen', () =>
    expect(
      cashfreeReport(upi, {
        order: order('PAID'),
        payments: [
          tried('SUCCESS'),
          tried('PENDING', { cf_payment_id: 'try-2' }),
          tried('FAILED', { cf_payment_id: 'try-3' }),
        ],
        back: null,
      }),
    ).toMatchObject({ receipts: [{ receiptId: 'try-1' }], parts: [{ id: 'try-2' }], ended: ['try-3'] }))

  it('of EKQR is that money is seen where the bank’s number stands beside it, else not clear', async () => {
    const number = { upi_txn_id: '600000000001' }
    expect(await upiStanding({ status: 'COMPLETED', ...number })).toMatchObject({
      status: 'confirmed',
      amountPaid: '25',
    })
    expect(await upiStanding({ status: 'COMPLETED' })).toMatchObject({ status: 'unknown', isUnclear: true })
  })

  it('of a capture is that its money is seen', () =>
    expect(paypalReport(usd, captured(capture('C1', 'LEVITATING')))).toMatchObject({
      status: 'confirming',
      parts: [{ id: 'C1', amount: '25.00', currency: 'USD' }],
    }))
  it('of a capture that waits beside one that was taken is that it is seen', () =>
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
  ] as const)('of how a dispute of PayPal ended leaves it open: %s is %s', ([outcome_code, outcome]) => {
    const disputed_transactions = [{ seller_transaction_id: 'C1' }]
    const reply = { dispute_id: 'PP-D-1', status: 'RESOLVED', dispute_outcome: { outcome_code }, disputed_transactions }
    const { receipts } = paypalReport(usd, captured(capture('C1', 'COMPLETED')))
    expect(disputeOf(disputeReply.parse(reply), receipts)).toMatchObject({ outcome })
  })
  it('is a row of its own for every gateway', () => {
    for (const of of Object.keys(providerWords) as (keyof typeof providerWords)[])
      for (const word of ['levitating', 'other', 'constructor'])
        expect(meaningOf(of, word)).toMatchObject({ nothing: 'unknown' })
  })
})

describe('what cannot be read', () => {
  it('of one try or refund holds back no other', () => {
    const one = { order_id: 'REFERENCE-1', payment_amount: '25.00', payment_currency: 'INR', payment_status: 'SUCCESS' }
    const tries = paymentsReply.parse([
      { ...one, cf_payment_id: null },
      { ...one, cf_payment_id: 'try-2' },
    ])
    expect(tries).toMatchObject({ read: [{ cf_payment_id: 'try-2' }], unread: 1 })
    expect(refundsReply.parse([{ cf_payment_id: 'try-2' }])).toEqual({ read: [], unread: 1 })
  })
  it('of one link of a refund holds back no other', () => {
    const amount = { currency_code: 'USD', value: '5.00' }
    const links = [null, { rel: 'up', href: 'https://api-m.paypal.com/v2/payments/captures/C2' }]
    const refunds = [{ status: 'COMPLETED', amount, links }]
    const captures = [capture('C1', 'COMPLETED'), capture('C2', 'COMPLETED')]
    const units = [{ custom_id: 'REFERENCE-1', payments: { captures, refunds } }]
    const reply = orderReply.parse({ id: 'ORDER1', status: 'COMPLETED', purchase_units: units })
    expect(paypalReport(usd, reply).receipts.map(({ reversedAmount }) => reversedAmount)).toEqual(['0', '5.00'])
  })
  it('of the refunds leaves the money, and says nothing of what went back', async () => {
    const order = { order_id: 'REFERENCE-1', order_amount: 25, order_currency: 'INR', order_status: 'PAID' }
    const one = { cf_payment_id: 'try-1', order_id: 'REFERENCE-1', payment_amount: 25, payment_currency: 'INR' }
    const answer: Answer = (path) => {
      if (path.endsWith('/refunds')) return { status: 429, body: {} }
      return { body: path.endsWith('/payments') ? [{ ...one, payment_status: 'SUCCESS' }] : order }
    }
    const keys = { clientId: 'id', clientSecret: 'secret', webhookUrl: '' }
    const report = await asked(answer, async (url) => cashfree({ url, ...keys, now }).check(upi))
    expect(report.receipts).toMatchObject([{ receiptId: 'try-1', amount: '25', reversedAmount: null }])
  })
  it('of one thing gives the gateway no pause', async () => {
    const keys = { clientId: 'id', clientSecret: 'secret', webhookUrl: '' }
    await asked(
      () => ({ body: { order_id: null } }),
      async (url) => {
        const gateway = cashfree({ url, ...keys, now })
        for (let turn = 0; turn < 3; turn += 1) await expect(gateway.check(upi)).rejects.toThrow('cannot be read')
      },
    )
  })
  it('of a message is cut before it is searched', () => {
    expect(withoutBuyer(`call ${'a'.repeat(20)} 9876543210 now`)).toBe(`call ${'a'.repeat(20)} … now`)
    // Whole, the text would be one word with an address, searched by the square of its length.
    expect(withoutBuyer(`${'a'.repeat(40_000)}@example.test`)).toBe('a'.repeat(200))
  })
})

it('reports nothing as expired that PayPal only refuses', async () => {
  const access = { clientId: 'id', clientSecret: 'secret', webhookId: 'hook', shopName: 'Coin Shop' }
  await asked(refusing, async (url) =>
    expect(paypal({ url, ...access, now: later }).check({ ...known, paymentId: 'ORDER1' })).rejects.toThrow(
      PaymentRejected,
    ),
  )
})

describe('checking the keys', () => {
  it.for([
    [
      'Cashfree',
      { status: 401, body: {} },
      (url: string) => cashfree({ url, clientId: 'id', clientSecret: 'no', webhookUrl: '', now }),
    ],
    ['EKQR', { body: { status: false, msg: 'Invalid API key' } }, (url: string) => upiGateway({ url, key: 'no', now })],
  ] as const)('of %s is answered each time, however fast it is repeated', async ([, refused, open]) => {
    await asked(
      () => refused,
      async (url) => {
        const gateway = open(url)
        for (let turn = 0; turn < 3; turn += 1)
          expect(await gateway.checkKeys?.()).toMatchObject({ areAccepted: false })
      },
    )
  })
})
