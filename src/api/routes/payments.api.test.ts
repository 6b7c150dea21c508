import { describe, expect, it } from 'vitest'
import type { PaymentProvider } from '../../payments/payment-provider.ts'
import { PaymentRejected, ProviderAway } from '../../payments/payment-provider.ts'
import { orderBody, placedBy } from '../../testing/orders.ts'
import { shopOfTest, suiteShop } from '../../testing/shops.ts'

const shop = suiteShop()

const phone = { customerPhone: '9876543210' }

async function placed(changes: Record<string, unknown> = {}): Promise<string> {
  return placedBy(shop, { pokecoinAmount: 10, totalAmount: '0.48', ...changes })
}

async function refused(ask: () => Promise<{ status: number; body: Record<string, unknown> }>) {
  const before = await shop.shop.log.head()
  const { status, body } = await ask()
  expect(await shop.shop.log.head()).toBe(before)
  return { status, code: body['code'] }
}

describe('a crypto payment', () => {
  it('is answered without personal data', async () => {
    const id = await placed({ customerEmail: 'secret@example.com', discordUsername: 'secretname' })
    const { body, text } = await shop.post('/api/crypto/create-payment', { amount: '0.48', orderId: id })
    const status = await shop.get(`/api/crypto/status/${String(body['payment_id'])}`)
    for (const seen of [text, status.text]) expect(seen).not.toMatch(/secret|12345678/)
  })

  it.for([
    ['an amount with the wallet fee', { amount: '0.88' }, 409, 'payment/wrong-amount'],
    ['a negative amount', { amount: -0.48 }, 409, 'payment/wrong-amount'],
    ['euros', { currency: 'eur' }, 400, 'payment/wrong-currency'],
    ['no order', { orderId: '00000000-0000-4000-8000-000000000000' }, 404, 'order/not-found'],
  ] as const)('is refused for %s', async ([, changes, status, code]) => {
    const ask = { amount: '0.48', currency: 'usd', orderId: await placed(), ...changes }
    expect(await refused(async () => shop.post('/api/crypto/create-payment', ask))).toEqual({ status, code })
  })

  it('is found by its own id alone, not by one of another method', async () => {
    const { body } = await shop.post('/api/paypal/order', { amount: '0.88', orderId: await placed() })
    for (const id of [String(body['id']), 'unknown', '%20', "x'y"]) {
      const answer = await refused(async () => shop.get(`/api/crypto/status/${id}`))
      expect(answer).toEqual({ status: 404, code: 'payment/unknown' })
    }
  })
})

async function askForCrypto(orderId: string, changes: Record<string, unknown> = {}) {
  return shop.post('/api/crypto/create-payment', { amount: '0.48', orderId, ...changes })
}

describe('another quote of a crypto payment', () => {
  it('is a new attempt, in the coin that is wanted; the former is still known', async () => {
    const id = await placed()
    const first = await askForCrypto(id)
    expect((await shop.get(`/api/orders/${id}`)).body['may']).toMatchObject({ requote: true })
    const replaces = String(first.body['payment_id'])
    const fresh = await askForCrypto(id, { replaces, payCurrency: 'xlm' })
    expect(fresh.body).toMatchObject({ pay_currency: 'xlm', network: 'xlm', payment_status: 'waiting' })
    expect(fresh.body['memo']).toMatch(/^\d+$/)
    expect((await shop.get(`/api/orders/${id}`)).body['payment']).toMatchObject({
      attempt: 2,
      memo: fresh.body['memo'],
      currency: 'xlm',
    })
    expect((await shop.get(`/api/crypto/status/${replaces}`)).body).toEqual(first.body)
    // Pressed twice: the one that is open now is answered.
    expect((await askForCrypto(id, { replaces, payCurrency: 'btc' })).body).toEqual(fresh.body)
  })
})

describe('a wallet payment', () => {
  it('that the payer gives up is declined', async () => {
    const id = await placed({ discordUsername: 'sandbox-cancel' })
    const { body } = await shop.post('/api/paypal/order', { amount: '0.88', orderId: id })
    const captured = await shop.post(`/api/paypal/order/${String(body['id'])}/capture`, { orderId: id })
    expect(captured.body['status']).toBe('DECLINED')
  })

  it('that was not approved yet is not captured', async () => {
    const id = await placed({ discordUsername: 'sandbox-late' })
    const { body } = await shop.post('/api/paypal/order', { amount: '0.88', orderId: id })
    const capture = async () => shop.post(`/api/paypal/order/${String(body['id'])}/capture`, { orderId: id })
    expect(await refused(capture)).toEqual({ status: 409, code: 'payment/not-approved' })
  })

  it('belongs to its order', async () => {
    const [mine, other] = [await placed(), await placed()]
    const { body } = await shop.post('/api/paypal/order', { amount: '0.88', orderId: mine })
    const capture = async () => shop.post(`/api/paypal/order/${String(body['id'])}/capture`, { orderId: other })
    expect(await refused(capture)).toEqual({ status: 404, code: 'payment/unknown' })
  })

  it.for([
    ['the total without the fee', { amount: '0.48' }, 409, 'payment/wrong-amount'],
    ['rupees', { currency: 'INR' }, 400, 'payment/wrong-currency'],
  ] as const)('is refused for %s', async ([, changes, status, code]) => {
    const ask = { amount: '0.88', currency: 'USD', orderId: await placed(), ...changes }
    expect(await refused(async () => shop.post('/api/paypal/order', ask))).toEqual({ status, code })
  })
})

describe.for(['/api/upigateway/create-order', '/api/cashfree/create-order'])('a UPI payment by %s', (path) => {
  it('takes rupees or the dollars that they stand for, and completes the order', async () => {
    for (const amount of ['41.52', 0.48]) {
      const orderId = await placed()
      const { body } = await shop.post(path, { amount, orderId, customerInfo: phone })
      expect(body['payment_url']).toContain('mock_')
      expect(body['amount']).toBe('41.52')
      const status = async () => (await shop.get(`/api/cashfree/order/${String(body['order_id'])}`)).body
      expect(await status()).toMatchObject({ order_status: 'ACTIVE' })
      await shop.pay(orderId)
      expect(await status()).toMatchObject({ order_status: 'PAID', order_amount: '41.52' })
      expect((await shop.get(`/api/orders/${orderId}`)).body['status']).toBe('completed')
    }
  })

  it('is refused for another amount', async () => {
    const ask = { amount: '41', orderId: await placed(), customerInfo: phone }
    const answer = await refused(async () => shop.post(path, ask))
    expect(answer).toEqual({ status: 409, code: 'payment/wrong-amount' })
  })
})

const account = new PaymentRejected('account 4711 is closed')

const crypto = (broken: Partial<PaymentProvider>): PaymentProvider => ({
  name: 'broken',
  create: async () => Promise.reject(new ProviderAway('connect ECONNREFUSED 10.0.0.7')),
  check: async () => Promise.reject(new ProviderAway('away')),
  limits: async () => Promise.reject(new ProviderAway('away')),
  rates: {
    currencies: async () => Promise.reject(new ProviderAway('away')),
    estimate: async () => Promise.reject(new ProviderAway('away')),
    minAmount: async () => Promise.reject(new ProviderAway('away')),
  },
  ...broken,
})

async function shopWith(...ofCrypto: PaymentProvider[]) {
  const other = await shopOfTest({ providers: { crypto: ofCrypto } })
  return other
}

describe('a provider', () => {
  const limits = { minMinor: 100, maxMinor: 1_000 }

  it('that is away makes the buyer come again, and hides no order', async () => {
    const other = await shopWith(crypto({}))
    const id = await placedBy(other)
    const answers = [
      await other.post('/api/crypto/create-payment', { amount: '2.25', orderId: id }),
      await other.get('/api/crypto/currencies'),
      await other.get('/api/crypto/estimate?currency_from=usd'),
    ]
    for (const { status, body, headers, text } of answers) {
      expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'provider/away' })
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(text).not.toContain('ECONNREFUSED')
    }
    const order = await other.get(`/api/orders/${id}`)
    expect(order.body['methods']).toMatchObject([{}, { method: 'crypto', available: true }, {}])
  })

  it('that refuses a payment for good is said to', async () => {
    const rejects = { create: async () => Promise.reject(account), limits: async () => ({ ...limits, minMinor: 1 }) }
    const other = await shopWith(crypto(rejects))
    const ask = { amount: '2.25', orderId: await placedBy(other) }
    const { status, body, text } = await other.post('/api/crypto/create-payment', ask)
    expect({ status, code: body['code'] }).toEqual({ status: 409, code: 'payment/rejected' })
    expect(text).not.toContain('4711')
  })

  it('with a floor above the total cannot be chosen, and says why', async () => {
    const other = await shopWith(crypto({ limits: async () => limits }))
    const id = await placedBy(other, { pokecoinAmount: 1, totalAmount: '0.05' })
    const order = await other.get(`/api/orders/${id}`)
    const reason = 'This method takes no less than 1.00 USD.'
    expect(order.body['methods']).toMatchObject([{}, { method: 'crypto', available: false, reason }, {}])
    const paying = await other.post('/api/crypto/create-payment', { amount: '0.05', orderId: id })
    expect(paying).toMatchObject({ status: 409, body: { code: 'payment/amount-out-of-range' } })
  })

  it('with a floor for one coin above the total says so before it opens a payment in it', async () => {
    const byCoin = { limits: async (coin = 'ltc') => (coin === 'btc' ? limits : { ...limits, minMinor: 1 }) }
    const other = await shopWith(crypto(byCoin))
    const id = await placedBy(other, { pokecoinAmount: 1, totalAmount: '0.05' })
    const ask = { amount: '0.05', orderId: id, payCurrency: 'btc' }
    const message = 'This coin takes no less than 1.00 USD.'
    expect(await other.post('/api/crypto/create-payment', ask)).toMatchObject({ status: 409, body: { message } })
    expect((await other.eventsOf(`order-${id}`)).map(({ type }) => type)).toEqual(['OrderPlaced'])
  })

  it('that is not there is a method that is off', async () => {
    const other = await shopOfTest({ providers: { crypto: [], paypal: [] } })
    const id = await placedBy(other)
    await other.patch('/api/payment-settings', { upiEnabled: false }, { token: await other.logIn() })
    const answers = [
      await other.post('/api/crypto/create-payment', { amount: '2.25', orderId: id }),
      await other.post('/api/paypal/order', { amount: '2.65', orderId: id }),
      await other.post('/api/upigateway/create-order', { amount: '2.25', orderId: id, customerInfo: phone }),
      await other.get('/api/paypal/setup'),
      await other.get('/api/crypto/currencies'),
      // And where none is on, nothing is sold that nobody could pay.
      await other.post('/api/orders', orderBody()),
    ]
    for (const answer of answers) expect(answer).toMatchObject({ status: 409, body: { code: 'payment/method-off' } })
  })
})

it('takes webhooks of no provider that it does not have', async () => {
  for (const provider of ['stripe', '__proto__', 'constructor', 'toString'])
    expect((await shop.post(`/api/webhooks/${provider}`, {})).status).toBe(404)
})
