import { describe, expect, it } from 'vitest'
import { SETTINGS_STREAM } from '../../domain/stream-names.ts'
import { orderBody } from '../../testing/orders.ts'
import { providerOfTest, shopOfTest } from '../../testing/shops.ts'

const env = { SHOP_NAME: 'By variable', DISCORD_SERVER_URL: 'https://discord.gg/variable', SUPPORT_EMAIL: '' }

async function shopOf(options: Parameters<typeof shopOfTest>[0] = {}) {
  const shop = await shopOfTest(options)
  const token = await shop.logIn()
  return {
    ...shop,
    token,
    info: async () => (await shop.get('/api/shop')).body,
    forStaff: async () => (await shop.get('/api/admin/shop', { token })).body,
    change: async (body: object) => shop.patch('/api/payment-settings', body, { token }),
  }
}

it('a text is the owner’s once it is set, else the variable’s, else the default', async () => {
  const { info, change, eventsOf } = await shopOf({ env })
  const unset = { name: 'By variable', game: null, coin: null, discordDmUrl: null, supportEmail: null }
  expect(await info()).toMatchObject({ ...unset, discordServerUrl: 'https://discord.gg/variable' })
  const [opening, ...others] = await eventsOf(SETTINGS_STREAM)
  expect(others).toEqual([])
  expect(JSON.stringify(opening?.data)).not.toMatch(/Name|Url|Email|seller/)

  await change({ shopName: 'My shop', gameName: 'My game', coinName: 'Gems', supportEmail: 'me@shop.test' })
  await change({ discordServerUrl: 'https://discord.gg/mine' })
  expect(await info()).toMatchObject({
    name: 'My shop',
    game: 'My game',
    coin: 'Gems',
    discordServerUrl: 'https://discord.gg/mine',
    supportEmail: 'me@shop.test',
  })
  await change({ shopName: '', gameName: '', coinName: '', discordServerUrl: '', supportEmail: '' })
  expect(await info()).toMatchObject({ ...unset, discordServerUrl: 'https://discord.gg/variable' })
})

it('only a shop that takes no real money shows an example of a contact, and only without any other', async () => {
  const none = { SUPPORT_EMAIL: '' }
  expect(await (await shopOf({ env: none })).info()).toMatchObject({ supportEmail: 'help@shop.example' })
  const live = await shopOf({ env: none, payments: { kind: 'live' } })
  expect(await live.info()).toMatchObject({ discordDmUrl: null, discordServerUrl: null, supportEmail: null })
  const withLink = await shopOf({ env: { ...none, DISCORD_DM_URL: 'https://discord.com/users/1' } })
  expect(await withLink.info()).toMatchObject({ supportEmail: null })
})

it('the texts of the settings are read by staff alone, the seller also by the browser that placed an order', async () => {
  const shop = await shopOf()
  const seller = { name: 'Example Trading', address: '1 Market Road', taxNumber: '32ABCDE', line: 'No tax is charged.' }
  await shop.change({ sellerName: seller.name, sellerAddress: seller.address, gameName: 'Game' })
  await shop.change({ sellerTaxNumber: seller.taxNumber, sellerLine: seller.line })
  const placed = await shop.post('/api/orders', orderBody())
  const order = `/api/orders/${String(placed.body['id'])}`
  const cookie = placed.headers
    .getSetCookie()
    .map((one) => one.split(';', 1).join(''))
    .join('; ')
  expect((await shop.get(order, { headers: { cookie } })).body['seller']).toEqual(seller)
  expect((await shop.get(order, { token: shop.token })).body['seller']).toEqual(seller)
  for (const path of [order, '/api/shop', '/api/payment-settings', '/api/pricing']) {
    const { status, text } = await shop.get(path)
    expect([path, status]).toEqual([path, 200])
    for (const own of Object.values(seller)) expect([path, text.includes(own)]).toEqual([path, false])
  }
  const { body } = await shop.get('/api/payment-settings', { token: shop.token })
  expect(body).toMatchObject({ sellerName: seller.name, gameName: 'Game', coinName: '' })
  expect((await shop.get('/api/admin/shop')).status).toBe(401)
})

it('the owner’s words are in refusals and messages, and the spec’s until they are set', async () => {
  const shop = await shopOf()
  await shop.change({ currentStock: 55 })
  const sayings = async () => {
    const { body } = await shop.post('/api/orders', orderBody({ pokecoinAmount: 60, totalAmount: '2.70' }))
    const placed = await shop.post('/api/orders', orderBody({ pokecoinAmount: 1, totalAmount: '0.05' }))
    const orderId = placed.body['id']
    await shop.post('/api/complete-payment', { orderId }, { token: shop.token })
    const delivered = await shop.post('/api/process-order', { orderId })
    return [body['message'], delivered.body['message']]
  }
  expect(await sayings()).toEqual([
    'Only 55M Pokecoins available in stock',
    'Your Pokécoins have been delivered successfully!',
  ])
  const title = async () => (await shop.get('/api/openapi.json')).body['info']
  expect(await title()).toMatchObject({ title: 'Test shop API' })
  await shop.change({ coinName: 'Gems', shopName: 'My shop' })
  expect(await sayings()).toEqual(['Only 54M Gems available in stock', 'Your Gems have been delivered successfully!'])
  expect(await title()).toMatchObject({ title: 'My shop API' })
})

it('PayPal shows the payer the owner’s name and coins', async () => {
  const shop = await providerOfTest('paypal')
  const token = await shop.logIn()
  const bodies = () => shop.double.calls.filter(({ path }) => path === '/v2/checkout/orders').map(({ body }) => body)
  const buy = async () => {
    const { id } = (await shop.post('/api/orders', orderBody({ paymentMethod: 'paypal' }))).body
    const { body } = await shop.get(`/api/orders/${String(id)}`)
    const [{ payable: amount } = { payable: '' }] = (body['methods'] as { payable: string }[]) ?? []
    await shop.post('/api/paypal/order', { amount, currency: 'USD', intent: 'CAPTURE', orderId: id })
  }
  await buy()
  await shop.patch('/api/payment-settings', { shopName: 'My shop', coinName: 'Gems' }, { token })
  await buy()
  const [before = '', after = ''] = bodies()
  expect(before).toMatch(/"description":"50M, order /)
  expect(after).toMatch(/"description":"50M Gems, order /)
  expect(after).toContain('"brand_name":"My shop"')
})

describe('the first day', () => {
  const undone = { price: false, seller: false, contact: false, payments: false, password: false, order: false }

  it('each tick is done by what it names, and stays so', async () => {
    const shop = await shopOf({ env: { SUPPORT_EMAIL: '' } })
    const done = async () => (await shop.forStaff())['firstDay']
    expect(await shop.forStaff()).toMatchObject({ firstDay: undone, isDismissed: false, isOpeningPriceOnSale: false })
    await shop.change({ gameName: 'Game', coinName: 'Gems' })
    expect(await done()).toEqual(undone)
    await shop.change({ sellerName: 'Seller', discordDmUrl: 'https://discord.com/users/1', priceConfirmed: true })
    const placed = await shop.post('/api/orders', orderBody())
    await shop.delete(`/api/orders/${String(placed.body['id'])}`, { token: shop.token })
    await shop.caughtUp()
    const set = { ...undone, price: true, seller: true, contact: true, order: true }
    expect(await done()).toEqual(set)
    await shop.setPasswordElsewhere('another long password')
    await shop.context.hot.admin.refresh()
    const { body } = await shop.post('/api/admin/login', {
      email: 'owner@localhost',
      password: 'another long password',
    })
    const after = await shop.get('/api/admin/shop', { token: String(body['token']) })
    expect(after.body['firstDay']).toEqual({ ...set, password: true })
  })

  it('a password of the variable is the owner’s own', async () => {
    const { forStaff } = await shopOf({ env: { ADMIN_PASSWORD: 'correct horse battery' } })
    expect((await forStaff())['firstDay']).toMatchObject({ password: true })
  })

  it('is dismissed for every browser', async () => {
    const { forStaff, change } = await shopOf()
    await change({ firstDayDismissed: true })
    expect(await forStaff()).toMatchObject({ isDismissed: true })
  })

  it('payments are done once each provider whose method is on has sent a webhook', async () => {
    const shop = await providerOfTest('paypal')
    const token = await shop.logIn()
    const isDone = async () => {
      const { body } = await shop.get('/api/admin/shop', { token })
      return (body['firstDay'] as Record<string, boolean>)['payments']
    }
    expect(await isDone()).toBe(false)
    for (const provider of shop.context.providers.paypal) if (provider.health) provider.health.webhookAt = 1
    expect(await isDone()).toBe(true)
    await shop.patch('/api/payment-settings', { paypalEnabled: false }, { token })
    expect(await isDone()).toBe(false)
  })

  it('the opening price is on sale where strangers pay it, until staff change or confirm it', async () => {
    const live = { PAYMENTS: 'live', PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 'secret', PAYPAL_WEBHOOK_ID: 'hook' }
    const isOnSale = async ({ forStaff }: Awaited<ReturnType<typeof shopOf>>) =>
      (await forStaff())['isOpeningPriceOnSale']
    const here = await shopOf({ env: { ...live, PUBLIC_URL: 'http://localhost:3000' } })
    const sandbox = await shopOf({ env: { PUBLIC_URL: 'https://shop.test' } })
    expect([await isOnSale(here), await isOnSale(sandbox)]).toEqual([false, false])
    for (const change of [{ basePricePerMillion: 0.06 }, { priceConfirmed: true }]) {
      const shop = await shopOf({ env: { ...live, PUBLIC_URL: 'https://shop.test' } })
      expect(await isOnSale(shop)).toBe(true)
      await shop.change({ pack1Amount: 12 })
      expect(await isOnSale(shop)).toBe(true)
      await shop.change(change)
      expect(await isOnSale(shop)).toBe(false)
    }
  })
})
