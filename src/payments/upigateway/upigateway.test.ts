import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type KnownPayment, PaymentRejected, type PaymentRequest, ProviderAway } from '../payment-provider.ts'
import { UpiGatewayDouble } from './testing/upigateway-double.ts'
import { known, paymentRequest, START } from '../testing/samples.ts'
import { isPaymentPage, upiIntents } from '../upi.ts'
import { istDates, upiGateway } from './upigateway.ts'

let nowMs = START
let double: UpiGatewayDouble
beforeEach(async () => {
  nowMs = START
  double = await new UpiGatewayDouble({ now: () => nowMs }).listen()
})
afterEach(async () => double.stop())

const unknownWords: string[] = []

const onUnknownStatus = (word: string): void => void unknownWords.push(word)

function provider(UPIGATEWAY_WHOLE_RUPEES: 'on' | 'off' = 'off') {
  return upiGateway({ ...double.env, UPIGATEWAY_WHOLE_RUPEES }, { now: () => nowMs, onUnknownStatus })
}

function request(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  const customer = { name: 'ash', email: 'ash@example.test', phone: '9876543210' }
  const requestedAt = new Date(nowMs).toISOString()
  return paymentRequest({ askedMinor: 19_463, currency: 'INR', customer, requestedAt, ...changes })
}

async function opened(changes: Partial<PaymentRequest> = {}): Promise<KnownPayment> {
  const asked = request(changes)
  return known(asked, await provider().create(asked))
}

describe('the call that opens a payment', () => {
  it('says what the gateway needs and nothing more', async () => {
    const { payAmount } = await opened()
    expect(payAmount).toBe('194.63')
    expect(JSON.parse(double.calls[0]?.body ?? '')).toEqual({
      ...double.keys,
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
  ] as const)('names the payer in plain letters: %s is %s', async ([name, plain]) => {
    await opened({ customer: { ...request().customer, name } })
    expect(JSON.parse(double.calls[0]?.body ?? '')).toMatchObject({ customer_name: plain })
  })

  it('asks for the next whole rupee where the account takes no other amounts', async () => {
    double.takesPaise = false
    await expect(provider().create(request())).rejects.toThrow(PaymentRejected)
    const asked = request({ reference: 'REFERENCE-2' })
    const whole = provider('on')
    const payment = known(asked, await whole.create(asked))
    expect(payment.payAmount).toBe('195.00')
    expect(JSON.parse(double.calls.at(-1)?.body ?? '')).toMatchObject({ amount: '195' })
    double.happen(payment.paymentId, { do: 'pay' })
    // The same where the answer to the opening was lost.
    for (const payAmount of ['195.00', '194.63'])
      expect(await whole.check({ ...payment, payAmount })).toMatchObject({
        status: 'received',
        receipts: [{ amount: '195.00', askedAmount: '195.00' }],
      })
  })

  it('leads to the payment page, and into apps where the plan has links', async () => {
    const started = await provider().create(request())
    expect(started.url).toMatch(/\/gateway\/pay\/\w+$/)
    expect(Object.keys(started.intents ?? {})).toEqual(['bhim_link', 'phonepe_link', 'paytm_link', 'gpay_link'])
    double.hasIntents = false
    expect((await provider().create(request({ reference: 'REFERENCE-2' }))).intents).toBeNull()
  })

  it('is refused in the words of the gateway, without those of the buyer', async () => {
    double.refusesAll = 'Invalid customer_mobile 98765432 of <ash@example.test>'
    const refused = provider().create(request())
    await expect(refused).rejects.toThrow(new PaymentRejected('UPIGateway refuses it: Invalid customer_mobile … of …'))
  })

  it.for([
    ['Invalid API Key', true],
    ['API key is invalid', true],
    ['Your Plan Already Expired', true],
    ['Unauthorized', true],
    ['Invalid p_info: monkey key ring, family plan', false],
  ] as const)('%s: is the shop refused? %s', async ([words, isShop]) => {
    double.refusesAll = words
    const refused = provider().create(request())
    await expect(refused).rejects.toThrow(isShop ? ProviderAway : PaymentRejected)
    if (isShop) await expect(refused).rejects.toThrow('UPIGATEWAY_KEY')
  })
})

describe('the date of a payment', () => {
  it.for([
    ['2026-01-15T18:29:59Z', '15-01-2026'],
    ['2026-01-15T18:30:00Z', '16-01-2026'],
    ['2025-12-31T20:00:00Z', '01-01-2026'],
  ] as const)('of %s is %s in India', ([moment, date]) => {
    expect(istDates(moment)[0]).toBe(date)
  })

  it('is asked first, then the days around it and those of its request', () => {
    expect(istDates('2026-01-15T12:00:00Z')).toEqual(['15-01-2026', '14-01-2026', '16-01-2026'])
    expect(istDates('2026-03-01T12:00:00Z', '2026-02-26T12:00:00Z')).toHaveLength(6)
  })

  it('is found where the gateway’s clock was on the other side of midnight', async () => {
    for (const [index, ms] of [-1, 1].entries()) {
      nowMs = Date.parse('2026-01-15T18:30:00Z')
      const asked = request({ reference: `REFERENCE-${index}` })
      nowMs += ms
      await provider().create(asked)
      const known = { ...asked, paymentId: asked.reference, payAmount: '194.63', payCurrency: 'INR', otherIds: [] }
      const report = await provider().check({ ...known, startedAt: asked.requestedAt })
      expect(report.status).toBe('waiting')
    }
  })

  it('is that of the opening where it was asked for again days later', async () => {
    const asked = request()
    nowMs += 5 * 24 * 3_600_000
    const { payAmount, payCurrency, paymentId } = await provider().create(asked)
    const startedAt = new Date(nowMs).toISOString()
    const known = { ...asked, paymentId, payAmount, payCurrency, startedAt, otherIds: [] }
    expect((await provider().check(known)).status).toBe('waiting')
  })

  it('of another day finds nothing', async () => {
    const payment = await opened()
    const late = new Date(START + 5 * 24 * 3_600_000).toISOString()
    await expect(provider().check({ ...payment, startedAt: late, requestedAt: late })).rejects.toThrow(PaymentRejected)
  })
})

describe('what a payment’s report says', () => {
  it('of money is exact, under the bank’s number', async () => {
    const payment = await opened()
    double.happen(payment.paymentId, { do: 'pay', utr: 'UTR600000000001' })
    expect(await provider().check(payment)).toMatchObject({
      status: 'received',
      amountPaid: '194.63',
      receipts: [{ receiptId: 'UTR600000000001', amount: '194.63', askedAmount: '194.63', currency: 'INR' }],
    })
  })

  it('of money without a number is that a person has to look', async () => {
    const payment = await opened()
    double.happen(payment.paymentId, { do: 'pay', utr: ' ' })
    expect(await provider().check(payment)).toMatchObject({ status: 'confirmed', receipts: [] })
  })

  it('of a failure is believed when it is reported again ten seconds later', async () => {
    const payment = await opened()
    const asked = provider()
    double.happen(payment.paymentId, { do: 'fail' })
    expect((await asked.check(payment)).status).toBe('waiting')
    nowMs += 9_000
    expect((await asked.check(payment)).status).toBe('waiting')
    nowMs += 1_000
    expect((await asked.check(payment)).status).toBe('failed')
    double.happen(payment.paymentId, { do: 'pay' })
    expect((await asked.check(payment)).status).toBe('received')
  })

  it('of an amount that makes no sense is that it is not clear', async () => {
    const payment = await opened()
    double.happen(payment.paymentId, { do: 'pay', amount: '99999999999' })
    expect(await provider().check(payment)).toMatchObject({ status: 'confirmed', receipts: [], isUnclear: true })
  })

  it('of a word that nobody knows is unknown, and said; beside the bank’s number, that money is seen', async () => {
    const payment = await opened()
    double.happen(payment.paymentId, { do: 'levitating' })
    expect(await provider().check(payment)).toMatchObject({ status: 'unknown', isUnclear: true })
    expect(unknownWords).toEqual(['levitating'])
    double.happen(payment.paymentId, { do: 'levitating', utr: '600000000001' })
    expect(await provider().check(payment)).toMatchObject({ status: 'confirmed', amountPaid: '194.63', receipts: [] })
  })
})

it('hands a browser no other links than those of payment apps and of encrypted pages', () => {
  const bhim_link = 'upi://pay?pa=shop@upi&am=1.00'
  const bad = { other_link: 'javascript:alert(1)', paytm_link: 'https://evil.example', gpay_link: 5, 'x"': bhim_link }
  expect(upiIntents({ bhim_link, ...bad })).toEqual({ bhim_link })
  for (const none of [null, undefined, 'x', [], bad]) expect(upiIntents(none)).toBeNull()
  expect(isPaymentPage('https://gateway.example/pay/1', 'https://api.ekqr.in/api')).toBe(true)
  for (const page of ['http://gateway.example/pay/1', 'javascript:alert(1)', 'no address', ''])
    expect(isPaymentPage(page, 'https://api.ekqr.in/api')).toBe(false)
})
