import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { choosePaymentMethod } from '../../commands/order-verbs.ts'
import { systemCaller } from '../../shop/shop.ts'
import { engineErrors, failingEngine } from '../../testing/interposed.ts'
import type { Received } from '../../testing/http-client.ts'
import { orderBody } from '../../testing/orders.ts'
import { type ShopOptions, startShop, type TestShop } from '../../testing/start-shop.ts'

const MINUTE_MS = 60_000
const LATER_MS = 3_600_000

const log = failingEngine()
const vault = failingEngine()
const views = failingEngine()
let shop: TestShop
let token: string

async function start(options: ShopOptions = {}): Promise<void> {
  shop = await startShop({ wrapStore: log.wrap, wrapVault: vault.wrap, wrapViews: views.wrap, ...options })
  token = await shop.logIn()
  shop.advance(MINUTE_MS)
}

afterEach(async () => {
  for (const engine of [log, vault, views]) engine.fail(undefined)
  await shop.stop()
})

async function place(changes: Record<string, unknown> = {}): Promise<Received & { path: string }> {
  const placed = await shop.post('/api/orders', orderBody(changes))
  expect(placed.status).toBe(201)
  return { ...placed, path: `/api/orders/${String(placed.body['id'])}` }
}

/** From when on nothing can be read that hot states and views do not have. */
async function loseLog(): Promise<string> {
  const headers = { 'X-Position': await shop.shop.log.head() }
  for (const path of ['/api/pricing', '/api/products']) expect((await shop.get(path, { headers })).status).toBe(200)
  const lookedAt = new Date(shop.now()).toISOString()
  log.fail(engineErrors.logAway)
  shop.advance(LATER_MS)
  return lookedAt
}

const cookieOf = ({ headers }: Received) => ({
  headers: {
    Cookie:
      headers
        .getSetCookie()
        .find((one) => one.startsWith('placed_here='))
        ?.split(';')[0] ?? '',
  },
})

describe('while the log is away, an order', () => {
  beforeEach(async () => start())

  it('is shown to its buyer as it was when the log was last read, and as it is when the log is back', async () => {
    const { path } = await place({ paymentMethod: 'crypto' })
    const before = await shop.get(path)
    expect(before.body).not.toHaveProperty('asOf')
    const asOf = await loseLog()
    const meanwhile = await shop.get(path)
    expect(meanwhile.status).toBe(200)
    expect(meanwhile.body).toEqual({ ...before.body, asOf })
    log.fail(undefined)
    expect((await shop.get(path)).body).toEqual(before.body)
  })

  it('is shown without its timeline where this process has not read it so far', async () => {
    const { path, body } = await place()
    const unread = await place()
    await shop.get(path)
    const chosen = { orderId: String(body['id']), paymentMethod: 'upi' } as const
    await choosePaymentMethod(shop.shop, systemCaller(shop.shop.random), chosen)
    const asOf = await loseLog()
    for (const [shown, paymentMethod] of [
      [await shop.get(path), 'upi'],
      [await shop.get(unread.path), null],
    ] as const) {
      expect(shown.body).toMatchObject({ paymentMethod, asOf })
      expect(shown.body).not.toHaveProperty('events')
    }
  })

  it('is masked as ever but for the browser that placed it', async () => {
    const own = await place()
    const other = await place()
    await loseLog()
    for (const foreign of [{}, cookieOf(other)])
      expect((await shop.get(own.path, foreign)).body).toMatchObject({ customerEmail: 'a…@e….com', isMasked: true })
    expect((await shop.get(own.path, cookieOf(own))).body).toMatchObject({ customerEmail: 'ash@example.com' })
  })

  it('names no buyer who was erased', async () => {
    const own = await place()
    expect((await shop.post(`${own.path}/cancel`, {})).status).toBe(200)
    expect((await shop.post('/api/admin/erase-customer', { email: 'ash@example.com' }, { token })).status).toBe(200)
    await loseLog()
    const { body, text } = await shop.get(own.path, cookieOf(own))
    expect(body).toMatchObject({ customerEmail: 'erased', discordUsername: 'erased', marketId: 'erased' })
    expect(text).not.toContain('ash')
  })

  it('is not there for buyers once it is deleted', async () => {
    const { path } = await place()
    expect((await shop.delete(path, { token })).status).toBe(204)
    await loseLog()
    expect((await shop.get(path)).status).toBe(404)
  })

  it.for([
    ['that nobody knows', async () => shop.get('/api/orders/00000000-0000-4000-8000-000000000000')],
    ['of any buyer, asked for by staff', async (path) => shop.get(path, { token })],
    ['to be changed', async (path) => shop.patch(path, { paymentMethod: 'upi' })],
    ['to be cancelled', async (path) => shop.post(`${path}/cancel`, {})],
    [
      'to be paid',
      async (path) => shop.post('/api/crypto/create-payment', { amount: '2.25', orderId: path.split('/').at(-1) }),
    ],
  ] as [string, (path: string) => Promise<Received>][])('%s answers 503', async ([, ask]) => {
    const { path } = await place({ paymentMethod: 'crypto' })
    await loseLog()
    const { status, body, headers } = await ask(path)
    expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'event-store/away' })
    expect(headers.get('retry-after')).toBe('5')
  })

  it.for([
    { what: 'its view', engine: views, error: engineErrors.viewsAway, code: 'event-store/away' },
    { what: 'the vault', engine: vault, error: engineErrors.vaultAway, code: 'vault/away' },
  ])('answers 503 where $what is away too', async ({ engine, error, code }) => {
    const own = await place()
    await loseLog()
    engine.fail(error)
    const { status, body } = await shop.get(own.path, cookieOf(own))
    expect({ status, code: body['code'] }).toEqual({ status: 503, code })
  })
})

it('while the log is away, an order whose view is behind is shown as of its last change there', async () => {
  await start({
    wrapViews: (plain) => ({
      ...plain,
      order: async (...asked) => {
        const known = await plain.order(...asked)
        return known && { ...known, isUpTo: false }
      },
    }),
  })
  const { path } = await place()
  shop.advance(MINUTE_MS)
  await shop.patch(path, { paymentMethod: 'upi' })
  const changedAt = new Date(shop.now()).toISOString()
  shop.advance(MINUTE_MS)
  await loseLog()
  expect((await shop.get(path)).body).toMatchObject({ paymentMethod: 'upi', asOf: changedAt })
})

it('while the log is away, prices and settings go on, whatever position was seen', async () => {
  await start()
  await loseLog()
  for (const path of ['/api/pricing', '/api/payment-settings', '/api/products', '/api/shop'])
    expect((await shop.get(path, { headers: { 'X-Position': '9'.repeat(20) } })).status).toBe(200)
})
