import { expect, it } from 'vitest'
import { orderBody } from '../../testing/orders.ts'
import { startShop } from '../../testing/start-shop.ts'

const DAY_MS = 86_400_000

it('tells staff the revenue by day and by method, as the months of the dashboard have it', async () => {
  const shop = await startShop()
  let token = await shop.logIn()
  const sell = async (paymentMethod: string): Promise<string> => {
    const { body } = await shop.post('/api/orders', orderBody({ paymentMethod }))
    const orderId = String(body['id'])
    await shop.post('/api/complete-payment', { orderId }, { token })
    return orderId
  }
  expect((await shop.get('/api/admin/revenue', { token })).body).toStrictEqual({ days: [], methods: [] })
  const first = new Date(shop.now()).toISOString().slice(0, 10)
  await sell('paypal')
  await sell('crypto')
  shop.advance(2 * DAY_MS)
  token = await shop.logIn()
  const third = new Date(shop.now()).toISOString().slice(0, 10)
  await shop.delete(`/api/orders/${await sell('paypal')}`, { token })
  await sell('paypal')
  await shop.post('/api/orders', orderBody({ paymentMethod: 'upi' }))

  const { body } = await shop.get('/api/admin/revenue', { token })
  expect(body).toStrictEqual({
    days: [
      { day: first, revenue: 4.5, orders: 2 },
      { day: third, revenue: 2.25, orders: 1 },
    ],
    methods: [
      { method: 'crypto', revenue: 2.25, orders: 1 },
      { method: 'paypal', revenue: 4.5, orders: 2 },
    ],
  })
  expect((await shop.get('/api/admin/analytics', { token })).body['totalRevenue']).toBe(6.75)
  expect((await shop.get('/api/admin/revenue')).status).toBe(401)
  await shop.stop()
})
