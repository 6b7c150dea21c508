import { afterEach, beforeEach, expect, it } from 'vitest'
import { STOCK_STREAM } from '../../domain/stream-names.ts'
import { engineErrors, failingEngine } from '../../engines/testing/interposed.ts'
import { orderBody, placedBy } from '../../testing/orders.ts'
import { startShop, type TestShop } from '../../testing/start-shop.ts'
import { wirePositions } from '../http/wire-positions.ts'

let shop: TestShop
let token: string
const NEVER_MS = 600_000
const open: AbortController[] = []
beforeEach(async () => {
  shop = await startShop()
  token = await shop.logIn()
})
afterEach(async () => {
  for (const controller of open.splice(0)) controller.abort()
  await shop.stop()
})

interface Stream {
  readonly status: number
  /** Received so far. */
  readonly messages: { topic: string; position: string }[]
  /** Resolves when the shop ends the connection. */
  readonly ended: Promise<void>
}

async function listen(query: string, headers: Record<string, string> = {}): Promise<Stream> {
  const controller = new AbortController()
  open.push(controller)
  const response = await fetch(`${shop.url}/api/updates?${query}`, { headers, signal: controller.signal })
  const messages: Stream['messages'] = []
  const read = async (): Promise<void> => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array)
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks)
        if (block.startsWith('event: ')) messages.push({ topic: block, position: '' })
        else if (block.startsWith('data: ')) messages.push(JSON.parse(block.slice(6)) as Stream['messages'][number])
    }
  }
  return { status: response.status, messages, ended: read().catch(() => undefined) }
}

const positions = () => wirePositions(shop.context.keys.secretFor('position'))
const topicsIn = ({ messages }: Stream): string[] => messages.map(({ topic }) => topic)

it('a page that listens to an order gets updates of that order alone', async () => {
  const id = await placedBy(shop)
  await shop.caughtUp()
  const stream = await listen(`order=${id}`)
  await shop.post('/api/orders', orderBody())
  const { headers } = await shop.patch(`/api/orders/${id}`, { paymentMethod: 'upi' })
  await expect.poll(() => stream.messages).toHaveLength(1)
  expect(stream.messages[0]).toEqual({ topic: `order:${id}`, position: headers.get('x-position') })
})

it('a page that listens to settings and prices gets every change', async () => {
  const stream = await listen('topics=settings,pricing,products')
  await shop.patch('/api/payment-settings', { pack1Amount: 11 }, { token })
  await expect.poll(() => topicsIn(stream).toSorted()).toEqual(['pricing', 'products', 'settings'])
  for (let count = 0; count < 5; count += 1) await shop.post('/api/orders', orderBody())
  const last = (await shop.eventsOf(STOCK_STREAM)).at(-1)
  const position = positions().seal(last?.position ?? '')
  await expect.poll(() => stream.messages.at(-1)).toEqual({ topic: 'settings', position })
})

it('a page gets the first of several changes at once and the others as one', async () => {
  const stream = await listen('topics=settings')
  for (const position of ['1', '2', '3', '4', '5'])
    shop.api.onEvents([{ type: 'StockReserved', stream: STOCK_STREAM, position }])
  const heard = () => stream.messages.map(({ position }) => Number(positions().open(position)))
  await expect.poll(heard).toEqual([1, 5])
})

it('staff get updates of settings and of every order until their session ends', async () => {
  const stream = await listen('topics=staff', { authorization: `Bearer ${token}` })
  await shop.patch('/api/payment-settings', { pack1Amount: 11 }, { token })
  await expect.poll(() => topicsIn(stream)).toEqual(['staff'])
  const buyer = await listen('topics=pricing')
  await shop.post('/api/orders', orderBody())
  await expect.poll(() => topicsIn(stream)).toEqual(['staff', 'staff'])
  await shop.post('/api/admin/logout', {}, { token })
  // The stream ends at once, not with the next heartbeat.
  await expect.poll(async () => await shop.metrics()).toContain('coinshop_push_connections 1')
  await stream.ended
  expect(topicsIn(stream)).toEqual(['staff', 'staff', 'event: session-over\ndata: {}'])
  expect(buyer.messages).toEqual([])
})

it('staff keep their connection while the log is away, and new ones are accepted afterwards', async () => {
  const log = failingEngine()
  await shop.stop()
  shop = await startShop({ wrapStore: log.wrap })
  token = await shop.logIn()
  const headers = { authorization: `Bearer ${token}` }
  const early = await listen('topics=staff', headers)
  log.fail(engineErrors.logAway)
  const refused = await shop.get('/api/updates?topics=staff', { token })
  expect([refused.status, refused.body['code']]).toEqual([503, 'event-store/away'])
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await listen('topics=pricing')).status).toBe(200)
  log.fail(undefined)
  const late = await listen('topics=staff', headers)
  await shop.post('/api/orders', orderBody())
  for (const stream of [early, late]) await expect.poll(() => topicsIn(stream)).toContain('staff')
})

it('stopping the shop ends all streams of updates', async () => {
  const stream = await listen('topics=pricing')
  await shop.api.close(NEVER_MS)
  await stream.ended
  expect(stream.status).toBe(200)
})

it.for([
  ['/api/updates?topics=pricing', 'text/event-stream'],
  ['/api/orders.csv', 'text/csv'],
] as const)('HEAD %s is answered at once and takes no place', async ([path, type]) => {
  const { status, headers } = await fetch(shop.url + path, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${token}` },
  })
  expect({ status, type: headers.get('content-type') }).toMatchObject({
    status: 200,
    type: expect.stringContaining(type),
  })
  expect(await shop.metrics()).toContain('coinshop_push_connections 0')
})
