import { expect, it } from 'vitest'
import { PaymentRejected, ProviderAway } from '../payment-provider.ts'
import { atDouble } from '../testing/at-double.ts'
import { known, START } from '../testing/samples.ts'
import { isPaymentPage, upiIntents } from '../upi.ts'
import { istDates } from './upigateway.ts'

const payer = { name: 'ash', email: 'ash@example.test', phone: '9876543210' }
const at = atDouble('upigateway', { askedMinor: 19_463, currency: 'INR', customer: payer })

it('opening a payment sends only what the gateway needs', async () => {
  const { payAmount } = await at.opened()
  expect(payAmount).toBe('194.63')
  expect(JSON.parse(at.double.calls[0]?.body ?? '')).toEqual({
    ...at.double.keys,
    client_txn_id: 'REFERENCE-1',
    amount: '194.63',
    p_info: '5M, order A1B2C3D4',
    customer_name: 'ash',
    customer_email: 'ash@example.test',
    customer_mobile: '9876543210',
    redirect_url: 'https://shop.example/pay/REFERENCE-1',
  })
})

it.for([
  ['ash', 'ash'],
  ['🔥_Zoë·Ash_🔥', 'Zoe Ash'],
  ['アッシュ', 'Customer'],
] as const)('the payer %s is sent as %s', async ([name, plain]) => {
  await at.opened({ customer: { ...payer, name } })
  expect(JSON.parse(at.double.calls[0]?.body ?? '')).toMatchObject({ customer_name: plain })
})

it('the gateway gets the owner’s word for the coins in plain letters', async () => {
  await at.opened({ description: '5M Pokécoins & <🔥>, order A1B2C3D4' })
  expect(JSON.parse(at.double.calls[0]?.body ?? '')).toMatchObject({ p_info: '5M Pokecoins , order A1B2C3D4' })
})

it('an account for whole rupees gets the next whole rupee', async () => {
  at.double.takesPaise = false
  await expect(at.provider().create(at.request())).rejects.toThrow(PaymentRejected)
  const asked = at.request({ reference: 'REFERENCE-2' })
  const whole = at.provider({ UPIGATEWAY_WHOLE_RUPEES: 'on' })
  const payment = known(asked, await whole.create(asked))
  expect(payment.payAmount).toBe('195.00')
  expect(JSON.parse(at.double.calls.at(-1)?.body ?? '')).toMatchObject({ amount: '195' })
  at.double.happen(payment.paymentId, { do: 'pay' })
  // Also when the answer to the opening was lost.
  for (const payAmount of ['195.00', '194.63'])
    expect(await whole.check({ ...payment, payAmount })).toMatchObject({
      status: 'received',
      receipts: [{ amount: '195.00', askedAmount: '195.00' }],
    })
})

it('an opened payment has its page, and links into apps when the plan has them', async () => {
  const started = await at.provider().create(at.request())
  expect(started.url).toMatch(/\/gateway\/pay\/\w+$/)
  expect(Object.keys(started.intents ?? {})).toEqual(['bhim_link', 'phonepe_link', 'paytm_link', 'gpay_link'])
  at.double.hasIntents = false
  expect((await at.provider().create(at.request({ reference: 'REFERENCE-2' }))).intents).toBeNull()
})

it('a rejection has the words of the gateway without those of the buyer', async () => {
  at.double.refusesAll = 'Invalid customer_mobile 98765432 of <ash@example.test>'
  const refused = at.provider().create(at.request())
  await expect(refused).rejects.toThrow(new PaymentRejected('UPIGateway refuses it: Invalid customer_mobile … of …'))
})

it.for([
  ['Invalid API Key', true],
  ['API key is invalid', true],
  ['Your Plan Already Expired', true],
  ['Unauthorized', true],
  ['Invalid p_info: monkey key ring, family plan', false],
] as const)("the words '%s' mean that the shop is rejected: %s", async ([words, isShop]) => {
  at.double.refusesAll = words
  const refused = at.provider().create(at.request())
  await expect(refused).rejects.toThrow(isShop ? ProviderAway : PaymentRejected)
  if (isShop) await expect(refused).rejects.toThrow('UPIGATEWAY_KEY')
})

it.for([
  ['2026-01-15T18:29:59Z', '15-01-2026'],
  ['2026-01-15T18:30:00Z', '16-01-2026'],
  ['2025-12-31T20:00:00Z', '01-01-2026'],
] as const)('the date of %s in India is %s', ([moment, date]) => {
  expect(istDates(moment)[0]).toBe(date)
})

it('a check asks for the date of the start, then the days around it and around its request', () => {
  expect(istDates('2026-01-15T12:00:00Z')).toEqual(['15-01-2026', '14-01-2026', '16-01-2026'])
  expect(istDates('2026-03-01T12:00:00Z', '2026-02-26T12:00:00Z')).toHaveLength(6)
})

it('a payment is found when the gateway’s clock was on the other side of midnight', async () => {
  for (const [index, ms] of [-1, 1].entries()) {
    at.nowMs = Date.parse('2026-01-15T18:30:00Z')
    const asked = at.request({ reference: `REFERENCE-${index}` })
    at.nowMs += ms
    const payment = known(asked, await at.provider().create(asked))
    const report = await at.provider().check(payment)
    expect(report.status).toBe('waiting')
  }
})

it('a payment that was opened again days later is found by that date', async () => {
  const asked = at.request()
  at.nowMs += 5 * 24 * 3_600_000
  const payment = known(asked, await at.provider().create(asked))
  const startedAt = new Date(at.nowMs).toISOString()
  expect((await at.provider().check({ ...payment, startedAt })).status).toBe('waiting')
})

it('a payment of another day is not found', async () => {
  const payment = await at.opened()
  const late = new Date(START + 5 * 24 * 3_600_000).toISOString()
  await expect(at.provider().check({ ...payment, startedAt: late, requestedAt: late })).rejects.toThrow(PaymentRejected)
})

it('received money is exact and has the number of the bank', async () => {
  const payment = await at.opened()
  at.double.happen(payment.paymentId, { do: 'pay', utr: 'UTR600000000001' })
  expect(await at.provider().check(payment)).toMatchObject({
    status: 'received',
    amountPaid: '194.63',
    receipts: [{ receiptId: 'UTR600000000001', amount: '194.63', askedAmount: '194.63', currency: 'INR' }],
  })
})

it('money without a bank number is confirmed, not received', async () => {
  const payment = await at.opened()
  at.double.happen(payment.paymentId, { do: 'pay', utr: ' ' })
  expect(await at.provider().check(payment)).toMatchObject({ status: 'confirmed', receipts: [] })
})

it('a failure counts when it is reported again ten seconds later', async () => {
  const payment = await at.opened()
  const asked = at.provider()
  at.double.happen(payment.paymentId, { do: 'fail' })
  expect((await asked.check(payment)).status).toBe('waiting')
  at.nowMs += 9_000
  expect((await asked.check(payment)).status).toBe('waiting')
  at.nowMs += 1_000
  expect((await asked.check(payment)).status).toBe('failed')
  at.double.happen(payment.paymentId, { do: 'pay' })
  expect((await asked.check(payment)).status).toBe('received')
})

it('a lasting failure ends what was received before, and a success in between begins anew', async () => {
  const payment = { ...(await at.opened()), otherIds: ['UTR600000000001'] }
  const asked = at.provider()
  const after = async (what: string, ms: number) => {
    at.double.happen(payment.paymentId, { do: what })
    at.nowMs += ms
    return asked.check(payment)
  }
  expect((await after('fail', 0)).ended).toBeUndefined()
  expect((await after('pay', 5_000)).status).toBe('received')
  expect(await after('fail', 5_000)).toMatchObject({ status: 'waiting' })
  expect(await after('fail', 10_000)).toMatchObject({ status: 'failed', ended: ['UTR600000000001'] })
})

it('a nonsensical amount is reported as unclear', async () => {
  const payment = await at.opened()
  at.double.happen(payment.paymentId, { do: 'pay', amount: '99999999999' })
  expect(await at.provider().check(payment)).toMatchObject({ status: 'confirmed', receipts: [], isUnclear: true })
})

it('an unknown word with a bank number is reported as seen money', async () => {
  const payment = await at.opened()
  at.double.happen(payment.paymentId, { do: 'levitating', utr: '600000000001' })
  expect(await at.provider().check(payment)).toMatchObject({
    status: 'confirmed',
    amountPaid: '194.63',
    receipts: [],
  })
})

it('a browser only gets links of payment apps and of https pages', () => {
  const bhim_link = 'upi://pay?pa=shop@upi&am=1.00'
  const bad = { other_link: 'javascript:alert(1)', paytm_link: 'https://evil.example', gpay_link: 5, 'x"': bhim_link }
  expect(upiIntents({ bhim_link, ...bad })).toEqual({ bhim_link })
  for (const none of [null, undefined, 'x', [], bad]) expect(upiIntents(none)).toBeNull()
  expect(isPaymentPage('https://gateway.example/pay/1', 'https://api.ekqr.in/api')).toBe(true)
  for (const page of ['http://gateway.example/pay/1', 'javascript:alert(1)', 'no address', ''])
    expect(isPaymentPage(page, 'https://api.ekqr.in/api')).toBe(false)
})
