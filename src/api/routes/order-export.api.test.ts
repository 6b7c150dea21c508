import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { orderExports } from '../answers/order-export.ts'
import type { ShopViews } from '../answers/shop-views.ts'
import { engineErrors } from '../../testing/interposed.ts'
import { keptLog } from '../../testing/kept-log.ts'
import { orderBody } from '../../testing/orders.ts'
import { startShop, type TestShop } from '../../testing/start-shop.ts'

let shop: TestShop
let token: string
beforeAll(async () => {
  shop = await startShop()
  token = await shop.logIn()
  await placed({ discordUsername: '=HYPERLINK("http://evil.example")', customerEmail: 'misty@example.com' })
  await placed({ discordUsername: 'a "quoted", name', customerEmail: 'brock@example.com', paymentMethod: 'paypal' })
})
afterAll(async () => shop.stop())

async function placed(changes: Record<string, unknown>): Promise<string> {
  const { status, body } = await shop.post(
    '/api/orders',
    orderBody({ pokecoinAmount: 1, totalAmount: '0.05', ...changes }),
  )
  expect(status).toBe(201)
  return String(body['orderNumber'])
}

async function exported(query = '') {
  const { status, headers, text } = await shop.get(`/api/orders.csv${query}`, { token })
  expect(status).toBe(200)
  const [head, ...lines] = text.trimEnd().split('\n')
  return { headers, head, lines }
}

describe('the export of the orders', () => {
  it('is a file for spreadsheets, with what the list shows', async () => {
    const { headers, head, lines } = await exported()
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=orders-\d{4}-\d\d-\d\d\.csv$/)
    expect(head?.replaceAll('"', '')).toBe(
      'order,customerEmail,discordUsername,marketIds,pokecoinsM,totalUsd,paymentMethod,status,paymentStatus,endedAs,attention,refundedUsd,deleted,createdAt',
    )
    expect(lines[0]).toContain(
      ',"brock@example.com","a ""quoted"", name","12345678: 1",1,0.05,"paypal","pending","pending",,,0.00,false,',
    )
  })

  it('has no text that a spreadsheet takes for a formula', async () => {
    const { lines } = await exported('?search=misty')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
  })

  it('has every order that the list finds, beyond its pages and no other', async () => {
    const numbers: string[] = []
    for (let count = 0; count < 103; count += 1)
      numbers.push(await placed({ discordUsername: 'many', customerEmail: `many-${count % 5}@example.com` }))
    const { lines } = await exported('?search=many')
    expect(new Set(lines.map((line) => line.split(',')[0]?.replaceAll('"', '')))).toStrictEqual(new Set(numbers))
    expect(lines).toHaveLength(numbers.length)
  })

  it('names nobody who was erased', async () => {
    const gary = { discordUsername: 'gary-the-rival', customerEmail: 'gary@example.com' }
    const order = await shop.post('/api/orders', orderBody(gary))
    await shop.post(`/api/orders/${String(order.body['id'])}/cancel`)
    expect((await exported('?search=gary')).lines).toHaveLength(1)
    const { body } = await shop.post('/api/admin/erase-customer', { email: gary.customerEmail }, { token })
    expect(body).toMatchObject({ erased: true })
    const { lines } = await exported()
    expect(lines.filter((line) => line.split(',')[1] === '"erased"')).toHaveLength(1)
    expect(lines.join()).not.toContain('gary')
  })
})

type PageOfOrders = ShopViews['pageOfOrders']
const LINES = 102
const PATIENT = { timeout: 30_000 }

/** A shop with more orders than a page has, whose list is read by way of `pageOfOrders`. */
async function shopReading(
  pageOfOrders: (query: Parameters<PageOfOrders>[0], read: PageOfOrders) => ReturnType<PageOfOrders>,
) {
  const { lines, logger } = keptLog()
  let plain: ShopViews | undefined
  const own = await startShop({
    wrapViews(views) {
      plain = views
      return { ...views, pageOfOrders: async (query) => pageOfOrders(query, async (own) => views.pageOfOrders(own)) }
    },
    logger,
  })
  onTestFinished(async () => own.stop())
  for (let count = 1; count < LINES; count += 1)
    await own.post(
      '/api/orders',
      orderBody({ customerEmail: `${count % 7}@example.com`, pokecoinAmount: 1, totalAmount: '0.05' }),
    )
  const token = await own.logIn()
  if (!plain) throw new Error('the shop has started without views')
  return { own, views: plain, lines, ask: async () => own.get('/api/orders.csv', { token }), token }
}

/** Holds every second page back until it is opened. */
function gatedPages() {
  const gate = Promise.withResolvers<undefined>()
  let held = 0
  return {
    open: () => gate.resolve(undefined),
    held: () => held,
    pageOfOrders: async (query: Parameters<PageOfOrders>[0], read: PageOfOrders) => {
      if (query.cursor !== undefined) {
        held += 1
        await gate.promise
      }
      return read(query)
    },
  }
}

describe('exports at the same time', () => {
  it('are two in a process; the next is asked to come later, and is served once they have ended', async () => {
    const pages = gatedPages()
    const { ask } = await shopReading(pages.pageOfOrders)
    const running = [ask(), ask()]
    await expect.poll(pages.held, PATIENT).toBe(2)
    const next = await ask()
    expect(next.status).toBe(503)
    expect(next.body).toMatchObject({
      code: 'shop/busy',
      message: 'Other lists are being saved right now. Please try again in a moment.',
    })
    expect(next.headers.get('retry-after')).toBe('5')
    pages.open()
    for (const { status, text } of await Promise.all(running))
      expect({ status, lines: text.trimEnd().split('\n').length }).toEqual({ status: 200, lines: LINES })
    for (let count = 0; count < 3; count += 1) expect((await ask()).status).toBe(200)
  })

  it('leave their places when the first page cannot be read', async () => {
    let isAway = true
    const { ask } = await shopReading(async (query, read) => {
      if (isAway) throw engineErrors.viewsAway
      return read(query)
    })
    for (let count = 0; count < 3; count += 1) expect((await ask()).body).toMatchObject({ code: 'view/away' })
    isAway = false
    expect((await ask()).status).toBe(200)
  })

  it('leave their places when their callers have gone, which is no trouble for the log', async () => {
    const pages = gatedPages()
    const { own, ask, token, lines } = await shopReading(pages.pageOfOrders)
    const gone = new AbortController()
    const headers = { Authorization: `Bearer ${token}` }
    const left = [1, 2].map(async () => fetch(`${own.url}/api/orders.csv`, { headers, signal: gone.signal }))
    await expect.poll(pages.held, PATIENT).toBe(2)
    gone.abort()
    await Promise.allSettled(left)
    pages.open()
    await expect.poll(async () => (await ask()).status, PATIENT).toBe(200)
    expect(lines.join()).not.toContain('broke off')
  })

  it('leave their places when their connections take nothing for too long', async () => {
    const { own, views } = await shopReading(async (query, read) => read(query))
    const { orders } = await views.pageOfOrders({ limit: '100' })
    const endless = { ...views, pageOfOrders: async () => ({ orders, next: 'more' }) }
    const begin = orderExports(own, { stalledMs: 50 })
    let begun = 0
    const server = express()
      .get('/', async (_request, response) => {
        const send = await begin({ views: endless, past: undefined }, {})
        begun += 1
        await send(response, '2026-01-01')
      })
      .listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const sockets = [1, 2].map(() => connect(port, '127.0.0.1').pause())
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: shop\r\n\r\n')
    await expect.poll(() => begun, PATIENT).toBe(2)
    // The connections' buffers are filled first.
    await expect
      .poll(async () => begin({ views: endless, past: undefined }, {}).catch(String), PATIENT)
      .toBeTypeOf('function')
  })
})

describe('an export whose later page cannot be read', () => {
  it('breaks the connection, and the log has one line with the id of the request', async () => {
    const { own, token, lines } = await shopReading(async (query, read) => {
      if (query.cursor !== undefined) throw new Error('a page is torn')
      return read(query)
    })
    const headers = { 'X-Correlation-Id': 'export-17' }
    await expect(own.get('/api/orders.csv', { token, headers })).rejects.toThrow('terminated')
    await expect.poll(() => lines, PATIENT).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 50,
      msg: 'an answer broke off',
      method: 'GET',
      path: '/api/orders.csv',
      correlationId: 'export-17',
      error: expect.stringMatching(/^Error: a page is torn/),
    })
  })
})
