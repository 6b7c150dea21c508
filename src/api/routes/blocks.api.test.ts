import { afterEach, expect, it } from 'vitest'
import { MISSING, orderBody, placedBy } from '../../testing/orders.ts'
import { type ShopOptions, startShop, type TestShop } from '../../testing/start-shop.ts'

const shops: TestShop[] = []
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.stop()
})

const block = { kinds: ['email', 'name'], reason: 'fraud', remark: ' Ash, twice. ' }

async function blockedShop(options: ShopOptions = {}) {
  const shop = await startShop(options)
  shops.push(shop)
  const token = await shop.logIn()
  const orderId = await placedBy(shop)
  const made = await shop.post(`/api/orders/${orderId}/block`, block, { token })
  expect(made.body).toEqual({ success: true, message: 'This buyer is blocked. 1 unpaid order was cancelled.' })
  const blocks = async () =>
    (await shop.get('/api/admin/blocks', { token })).body['blocks'] as Record<string, unknown>[]
  const tryAs = async (customerEmail: string) =>
    shop.post('/api/orders', orderBody({ customerEmail, discordUsername: 'new' }))
  return { shop, token, orderId, blocks, tryAs }
}

it('staff block the buyer of an order, read who it is and how often that was met, and unblock', async () => {
  const { shop, token, orderId, blocks, tryAs } = await blockedShop()
  const refused = await tryAs('ASH@Example.com')
  expect([refused.status, refused.body['code']]).toEqual([403, 'order/not-accepted'])
  expect(refused.body['message']).toBe(
    `The shop cannot take this order; if you think that this is a mistake, write to us: ${shop.context.config.PUBLIC_URL}/contact`,
  )
  const [first] = await blocks()
  expect(first).toMatchObject({
    kinds: ['email', 'name'],
    reason: 'fraud',
    met: 1,
    remark: 'Ash, twice.',
    order: { id: orderId, customerEmail: 'ash@example.com', discordUsername: 'ash' },
  })
  expect((await shop.delete(`/api/admin/blocks/${String(first?.['id'])}`, { token })).status).toBe(204)
  expect(await blocks()).toEqual([])
  expect((await tryAs('ash@example.com')).status).toBe(201)
})

it('refused tries count as orders of their address: sixty a minute', async () => {
  const { tryAs } = await blockedShop({ env: { RATE_LIMIT: 'on' } })
  const refused = new Set<unknown>()
  for (let tries = 0; tries < 59; tries += 1) refused.add((await tryAs('ash@example.com')).status)
  expect([...refused]).toEqual([403])
  for (const email of ['ash@example.com', 'gary@example.com']) expect((await tryAs(email)).status).toBe(429)
})

it('after an erasure the list names nobody and leads to no order, which the answer says', async () => {
  const { shop, orderId, tryAs } = await blockedShop()
  shop.advance(9 * 86_400_000)
  const token = await shop.logIn()
  const erased = await shop.post('/api/admin/erase-customer', { email: 'ash@example.com' }, { token })
  expect(erased.body['message']).toBe(
    'This person was erased. A block of this buyer stays until it ends: as hashes, which lead to no name and no order.',
  )
  const { body } = await shop.get('/api/admin/blocks', { token })
  const [left] = body['blocks'] as Record<string, unknown>[]
  expect(left).toMatchObject({ order: null, remark: '', met: 0 })
  for (const word of [orderId, 'ash', 'Ash']) expect(JSON.stringify(body)).not.toContain(word)
  expect((await tryAs('ash@example.com')).status).toBe(403)
})

it('what does not exist, and what is malformed, is refused by its cause', async () => {
  const { shop, token, orderId } = await blockedShop()
  const codeOf = async (path: string, body: unknown) => (await shop.post(path, body, { token })).body['code']
  expect(await codeOf(`/api/orders/${MISSING}/block`, block)).toBe('order/not-found')
  expect(await codeOf(`/api/orders/${orderId}/block`, { ...block, kinds: ['payer'] })).toBe('block/payer-unknown')
  expect(await codeOf(`/api/orders/${orderId}/block`, { ...block, kinds: ['phone'] })).toBe('request/invalid')
  expect(await codeOf(`/api/orders/${orderId}/block`, { ...block, reason: 'none' })).toBe('request/invalid')
  expect(await codeOf(`/api/orders/${orderId}/block`, { ...block, remark: 'x'.repeat(501) })).toBe('request/invalid')
  expect(await codeOf('/api/admin/blocks/none/renew', {})).toBe('block/not-found')
})
