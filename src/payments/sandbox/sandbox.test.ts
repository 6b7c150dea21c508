import { expect, it } from 'vitest'
import type { PaymentMethod } from '../../domain/payment-methods.ts'
import { PaymentRejected, type PaymentRequest } from '../payment-provider.ts'
import { playFor, sandboxProviders } from './sandbox.ts'
import { known, paymentRequest, START } from '../testing/samples.ts'

let time = START
const providers = sandboxProviders({ delayMs: 2_000, now: () => time, inrPerUsd: 86.5 })
const reference = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ2345'
const request = paymentRequest({ reference, returnUrl: 'https://shop.example/order/1/confirm' })
const inRupees: PaymentRequest = { ...request, askedMinor: 216_250, currency: 'INR' }
const back = `https://shop.example/order/1/confirm?client_txn_id=${reference}&txn_id=mock_${reference}`
const link = `upi://pay?pa=sandbox@upi&pn=Coin%20%26%20Shop&am=2162.50&cu=INR&tr=${reference}`

it.for<[method: PaymentMethod, asked: PaymentRequest, opened: object, receiptId: RegExp]>([
  [
    'paypal',
    request,
    { payAmount: '25.40', payCurrency: 'USD', url: null, address: null, intents: null },
    /^SBX[0-9A-F]{20}$/,
  ],
  [
    'crypto',
    request,
    { payAmount: '0.29882353', payCurrency: 'ltc', network: 'ltc', url: null, expiresAt: '2026-03-08T10:00:00.000Z' },
    /^sandbox-crypto-pay-/,
  ],
  [
    'crypto',
    { ...request, payCurrency: 'USDTTRC20' },
    { payAmount: '25.400000', payCurrency: 'usdttrc20', network: 'trx' },
    /^sandbox-crypto-pay-/,
  ],
  [
    'upi',
    inRupees,
    {
      payAmount: '2162.50',
      payCurrency: 'INR',
      url: back,
      intents: { bhim_link: link, phonepe_link: link, paytm_link: link, gpay_link: link },
    },
    /^\d{18}$/,
  ],
])('the sandbox opens a payment by %s with a receipt id of its kind', async ([method, asked, opened, receiptId]) => {
  const provider = providers[method]
  const payment = await provider.create(asked)
  expect(payment).toMatchObject(opened)
  time = START + 2_000
  const paid = known(asked, payment)
  const report = await (provider.capture?.(paid, 'capture-1') ?? provider.check(paid))
  time = START
  expect(report.receipts[0]?.receiptId).toMatch(receiptId)
})

it('each sandbox payment in coins has its own address that says what it is, and unknown coins are rejected', async () => {
  const first = await providers.crypto.create(request)
  const second = await providers.crypto.create({ ...request, reference: `${reference.slice(0, 26)}-2` })
  expect(first.address).toMatch(/^SANDBOX-SEND-NOTHING-LTC-[0-9A-F]{16}$/)
  expect(second.address).not.toBe(first.address)
  await expect(providers.crypto.create({ ...request, payCurrency: 'doge' })).rejects.toThrow(PaymentRejected)
})

it('the sandbox requests the coins that it estimates, down to its minimum', async () => {
  const { crypto } = providers
  const { payAmount } = await crypto.create(request)
  expect(await crypto.rates?.estimate({ amount: '25.40', currency: 'usd' }, 'ltc')).toBe(payAmount)
  const least = await crypto.create({ ...request, askedMinor: (await crypto.limits()).minMinor })
  expect(await crypto.rates?.minAmount('ltc', 'ltc')).toBe(least.payAmount)
})

it('the chat name decides what the payer of the sandbox does', () => {
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

it.for<[what: string, method: 'crypto' | 'upi', name: string, seconds: number[], statuses: string[]]>([
  [
    'shows coins on their way before they are confirmed',
    'crypto',
    'ash',
    [0.999, 1, 1.999, 2],
    ['waiting', 'confirming', 'confirming', 'received'],
  ],
  [
    'brings the missing half of coins a minute later',
    'crypto',
    'sandbox-short',
    [61.999, 62],
    ['partially_paid', 'received'],
  ],
  ['never brings that of a transfer', 'upi', 'sandbox-short', [62, 900], ['partially_paid', 'partially_paid']],
  ['lets late money arrive after a minute and a half', 'crypto', 'sandbox-late', [89.999, 90], ['expired', 'received']],
])('the sandbox %s', async ([, method, name, seconds, statuses]) => {
  const asked = { ...(method === 'upi' ? inRupees : request), customer: { ...request.customer, name } }
  const payment = await providers[method].create(asked)
  const reports = []
  for (const second of seconds) {
    time = START + second * 1_000
    reports.push(await providers[method].check(known(asked, payment)))
  }
  time = START
  expect(reports.map(({ status }) => status)).toEqual(statuses)
  expect(new Set(reports.flatMap(({ receipts }) => receipts.map(({ receiptId }) => receiptId))).size).toBe(1)
})
