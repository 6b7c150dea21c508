import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orderBody } from '../../testing/orders.ts'
import { startShop, type TestShop } from '../../testing/start-shop.ts'

let shop: TestShop
let token: string
beforeAll(async () => {
  shop = await startShop()
  token = await shop.logIn()
})
afterAll(async () => shop.stop())

async function change(body: unknown, headers: Record<string, string> = {}) {
  return shop.patch('/api/payment-settings', body, { token, headers })
}

async function settings(): Promise<Record<string, unknown>> {
  return (await shop.get('/api/payment-settings')).body
}

async function refused(ask: () => Promise<{ status: number; body: Record<string, unknown> }>) {
  const before = await shop.shop.log.head()
  const { status, body } = await ask()
  expect(await shop.shop.log.head()).toBe(before)
  return { status, code: body['code'] }
}

describe('the settings', () => {
  it('name no gateway of UPI until the owner has chosen one', async () => {
    const own = await startShop()
    const read = async () => (await own.get('/api/payment-settings')).body
    expect(await read()).not.toHaveProperty('upiGateway')
    const how = { token: await own.logIn(), headers: { 'If-Match': '*' } }
    expect((await own.patch('/api/payment-settings', { upiGateway: 'another' }, how)).status).toBe(400)
    expect((await own.patch('/api/payment-settings', { upiGateway: 'cashfree' }, how)).status).toBe(200)
    expect(await read()).toMatchObject({ upiGateway: 'cashfree', revision: 1 })
    await own.stop()
  })

  it('begin with the defaults, and are never read from a cache', async () => {
    const { body, headers } = await shop.get('/api/payment-settings')
    expect(body).toMatchObject({
      currentStock: 1000,
      pack1Amount: 10,
      pack6Discount: 30,
      paypalEnabled: true,
      preOrdersEnabled: false,
      basePricePerMillion: 0.05,
      bulkDiscountPercent: 0,
      revision: 0,
    })
    expect(headers.get('etag')).toBe('"0"')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('change field by field, and prices with them', async () => {
    const { status, body, headers } = await change({
      basePricePerMillion: 0.1,
      bulkDiscountPercent: 50,
      pack1Amount: 5,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ basePricePerMillion: 0.1, bulkDiscountPercent: 50, pack1Amount: 5, pack2Amount: 50 })
    expect(headers.get('etag')).toBe(`"${String(body['revision'])}"`)
    expect((await shop.eventsOf('settings-shop')).at(-1)).toMatchObject({
      type: 'SettingsChanged',
      data: { changes: { basePriceCents: 10, bulkDiscountPercent: 50, pack1Amount: 5 }, adminId: 'owner' },
    })
    expect((await shop.get('/api/pricing')).body['pokecoinPriceUSDPerMillion']).toBe(0.05)
    await change({ basePricePerMillion: 0.05, bulkDiscountPercent: 0, pack1Amount: 10 })
  })

  it('that were changed elsewhere are shown instead of overwritten', async () => {
    const seen = `"${String((await settings())['revision'])}"`
    expect((await change({ pack2Discount: 11 }, { 'If-Match': seen })).status).toBe(200)
    const head = await shop.shop.log.head()
    const late = await change({ pack2Discount: 12 }, { 'If-Match': seen })
    expect({ status: late.status, code: late.body['code'] }).toEqual({ status: 412, code: 'settings/changed' })
    expect(late.body['current']).toMatchObject({ pack2Discount: 11, revision: late.body['revision'] })
    expect(await shop.shop.log.head()).toBe(head)
    const now = `"${String(late.body['revision'])}"`
    expect((await change({ pack2Discount: 10 }, { 'If-Match': now })).status).toBe(200)
  })

  it('that are as they were write nothing', async () => {
    expect(await refused(async () => change({ pack1Amount: 10 }))).toEqual({ status: 200, code: undefined })
  })

  it('take no If-Match that is no ETag', async () => {
    const answer = await refused(async () => change({ pack1Amount: 11 }, { 'If-Match': 'newest' }))
    expect(answer).toEqual({ status: 400, code: 'request/invalid' })
  })
})

describe('the stock', () => {
  it('changes by the difference to what staff saw', async () => {
    const seen = Number((await settings())['currentStock'])
    await shop.post('/api/orders', orderBody())
    const { body } = await change({ currentStock: seen + 100, currentStockSeen: seen })
    expect(body['currentStock']).toBe(seen + 100 - 50)
    expect((await shop.eventsOf('stock-main')).at(-1)).toMatchObject({
      type: 'StockAdjusted',
      data: { differenceM: 100 },
    })
  })

  it('changes once for one key', async () => {
    const seen = Number((await settings())['currentStock'])
    const edit = { currentStock: seen + 10, currentStockSeen: seen }
    const key = { 'Idempotency-Key': 'stock-edit' }
    expect((await change(edit, key)).body['currentStock']).toBe(seen + 10)
    expect((await change(edit, key)).body['currentStock']).toBe(seen + 10)
  })

  it('never falls below zero, and takes no settings down with it', async () => {
    const seen = Number((await settings())['currentStock'])
    const tooLow = { currentStock: 0, currentStockSeen: seen + 1 }
    expect(await refused(async () => change(tooLow))).toEqual({ status: 409, code: 'inventory/below-zero' })
    const both = await refused(async () => change({ ...tooLow, pack3Discount: 77 }))
    expect(both).toEqual({ status: 409, code: 'inventory/below-zero' })
  })

  it('sold out is nothing that can be bought, unless pre-orders are taken', async () => {
    const seen = Number((await settings())['currentStock'])
    await change({ currentStock: 0, currentStockSeen: seen })
    const soldOut = await refused(async () => shop.post('/api/orders', orderBody()))
    expect(soldOut).toEqual({ status: 409, code: 'inventory/insufficient-stock' })
    await change({ preOrdersEnabled: true })
    const { status, body } = await shop.post('/api/orders', orderBody())
    expect(status).toBe(201)
    expect((await shop.get(`/api/orders/${String(body['id'])}`)).body['preOrder']).toBe(true)
    await change({ preOrdersEnabled: false, currentStock: 1000, currentStockSeen: 0 })
  })
})

describe('a product', () => {
  const fields = { name: 'Starter', description: 'A first pack', pokecoinAmount: 10 }

  it('is made, changed and taken away, always at the price of the shop', async () => {
    const made = await shop.post('/api/products', fields, { token })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ ...fields, active: true, position: 0, price: '0.48' })
    const path = `/api/products/${String(made.body['id'])}`
    const changed = await shop.patch(path, { pokecoinAmount: 50, active: false }, { token })
    expect(changed.body).toMatchObject({ name: 'Starter', pokecoinAmount: 50, active: false, price: '2.25' })
    expect(JSON.parse((await shop.get('/api/products')).text)).toEqual([])
    expect(JSON.parse((await shop.get('/api/products', { token })).text)).toMatchObject([{ id: made.body['id'] }])
    expect((await shop.delete(path, { token })).status).toBe(204)
    expect(JSON.parse((await shop.get('/api/products', { token })).text)).toEqual([])
    expect((await shop.eventsOf(`product-${String(made.body['id'])}`)).map(({ type }) => type)).toEqual([
      'ProductCreated',
      'ProductChanged',
      'ProductDeleted',
    ])
  })

  it('is made once for one key', async () => {
    const headers = { 'Idempotency-Key': 'product' }
    const first = await shop.post('/api/products', fields, { token, headers })
    const again = await shop.post('/api/products', fields, { token, headers })
    expect(again.body['id']).toBe(first.body['id'])
    await shop.delete(`/api/products/${String(first.body['id'])}`, { token })
  })

  it('that there is not cannot be changed', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'nonsense']) {
      const patch = async () => shop.patch(`/api/products/${id}`, { name: 'New' }, { token })
      const remove = async () => shop.delete(`/api/products/${id}`, { token })
      expect(await refused(patch)).toEqual({ status: 404, code: 'product/not-found' })
      expect(await refused(remove)).toEqual({ status: 404, code: 'product/not-found' })
    }
  })
})

describe('the history of the settings', () => {
  it('says who changed what, when, from what to what, the newest first', async () => {
    const own = await startShop()
    const how = { token: await own.logIn(), headers: { 'If-Match': '*' } }
    const changes = async () => (await own.get('/api/admin/setting-changes', { token: how.token })).body
    expect(await changes()).toStrictEqual({ changes: [], isWhole: true })
    await own.patch('/api/payment-settings', { basePricePerMillion: 0.06, pack1Discount: 5, pack2Discount: 12 }, how)
    own.advance(60_000)
    await own.patch('/api/payment-settings', { upiGateway: 'cashfree' }, how)
    const at = new Date(own.now()).toISOString()
    const before = new Date(own.now() - 60_000).toISOString()
    expect(await changes()).toStrictEqual({
      changes: [
        { setting: 'upiGateway', from: null, to: 'cashfree', adminId: 'owner', at },
        { setting: 'basePricePerMillion', from: 0.05, to: 0.06, adminId: 'owner', at: before },
        { setting: 'pack2Discount', from: 10, to: 12, adminId: 'owner', at: before },
      ],
      isWhole: true,
    })
    expect((await own.get('/api/admin/setting-changes')).status).toBe(401)
    await own.stop()
  })

  it('ends at the 200 newest', async () => {
    const own = await startShop()
    const how = { token: await own.logIn(), headers: { 'If-Match': '*' } }
    for (let pack1Amount = 11; pack1Amount <= 211; pack1Amount += 1)
      await own.patch('/api/payment-settings', { pack1Amount }, how)
    const { body } = await own.get('/api/admin/setting-changes', { token: how.token })
    expect(body).toMatchObject({ isWhole: false })
    expect(body['changes']).toHaveLength(200)
    await own.stop()
  })
})
