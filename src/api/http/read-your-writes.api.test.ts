import { expect, it } from 'vitest'
import { orderBody, placedBy } from '../../testing/orders.ts'
import { shopOfTest } from '../../testing/shops.ts'
import type { TestShop } from '../../testing/start-shop.ts'
import { AHEAD_MAX } from './read-your-writes.ts'
import { wirePositions } from './wire-positions.ts'
import type { Views } from '../../projections/shop-views.ts'

const positionsOf = ({ context }: TestShop) => wirePositions(context.keys.secretFor('position'))

/** Views that have not gone beyond `reached`. */
function behind(reached: () => string): (views: Views) => Views {
  return (views) => ({
    ...views,
    waitFor: async (position) => position <= reached(),
  })
}

it('a list is shown only when it contains the writes of its reader', async () => {
  let reached = '9'.repeat(20)
  const shop = await shopOfTest({ wrapViews: behind(() => reached), env: { ROLES: 'api,worker' } })
  const token = await shop.logIn()
  const placed = await shop.post('/api/orders', orderBody())
  const position = placed.headers.get('x-position') ?? ''
  const cookie = `seen=${position}`
  expect(placed.headers.getSetCookie().join()).toContain(`${cookie};`)
  reached = '0'
  for (const headers of [{ cookie }, { 'X-Position': position }]) {
    const late = await shop.get('/api/orders', { token, headers })
    expect({ status: late.status, code: late.body['code'] }).toEqual({ status: 503, code: 'view/behind' })
    expect(late.headers.get('retry-after')).toBe('1')
  }
  expect((await shop.get('/api/orders', { token })).status).toBe(200)
  expect((await shop.get(`/api/orders/${String(placed.body['id'])}`, { headers: { cookie } })).status).toBe(200)
  reached = positionsOf(shop).open(position) ?? ''
  expect((await shop.get('/api/orders', { token, headers: { cookie } })).status).toBe(200)
})

it('a position that may still come is waited for, then answered 503', async () => {
  const shop = await shopOfTest({ wrapViews: behind(() => '0'), env: { ROLES: 'api,worker' } })
  const token = await shop.logIn()
  const ask = async (position: string) =>
    (await shop.get('/api/orders', { token, headers: { 'X-Position': position } })).status
  expect(await ask(positionsOf(shop).seal('9'.repeat(19)))).toBe(503)
})

const noPositions = [
  '',
  '9'.repeat(20),
  '00000738492013000000',
  'IP',
  ';',
  '<script>',
  '%00',
  '7',
  '9'.repeat(21),
  `${'0'.repeat(19)}x`,
  'C:7/P:7',
  'a'.repeat(1_000),
  wirePositions(new Uint8Array(32)).seal('9'.repeat(19)),
]

it('every read refuses a header that cannot be a position, and ignores such a cookie', async () => {
  const shop = await shopOfTest()
  const token = await shop.logIn()
  const id = await placedBy(shop)
  const reads = shop.api.routes.filter(({ method }) => method === 'get').map(({ path }) => path.replace(':id', id))
  expect(reads.length).toBeGreaterThan(20)
  for (const path of reads) {
    for (const text of noPositions) {
      const refused = await shop.get(path, { token, headers: { 'X-Position': text } })
      expect([path, text, refused.status, refused.body['code']]).toEqual([path, text, 400, 'request/invalid'])
      expect(refused.body['errors']).toMatchObject([{ path: 'X-Position' }])
    }
  }
  for (const text of noPositions) {
    const headers = { cookie: `seen=${text}` }
    expect((await shop.get('/api/orders', { token, headers })).status).toBe(200)
    expect((await shop.get('/api/pricing', { headers })).status).toBe(200)
  }
})

it('a list waits for the later position of header and cookie', async () => {
  let reached = '9'.repeat(20)
  const shop = await shopOfTest({ wrapViews: behind(() => reached), env: { ROLES: 'api,worker' } })
  const token = await shop.logIn()
  const first = (await shop.post('/api/orders', orderBody())).headers.get('x-position') ?? ''
  const second = (await shop.post('/api/orders', orderBody())).headers.get('x-position') ?? ''
  reached = positionsOf(shop).open(first) ?? ''
  const ask = async (position: string, seen: string) =>
    (await shop.get('/api/orders', { token, headers: { 'X-Position': position, cookie: `seen=${seen}` } })).status
  expect(await ask(first, first)).toBe(200)
  expect(await ask(first, second)).toBe(503)
  expect(await ask(second, first)).toBe(503)
})

it('lists contain every write that was answered before, to any client', async () => {
  const placed = 3
  let shown = '0'
  /** These views move only during `waitFor`. */
  const slow = (views: Views): Views => ({
    ...views,
    waitFor: async (position) => {
      if (position > shown) shown = position
      return true
    },
    load: async () => new Map([['totals', { body: { orders: Number(shown) } }]]) as never,
  })
  const shop = await shopOfTest({ wrapViews: slow })
  const token = await shop.logIn()
  for (let count = 1; count <= placed; count += 1) {
    const { headers } = await shop.post('/api/orders', orderBody({ pokecoinAmount: 1, totalAmount: '0.05' }))
    expect((await shop.get('/api/orders', { token })).body['total']).toBe(
      Number(positionsOf(shop).open(headers.get('x-position') ?? '')),
    )
  }
})

it('writes do not wait for the views until too many were answered ahead of them', async () => {
  const waitedFor: string[] = []
  const patience: number[] = []
  const still = (views: Views): Views => ({
    ...views,
    waitFor: async (position, timeoutMs) => {
      waitedFor.push(position)
      patience.push(timeoutMs)
      return false
    },
  })
  const shop = await shopOfTest({ wrapViews: still })
  const token = await shop.logIn()
  waitedFor.length = 0
  const answered: (string | undefined)[] = []
  // The log-in was the first answered write.
  for (let stock = 1; stock <= AHEAD_MAX; stock += 1) {
    expect(waitedFor).toEqual([])
    const { headers } = await shop.patch('/api/payment-settings', { currentStock: stock }, { token })
    answered.push(positionsOf(shop).open(headers.get('x-position') ?? ''))
  }
  expect(waitedFor).toHaveLength(1)
  expect(waitedFor[0]?.localeCompare(answered[0] ?? '')).toBe(-1)
  // Writes of others do not block a list, and only the first reader waits long for them.
  patience.length = 0
  for (let reader = 1; reader <= 3; reader += 1) expect((await shop.get('/api/orders', { token })).status).toBe(200)
  expect(waitedFor.at(-1)).toBe(answered.at(-1))
  expect(patience).toEqual([1_000, 100, 100])
})

it('positions that callers see tell neither how much nor how many were written, and are the same in every process', () => {
  const secret = new Uint8Array(32).fill(7)
  const [here, there] = [wirePositions(secret), wirePositions(secret)]
  const sealed = Array.from({ length: 1_000 }, (_, count) => here.seal(String(count + 1).padStart(20, '0')))
  expect(new Set(sealed).size).toBe(1_000)
  expect(sealed.map((text) => Number(there.open(text)))).toEqual(sealed.map((_, index) => index + 1))
  const rising = sealed.filter((text, index) => text > (sealed[index - 1] ?? '')).length
  expect(rising).toBeGreaterThan(400)
  expect(rising).toBeLessThan(600)
})
