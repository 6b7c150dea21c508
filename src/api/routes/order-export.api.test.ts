import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
    expect(head).toBe(
      'order,customerEmail,discordUsername,marketIds,pokecoinsM,totalUsd,paymentMethod,status,paymentStatus,endedAs,attention,refundedUsd,deleted,createdAt',
    )
    expect(lines[0]).toContain(
      ',brock@example.com,"a ""quoted"", name",12345678: 1,1,0.05,paypal,pending,pending,,,0.00,false,',
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
    expect(new Set(lines.map((line) => line.split(',')[0]))).toStrictEqual(new Set(numbers))
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
    expect(lines.filter((line) => line.split(',')[1] === 'erased')).toHaveLength(1)
    expect(lines.join()).not.toContain('gary')
  })

  it('is for staff alone, and says what is wrong with a query', async () => {
    expect((await shop.get('/api/orders.csv')).status).toBe(401)
    expect((await shop.get('/api/orders.csv?limit=5', { token })).status).toBe(400)
    expect((await shop.get('/api/orders.csv?status=lost', { token })).status).toBe(400)
  })
})
