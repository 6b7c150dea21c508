import { afterEach, expect, it } from 'vitest'
import { orderBody } from '../testing/orders.ts'
import { startShop, type TestShop } from '../testing/start-shop.ts'
import type { ShopViews } from './views.ts'

let shop: TestShop
afterEach(async () => shop.stop())

/** Views that have seen nothing since `reached`. */
function behind(reached: () => string): (views: ShopViews) => ShopViews {
  return (views) => ({
    ...views,
    areLocal: false,
    waitFor: async (position) => position <= reached(),
  })
}

it('shows a list only when it holds what its reader has done', async () => {
  let reached = '9'.repeat(20)
  shop = await startShop({ wrapViews: behind(() => reached) })
  const token = await shop.logIn()
  const placed = await shop.post('/api/orders', orderBody())
  const cookie = placed.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const position = placed.headers.get('x-position') ?? ''
  expect(cookie).toBe(`seen=${position}`)
  reached = '0'
  for (const headers of [{ cookie }, { 'X-Position': position }]) {
    const late = await shop.get('/api/orders', { token, headers })
    expect({ status: late.status, code: late.body['code'] }).toEqual({ status: 503, code: 'view/behind' })
    expect(late.headers.get('retry-after')).toBe('1')
  }
  expect((await shop.get('/api/orders', { token })).status).toBe(200)
  expect((await shop.get(`/api/orders/${String(placed.body['id'])}`, { headers: { cookie } })).status).toBe(200)
  reached = position
  expect((await shop.get('/api/orders', { token, headers: { cookie } })).status).toBe(200)
})

it('waits for nothing that the log cannot have', async () => {
  shop = await startShop({ wrapViews: behind(() => '0') })
  const token = await shop.logIn()
  for (const position of ['9'.repeat(20), 'zzzz', '', '<script>', 'a'.repeat(1_000), '%00', '-1'])
    expect((await shop.get('/api/orders', { token, headers: { 'X-Position': position } })).status).toBe(200)
})

it('waits for the later of what the header and the cookie name', async () => {
  let reached = '9'.repeat(20)
  shop = await startShop({ wrapViews: behind(() => reached) })
  const token = await shop.logIn()
  const first = (await shop.post('/api/orders', orderBody())).headers.get('x-position') ?? ''
  const second = (await shop.post('/api/orders', orderBody())).headers.get('x-position') ?? ''
  reached = first
  const ask = async (position: string, seen: string) =>
    (await shop.get('/api/orders', { token, headers: { 'X-Position': position, cookie: `seen=${seen}` } })).status
  expect(await ask(first, first)).toBe(200)
  expect(await ask(first, second)).toBe(503)
  expect(await ask(second, first)).toBe(503)
  expect(await ask(first, '9'.repeat(20))).toBe(200)
})

it('answers a write only when its own lists show it', async () => {
  const waitedFor: string[] = []
  const waiting = (views: ShopViews): ShopViews => ({
    ...views,
    waitFor: async (position, timeoutMs) => {
      const isThere = await views.waitFor(position, timeoutMs)
      waitedFor.push(position)
      return isThere
    },
  })
  shop = await startShop({ engines: 'sqlite', wrapViews: waiting })
  const token = await shop.logIn()
  for (let count = 1; count <= 5; count += 1) {
    const { headers } = await shop.post('/api/orders', orderBody({ pokecoinAmount: 1, totalAmount: '0.05' }))
    expect(waitedFor.at(-1)).toBe(headers.get('x-position'))
    expect((await shop.get('/api/orders', { token })).body['total']).toBe(count)
  }
})
