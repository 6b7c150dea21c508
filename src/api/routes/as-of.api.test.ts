import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { placedBy } from '../../testing/orders.ts'
import { startShop, type TestShop } from '../../testing/start-shop.ts'
import { noteUnplacedMoney } from '../../testing/unplaced-money.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The clock starts at 05:30 of this day in the shop's time zone. */
const FIRST_DAY = '2026-01-01'

let shop: TestShop
let token: string
/** The arguments of each fold. */
let folds: { beforeMs: number; signal: AbortSignal }[]
/** Folds wait for this gate. */
let gate: Promise<void>

beforeEach(async () => {
  folds = []
  gate = Promise.resolve()
  shop = await startShop({
    env: { DELIVERY: 'staff' },
    wrapFold: (fold) => async (asked) => {
      folds.push(asked)
      const gone = new Promise<never>((_, reject) =>
        asked.signal.addEventListener('abort', () => reject(asked.signal.reason as Error)),
      )
      await Promise.race([gate, gone])
      return fold(asked)
    },
  })
  token = await shop.logIn()
})
afterEach(async () => {
  await shop.stop()
})

const place = async (changes?: Record<string, unknown>) => placedBy(shop, changes)

async function approve(orderId: string): Promise<void> {
  expect((await shop.post('/api/complete-payment', { orderId }, { token })).status).toBe(200)
}

const look = async () => read(`/api/admin/as-of?at=${FIRST_DAY}`)
async function isReady(): Promise<void> {
  await expect.poll(async () => (await look())['is']).toBe('ready')
}

async function sleepDays(days: number): Promise<void> {
  shop.advance(days * DAY_MS)
  token = await shop.logIn()
}

async function read(path: string): Promise<Record<string, unknown>> {
  const { status, body } = await shop.get(path, { token })
  expect(status, `${path} ${JSON.stringify(body)}`).toBe(200)
  return body
}

const asOf = (path: string, day: string): string => `${path}${path.includes('?') ? '&' : '?'}asOf=${day}`

/** Leaves out the actions, since an order of the past allows none. */
function withoutMay(body: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    ['may', 'methods', 'providerIsAway'].includes(key) ? undefined : value,
  )
}

describe('as of a day, staff read', () => {
  const lists = [
    '/api/orders',
    '/api/orders?limit=1',
    '/api/orders?status=completed',
    '/api/orders?deleted=true',
    '/api/orders?sort=totalAmount&direction=asc',
    '/api/orders?search=misty',
    '/api/orders.csv',
    '/api/admin/analytics',
    '/api/admin/to-deliver',
    '/api/admin/revenue',
    '/api/admin/unplaced-payments',
  ]

  it('staff read a past day as it was at its end', async () => {
    const delivered = await place({ paymentMethod: 'upi' })
    await approve(delivered)
    const deleted = await place({ customerEmail: 'misty@example.com', discordUsername: 'misty' })
    const waiting = await place({ paymentMethod: 'paypal' })
    const paid = await place({ paymentMethod: 'crypto' })
    await shop.post('/api/crypto/create-payment', { amount: '2.25', orderId: paid })
    await shop.pay(paid)
    await noteUnplacedMoney(shop.context, '4711')
    shop.advance(18 * HOUR_MS)
    token = await shop.logIn()
    const orders = [deleted, waiting, paid].map((id) => `/api/orders/${id}`)
    const then = new Map(
      await Promise.all([...lists, ...orders].map(async (path) => [path, await shop.get(path, { token })] as const)),
    )

    await sleepDays(2)
    await isReady()
    await shop.delete(`/api/orders/${deleted}`, { token })
    await approve(waiting)
    expect((await shop.post('/api/process-order', { orderId: paid }, { token })).status).toBe(200)
    const later = await place()
    const settled = { provider: 'nowpayments', receiptId: '4711', outcome: 'paid-back' }
    expect((await shop.post('/api/admin/unplaced-payments/settle', settled, { token })).status).toBe(200)

    for (const [path, live] of then) {
      expect(live.status).toBe(200)
      const past = await shop.get(asOf(path, FIRST_DAY), { token })
      expect({ path, status: past.status, body: withoutMay(past.body) }).toEqual({
        path,
        status: 200,
        body: withoutMay(live.body),
      })
      if (path.includes('.csv')) expect(past.text).toBe(live.text)
      expect((await shop.get(path, { token })).text).not.toBe(live.text)
    }
    expect((await shop.get(asOf(`/api/orders/${later}`, FIRST_DAY), { token })).status).toBe(404)
    const { may, methods } = await read(asOf(`/api/orders/${waiting}`, FIRST_DAY))
    expect(Object.values(may as object)).toEqual(Array(7).fill(false))
    expect(methods).toBeUndefined()
  })

  it('a past day does not name buyers who were erased since', async () => {
    const orderId = await place({ customerEmail: 'misty@example.com', discordUsername: 'misty' })
    await approve(orderId)
    await place()
    await sleepDays(1)
    await isReady()
    const named = [...lists, `/api/orders/${orderId}`].map((path) => asOf(path, FIRST_DAY))
    const before = await Promise.all(named.map(async (path) => shop.get(path, { token })))
    expect(before.filter(({ text }) => text.includes('misty')).length).toBeGreaterThan(5)
    expect(await read(asOf('/api/orders?search=misty', FIRST_DAY))).toMatchObject({ filtered: 1, total: 2 })

    expect((await shop.post('/api/admin/erase-customer', { email: 'misty@example.com' }, { token })).status).toBe(200)
    for (const path of named) {
      const { status, text } = await shop.get(path, { token })
      expect({ path, status, named: text.includes('misty') }).toEqual({ path, status: 200, named: false })
    }
    expect(await read(asOf('/api/orders?search=misty', FIRST_DAY))).toMatchObject({ filtered: 0, total: 2 })
    const figures = await read(asOf('/api/admin/analytics', FIRST_DAY))
    expect(figures).toMatchObject({ totalOrders: 2, totalRevenue: 2.25, totalCustomers: 1 })
  })
})

it('concurrent requests for a past day share one fold, which reports its progress', async () => {
  await place()
  await sleepDays(1)
  const opened = Promise.withResolvers<void>()
  gate = opened.promise
  expect(await look()).toEqual({ is: 'folding', events: 0, upTo: null, part: 0 })
  const waiting = await shop.get(asOf('/api/admin/analytics', FIRST_DAY), { token })
  expect(waiting).toMatchObject({ status: 503, body: { code: 'as-of/folding', part: 0 } })
  expect(waiting.headers.get('retry-after')).toBe('1')
  opened.resolve()
  await isReady()
  expect((await read(asOf('/api/admin/analytics', FIRST_DAY)))['totalOrders']).toBe(1)
  expect(await look()).toEqual({ is: 'ready', endsAt: '2026-01-01T18:30:00.000Z', timeZone: 'Asia/Kolkata' })
  expect(folds).toHaveLength(1)
})
