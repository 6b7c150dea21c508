import { beforeEach, expect, it } from 'vitest'
import { SETTINGS_STREAM, STOCK_STREAM } from '../../domain/stream-names.ts'
import { orderBody } from '../../testing/orders.ts'
import { shopOfEach } from '../../testing/shops.ts'
import { wirePositions } from '../http/wire-positions.ts'

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

const changesOf = async (stream: string) => (await shop.eventsOf(stream)).slice(1).map(({ type }) => type)
const ifMatch = (revision: unknown) => ({ 'If-Match': `"${String(revision)}"` })

it('prices and stock are changed by one call, each once per key', async () => {
  const settings = (await shop.get('/api/payment-settings')).body
  const sold = await shop.post('/api/orders', orderBody({ pokecoinAmount: 50 }))
  expect(sold.status).toBe(201)
  const both = { basePricePerMillion: 0.07, upiEnabled: false, currentStock: 1_200, currentStockSeen: 1_000 }
  const headers = { 'Idempotency-Key': 'both', ...ifMatch(settings['revision']) }
  for (let time = 0; time < 2; time += 1) {
    const { status, body, headers: answered } = await change(both, headers)
    expect({ status, ...body }).toMatchObject({
      status: 200,
      basePricePerMillion: 0.07,
      upiEnabled: false,
      currentStock: 1_150,
      revision: Number(settings['revision']) + 1,
    })
    const positions = wirePositions(shop.context.keys.secretFor('position'))
    expect(answered.get('x-position')).toBe(positions.seal(await shop.context.log.head()))
  }
  expect(await changesOf(SETTINGS_STREAM)).toEqual(['SettingsChanged'])
  expect(await changesOf(STOCK_STREAM)).toEqual(['StockReserved', 'StockAdjusted'])
})

it('the whole object of a GET can be sent back', async () => {
  const { body } = await shop.get('/api/payment-settings')
  expect(await change(body)).toMatchObject({ status: 200, body })
  expect([...(await changesOf(SETTINGS_STREAM)), ...(await changesOf(STOCK_STREAM))]).toEqual([])
  expect(await change({ ...body, revision: 99, pack1Amount: 11 })).toMatchObject({
    status: 200,
    body: { ...body, pack1Amount: 11, revision: Number(body['revision']) + 1 },
  })
})

it('a refused stock beside other settings says that these were changed', async () => {
  const { status, body } = await change({ pack1Amount: 11, currentStock: 10, currentStockSeen: 2_000 })
  expect({ status, ...body }).toMatchObject({
    status: 409,
    code: 'inventory/below-zero',
    message:
      'Only 1000M are in stock; it cannot be lowered by 1990M. The other settings were changed; only the stock was not.',
    currentStock: 1_000,
    current: { pack1Amount: 11, currentStock: 1_000, revision: 1 },
  })
})

it('refused settings leave the stock beside them as it is', async () => {
  expect((await change({ basePricePerMillion: 0, currentStock: 10 })).body['message']).toBe(
    'The base price must be at least 0.01: at 0 nothing could be sold.',
  )
  expect((await change({ upiEnabled: false, currentStock: 10 }, ifMatch(7))).body['code']).toBe('settings/changed')
  expect((await change({ currentStock: 10 }, { 'If-Match': 'newest' })).status).toBe(400)
  expect((await change({ upiEnabled: false, currentStock: 10 }, { 'Idempotency-Key': 'ü' })).status).toBe(400)
  expect([...(await changesOf(SETTINGS_STREAM)), ...(await changesOf(STOCK_STREAM))]).toEqual([])
})

it('the stock alone is not changed over settings that the sender has not seen', async () => {
  const { revision } = (await shop.get('/api/payment-settings')).body
  await change({ pack1Amount: 11 })
  const late = await change({ currentStock: 900 }, ifMatch(revision))
  expect(late).toMatchObject({ status: 412, body: { code: 'settings/changed', current: { pack1Amount: 11 } } })
  const current = Number(revision) + 1
  expect((await change({ currentStock: 900 }, ifMatch(current))).body['currentStock']).toBe(900)
  // A sale is no change of the settings.
  await shop.post('/api/orders', orderBody({ pokecoinAmount: 50 }))
  const edit = { currentStock: 1_000, currentStockSeen: 900 }
  expect((await change(edit, ifMatch(current))).body['currentStock']).toBe(950)
})
