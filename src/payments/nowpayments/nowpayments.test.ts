import { expect, it } from 'vitest'
import {
  type CryptoRates,
  type KnownPayment,
  type PaymentProvider,
  PaymentRejected,
  ProviderAway,
} from '../payment-provider.ts'
import type { Act } from '../testing/double.ts'
import { atDouble } from '../testing/at-double.ts'

const ratesOf = ({ rates }: PaymentProvider): CryptoRates => rates ?? expect.unreachable()
const at = atDouble('nowpayments', { askedMinor: 2_500, payCurrency: 'ltc' })

it('opening a payment sends nothing of the buyer', async () => {
  await at.opened()
  const [call] = at.double.calls
  expect(call?.body).toBe(
    '{"price_amount":25.00,"price_currency":"usd","pay_currency":"ltc","ipn_callback_url":"https://shop.example/api/webhooks/nowpayments","order_id":"REFERENCE-1","order_description":"5M, order A1B2C3D4"}',
  )
})

it('an opened payment has the memo of its coin and the end of its quote', async () => {
  const quoteExpiresAt = '2026-03-01T10:20:00.000Z'
  const shown = await at.provider().create({ ...at.request(), payCurrency: 'xrp' })
  expect(shown).toMatchObject({ payCurrency: 'xrp', network: 'xrp', memo: '000001', quoteExpiresAt })
  expect(await at.provider().create(at.request())).toMatchObject({ payCurrency: 'ltc', memo: null, quoteExpiresAt })
})

it('a payment is in Litecoin by default, else in the first coin of the account', async () => {
  const { payCurrency: _coin, ...open } = at.request()
  const anyCoin = { ...open, payCurrency: undefined }
  expect(await at.provider().create(anyCoin)).toMatchObject({ payCurrency: 'ltc' })
  at.double.coins = ['xlm', 'usdttrc20']
  expect(await at.provider().create(anyCoin)).toMatchObject({ payCurrency: 'xlm' })
})

it('a rejection has the provider’s reason', async () => {
  await expect(at.provider().create({ ...at.request(), askedMinor: 50 })).rejects.toThrow('less than minimal')
})

it('a call that waited for its turn is not made in a pause that began meanwhile', async () => {
  const payment = await at.opened()
  const turns: (() => void)[] = []
  const asked = at.provider({}, { pace: async () => new Promise((resolve) => turns.push(resolve)) })
  const checks = [asked.check(payment), asked.check(payment)]
  at.double.fail({ answer: '500', on: 'check' })
  const before = at.double.calls.length
  turns[0]?.()
  await expect(checks[0]).rejects.toThrow('500')
  turns[1]?.()
  await expect(checks[1]).rejects.toThrow(ProviderAway)
  expect(at.double.calls).toHaveLength(before + 1)
})

const reported = async (payment: KnownPayment) => at.provider().check(payment)

it.for<[what: string, acts: Act[], report: object]>([
  ['small amounts exactly', [{ do: 'pay', amount: '1.2e-7' }], { receipts: [{ amount: '0.00000012' }] }],
  [
    'long amounts exactly',
    [{ do: 'pay', amount: '0.294117650000000000001' }],
    { receipts: [{ amount: '0.294117650000000000001' }] },
  ],
  [
    'a second transfer to the used address, whatever that one’s own status says',
    [{ do: 'short' }, { do: 'again', amount: '0.1' }],
    {
      status: 'partially_paid',
      amountPaid: '0.24705883',
      receipts: [
        { amount: '0.14705883', askedAmount: '0.29411765' },
        { amount: '0.1', askedAmount: '0.29411765' },
      ],
    },
  ],
  [
    'another coin as none of its money',
    [{ do: 'short' }, { do: 'again', amount: '5', coin: 'btc' }],
    { receipts: [{ amount: '0.14705883' }], strays: [{ amount: '5', currency: 'btc' }] },
  ],
  [
    'money that is stuck in a failed payment as seen',
    [{ do: 'failed', amount: '0.29411765' }],
    { status: 'confirming', receipts: [] },
  ],
  [
    'a finished payment without an amount as confirmed, never as paid',
    [{ do: 'finished' }],
    { status: 'confirmed', receipts: [] },
  ],
  [
    'an amount that makes no sense as not clear',
    [{ do: 'pay', amount: '999999999' }],
    { receipts: [], isUnclear: true },
  ],
])('a report has %s', async ([, acts, report]) => {
  const payment = await at.opened()
  for (const act of acts) at.double.happen(payment.paymentId, act)
  expect(await reported(payment)).toMatchObject(report)
})

it('a second transfer that names only its parent counts, and a foreign one does not', async () => {
  const payment = await at.opened()
  const parentId = payment.paymentId
  const stranger = at.double.foreign({ reference: 'REFERENCE-2' })
  const child = at.double.foreign({ reference: null, parentId })
  const other = at.double.foreign({ reference: null, parentId: stranger })
  for (const id of [child, other]) at.double.happen(id, { do: 'pay' })
  const { receipts } = await reported({ ...payment, otherIds: [child, other] })
  expect(receipts.map(({ receiptId }) => receiptId)).toStrictEqual([child])
  expect((await at.provider().find?.(child))?.reference).toBe('REFERENCE-1')
})

it('a later transfer to an address whose opening got no answer counts', async () => {
  const lost = await at.opened()
  const child = at.double.foreign({ reference: null, parentId: lost.paymentId })
  at.double.happen(child, { do: 'pay' })
  const { receipts } = await reported({ ...(await at.opened()), otherIds: [child] })
  expect(receipts.map(({ receiptId }) => receiptId)).toStrictEqual([child])
})

it('a transfer that may not be read makes the report unclear and does not hide the rest', async () => {
  const payment = await at.opened()
  at.double.happen(payment.paymentId, { do: 'pay' })
  at.double.hidden = at.double.foreign({ reference: null, parentId: payment.paymentId })
  expect(await reported(payment)).toMatchObject({ receipts: [{ receiptId: payment.paymentId }], isUnclear: true })
})

it('money of another asset is reported in another coin, by a known word', async () => {
  const payment = await at.opened()
  const child = at.double.foreign({ reference: null, parentId: payment.paymentId, coin: 'btc' })
  at.double.happen(child, { do: 'wrong_asset_confirmed', amount: '0.4' })
  at.unknownWords.length = 0
  expect(await reported(payment)).toMatchObject({
    status: 'waiting',
    receipts: [],
    strays: [{ receiptId: child, currency: 'btc' }],
  })
  expect(at.unknownWords).toEqual([])
})

it('an unreadable transfer makes the report unclear and does not hide the rest', async () => {
  const payment = await at.opened()
  at.double.happen(payment.paymentId, { do: 'short' })
  const child = at.double.foreign({ reference: null, parentId: payment.paymentId })
  at.double.happen(child, { do: 'pay', amount: '-1' })
  expect(await reported(payment)).toMatchObject({ receipts: [{ receiptId: payment.paymentId }], isUnclear: true })
  const others = at.double.known(payment.paymentId).childIds
  others.unshift('no number')
  at.double.happen(child, { do: 'pay', amount: '0.1' })
  expect(await reported(payment)).toMatchObject({ receipts: [{}, { receiptId: child }], isUnclear: true })
  const nameless = at.double.known(payment.paymentId)
  Object.assign(nameless, { address: null })
  expect((await reported(payment)).receipts).toHaveLength(2)
})

it('a refund that leaves no amount reverses recorded money', async () => {
  const payment = await at.opened()
  at.double.happen(payment.paymentId, { do: 'refunded', amount: '0' })
  expect((await reported(payment)).receipts).toEqual([])
  const recorded = { ...payment, otherIds: [payment.paymentId] }
  expect((await reported(recorded)).receipts).toMatchObject([{ reversedAmount: '0.29411765' }])
})

it('an invalid amount is unreadable and does not pause the provider', async () => {
  const payment = await at.opened()
  for (const amount of ['-1', '1e99']) {
    at.double.happen(payment.paymentId, { do: 'pay', amount })
    await expect(reported(payment)).rejects.toThrow('cannot be read')
  }
})

it('a payment of another order or price is rejected', async () => {
  const payment = await at.opened()
  const other = at.double.foreign({ reference: 'REFERENCE-2' })
  const cheaper = at.double.foreign({ reference: 'REFERENCE-1', price: '0.01' })
  for (const paymentId of [other, cheaper]) {
    at.double.happen(paymentId, { do: 'pay' })
    await expect(reported({ ...payment, paymentId })).rejects.toThrow(PaymentRejected)
  }
  expect((await reported({ ...payment, otherIds: [other, cheaper] })).receipts).toEqual([])
})

it('the list of coins has every readable code, even of one letter', async () => {
  at.double.coins = ['s', 'ltc', 'no code', 'g']
  expect(await ratesOf(at.provider()).currencies()).toEqual(['s', 'ltc', 'g'])
  expect(at.unknownWords).toContain('1 coins that cannot be read')
})

it('rates are cached', async () => {
  const asked = at.provider()
  const rates = ratesOf(asked)
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await rates.currencies()).toContain('ltc')
    expect(await rates.minAmount('ltc', 'usd')).toBe('0.01200000')
    expect(await asked.limits()).toMatchObject({ minMinor: 102 })
  }
  expect(at.double.calls.map(({ path }) => path)).toEqual([
    '/v1/merchant/coins',
    '/v1/min-amount?currency_from=ltc&currency_to=ltc&fiat_equivalent=usd',
  ])
})

it('estimates are computed from one rate per coin without further calls', async () => {
  const rates = ratesOf(at.provider())
  for (const [amount, worth] of [
    ['25', '0.29411765'],
    ['25.40', '0.29882353'],
    ['0.01', '0.00011765'],
  ] as const)
    expect(await rates.estimate({ amount, currency: 'usd' }, 'ltc')).toBe(worth)
  expect(await rates.estimate({ amount: '2', currency: 'ltc' }, 'usd')).toBe('170.00')
  expect(await rates.estimate({ amount: '2', currency: 'ltc' }, 'btc')).toBe('0.00170000')
  expect(at.double.calls.map(({ path }) => path.split('?')[0])).toEqual([
    '/v1/merchant/coins',
    '/v1/estimate',
    '/v1/estimate',
  ])
})

it('rates stay for an hour while the provider is away', async () => {
  const asked = at.provider()
  const before = await asked.limits()
  at.double.fail({ answer: '500', times: 10 })
  at.nowMs += 10 * 60_000
  expect(await asked.limits()).toEqual(before)
  at.nowMs += 60 * 60_000
  await expect(asked.limits()).rejects.toThrow(ProviderAway)
})

it('limits are those of the requested coin', async () => {
  const asked = at.provider()
  expect(await asked.limits('usdterc20')).toMatchObject({ minMinor: 1_200 })
  await expect(asked.limits('doge')).rejects.toThrow(PaymentRejected)
})

it('a coin that the account does not take is rejected without a call', async () => {
  const rates = ratesOf(at.provider())
  await rates.currencies()
  await expect(rates.estimate({ amount: '1', currency: 'usd' }, 'doge')).rejects.toThrow(PaymentRejected)
  await expect(rates.minAmount('madeup', 'usd')).rejects.toThrow(PaymentRejected)
  expect(at.double.calls).toHaveLength(1)
  expect(await rates.estimate({ amount: '25', currency: 'usd' }, 'ltc')).toBe('0.29411765')
})
