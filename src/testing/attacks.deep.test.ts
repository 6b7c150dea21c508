import { beforeAll, describe, expect, it } from 'vitest'
import { findPlacedOrder } from '../shop/handle-order.ts'
import { expireOrder } from '../commands/order-verbs.ts'
import { systemCaller } from '../shop/shop.ts'
import { systemRandom } from '../process/system.ts'
import { orderBody } from './orders.ts'
import { shopOfTest, suiteShop } from './shops.ts'
import { ADMIN_EMAIL, ADMIN_PASSWORD, type ShopOptions, type TestShop } from './start-shop.ts'

/* What strangers tried against the shop, again and bounded; docs/security.md names each. */

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
const ATTACKER = from('192.0.2.66')
const BUYER = from('198.51.100.7')

const ofOneM = orderBody({ pokecoinAmount: 1, totalAmount: '0.05' })
const allM = orderBody({
  pokecoinAmount: 1000,
  totalAmount: '35.00',
  marketIds: Array.from({ length: 20 }, (_, index) => ({ marketId: String(12_345_678 + index), amount: 50 })),
})

async function openShop(options: ShopOptions = {}): Promise<TestShop> {
  const { config, ...others } = options
  const shop = await shopOfTest({ ...others, config: { hasRateLimits: true, trustProxy: '1', ...config } })
  return shop
}

async function expire(shop: TestShop, orderId: string): Promise<void> {
  await expireOrder(shop.shop, systemCaller(systemRandom), { orderId })
}

it('an order accepts 20 changes of its method and 20 attempts, and can then be paid by its current method', async () => {
  const shop = await openShop()
  const id = String((await shop.post('/api/orders', ofOneM, ATTACKER)).body['id'])
  const answers = new Map<number, number>()
  for (let turn = 0; turn < 60; turn += 1) {
    const { status } = await shop.patch(`/api/orders/${id}`, { paymentMethod: turn % 2 ? 'upi' : 'crypto' }, ATTACKER)
    answers.set(status, (answers.get(status) ?? 0) + 1)
  }
  // Half of the last 40 requests choose the current method, which changes nothing.
  expect(Object.fromEntries(answers)).toEqual({ 200: 40, 409: 20 })
  expect(await shop.eventsOf(`order-${id}`)).toHaveLength(1 + 20)
  for (let turn = 0; turn < 25; turn += 1) {
    await shop.post('/api/upigateway/create-order', upi(id, '4.33'), BUYER)
    await shop.post('/api/crypto/create-payment', { amount: '0.05', orderId: id }, BUYER)
  }
  const { state } = await findPlacedOrder(shop.shop, id)
  expect(state.attempts).toHaveLength(20)
  expect(state.next).toBeLessThan(70)
  const standing = await shop.post('/api/crypto/create-payment', { amount: '0.05', orderId: id }, BUYER)
  expect(standing.status).toBe(200)
  await shop.pay(id)
  expect((await shop.get(`/api/orders/${id}`)).body).toMatchObject({ status: 'completed' })
})

it('one address may write 240 times a minute, and staff without limit', async () => {
  const shop = await openShop()
  const token = await shop.logIn()
  const unknown = '/api/orders/00000000-0000-4000-8000-000000000000/cancel'
  let refused = 0
  for (let turn = 0; turn < 300; turn += 1) if ((await shop.post(unknown, {}, ATTACKER)).status === 429) refused += 1
  expect(refused).toBe(60)
  expect((await shop.post(unknown, {}, BUYER)).status).toBe(404)
  expect((await shop.post(unknown, {}, { ...ATTACKER, token })).status).toBe(404)
})

it('an unpaid order of the whole stock expires after a quarter of the time, and its address may then hold a quarter for a day', async () => {
  const shop = await openShop()
  const placed = await shop.post('/api/orders', allM, ATTACKER)
  const id = String(placed.body['id'])
  const expiresAt = async () => Date.parse(String((await shop.get(`/api/orders/${id}`)).body['expiresAt'])) - shop.now()
  expect(await expiresAt()).toBe(15 * 60_000)
  shop.advance(14 * 60_000)
  await shop.post('/api/crypto/create-payment', { amount: '35.00', orderId: id }, ATTACKER)
  expect(await expiresAt()).toBe(7.5 * 60_000)
  expect((await shop.post('/api/orders', ofOneM, BUYER)).status).toBe(409)
  shop.advance(7.5 * 60_000)
  await expire(shop, id)
  const again = await shop.post('/api/orders', allM, ATTACKER)
  expect({ status: again.status, code: again.body['code'], availableM: again.body['availableM'] }).toEqual({
    status: 429,
    code: 'order/share-exceeded',
    availableM: 250,
  })
  expect((await shop.post('/api/orders', allM, BUYER)).status).toBe(201)
})

it('the dashboard shows how many coins unpaid orders hold', async () => {
  const shop = await openShop()
  await shop.post('/api/orders', orderBody(), ATTACKER)
  const token = await shop.logIn()
  expect((await shop.get('/api/admin/analytics', { token })).body).toMatchObject({ unpaidPokecoins: 50 })
})

it('one address may place and cancel 60 orders a minute', async () => {
  const shop = await openShop()
  const before = (await shop.allEvents()).length
  let placed = 0
  for (let turn = 0; turn < 80; turn += 1) {
    const { status, body } = await shop.post('/api/orders', ofOneM, ATTACKER)
    if (status !== 201) continue
    placed += 1
    await shop.post(`/api/orders/${String(body['id'])}/cancel`, {}, ATTACKER)
  }
  expect(placed).toBe(60)
  // Four events per order: reserved, placed, cancelled, released.
  expect((await shop.allEvents()).length - before).toBe(4 * 60)
})

it('orders in another person’s name neither block the e-mail nor reveal its orders', async () => {
  const shop = await openShop()
  const place = async (sent: typeof BUYER) => (await shop.post('/api/orders', ofOneM, sent)).status
  for (let count = 0; count < 5; count += 1) expect(await place(ATTACKER)).toBe(201)
  expect(await place(ATTACKER)).toBe(429)
  for (let count = 0; count < 5; count += 1) expect(await place(BUYER)).toBe(201)
  expect(await place(BUYER)).toBe(429)
})

it('unpaid pre-orders leave half of the open orders to others', async () => {
  const shop = await openShop({ terms: { openOrdersMax: 10 } })
  const token = await shop.logIn()
  await shop.patch('/api/payment-settings', { preOrdersEnabled: true }, { token })
  const preOrder = { ...allM, pokecoinAmount: 1050, totalAmount: '36.75' }
  const marketIds = Array.from({ length: 21 }, (_, index) => ({ marketId: String(12_345_678 + index), amount: 50 }))
  const answers: number[] = []
  for (let count = 0; count < 8; count += 1) {
    const sent = from(`192.0.2.${count}`)
    answers.push((await shop.post('/api/orders', { ...preOrder, marketIds }, sent)).status)
  }
  expect(answers).toEqual([201, 201, 201, 201, 201, 503, 503, 503])
  for (let count = 0; count < 5; count += 1) expect((await shop.post('/api/orders', ofOneM, BUYER)).status).toBe(201)
})

describe('wrong passwords', () => {
  const wrong = { email: ADMIN_EMAIL, password: 'wrong horse' }
  const right = { email: ADMIN_EMAIL, password: ADMIN_PASSWORD }
  const shop = suiteShop({ config: { hasRateLimits: true, trustProxy: '1' } })
  let browser: string

  beforeAll(async () => {
    const { headers } = await shop.post('/api/admin/login', right, BUYER)
    browser = /known_browser=[^;]+/.exec(headers.get('set-cookie') ?? '')?.[0] ?? ''
    for (let address = 0; address < 12; address += 1)
      for (let tries = 0; tries < 10; tries += 1)
        await shop.post('/api/admin/login', wrong, from(`203.0.113.${address}`))
  })

  it('a hundred wrong passwords stop strangers', async () => {
    expect((await shop.post('/api/admin/login', right, from('203.0.113.99'))).status).toBe(429)
  })

  it('wrong passwords of strangers do not stop a browser of the owner, but its own do', async () => {
    const sent = { headers: { 'X-Forwarded-For': '203.0.113.1', Cookie: browser } }
    expect((await shop.post('/api/admin/login', right, sent)).status).toBe(200)
    const forged = { headers: { 'X-Forwarded-For': '203.0.113.2', Cookie: browser.replace(/.{4}$/, 'AAAA') } }
    expect((await shop.post('/api/admin/login', right, forged)).status).toBe(429)
    for (let tries = 0; tries < 10; tries += 1) await shop.post('/api/admin/login', wrong, sent)
    expect((await shop.post('/api/admin/login', right, sent)).status).toBe(429)
  })

  it('spellings of one account count together', async () => {
    const other = await openShop()
    const spellings = ['jos\u00e9@shop.example', 'JOSE\u0301@shop.example', ' jose\u0301@SHOP.example']
    const statuses: number[] = []
    for (let tries = 0; tries < 105; tries += 1) {
      const sent = from(`203.0.113.${tries % 15}`)
      const body = { email: spellings[tries % 3], password: 'wrong horse' }
      statuses.push((await other.post('/api/admin/login', body, sent)).status)
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(100)
  })

  it('wrong passwords from networks of one IPv6 customer count together', async () => {
    const other = await openShop()
    const statuses: number[] = []
    for (let network = 0; network < 6; network += 1)
      for (let tries = 0; tries < 8; tries += 1)
        statuses.push((await other.post('/api/admin/login', wrong, from(`2001:db8:1:${network}::1`))).status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(40)
    expect(statuses.filter((status) => status === 429)).toHaveLength(8)
  })
})

function upi(orderId: string, amount: string) {
  const customer = {
    customerId: 'ash',
    customerEmail: 'ash@example.com',
    customerName: 'ash',
    customerPhone: '9999999999',
  }
  return { amount, orderId, customerInfo: customer }
}
