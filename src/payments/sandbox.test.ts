import { describe, expect, it } from 'vitest'
import { PaymentRejected, type PaymentRequest } from './payment-provider.ts'
import { playFor, sandboxProviders } from './sandbox.ts'
import { known, paymentRequest, START } from './testing/samples.ts'

let time = START
const providers = sandboxProviders({
  delayMs: 2_000,
  now: () => time,
  shopName: 'Coin & Shop',
  inrPerUsd: 86.5,
})
const request = paymentRequest({
  reference: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ2345',
  returnUrl: 'https://shop.example/order/1/confirm',
})

async function paidReport(method: 'paypal' | 'crypto' | 'upi', asked: PaymentRequest) {
  const payment = await providers[method].create(asked)
  time = START + 2_000
  const opened = known(asked, payment)
  const report = await (providers[method].capture?.(opened, 'capture-1') ?? providers[method].check(opened))
  time = START
  return { payment, receipt: report.receipts[0] }
}

describe('the sandbox wallet', () => {
  it('asks for dollars and leads nowhere', async () => {
    const { payment, receipt } = await paidReport('paypal', request)
    expect(payment).toMatchObject({ payAmount: '25.40', payCurrency: 'USD', url: null, address: null, intents: null })
    expect(receipt?.receiptId).toMatch(/^SBX[0-9A-F]{20}$/)
  })

  it('has a token for the browser', async () => {
    expect(await providers.paypal.clientToken?.()).toContain('sandbox')
  })
})

describe('the sandbox coins', () => {
  it('ask for litecoin unless another coin is named, rounded up', async () => {
    const { payment, receipt } = await paidReport('crypto', request)
    expect(payment).toMatchObject({ payAmount: '0.29882353', payCurrency: 'ltc', network: 'ltc', url: null })
    expect(payment.expiresAt).toBe('2026-03-08T10:00:00.000Z')
    expect(receipt).toEqual({
      receiptId: payment.paymentId,
      amount: '0.29882353',
      currency: 'ltc',
      askedAmount: '0.29882353',
      reversedAmount: '0.00000000',
    })
  })

  it('take the coin that is named and no unknown one', async () => {
    const payment = await providers.crypto.create({ ...request, payCurrency: 'USDTTRC20' })
    expect(payment).toMatchObject({ payAmount: '25.400000', payCurrency: 'usdttrc20', network: 'trx' })
    await expect(providers.crypto.create({ ...request, payCurrency: 'doge' })).rejects.toThrow(PaymentRejected)
  })

  it('have an address that says what it is, another one for each payment', async () => {
    const first = await providers.crypto.create(request)
    const second = await providers.crypto.create({ ...request, reference: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ-2' })
    expect(first.address).toMatch(/^SANDBOX-SEND-NOTHING-LTC-[0-9A-F]{16}$/)
    expect(second.address).not.toBe(first.address)
  })

  it('ask what they estimate', async () => {
    const { payAmount } = await providers.crypto.create(request)
    expect(await providers.crypto.rates?.estimate({ amount: '25.40', currency: 'usd' }, 'ltc')).toBe(payAmount)
  })

  it('take the least that they name', async () => {
    const { minMinor } = await providers.crypto.limits('USD')
    const { payAmount } = await providers.crypto.create({ ...request, askedMinor: minMinor })
    expect(await providers.crypto.rates?.minAmount('ltc', 'ltc')).toBe(payAmount)
  })
})

describe('the sandbox bank', () => {
  const inRupees: PaymentRequest = { ...request, askedMinor: 216_250, currency: 'INR' }

  it('asks for rupees with paise, and knows the transfer by a number that no other has', async () => {
    const { payment, receipt } = await paidReport('upi', inRupees)
    expect(payment).toMatchObject({ payAmount: '2162.50', payCurrency: 'INR', expiresAt: null })
    expect(receipt?.receiptId).toMatch(/^\d{18}$/)
  })

  it('has a page that is the way back, marked as a mock', async () => {
    const { url } = await providers.upi.create(inRupees)
    expect(url).toBe(
      'https://shop.example/order/1/confirm?client_txn_id=ABCDEFGHIJKLMNOPQRSTUVWXYZ2345&txn_id=mock_ABCDEFGHIJKLMNOPQRSTUVWXYZ2345',
    )
  })

  it('has links for the apps, escaped as they read them', async () => {
    const { intents } = await providers.upi.create(inRupees)
    expect(Object.keys(intents ?? {})).toEqual(['bhim_link', 'phonepe_link', 'paytm_link', 'gpay_link'])
    expect(new Set(Object.values(intents ?? {}))).toEqual(
      new Set(['upi://pay?pa=sandbox@upi&pn=Coin%20%26%20Shop&am=2162.50&cu=INR&tr=ABCDEFGHIJKLMNOPQRSTUVWXYZ2345']),
    )
  })
})

it('what a payer does follows from the chat name', () => {
  const names = {
    fail: ['sandbox-fail', 'sandbox-fail-2'],
    short: ['SANDBOX-Short'],
    over: ['sandbox-over9000'],
    late: ['sandbox-late again'],
    slow: [' sandbox-slow '],
    cancel: ['sandbox-cancel'],
    pay: ['sandbox-', 'sandbox-other', 'my-sandbox-fail', 'fail', ''],
  }
  for (const [play, called] of Object.entries(names)) for (const name of called) expect(playFor(name), name).toBe(play)
})

it.for<[what: string, name: string, seconds: number[], statuses: string[]]>([
  [
    'shows coins on their way before they are confirmed',
    'ash',
    [0.999, 1, 1.999, 2],
    ['waiting', 'confirming', 'confirming', 'received'],
  ],
  ['brings the missing half of coins a minute later', 'sandbox-short', [61.999, 62], ['partially_paid', 'received']],
  ['lets late money arrive after a minute and a half', 'sandbox-late', [89.999, 90], ['expired', 'received']],
])('%s', async ([, name, seconds, statuses]) => {
  const asked = { ...request, customer: { ...request.customer, name } }
  const payment = await providers.crypto.create(asked)
  const reports = []
  for (const second of seconds) {
    time = START + second * 1_000
    reports.push(await providers.crypto.check(known(asked, payment)))
  }
  time = START
  expect(reports.map(({ status }) => status)).toEqual(statuses)
  expect(new Set(reports.flatMap(({ receipts }) => receipts.map(({ receiptId }) => receiptId))).size).toBe(1)
})

it('never brings the missing half of a transfer', async () => {
  const asked = { ...request, currency: 'INR' as const, customer: { ...request.customer, name: 'sandbox-short' } }
  const payment = await providers.upi.create(asked)
  time = START + 900_000
  const report = await providers.upi.check(known(asked, payment))
  time = START
  expect(report.status).toBe('partially_paid')
})
