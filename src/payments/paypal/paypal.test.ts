import { beforeEach, describe, expect, it } from 'vitest'
import {
  type KnownPayment,
  type PaymentProvider,
  PaymentRejected,
  ProviderAway,
  ReferenceUsed,
} from '../payment-provider.ts'
import { paypalBrowser } from './paypal.ts'
import { badAnswers, Refused, timeoutFor } from '../testing/double.ts'
import { atDouble } from '../testing/at-double.ts'
import { known, paymentRequest } from '../testing/samples.ts'

const at = atDouble('paypal')
const request = paymentRequest()
let provider: PaymentProvider
beforeEach(() => (provider = at.provider({ PAYPAL_URL: `${at.double.url}/` })))

async function begun(): Promise<KnownPayment> {
  return known(request, await provider.create(request))
}

async function approved(capture?: string): Promise<KnownPayment> {
  const payment = await begun()
  at.double.happen(payment.paymentId, { do: 'approve', ...(capture && { capture }) })
  return payment
}

async function disputed(): Promise<KnownPayment> {
  const payment = await approved()
  await captured(payment)
  at.double.happen(payment.paymentId, { do: 'dispute' })
  return { ...payment, otherIds: [at.double.known(payment.paymentId).dispute?.id ?? ''] }
}

const captured = async (payment: KnownPayment) => provider.capture?.(payment, 'capture-REFERENCE-1')
const callsTo = (path: string) => at.double.calls.filter((call) => call.path.startsWith(path)).length

it('opening a payment sends nothing of the buyer', async () => {
  await begun()
  const body = at.double.calls.find(({ path }) => path === '/v2/checkout/orders')?.body
  expect(JSON.parse(body ?? '')).toEqual({
    intent: 'CAPTURE',
    purchase_units: [
      {
        reference_id: 'default',
        custom_id: 'REFERENCE-1',
        invoice_id: 'REFERENCE-1',
        description: '5M, order A1B2C3D4',
        amount: { currency_code: 'USD', value: '25.40' },
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          brand_name: 'Coin & Shop',
          shipping_preference: 'NO_SHIPPING',
          user_action: 'PAY_NOW',
          return_url: 'https://shop.example/pay/REFERENCE-1',
          cancel_url: 'https://shop.example/pay/REFERENCE-1',
        },
      },
    },
  })
})

it('the account of the payer is reported once the payment is approved, and nothing else of the payer', async () => {
  at.double.payerId = 'PAYER0000001'
  expect(await provider.check(await begun())).not.toHaveProperty('payerId')
  const payment = await approved()
  for (const report of [await provider.check(payment), await captured(payment), await provider.check(payment)]) {
    expect(report).toMatchObject({ payerId: 'PAYER0000001' })
    expect(JSON.stringify(report)).not.toContain('payer@example.test')
  }
})

it('a reference that was paid is rejected as used', async () => {
  await captured(await approved())
  at.double.forgetRequests()
  await expect(provider.create(request)).rejects.toThrow(ReferenceUsed)
})

it('a token is fetched once for all calls, and again when it expires', async () => {
  const payment = await begun()
  await Promise.all([provider.check(payment), provider.check(payment)])
  expect(callsTo('/v1/oauth2')).toBe(1)
  at.nowMs += 9 * 3_600_000
  await Promise.all([provider.check(payment), provider.check(payment)])
  expect(callsTo('/v1/oauth2')).toBe(2)
})

it('a token that is rejected early is replaced once', async () => {
  const payment = await begun()
  at.double.endTokens()
  expect((await provider.check(payment)).status).toBe('waiting')
  expect(callsTo('/v1/oauth2')).toBe(2)
})

it('a client token is reused while it has ten minutes left', async () => {
  const token = await provider.clientToken?.()
  expect(token).toMatch(/^client-token-/)
  expect(await provider.clientToken?.()).toBe(token)
  at.nowMs += 300_000
  expect(await provider.clientToken?.()).not.toBe(token)
})

it('rejected keys are named, with the reason that PayPal gives', async () => {
  const wrong = at.provider({ PAYPAL_CLIENT_SECRET: 'another' })
  expect(await wrong.checkKeys?.()).toEqual({ areAccepted: false, reason: 'Client Authentication failed' })
  await expect(wrong.create(request)).rejects.toThrow('PAYPAL_CLIENT_ID')
})

it.for(badAnswers)('a capture that first gets %s takes the money once', async (answer) => {
  const payment = await approved()
  at.double.fail({ answer, on: 'capture' })
  const asked = at.provider({}, { timeoutMs: timeoutFor(answer) })
  await expect(asked.capture?.(payment, 'capture-1')).rejects.toThrow(ProviderAway)
  expect(await asked.capture?.(payment, 'capture-1')).toMatchObject({ status: 'received' })
  expect(at.double.known(payment.paymentId).captures).toHaveLength(1)
})

it('a capture that another call has made returns its result', async () => {
  const payment = await approved()
  at.double.capture(payment.paymentId)
  expect(await captured(payment)).toMatchObject({ status: 'received', receipts: [{ amount: '25.40' }] })
})

it('a capture that is rejected after a lost answer returns what the payment says', async () => {
  const payment = await approved()
  at.double.fail({ answer: 'lost', on: 'capture' })
  await expect(captured(payment)).rejects.toThrow(ProviderAway)
  at.double.mock = 'INSTRUMENT_DECLINED'
  at.double.forgetRequests()
  expect(await captured(payment)).toMatchObject({ status: 'received' })
})

it.for(['INSTRUMENT_DECLINED', 'TRANSACTION_REFUSED', 'PAYER_CANNOT_PAY'])(
  'a capture is declined by %s',
  async (issue) => {
    const payerId = expect.any(String) as string
    expect(await captured(await approved(issue))).toEqual({
      status: 'declined',
      amountPaid: null,
      receipts: [],
      payerId,
    })
  },
)

it.for(['ORDER_COMPLETION_IN_PROGRESS', 'A_NEW_ISSUE'])('a capture is retried after %s', async (issue) => {
  await expect(captured(await approved(issue))).rejects.toThrow(ProviderAway)
})

it.for([
  ['complete', 'received'],
  ['deny', 'declined'],
] as const)('a pending capture is not received until PayPal decides: %s', async ([what, status]) => {
  const payment = await approved('PENDING')
  const waiting = await captured(payment)
  expect(waiting).toMatchObject({ status: 'confirming', amountPaid: '25.40', receipts: [] })
  const [part] = waiting?.parts ?? []
  expect(part).toMatchObject({ amount: '25.40', currency: 'USD' })
  at.double.happen(payment.paymentId, { do: what })
  const ended = what === 'deny' ? [part?.id] : undefined
  expect(await provider.check(payment)).toMatchObject({ status, ...(ended && { ended }) })
})

it('a payment can be approved again after a declined capture', async () => {
  const payment = await approved('PENDING')
  await captured(payment)
  at.double.happen(payment.paymentId, { do: 'deny' })
  at.double.happen(payment.paymentId, { do: 'approve' })
  expect(await provider.check(payment)).toMatchObject({ status: 'approved' })
})

it.for<[what: string, acts: { do: string; amount?: string }[], reversed: string, status: string]>([
  ['in part', [{ do: 'refund', amount: '5.00' }], '5.00', 'received'],
  [
    'twice in part',
    [
      { do: 'refund', amount: '5.00' },
      { do: 'refund', amount: '1.25' },
    ],
    '6.25',
    'received',
  ],
  ['whole', [{ do: 'refund' }], '25.40', 'refunded'],
  ['by the bank', [{ do: 'reverse' }], '25.40', 'refunded'],
])('money is reversed %s', async ([, acts, reversedAmount, status]) => {
  const payment = await approved()
  await captured(payment)
  for (const act of acts) at.double.happen(payment.paymentId, act)
  expect(await provider.check(payment)).toMatchObject({ status, receipts: [{ amount: '25.40', reversedAmount }] })
})

it('refunds that are under way or failed are reported apart', async () => {
  const payment = await approved()
  await captured(payment)
  at.double.happen(payment.paymentId, { do: 'refund-pending', amount: '5.00' })
  at.double.happen(payment.paymentId, { do: 'refund-failed', amount: '1.25' })
  const back = { reversedAmount: '0', pendingAmount: '5.00', failedAmount: '1.25' }
  expect(await provider.check(payment)).toMatchObject({ receipts: [{ amount: '25.40', ...back }] })
})

it('a capture that is denied after it had completed has ended', async () => {
  const payment = await approved()
  await captured(payment)
  const [capture] = at.double.known(payment.paymentId).captures
  Object.assign(capture ?? {}, { status: 'DENIED' })
  expect(await provider.check(payment)).toMatchObject({ receipts: [], ended: [capture?.id] })
})

it('a partial reversal without an amount reverses everything', async () => {
  const payment = await approved()
  await captured(payment)
  Object.assign(at.double.known(payment.paymentId).captures[0] ?? {}, { status: 'PARTIALLY_REFUNDED' })
  expect(await provider.check(payment)).toMatchObject({ receipts: [{ reversedAmount: '25.40' }] })
})

it.for([
  ['win', 'won'],
  ['lose', 'lost'],
] as const)('a dispute is read until it ends: %s', async ([what, outcome]) => {
  const payment = await disputed()
  expect((await provider.check(payment)).disputes).toMatchObject([{ outcome: 'open' }])
  at.double.happen(payment.paymentId, { do: what })
  expect((await provider.check(payment)).disputes).toMatchObject([{ outcome }])
})

it('a dispute names by when to answer, and a capture how far it protects the seller', async () => {
  const payment = await disputed()
  const { disputes, receipts } = await provider.check(payment)
  const dueMs = at.double.known(payment.paymentId).dispute?.dueMs ?? 0
  expect(disputes).toMatchObject([{ respondBy: new Date(dueMs).toISOString() }])
  expect(receipts).toMatchObject([{ sellerProtection: 'full' }])
})

it('a dispute of another payment is not reported', async () => {
  const { otherIds } = await disputed()
  const other = await provider.create({ ...request, reference: 'REFERENCE-2' })
  at.double.happen(other.paymentId, { do: 'approve' })
  const payment = { ...(await begun()), paymentId: other.paymentId, reference: 'REFERENCE-2', otherIds }
  expect((await captured(payment))?.disputes).toBeUndefined()
  expect((await provider.check(payment)).disputes).toBeUndefined()
})

it('a dispute that cannot be read fails the check', async () => {
  const payment = await disputed()
  at.double.fail({ answer: 'lost', on: 'dispute' })
  await expect(provider.check(payment)).rejects.toThrow(ProviderAway)
})

it('a dispute that the app may not read stays open', async () => {
  const payment = await disputed()
  at.double.happen(payment.paymentId, { do: 'win' })
  at.double.fail({ answer: 'forbidden', on: 'dispute' })
  expect((await provider.check(payment)).disputes).toMatchObject([{ outcome: 'open' }])
})

it('a payment of another reference or price is rejected', async () => {
  const payment = await approved()
  for (const changes of [{ reference: 'REFERENCE-2' }, { askedMinor: 2_541 }])
    await expect(provider.check({ ...payment, ...changes })).rejects.toThrow(PaymentRejected)
})

it('an approval that PayPal has forgotten is reported as expired', async () => {
  const payment = await begun()
  at.double.happen(payment.paymentId, { do: 'forget' })
  await expect(provider.check(payment)).rejects.toThrow(PaymentRejected)
  at.nowMs += 3 * 3_600_000 + 1
  expect(await provider.check(payment)).toEqual({ status: 'expired', amountPaid: null, receipts: [] })
  // Another rejection does not mean that it has expired.
  at.double.known = () => {
    throw new Refused(422, 'A_NEW_ISSUE')
  }
  await expect(provider.check(payment)).rejects.toThrow(PaymentRejected)
})

describe('a webhook', () => {
  type Headers = Record<string, string>
  const read = async ({ body, headers }: { body: string; headers: Headers }, changes: Headers = {}) =>
    provider.readWebhook?.({ body: Buffer.from(body), headers: { ...headers, ...changes } })

  it('webhooks are checked with a certificate that is fetched once', async () => {
    const { paymentId } = await approved()
    const webhook = at.double.webhook(paymentId, { of: 'approve' })
    at.double.calls.length = 0
    for (let turn = 0; turn < 3; turn += 1)
      expect(await read(webhook)).toMatchObject({ paymentId, reference: 'REFERENCE-1' })
    for (const name of ['paypal-transmission-sig', 'paypal-transmission-id'])
      expect(await read(webhook, { [name]: 'x' })).toBe('unsigned')
    expect(at.double.calls.map(({ path }) => path)).toEqual(['/v1/notifications/certs/CERT-of-the-double'])
  })

  it('a webhook whose certificate is foreign, missing or expired is unsigned', async () => {
    const webhook = at.double.webhook((await begun()).paymentId, { of: 'approve' })
    at.double.calls.length = 0
    const evil = 'https://evilpaypal.com/v1/notifications/certs/CERT-1'
    expect(await read(webhook, { 'paypal-cert-url': evil })).toBe('unsigned')
    expect(at.double.calls).toHaveLength(0)
    expect(await read(webhook, { 'paypal-cert-url': `${at.double.url}/v1/notifications/certs/CERT-2` })).toBe(
      'unsigned',
    )
    at.nowMs = Date.parse('2121-01-01')
    expect(await read(webhook)).toBe('unsigned')
  })

  it('a certificate that cannot be fetched does not pause calls about payments', async () => {
    const payment = await approved()
    const webhook = at.double.webhook(payment.paymentId, { of: 'approve' })
    at.double.fail({ answer: '500', on: 'certificate', times: 10 })
    for (let turn = 0; turn < 10; turn += 1) await expect(read(webhook)).rejects.toThrow(ProviderAway)
    expect(await provider.check(payment)).toMatchObject({ status: 'approved' })
  })

  it('a webhook of a reversal leads to its payment by its capture', async () => {
    const payment = await approved()
    await captured(payment)
    at.double.happen(payment.paymentId, { do: 'reverse' })
    const [capture] = at.double.known(payment.paymentId).captures
    const given = await read(at.double.webhook(payment.paymentId, { of: 'reverse' }))
    expect(given).toMatchObject({ paymentId: capture?.id, reference: '' })
    expect(await provider.find?.(capture?.id ?? '')).toMatchObject({ reference: 'REFERENCE-1' })
  })
})

it.for([
  ['https://api-m.paypal.com', 'https://www.paypal.com'],
  ['https://api-m.sandbox.paypal.com/', 'https://www.sandbox.paypal.com'],
  ['http://127.0.0.1:4101', 'http://127.0.0.1:4101'],
])('the script of %s is loaded from its own host', ([url, host]) =>
  expect(paypalBrowser(url ?? '').script).toBe(`${host ?? ''}/web-sdk/v6/core`),
)
