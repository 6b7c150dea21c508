import { describe, expect, it } from 'vitest'
import { type PaymentProvider, PaymentRejected, ProviderAway } from '../../payments/payment-provider.ts'
import { orderBody, placedBy } from '../../testing/orders.ts'
import { providerOfTest, shopOfTest, suiteShop } from '../../testing/shops.ts'

const shop = suiteShop()

const phone = { customerPhone: '9876543210' }

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

  it('a provider that is away answers 503 and hides no order', async () => {
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

  it('a payment that the provider rejects is answered 409 without its words', async () => {
    const rejects = { create: async () => Promise.reject(account), limits: async () => ({ ...limits, minMinor: 1 }) }
    const other = await shopWith(crypto(rejects))
    const ask = { amount: '2.25', orderId: await placedBy(other) }
    const { status, body, text } = await other.post('/api/crypto/create-payment', ask)
    expect({ status, code: body['code'] }).toEqual({ status: 409, code: 'payment/rejected' })
    expect(text).not.toContain('4711')
  })

  it('a provider with a minimum above the total cannot be chosen and says why', async () => {
    const other = await shopWith(crypto({ limits: async () => limits }))
    const id = await placedBy(other, { pokecoinAmount: 1, totalAmount: '0.05' })
    const order = await other.get(`/api/orders/${id}`)
    const reason = 'This method takes no less than 1.00 USD.'
    expect(order.body['methods']).toMatchObject([{}, { method: 'crypto', available: false, reason }, {}])
    const paying = await other.post('/api/crypto/create-payment', { amount: '0.05', orderId: id })
    expect(paying).toMatchObject({ status: 409, body: { code: 'payment/amount-out-of-range' } })
  })

  it('a coin with a minimum above the total is rejected before a payment is opened', async () => {
    const byCoin = { limits: async (coin = 'ltc') => (coin === 'btc' ? limits : { ...limits, minMinor: 1 }) }
    const other = await shopWith(crypto(byCoin))
    const id = await placedBy(other, { pokecoinAmount: 1, totalAmount: '0.05' })
    const ask = { amount: '0.05', orderId: id, payCurrency: 'btc' }
    const message = 'This coin takes no less than 1.00 USD.'
    expect(await other.post('/api/crypto/create-payment', ask)).toMatchObject({ status: 409, body: { message } })
    expect((await other.eventsOf(`order-${id}`)).map(({ type }) => type)).toEqual(['OrderPlaced'])
  })

  it('a method without a provider is off', async () => {
    const other = await shopOfTest({ providers: { crypto: [], paypal: [] } })
    const id = await placedBy(other)
    await other.patch('/api/payment-settings', { upiEnabled: false }, { token: await other.logIn() })
    const answers = [
      await other.post('/api/crypto/create-payment', { amount: '2.25', orderId: id }),
      await other.post('/api/paypal/order', { amount: '2.65', orderId: id }),
      await other.post('/api/upigateway/create-order', { amount: '2.25', orderId: id, customerInfo: phone }),
      await other.get('/api/paypal/setup'),
      await other.get('/api/crypto/currencies'),
      // While no method is on, nothing is sold.
      await other.post('/api/orders', orderBody()),
    ]
    for (const answer of answers) expect(answer).toMatchObject({ status: 409, body: { code: 'payment/method-off' } })
  })
})

it('webhooks of an unknown provider are answered 404', async () => {
  for (const provider of ['stripe', '__proto__', 'constructor', 'toString'])
    expect((await shop.post(`/api/webhooks/${provider}`, {})).status).toBe(404)
})

it('a payment is read by the id that the shop has answered, and by none that can be guessed', async () => {
  const own = await providerOfTest('nowpayments')
  const { orderId, paymentId } = await own.opened()
  const { body: open } = await own.create(orderId)
  const read = async (id: string) => {
    const { status, body } = await own.get(`/api/crypto/status/${id}`)
    return [status, body['pay_address']]
  }
  expect(await read(String(open['payment_id']))).toEqual([200, open['pay_address']])
  expect((await own.order(orderId))['paymentId']).toBe(open['payment_id'])
  const near = String(open['payment_id']).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  for (const id of [paymentId, orderId, near]) expect(await read(id)).toEqual([404, undefined])
})
