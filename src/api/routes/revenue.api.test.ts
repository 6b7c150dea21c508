import { expect, it, onTestFinished } from 'vitest'
import type { RevenueState } from '../contract/admin.ts'
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

const statesOf = async (response: Response): Promise<RevenueState[]> =>
  (await response.text())
    .split('\n\n')
    .filter((block) => block.startsWith('data: '))
    .map((block) => JSON.parse(block.slice('data: '.length)) as RevenueState)

it('tells staff how far it is, for now and for a past day, until they go away', async () => {
  let gate = Promise.withResolvers<undefined>()
  const signals: AbortSignal[] = []
  const shop = await startShop({
    wrapRevenue: (read) => async (asked) => {
      signals.push(asked.signal)
      asked.onProgress?.({ events: 3, position: '3', recordedAt: shop.now() - DAY_MS })
      await gate.promise
      return read(asked)
    },
  })
  onTestFinished(async () => shop.stop())
  let token = await shop.logIn()
  const { body } = await shop.post('/api/orders', orderBody())
  await shop.post('/api/complete-payment', { orderId: body['id'] }, { token })
  shop.advance(2 * DAY_MS)
  token = await shop.logIn()
  const open = async (query: string, signal?: AbortSignal) =>
    fetch(`${shop.url}/api/admin/revenue/progress${query}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(signal && { signal }),
    })
  const controller = new AbortController()
  await open('', controller.signal)
  controller.abort()
  await expect.poll(() => signals[0]?.aborted).toBe(true)

  const opened = await open('')
  gate.resolve(undefined)
  const states = await statesOf(opened)
  expect(states[0]).toEqual({ is: 'adding', events: 3, upTo: '2026-01-02T00:00:00.000Z', part: 0.5 })
  const now = (await shop.get('/api/admin/revenue', { token })).body
  expect(states.at(-1)).toEqual({ is: 'ready', revenue: now })
  expect((await statesOf(await open('?asOf=2026-01-01'))).at(-1)).toEqual({ is: 'ready', revenue: now })

  gate = Promise.withResolvers()
  const failing = await open('')
  gate.reject(new Error('disk full'))
  expect((await statesOf(failing)).at(-1)).toMatchObject({ is: 'failed', code: 'shop/error' })
  expect((await open('?asOf=2026-01-03')).status).toBe(400)
  expect((await shop.get('/api/admin/revenue/progress')).status).toBe(401)
})
