import { beforeEach, expect, it } from 'vitest'
import { shopOfEach } from '../../testing/shops.ts'

const shop = shopOfEach()
let token: string
beforeEach(async () => {
  token = await shop.logIn()
})

async function change(body: unknown, headers: Record<string, string> = {}) {
  return shop.patch('/api/payment-settings', body, { token, headers })
}

const history = async () => (await shop.get('/api/admin/setting-changes', { token })).body

it('the history of the settings has the 200 newest changes', async () => {
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

it('the stock changes by the difference to what staff saw, once per key', async () => {
  await change({ currentStock: 950 })
  const edit = { currentStock: 1_100, currentStockSeen: 1_000 }
  for (let time = 0; time < 2; time += 1)
    expect((await change(edit, { 'Idempotency-Key': 'stock-edit' })).body['currentStock']).toBe(1_050)
})

it('a product is created once per key', async () => {
  const made = async () => {
    const fields = { name: 'Starter', pokecoinAmount: 10 }
    return shop.post('/api/products', fields, { token, headers: { 'Idempotency-Key': 'product' } })
  }
  expect((await made()).body).toMatchObject((await made()).body)
  expect(JSON.parse((await shop.get('/api/products')).text)).toMatchObject([{ name: 'Starter', price: '0.48' }])
})
