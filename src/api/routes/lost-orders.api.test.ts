import { afterEach, expect, it } from 'vitest'
import type { Vault } from '../../engines/vault/vault.ts'
import { interposed } from '../../engines/testing/interposed.ts'
import { orderLinks } from '../../shop/order-links.ts'
import { MISSING, placedBy } from '../../testing/orders.ts'
import { type ShopOptions, startShop, type TestShop } from '../../testing/start-shop.ts'

const DAY_MS = 86_400_000
const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'shop@example.com' }

const shops: TestShop[] = []
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.stop()
})

async function start(options: ShopOptions = {}): Promise<TestShop> {
  const shop = await startShop({ env: mail, ...options })
  shops.push(shop)
  return shop
}

function tokenOf(shop: TestShop, orderId: string, expiresAt = shop.now() + DAY_MS): string {
  const link = orderLinks(shop.context.keys, 'https://shop.example').linkTo(orderId, expiresAt)
  expect(link.startsWith(`https://shop.example/order/${orderId}#open=`)).toBe(true)
  return link.split('#open=')[1] ?? ''
}

const find = async (shop: TestShop, customerEmail: string) => shop.post('/api/find-order', { customerEmail })
const waiting = async (shop: TestShop) => shop.context.vault.dueNotes('message', { before: Infinity, limit: 9 })

it('the link of an order shows it unmasked in another browser, until it ends', async () => {
  const shop = await start()
  const [orderId, other] = [await placedBy(shop), await placedBy(shop)]
  const token = tokenOf(shop, orderId)
  const opened = await shop.post(`/api/orders/${orderId}/open`, { token })
  expect([opened.status, opened.body['customerEmail']]).toEqual([200, 'ash@example.com'])
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const read = async (id: string, headers = {}) =>
    (await shop.get(`/api/orders/${id}`, { headers })).body['customerEmail']
  expect(await read(orderId)).toBe('a…@e….com')
  expect(await read(orderId, { cookie })).toBe('ash@example.com')
  expect(await read(other, { cookie })).toBe('a…@e….com')
  for (const [id, wrong] of [
    [other, token],
    [orderId, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    [orderId, token.replace(/^./, 'z')],
    [orderId, ''],
    [orderId, tokenOf(shop, orderId, shop.now())],
  ] as const) {
    const refused = await shop.post(`/api/orders/${id}/open`, { token: wrong })
    expect([refused.status, refused.body['code'], refused.headers.getSetCookie()]).toEqual([
      403,
      'order/link-ended',
      [],
    ])
  }
  expect((await shop.post(`/api/orders/${MISSING}/open`, { token: tokenOf(shop, MISSING) })).status).toBe(404)
})

it('an erasure ends the links of a person', async () => {
  const shop = await start()
  const orderId = await placedBy(shop)
  const token = tokenOf(shop, orderId)
  const { order } = await shop.context.hot.orders.read(orderId)
  if (order.kind === 'placed') await shop.context.vault.deleteCustomers([order.placed.customerId])
  expect((await shop.post(`/api/orders/${orderId}/open`, { token })).body['code']).toBe('order/link-ended')
})

it('the answer to a search for orders is the same for every address, and waits for nothing', async () => {
  let isStuck = false
  const stuck = (vault: Vault): Vault =>
    interposed(vault, async (make, { name }) => (isStuck && name !== 'keysOf' ? new Promise(() => undefined) : make()))
  const shop = await start({ wrapVault: stuck })
  await placedBy(shop)
  const shown = async (email: string) => {
    const { status, text, headers } = await find(shop, email)
    return [status, text, [...headers.keys()].toSorted()]
  }
  const [known, unknown] = [await shown('ash@example.com'), await shown('stranger@example.com')]
  expect(known).toEqual(unknown)
  expect(known[0]).toBe(200)
  await expect.poll(async () => (await waiting(shop)).length).toBe(1)
  isStuck = true
  expect(await shown('ash@example.com')).toEqual(known)
  isStuck = false
})

it('a shop that sends no mails keeps nothing of a search', async () => {
  const shop = await start({ env: {} })
  await placedBy(shop)
  expect((await find(shop, 'ash@example.com')).status).toBe(200)
  expect((await shop.get('/api/shop')).body['mailsBuyers']).toBe(false)
  expect(await waiting(shop)).toEqual([])
})

it('searches are limited by network, and their notes name nobody', async () => {
  const shop = await start({ env: { ...mail, RATE_LIMIT: 'on' } })
  await placedBy(shop)
  const statuses: number[] = []
  for (let count = 0; count < 12; count += 1) statuses.push((await find(shop, 'ash@example.com')).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
  await expect.poll(async () => (await waiting(shop)).length).toBe(1)
  expect(JSON.stringify(await waiting(shop))).not.toContain('ash')
})
