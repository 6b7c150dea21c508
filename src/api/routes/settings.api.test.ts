import { beforeEach, describe, expect, it } from 'vitest'
import { shopOfEach } from '../../testing/shops.ts'

const shop = shopOfEach()
let token: string
beforeEach(async () => {
  token = await shop.logIn()
})

async function change(body: unknown, headers: Record<string, string> = {}) {
  return shop.patch('/api/payment-settings', body, { token, headers })
}

async function refused(ask: () => Promise<{ status: number; body: Record<string, unknown> }>) {
  const before = await shop.shop.log.head()
  const { status, body } = await ask()
  expect(await shop.shop.log.head()).toBe(before)
  return { status, code: body['code'], body }
}

const history = async () => (await shop.get('/api/admin/setting-changes', { token })).body

describe('the settings', () => {
  it('that were changed elsewhere are shown instead of overwritten', async () => {
    expect((await change({ pack2Discount: 11 }, { 'If-Match': '"0"' })).status).toBe(200)
    const late = await refused(async () => change({ pack2Discount: 12 }, { 'If-Match': '"0"' }))
    expect(late).toMatchObject({ status: 412, code: 'settings/changed' })
    expect(late.body['current']).toMatchObject({ pack2Discount: 11, revision: 1 })
    expect((await change({ pack2Discount: 10 }, { 'If-Match': '"1"' })).status).toBe(200)
  })

  it('take no If-Match that is no ETag', async () => {
    const answer = await refused(async () => change({ pack1Amount: 11 }, { 'If-Match': 'newest' }))
    expect(answer).toMatchObject({ status: 400, code: 'request/invalid' })
  })

  it('have a history of the 200 newest changes, of the gateway too', async () => {
    await change({ upiGateway: 'cashfree', pack1Amount: 10 })
    for (let pack1Amount = 11; pack1Amount <= 209; pack1Amount += 1) await change({ pack1Amount })
    const before = await history()
    const first = { setting: 'upiGateway', from: null, to: 'cashfree', adminId: 'owner' }
    expect(before).toMatchObject({ isWhole: true })
    expect((before['changes'] as object[]).at(-1)).toMatchObject(first)
    await change({ pack1Amount: 210 })
    const after = await history()
    const [newest, ...others] = after['changes'] as object[]
    expect(newest).toMatchObject({ setting: 'pack1Amount', from: 209, to: 210 })
    expect([others.length, after['isWhole']]).toEqual([199, false])
  })
})

describe('the stock', () => {
  it('changes by the difference to what staff saw, once for one key', async () => {
    await change({ currentStock: 950 })
    const edit = { currentStock: 1_100, currentStockSeen: 1_000 }
    for (let time = 0; time < 2; time += 1)
      expect((await change(edit, { 'Idempotency-Key': 'stock-edit' })).body['currentStock']).toBe(1_050)
  })

  it('never falls below zero', async () => {
    const tooLow = await refused(async () => change({ currentStock: 0, currentStockSeen: 1_001 }))
    expect(tooLow).toMatchObject({ status: 409, code: 'inventory/below-zero' })
  })

  it('is changed by itself', async () => {
    const both = await refused(async () => change({ currentStock: 950, pack3Discount: 77 }))
    expect(both).toMatchObject({ status: 400, code: 'request/invalid' })
  })
})

describe('a product', () => {
  it('is made once for one key', async () => {
    const made = async () => {
      const fields = { name: 'Starter', pokecoinAmount: 10 }
      return shop.post('/api/products', fields, { token, headers: { 'Idempotency-Key': 'product' } })
    }
    expect((await made()).body).toMatchObject((await made()).body)
    expect(JSON.parse((await shop.get('/api/products')).text)).toMatchObject([{ name: 'Starter', price: '0.48' }])
  })

  it('that there is not cannot be changed', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'nonsense']) {
      const patch = async () => shop.patch(`/api/products/${id}`, { name: 'New' }, { token })
      const remove = async () => shop.delete(`/api/products/${id}`, { token })
      for (const ask of [patch, remove])
        expect(await refused(ask)).toMatchObject({ status: 404, code: 'product/not-found' })
    }
  })
})
