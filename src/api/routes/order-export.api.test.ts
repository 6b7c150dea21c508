import { beforeAll, expect, it } from 'vitest'
import type { Views } from '../../projections/shop-views.ts'
import { engineErrors } from '../../engines/testing/interposed.ts'
import { keptLog } from '../../testing/kept-log.ts'
import { orderBody, placedBy } from '../../testing/orders.ts'
import { shopOfTest, suiteShop } from '../../testing/shops.ts'

const shop = suiteShop()
let token: string
beforeAll(async () => {
  token = await shop.logIn()
  await placed({ discordUsername: '=HYPERLINK("http://evil.example")', customerEmail: 'misty@example.com' })
  await placed({ discordUsername: 'a;=1+1;b', customerEmail: 'erika@example.com' })
  await placed({ discordUsername: 'a "quoted", name', customerEmail: 'brock@example.com', paymentMethod: 'paypal' })
})

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

it('the export is a file for spreadsheets with the columns of the list', async () => {
  const { headers, head, lines } = await exported()
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename=orders-\d{4}-\d\d-\d\d\.csv$/)
  expect(head?.replaceAll('"', '')).toBe(
    'order,customerEmail,discordUsername,marketIds,pokecoinsM,totalUsd,paymentMethod,status,paymentStatus,endedAs,attention,refundedUsd,deleted,createdAt',
  )
  expect(lines[0]).toContain(
    ',"brock@example.com","a ""quoted"", name","12345678: 1",1,0.05,"paypal","pending","pending",,,0.00,"false",',
  )
  // Spreadsheets read this as text, not as a formula.
  expect(lines[1]).toContain(`"a;'=1+1;b"`)
  expect(lines[2]).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
})

it('a search in the body finds what a search in the address finds', async () => {
  const query = { search: 'brock@example.com', limit: '10' }
  const found = await shop.post('/api/admin/order-search', query, { token })
  expect(found.body).toEqual((await shop.get('/api/orders?search=brock%40example.com&limit=10', { token })).body)
  expect(found.body).toMatchObject({ filtered: 1 })
  const file = await shop.post('/api/orders.csv', { search: query.search }, { token })
  expect(file.text).toBe((await shop.get('/api/orders.csv?search=brock%40example.com', { token })).text)
  expect((await shop.post('/api/admin/order-search', query)).status).toBe(401)
})

it('the export does not name erased buyers', async () => {
  const gary = { discordUsername: 'gary-the-rival', customerEmail: 'gary@example.com' }
  await shop.post(`/api/orders/${await placedBy(shop, gary)}/cancel`, {}, { token })
  expect((await exported('?search=gary')).lines).toHaveLength(1)
  await shop.post('/api/admin/erase-customer', { email: gary.customerEmail }, { token })
  const { lines } = await exported()
  expect(lines.filter((line) => line.split(',')[1] === '"erased"')).toHaveLength(1)
  expect(lines.join()).not.toContain('gary')
})

type Find = Views['find']
const LINES = 102
const PATIENT = { timeout: 30_000 }

/** A shop with more orders than a page, whose list is read through `find`. */
async function shopReading(find: (isFirstPage: boolean, read: () => ReturnType<Find>) => ReturnType<Find>) {
  const { lines, logger } = keptLog()
  const wrapViews = (views: Views): Views => ({
    ...views,
    find: async (...asked) => find(asked[2].after === undefined, async () => views.find(...asked)),
  })
  const own = await shopOfTest({ wrapViews, logger })
  const small = { pokecoinAmount: 1, totalAmount: '0.05' }
  for (let count = 1; count < LINES; count += 1) await placedBy(own, { ...small, customerEmail: `${count % 7}@a` })
  return { own, lines, token: await own.logIn() }
}

it('an export whose first page cannot be read is rejected', async () => {
  const { own, token } = await shopReading(async () => Promise.reject(engineErrors.viewsAway))
  expect((await own.get('/api/orders.csv', { token })).body).toMatchObject({ code: 'view/away' })
})

it('an export whose later page cannot be read breaks the connection and is logged once', async () => {
  const { own, token, lines } = await shopReading(async (isFirstPage, read) => {
    if (!isFirstPage) throw new Error('a page is torn')
    return read()
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

it('an export whose caller has left ends and is not logged as an error', async () => {
  const gate = Promise.withResolvers<undefined>()
  const seen = Promise.withResolvers<undefined>()
  const { own, token, lines } = await shopReading(async (isFirstPage, read) => {
    if (!isFirstPage) {
      seen.resolve(undefined)
      await gate.promise
    }
    return read()
  })
  const gone = new AbortController()
  const headers = { Authorization: `Bearer ${token}` }
  const left = fetch(`${own.url}/api/orders.csv`, { headers, signal: gone.signal }).then(async (file) => file.text())
  await seen.promise
  gone.abort()
  await expect(left).rejects.toThrow('abort')
  gate.resolve(undefined)
  expect((await own.get('/api/orders.csv', { token })).text.trimEnd().split('\n')).toHaveLength(LINES)
  expect(lines.join()).not.toContain('broke off')
})
