import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { interposed } from '../../engines/testing/interposed.ts'
import { orderBody, placedBy, placedHere } from '../../testing/orders.ts'
import { shopOfTest, suiteShop } from '../../testing/shops.ts'
import { type WrapStore } from '../../testing/start-shop.ts'

const shop = suiteShop()
let token: string
beforeAll(async () => {
  token = await shop.logIn()
})

async function placed(changes: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await shop.post('/api/orders', orderBody(changes))
  expect(status).toBe(201)
  return String(body['id'])
}

async function stockM(): Promise<unknown> {
  return (await shop.get('/api/payment-settings')).body['currentStock']
}

/** Sends a request that must not write. */
async function refused(ask: () => Promise<{ status: number; body: Record<string, unknown> }>) {
  const before = await shop.context.log.head()
  const { status, body } = await ask()
  expect(await shop.context.log.head()).toBe(before)
  return { status, code: body['code'], body }
}

const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } })

const namesOf = (body: Record<string, unknown>): unknown[] =>
  (body['orders'] as Record<string, unknown>[]).map((order) => order['discordUsername'])

it('a rush stores nothing of most buyers who come too late', async () => {
  // A stopped clock, since buyers who wait too long are rejected as `shop-busy`.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const stored = new Set<string>()
  const rush = await shopOfTest({
    wrapVault: (vault) => ({
      ...vault,
      async customerByEmail(emailHmac, candidate) {
        stored.add(emailHmac)
        // Waits until no more buyers arrive.
        for (let known = 0; known < stored.size; await sleep(200)) known = stored.size
        return vault.customerByEmail(emailHmac, candidate)
      },
    }),
  })
  const buyers = 300
  const sold = 3
  const currentStock = sold * 50
  const token = await rush.logIn()
  expect((await rush.patch('/api/payment-settings', { currentStock }, { token })).status).toBe(200)
  const answers = await Promise.all(
    Array.from({ length: buyers }, async (_, buyer) =>
      rush.post('/api/orders', orderBody({ pokecoinAmount: 50, customerEmail: `b${buyer}@example.com` })),
    ),
  )
  expect(Map.groupBy(answers, ({ status }) => status).get(201)).toHaveLength(sold)
  expect(answers.filter(({ body }) => body['code'] === 'inventory/insufficient-stock')).toHaveLength(buyers - sold)
  // Each sale admits one more buyer.
  expect(stored.size).toBeLessThanOrEqual(64 + sold)
})

it('a placed order reserves stock and sets cookies for its browser', async () => {
  const before = await stockM()
  const { status, body, headers } = await shop.post('/api/orders', orderBody())
  expect(status).toBe(201)
  expect(headers.get('x-position')).toMatch(/^[\w-]{22}$/)
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^placed_here=[\w-]{43}; Path=\/api\/orders\/[0-9a-f-]{36}; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
    ),
    expect.stringMatching(/^seen=[\w-]{22}; Path=\/api; Max-Age=60; HttpOnly; SameSite=Lax$/),
  ])
  const events = await shop.eventsOf(`order-${String(body['id'])}`)
  expect(events).toMatchObject([{ type: 'OrderPlaced', data: { quantityM: 50, totalCents: 225, paymentMethod: null } }])
  expect(events[0]?.metadata.actor).toBe('buyer')
  expect(await stockM()).toBe(Number(before) - 50)
})

const slowAppends: WrapStore = (store) =>
  interposed(store, async (make, { name }) => (name === 'append' ? sleep(20).then(make) : make()))

it('thirty concurrent repeats under one Idempotency-Key make one order and count as one unpaid order', async () => {
  const limited = await shopOfTest({ wrapStore: slowAppends, env: { RATE_LIMIT: 'on' } })
  const answers = await Promise.all(
    Array.from({ length: 30 }, async () =>
      limited.post('/api/orders', orderBody({ pokecoinAmount: 1, totalAmount: '0.05' }), withKey('thirty')),
    ),
  )
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => status === 200)).toHaveLength(29)
  expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1)
  const events = await limited.allEvents()
  expect(events.filter(({ type }) => type === 'OrderPlaced' || type === 'StockReserved')).toHaveLength(2)
})

const sent = (text: string) => `${JSON.stringify(orderBody()).slice(0, -1)},${text}}`

describe('bad input', () => {
  it.for([
    sent('"pokecoinAmount":1e309'),
    sent('"totalAmount":1e309'),
    sent('"__proto__":{"isAdmin":true}'),
    sent('"constructor":{"prototype":1}'),
    '[]',
    'null',
  ])('an order with the body %s is answered 400', async (raw) => {
    const { status, code } = await refused(async () => shop.post('/api/orders', undefined, { raw }))
    expect({ status, code }).toEqual({ status: 400, code: 'request/invalid' })
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
  })

  const whole = JSON.stringify(orderBody())
  it.for([
    ['broken JSON', '{"customerEmail":', 'application/json', 400, 'request/not-json'],
    [
      'five megabytes',
      sent(`"discordUsername":"${'a'.repeat(5_000_000)}"`),
      'application/json',
      413,
      'request/too-large',
    ],
    ['text', whole, 'text/plain', 415, 'request/wrong-type'],
    ['a form', whole, 'application/x-www-form-urlencoded', 415, 'request/wrong-type'],
  ] as const)('an order sent as %s is rejected', async ([, raw, type, status, code]) => {
    const answer = await refused(async () =>
      shop.post('/api/orders', undefined, { raw, headers: { 'Content-Type': type } }),
    )
    expect(answer).toMatchObject({ status, code })
  })
})

describe('who the buyer is', () => {
  const inFull = {
    customerEmail: 'ash@example.com',
    discordUsername: 'ash',
    marketId: '12345678',
    marketIds: [{ marketId: '12345678', amount: 50 }],
    isMasked: false,
  }
  const inPart = {
    customerEmail: 'a…@e….com',
    discordUsername: 'a…h',
    marketId: '…78',
    marketIds: [{ marketId: '…78', amount: 50 }],
    isMasked: true,
  }

  it('staff and the browser that placed an order see its buyer, others a masked form', async () => {
    const first = await shop.post('/api/orders', orderBody(), withKey('masked-1'))
    const path = `/api/orders/${String(first.body['id'])}`
    const replay = await shop.post('/api/orders', orderBody(), withKey('masked-1'))
    const other = await shop.post('/api/orders', orderBody())
    expect(replay.status).toBe(200)
    for (const own of [placedHere(first), placedHere(replay), { token }])
      expect((await shop.get(path, own)).body).toMatchObject(inFull)
    for (const foreign of [{}, placedHere(other), { headers: { Cookie: 'placed_here=nonsense' } }]) {
      expect((await shop.get(path, foreign)).body).toMatchObject(inPart)
      expect((await shop.patch(path, { paymentMethod: 'upi' }, foreign)).body).toMatchObject(inPart)
    }
    expect((await shop.patch(path, { paymentMethod: 'crypto' }, placedHere(first))).body).toMatchObject(inFull)
    expect((await shop.post(`${path}/cancel`, {}, placedHere(first))).body).toMatchObject(inFull)
  })

  it('only staff and the browser that placed an order may cancel it', async () => {
    const first = await shop.post('/api/orders', orderBody())
    const path = `/api/orders/${String(first.body['id'])}`
    expect(await refused(async () => shop.post(`${path}/cancel`, {}))).toMatchObject({
      status: 403,
      code: 'order/not-yours',
    })
    expect((await shop.get(path)).body).toMatchObject({ status: 'pending', may: { cancel: false } })
    expect((await shop.get(path, placedHere(first))).body).toMatchObject({ may: { cancel: true } })
    expect((await shop.post(`${path}/cancel`, {}, placedHere(first))).body).toMatchObject({ endedAs: 'cancelled' })
    const other = await placed()
    expect((await shop.post(`/api/orders/${other}/cancel`, {}, { token })).status).toBe(200)
  })

  it('another device can pay an order by its link alone', async () => {
    const id = await placed()
    const payment = await shop.post('/api/upigateway/create-order', {
      amount: '2.25',
      orderId: id,
      customerInfo: { customerPhone: '9999999999' },
    })
    expect(payment.status).toBe(200)
    expect(String(payment.body['payment_url'])).not.toContain(id)
    await shop.pay(id)
    expect((await shop.get(`/api/orders/${id}`)).body).toMatchObject({ status: 'completed', ...inPart })
  })

  it('a provider’s return finds the order by its reference alone', async () => {
    const id = await placed()
    const back = await shop.get(`/pay/${shop.context.keys.reference(id, 1)}?client_txn_id=x`)
    expect({ status: back.status, to: back.headers.get('location') }).toEqual({
      status: 302,
      to: `/order/${id}/confirm?returned`,
    })
    expect((await shop.get('/pay/NONSENSE-1')).status).toBe(404)
  })
})

const wordsOfDelivery = { success: true, message: 'Your Pokécoins have been delivered successfully!' }

/** A shop with staff delivery and one paid order. */
async function shopWithPaidOrder() {
  const other = await shopOfTest({ env: { DELIVERY: 'staff' } })
  const ofStaff = { token: await other.logIn() }
  const paid = async (): Promise<string> => {
    const id = await placedBy(other)
    await other.post('/api/crypto/create-payment', { amount: '2.25', orderId: id })
    await other.pay(id)
    await other.caughtUp()
    return id
  }
  const orderId = await paid()
  const types = async () => (await other.eventsOf(`order-${orderId}`)).map(({ type }) => type)
  return { other, ofStaff, orderId, paid, types }
}

it('a paid order stays in the list of staff until they mark it as delivered', async () => {
  const { other, ofStaff, orderId, types } = await shopWithPaidOrder()
  const stranger = await other.post('/api/process-order', { orderId })
  expect(stranger).toMatchObject({ status: 409, body: { code: 'order/not-delivered' } })
  const ended = await other.post('/api/process-order', { orderId }, { token: 'not.a.session' })
  expect(ended.status).toBe(401)
  expect(await types()).not.toContain('OrderCompleted')

  const list = await other.get('/api/admin/to-deliver', ofStaff)
  expect(list.body).toMatchObject({
    orders: [{ id: orderId, discordUsername: 'ash', marketIds: [{ marketId: '12345678', amount: 50 }] }],
    total: 1,
    next: null,
  })

  const marked = await other.post('/api/process-order', { orderId }, ofStaff)
  expect({ status: marked.status, body: marked.body }).toEqual({ status: 200, body: wordsOfDelivery })
  const last = (await other.eventsOf(`order-${orderId}`)).at(-1)
  expect({ type: last?.type, actor: last?.metadata.actor }).toEqual({ type: 'OrderCompleted', actor: 'staff' })
  for (const who of [ofStaff, {}])
    expect(await other.post('/api/process-order', { orderId }, who)).toMatchObject({
      status: 200,
      body: wordsOfDelivery,
    })
  expect((await types()).filter((type) => type === 'OrderCompleted')).toHaveLength(1)
  expect((await other.get('/api/admin/to-deliver', ofStaff)).body).toEqual({ orders: [], total: 0, next: null })
})

it('deleting an order in the list of staff requires an answer whether its coins were given', async () => {
  const { other, ofStaff, orderId } = await shopWithPaidOrder()
  const before = (await other.get('/api/payment-settings')).body['currentStock']
  const asked = await other.delete(`/api/orders/${orderId}`, ofStaff)
  expect(asked).toMatchObject({ status: 409, body: { code: 'order/coins-given-unknown' } })
  expect((await other.delete(`/api/orders/${orderId}?coinsGiven=true`, ofStaff)).status).toBe(204)
  expect((await other.get('/api/payment-settings')).body['currentStock']).toBe(before)
})

it('an order that was paid after staff saw it is not deleted, and a repeated deletion changes nothing', async () => {
  const { other, ofStaff, orderId } = await shopWithPaidOrder()
  const changed = await other.delete(`/api/orders/${orderId}?coinsGiven=false&revision=0`, ofStaff)
  expect(changed).toMatchObject({ status: 409, body: { code: 'order/changed' } })
  const { revision } = (await other.get(`/api/orders/${orderId}`, ofStaff)).body
  const path = `/api/orders/${orderId}?coinsGiven=false&revision=${String(revision)}`
  for (const _ of [1, 2]) expect((await other.delete(path, ofStaff)).status).toBe(204)
})

describe('the list', () => {
  const other = suiteShop()
  let staff: { token: string }
  beforeAll(async () => {
    staff = { token: await other.logIn() }
    for (const [name, marketId, paymentMethod] of [
      ['ash', '40001111', null],
      ['misty', '40002222', 'crypto'],
      ['brock', '50003333', 'upi'],
    ] as const) {
      other.advance(1_000)
      const names = { discordUsername: name, customerEmail: `${name}@example.com` }
      await other.post('/api/orders', orderBody({ ...names, marketId, paymentMethod }))
    }
  })

  it('the list of orders is read page by page', async () => {
    const first = await other.get('/api/orders?limit=2', staff)
    expect(namesOf(first.body)).toEqual(['brock', 'misty'])
    const cursor = encodeURIComponent(String(first.body['next']))
    const second = await other.get(`/api/orders?limit=2&cursor=${cursor}`, staff)
    expect([namesOf(second.body), second.body['next']]).toEqual([['ash'], null])
  })

  it.for([
    ['search=50003333', ['brock']],
    ['search=4000', ['misty', 'ash']],
    ['search=0003333', []],
    ['search=Litecoin', ['misty']],
    ['search=upi', ['brock']],
    ['search=MIS', ['misty']],
    ['search=%E2%80%AA%EF%BC%AD%EF%BC%A9s%E2%80%AC', ['misty']],
    ['search=brock%40example', ['brock']],
    ['search=2026-01-01', ['brock', 'misty', 'ash']],
    ['search=2026-01-02', []],
    ['search=2026-02-31', []],
    ['from=2026-01-01&to=2026-01-01', ['brock', 'misty', 'ash']],
    ['from=2026-01-02', []],
    ['status=completed', []],
    ['refunded=true', []],
  ] as const)('the list of orders is filtered by %s', async ([query, names]) => {
    expect(namesOf((await other.get(`/api/orders?${query}`, staff)).body)).toEqual(names)
  })
})
