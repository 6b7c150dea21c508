import { afterEach, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../testing/start-shop.ts'

let shop: TestShop
afterEach(async () => shop.stop())

it('leads a buyer from the price to the delivered order', async () => {
  shop = await startShop()
  const price = await shop.get('/api/pricing')
  expect(price.body).toEqual({ pokecoinPriceUSDPerMillion: 0.05, inrPerUsd: 86.5 })
  const placed = await shop.post('/api/orders', {
    customerEmail: 'ash@example.com',
    discordUsername: 'ash',
    marketId: '12345678',
    pokecoinAmount: 50,
    totalAmount: '2.25',
    paymentMethod: null,
  })
  expect(placed.status).toBe(201)
  const id = String(placed.body['id'])
  const chosen = await shop.patch(`/api/orders/${id}`, { paymentMethod: 'crypto' })
  expect(chosen.body['paymentMethod']).toBe('crypto')
  const payment = await shop.post('/api/crypto/create-payment', { amount: '2.25', currency: 'USD', orderId: id })
  expect(payment.body['payment_status']).toBe('waiting')
  await shop.pay(id)
  const status = await shop.get(`/api/crypto/status/${String(payment.body['payment_id'])}`)
  expect(status.body['payment_status']).toBe('finished')
  const cookie = /placed_here=[^;]+/.exec(placed.headers.get('set-cookie') ?? '')?.[0] ?? ''
  const order = await shop.get(`/api/orders/${id}`, { headers: { Cookie: cookie } })
  expect(order.body).toMatchObject({
    status: 'completed',
    paymentStatus: 'completed',
    customerEmail: 'ash@example.com',
  })
})
