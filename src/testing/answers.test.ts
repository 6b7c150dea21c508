import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { firstPlacingMs, MINUTE_MS } from '../cli/seeding/story-calendar.ts'
import { seedOrders } from '../cli/seeding/seed-orders.ts'
import { storyRandom } from '../cli/seeding/story-random.ts'
import { seededFractions } from '../ports/seeded-fractions.ts'
import { PAYMENT_MINUTES } from '../cli/seeding/stories.ts'
import { quoteBy } from '../commands/quote-order.ts'
import { centsToText } from '../domain/money.ts'
import { QUANTITY_MAX_M } from '../domain/pricing.ts'
import { patternOf, type Received } from './http-client.ts'
import { orderBody } from './orders.ts'
import { ADMIN_EMAIL, ADMIN_PASSWORD, startShop, type TestShop } from './start-shop.ts'

type Body = Record<string, unknown>

const NOW_MS = Date.parse('2026-06-01T12:00:00.000Z')
const START_MS = firstPlacingMs(NOW_MS)
const ORDERS = 8
const NO_ORDER = '7f8d5c9e-0000-4000-8000-000000000001'
const HEADERS = 'content-type cache-control content-disposition etag idempotent-replayed retry-after allow'.split(' ')
/** Fields of a problem that are random, or follow from its code. */
const UNSHOWN = new Set(['correlationId', 'token', 'clientToken', 'type', 'title', 'status'])
const STREAMS = ['/api/admin/as-of?at=2026-01-31', '/api/updates?topics=staff', '/api/updates?order=nonsense']

let shop: TestShop
let staff: string

beforeAll(async () => {
  let started: TestShop | undefined
  const byte = seededFractions(2)
  const random = {
    ...storyRandom(1, { now: () => started?.now() ?? START_MS }),
    bytes: (count: number) => Uint8Array.from({ length: count }, () => byte() * 256),
  }
  started = await startShop({ random, startMs: START_MS, sandboxDelayMs: PAYMENT_MINUTES * MINUTE_MS })
  shop = started
  const moveTo = (ms: number): void => shop.advance(Math.max(0, ms - shop.now()))
  await seedOrders({ context: shop.context, moveTo, close: async () => undefined }, { count: ORDERS, nowMs: NOW_MS })
  await shop.caughtUp()
  staff = await shop.logIn()
})

afterAll(async () => shop.stop())

/** Makes every call as a visitor, as the buyer of an order and as staff. `-u` records the answers again. */
it('every call is answered as answers.txt records', async () => {
  const record = recorder()
  await unwritten(async () => readShop(record))
  await unwritten(async () => readOrders(record))
  await buy(record)
  await runShop(record)
  expect(record.neverAsked()).toEqual([])
  await expect(record.text()).toMatchFileSnapshot('answers.txt')
})

type Recorder = ReturnType<typeof recorder>

/** Fails if the calls append events. */
async function unwritten(calls: () => Promise<unknown>): Promise<void> {
  const before = await shop.context.log.head()
  await calls()
  expect(await shop.context.log.head()).toBe(before)
}

function recorder() {
  const recorded: string[] = []
  const asked = new Set<string>()
  /** The buyer's cookies, each sent to its own path, as browsers do. */
  const jar: { readonly pair: string; readonly at: string }[] = []

  async function ask(who: 'visitor' | 'buyer' | 'staff', call: string, body?: Body, headers = {}): Promise<Body> {
    const [method = '', path = ''] = call.split(' ')
    const cookie = jar.flatMap(({ pair, at }) => (path.startsWith(at) ? pair : [])).join('; ')
    const sent = {
      headers: { ...headers, ...(who === 'buyer' && { cookie }) },
      ...(who === 'staff' && { token: staff }),
    }
    const answer = await shop.ask(method, path, body, sent)
    await shop.caughtUp()
    if (who === 'buyer')
      for (const set of answer.headers.getSetCookie())
        jar.push({ pair: set.split(';', 1).join(''), at: /Path=([^;]+)/.exec(set)?.[1] ?? '/' })
    const own = shop.api.routes.find(
      (route) => route.method === method.toLowerCase() && patternOf(route).test(path.replace(/\?.*/, '')),
    )
    if (own) asked.add(`${own.method} ${own.path}`)
    recorded.push([who, call, body && JSON.stringify(body)].filter(Boolean).join(' '), shown(answer), '')
    return answer.body
  }

  return {
    ask,
    /** Asks as a visitor first: a rejected call changes nothing, so staff can make the same one. */
    both: async (call: string, body?: Body): Promise<Body> => {
      await ask('visitor', call, body)
      return ask('staff', call, body)
    },
    neverAsked: () => shop.api.routes.map(({ method, path }) => `${method} ${path}`).filter((call) => !asked.has(call)),
    text: () => withoutIds(recorded.join('\n')),
  }
}

function shown({ status, headers, text, body }: Received): string {
  const kept = HEADERS.flatMap((name) => headers.get(name) ?? [])
  const facts = Object.fromEntries(Object.entries(body).filter(([name]) => status < 400 || !UNSHOWN.has(name)))
  for (const name of ['token', 'clientToken']) if (name in facts) facts[name] = '...'
  const isJson = headers.get('content-type')?.includes('json') === true
  const options = { depth: null, breakLength: 150, compact: 8, maxArrayLength: null, maxStringLength: null }
  return [[status, ...kept].join(', '), isJson ? inspect(facts, options) : text].join('\n')
}

/** Replaces ids and references, since every new call changes those that are drawn after it. */
function withoutIds(text: string): string {
  const names = new Map<string, string>()
  const nameOf = (id: string): string => names.get(id) ?? names.set(id, `<${names.size + 1}>`).get(id) ?? ''
  return text.replaceAll(
    /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\bsandbox-[a-z]+-[a-z0-9-]+|\b[A-Z2-7]{30}\b/g,
    nameOf,
  )
}

async function readShop({ ask, both }: Recorder): Promise<void> {
  for (const path of [
    'shop',
    'pricing',
    'payment-settings',
    'crypto/currencies',
    'paypal/setup',
    'nothing',
    'Admin',
    'orders/1/2',
  ])
    await ask('visitor', `GET /api/${path}`)
  for (const call of ['GET /api', 'DELETE /api/pricing', 'POST /api/orders/x']) await ask('visitor', call)
  await ask('visitor', 'GET /api/crypto/estimate?amount=2.25&currency_from=usd&currency_to=ltc')
  await ask('visitor', 'GET /api/crypto/min-amount?currency_from=ltc')
  await both('GET /api/products')
  for (const path of ['verify', 'analytics', 'revenue', 'providers', 'payment-methods', 'setting-changes', 'shop'])
    await both(`GET /api/admin/${path}`)
  await both('GET /api/admin/messages')
  for (const path of ['unplaced-payments', 'to-deliver?limit=3', 'waiting-for-stock'])
    await both(`GET /api/admin/${path}`)
  for (const path of STREAMS) await ask('visitor', `GET ${path}`)
  for (const path of ['orders', `orders/${NO_ORDER}`, 'admin/analytics'])
    await ask('visitor', `GET /api/${path}?asOf=2026-01-31`)
}

async function readOrders({ ask, both }: Recorder): Promise<void> {
  await both('GET /api/orders?limit=2')
  await both('GET /api/orders.csv?status=failed')
  await both('POST /api/orders.csv', { status: 'failed' })
  await both('POST /api/admin/order-search', { search: 'ash', limit: '1' })
  const queries = ['sort=totalAmount&direction=asc&limit=2', 'status=completed&limit=1', 'attention=any&limit=1']
  const more = ['search=nobody', 'from=2026-05-01&limit=1', 'deleted=true&limit=1', 'limit=0', 'sort=name']
  for (const query of [...queries, ...more]) await ask('staff', `GET /api/orders?${query}`)

  const kinds = Map.groupBy(
    await listedOrders(),
    ({ status, paymentStatus, endedAs, attention, ready, refundedCents }) =>
      JSON.stringify([status, paymentStatus, endedAs, attention === null, ready === null, refundedCents === 0]),
  )
  for (const [order] of kinds.values()) await both(`GET /api/orders/${String(order?.['id'])}`)
  await both(`GET /api/orders/${NO_ORDER}`)
  for (const id of ['none', '1', '..%2f..%2fetc', `1'%20OR%20'1'='1`, NO_ORDER.slice(0, -1), '%00', '%E0%A4%A'])
    await ask('visitor', `GET /api/orders/${id}`)
}

async function listedOrders(): Promise<Body[]> {
  const { body } = await shop.get('/api/orders?limit=100', { token: staff })
  return body['orders'] as Body[]
}

async function buy({ ask }: Recorder): Promise<void> {
  const totalAmount = centsToText(quoteBy(shop.context.hot.currentSettings(), 50).totalCents)
  const wrong = [
    { customerEmail: 'ash' },
    { marketId: '1' },
    { pokecoinAmount: 0 },
    { pokecoinAmount: QUANTITY_MAX_M + 1 },
    { more: 1 },
  ]
  const prices = ['1.00', '-2.25', '2.255', 1e21].map((wrong) => ({ totalAmount: wrong }))
  await unwritten(async () => {
    for (const changes of [...wrong, ...prices, { pokecoinAmount: 150 }])
      await ask('visitor', 'POST /api/orders', orderBody({ totalAmount, ...changes }))
    for (const wrongKey of ['', 'a b', 'k'.repeat(256)])
      await ask('visitor', 'POST /api/orders', orderBody({ totalAmount }), { 'Idempotency-Key': wrongKey })
  })
  const key = { 'Idempotency-Key': 'key-of-the-buyer' }
  const place = async (changes: Body = {}, headers = {}): Promise<string> =>
    String((await ask('buyer', 'POST /api/orders', orderBody({ totalAmount, ...changes }), headers))['id'])
  const payable = async (orderId: string, method: string): Promise<string> => {
    const { body } = await shop.get(`/api/orders/${orderId}`)
    return String((body['methods'] as Body[]).find((one) => one['method'] === method)?.['payable'])
  }

  const orderId = await place({}, key)
  await place({}, key)
  await place({ marketId: '87654321' }, key)
  await ask('buyer', `GET /api/orders/${orderId}`)
  await ask('visitor', `GET /api/orders/${orderId}`)
  await ask('buyer', `PATCH /api/orders/${orderId}`, { paymentMethod: 'crypto' })
  await ask('buyer', `PATCH /api/orders/${orderId}`, { paymentMethod: 'cash' })
  const inLitecoin = { currency: 'usd', orderId, payCurrency: 'ltc' }
  await ask('buyer', 'POST /api/crypto/create-payment', { ...inLitecoin, amount: '1.00' })
  const crypto = await ask('buyer', 'POST /api/crypto/create-payment', { ...inLitecoin, amount: totalAmount })
  const statusCall = `GET /api/crypto/status/${String(crypto['payment_id'])}`
  await ask('buyer', statusCall)
  // Both requests replace the first payment; the second one returns the payment that is open by then.
  const again = { orderId, amount: totalAmount, replaces: crypto['payment_id'] }
  for (const payCurrency of ['xlm', 'btc'])
    await ask('buyer', 'POST /api/crypto/create-payment', { ...again, payCurrency })
  await ask('buyer', statusCall)
  await ask('buyer', `GET /api/orders/${orderId}`)
  await ask('visitor', 'POST /api/process-order', { orderId })
  await shop.pay(orderId)
  await shop.caughtUp()
  await ask('buyer', statusCall)
  await ask('buyer', `GET /api/orders/${orderId}`)
  await ask('buyer', `POST /api/orders/${orderId}/cancel`)
  await ask('visitor', `POST /api/orders/${orderId}/open`, { token: 'of-no-mail' })
  for (const customerEmail of ['ash@example.com', 'stranger@example.com', 'nobody'])
    await ask('visitor', 'POST /api/find-order', { customerEmail })

  const byPaypal = await place({ paymentMethod: 'paypal' })
  const amount = await payable(byPaypal, 'paypal')
  const wallet = await ask('buyer', 'POST /api/paypal/order', { amount, currency: 'usd', orderId: byPaypal })
  const capture = `POST /api/paypal/order/${String(wallet['id'])}/capture`
  await ask('buyer', capture, { orderId: byPaypal })
  await ask('buyer', `GET /api/orders/${byPaypal}`)
  for (const discordUsername of ['sandbox-late', 'sandbox-cancel']) {
    const id = await place({ discordUsername })
    const opened = await ask('buyer', 'POST /api/paypal/order', { amount, orderId: id })
    // The payment belongs to another order.
    await unwritten(async () => ask('buyer', capture, { orderId: id }))
    await ask('buyer', `POST /api/paypal/order/${String(opened['id'])}/capture`, { orderId: id })
  }

  const byUpi = await place({ paymentMethod: 'upi' })
  const customerInfo = { customerPhone: '9876543210' }
  const upi = { amount: await payable(byUpi, 'upi'), orderId: byUpi, customerInfo }
  const begun = await ask('buyer', 'POST /api/cashfree/create-order', upi)
  await ask('buyer', 'POST /api/upigateway/create-order', { ...upi, amount: totalAmount })
  const begunCall = `GET /api/cashfree/order/${String(begun['order_id'])}`
  await ask('buyer', begunCall)
  await shop.pay(byUpi)
  await ask('buyer', begunCall)
  for (const id of [String(wallet['id']), 'unknown', '%20', "x'y"]) await ask('buyer', `GET /api/crypto/status/${id}`)

  const unpaid = await place()
  const asked = { orderId: unpaid, customerInfo }
  await unwritten(async () => {
    for (const [path, changes] of [
      ['crypto/create-payment', { amount }],
      ['crypto/create-payment', { amount: -0.48 }],
      ['crypto/create-payment', { amount: totalAmount, currency: 'eur' }],
      ['crypto/create-payment', { amount: totalAmount, orderId: NO_ORDER }],
      ['paypal/order', { amount: totalAmount }],
      ['paypal/order', { amount, currency: 'INR' }],
      ['upigateway/create-order', { ...asked, amount: '41' }],
      ['cashfree/create-order', { ...asked, amount: '41' }],
    ] as const)
      await ask('buyer', `POST /api/${path}`, { orderId: unpaid, ...changes })
  })
  const { revision } = await ask('staff', 'PATCH /api/payment-settings', { cryptoEnabled: false })
  await unwritten(async () => {
    await ask('buyer', `PATCH /api/orders/${unpaid}`, { paymentMethod: 'crypto' })
    await ask('buyer', 'POST /api/orders', orderBody({ paymentMethod: 'crypto' }))
    await ask('buyer', 'POST /api/crypto/create-payment', { ...inLitecoin, amount: totalAmount, orderId: unpaid })
  })
  await ask('staff', 'PATCH /api/payment-settings', { cryptoEnabled: true }, { 'If-Match': `"${String(revision)}"` })

  const left = await place()
  await ask('buyer', `POST /api/orders/${left}/cancel`)
  await ask('buyer', `POST /api/orders/${left}/cancel`)
  await ask('buyer', 'POST /api/crypto/create-payment', { ...inLitecoin, orderId: left, amount: totalAmount })
}

async function runShop({ ask, both }: Recorder): Promise<void> {
  const orders = await listedOrders()
  const one = (which: (order: Body) => boolean) => orders.find(which) ?? { id: NO_ORDER }
  const may = (what: string) => one((order) => (order['may'] as Body)[what] === true)
  for (const { id: orderId } of [may('approve'), one(({ status }) => status === 'failed')]) {
    await both('POST /api/complete-payment', { orderId })
    await ask('staff', 'POST /api/process-order', { orderId })
  }
  const unsettled = may('settle')
  const settle = `POST /api/orders/${String(unsettled['id'])}/settle-attention`
  await ask('staff', settle, { revision: 0, reason: 'loss-accepted' })
  await both(settle, { revision: unsettled['revision'], reason: 'loss-accepted' })

  const paid = may('refund')
  const refunds = `POST /api/orders/${String(paid['id'])}/refunds`
  const { revision, paidCents: amountCents } = paid
  const refund = { revision, amountCents, reason: 'asked-for', whereTo: ' account 1 ', coinsGiven: true }
  await ask('staff', refunds, { ...refund, amountCents: Number(amountCents) + 1 })
  await ask('visitor', refunds, refund)
  for (let time = 0; time < 2; time += 1) await ask('staff', refunds, refund, { 'Idempotency-Key': 'refund' })
  await ask('staff', refunds, refund)
  const send = `POST /api/orders/${String(paid['id'])}/send-refund`
  const [receipt] = paid['receipts'] as { receiptId: string }[]
  const sent = { revision, receiptId: receipt?.receiptId, amount: '1.00', reason: 'asked-for' }
  await both(send, { ...sent, amount: 'all' })
  await both(send, sent)
  await both(`GET /api/orders/${String(paid['id'])}`)
  const deleted = String(one(({ paymentStatus }) => paymentStatus === 'pending')['id'])
  for (const query of ['?coinsGiven=perhaps', '']) await both(`DELETE /api/orders/${deleted}${query}`)
  await both(`GET /api/orders/${deleted}`)
  await ask('visitor', `PATCH /api/orders/${deleted}`, { paymentMethod: 'upi' })

  for (const change of [
    { currentStock: 500 },
    { basePricePerMillion: 0.05 },
    { pack1Discount: 101 },
    { price: 1 },
    { gameName: 'Game', sellerName: 'Seller' },
    { discordDmUrl: 'http://discord.com/users/1' },
  ])
    await both('PATCH /api/payment-settings', change)
  await ask('staff', 'PATCH /api/payment-settings', { upiEnabled: false }, { 'If-Match': '"0"' })
  await unwritten(async () => {
    await ask('staff', 'PATCH /api/payment-settings', { upiEnabled: false }, { 'If-Match': 'newest' })
    await ask('staff', 'PATCH /api/payment-settings', { currentStock: 0, currentStockSeen: 1_000_000 })
    for (const none of [NO_ORDER, 'nonsense'])
      for (const method of ['PATCH', 'DELETE']) await ask('staff', `${method} /api/products/${none}`, { name: 'New' })
  })
  const priceAndStock = { currentStock: 950, pack3Discount: 77 }
  await ask('staff', 'PATCH /api/payment-settings', priceAndStock)
  await ask('visitor', 'GET /api/payment-settings')
  await ask('staff', 'GET /api/admin/setting-changes')

  const { id } = await both('POST /api/products', { name: 'A pack', pokecoinAmount: 100 })
  const product = `/api/products/${String(id)}`
  await both(`PATCH ${product}`, { active: false, position: 3 })
  await ask('staff', `PATCH ${product}`, { name: '' })
  await both('GET /api/products')
  await both(`DELETE ${product}`)

  const buyer = String(one(({ paymentStatus }) => paymentStatus === 'completed')['id'])
  const block = { kinds: ['email', 'name'], reason: 'chargeback', remark: ' Twice. ' }
  await ask('staff', `POST /api/orders/${buyer}/block`, { ...block, kinds: [] })
  await ask('visitor', `POST /api/orders/${buyer}/block`, block)
  for (let time = 0; time < 2; time += 1)
    await ask('staff', `POST /api/orders/${buyer}/block`, block, { 'Idempotency-Key': 'block' })
  await ask('staff', `POST /api/orders/${buyer}/block`, { ...block, kinds: ['name', 'payer'] })
  const { blocks } = await both('GET /api/admin/blocks')
  const blocked = `/api/admin/blocks/${(blocks as Body[]).map(({ id }) => String(id))[0] ?? ''}`
  await both(`POST ${blocked}/renew`, {})
  await both(`DELETE ${blocked}`)
  await ask('staff', `POST ${blocked}/renew`, {})

  await both('POST /api/admin/providers/check-keys', { provider: 'paypal' })
  await both('POST /api/admin/messages/test', { way: 'mail' })
  await ask('staff', 'POST /api/admin/messages/test', { way: 'pigeon' })
  await both('POST /api/admin/messages/on', {})
  const stray = { provider: 'paypal', receiptId: 'none', outcome: 'paid-back' }
  await both('POST /api/admin/unplaced-payments/settle', stray)
  await both('POST /api/admin/erase-customer', { email: 'ash@example.com' })
  for (const password of ['wrong', ADMIN_PASSWORD])
    await ask('visitor', 'POST /api/admin/login', { email: ADMIN_EMAIL, password })
  await both('POST /api/admin/password', { currentPassword: 'wrong', newPassword: 'another long password' })
  await both('GET /api/admin/sessions')
  await both('POST /api/admin/sessions/end', { ids: [NO_ORDER] })
  await both('GET /api/admin/second-factor')
  for (const currentPassword of ['wrong', ADMIN_PASSWORD])
    await both('POST /api/admin/second-factor/start', { currentPassword })
  const factorId = '00000000-0000-4000-8000-000000000000'
  await both('POST /api/admin/second-factor/on', { factorId, code: '123456' })
  await both('POST /api/admin/second-factor', { code: '123456' })
  await both('POST /api/admin/second-factor/off', { code: '123456' })
  await ask('staff', 'POST /api/admin/second-factor/off', { code: '' })
  await both('POST /api/admin/logout')
  await ask('staff', 'GET /api/admin/verify')
}
