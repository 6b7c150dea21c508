import { beforeEach, expect } from 'vitest'
import { expireOrder } from '../../src/commands/order-verbs.ts'
import { systemCaller } from '../../src/shop/command-context.ts'
import { systemRandom } from '../../src/process/system.ts'
import { placedBy } from '../../src/testing/orders.ts'
import type { Buyer } from './buyer.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { screenLooks, wide } from './looks.ts'
import { paidBy } from './paid-orders.ts'
import { logInAt } from './owner.ts'

const isApi = (url: URL) => url.pathname.startsWith('/api/')
const isStaffData = (url: URL) =>
  /^\/api\/(?:orders|admin\/(?:analytics|to-deliver)|payment-settings|products)/.test(url.pathname)
const adminAddresses = ['/admin', '/admin/orders', '/admin/products', '/admin/settings']
const YEAR_MS = 366 * 24 * 60 * 60_000
const AFTER_EXPIRY_MS = 61 * 60_000

/** Requests stay pending. */
const unanswered = async () => undefined

describeInBrowser('rare states', builtShop(), (stage) => {
  let token: string

  beforeEach(async () => {
    token = await stage.shop.logIn()
  })

  const place = async (changes?: Record<string, unknown>) => placedBy(stage.shop, changes)

  async function changeSettings(change: Record<string, unknown>): Promise<void> {
    const headers = 'currentStock' in change ? {} : { 'If-Match': '*' }
    expect(await stage.shop.patch('/api/payment-settings', change, { token, headers })).toMatchObject({ status: 200 })
  }

  stage.walk('screens show what is loading and what could not be loaded', screenLooks, async (visitor) => {
    const orderId = await place()
    await visitor.page.route(isApi, unanswered)
    for (const [address, title] of [
      ['/', /./],
      ['/purchase', 'How many coins?'],
      [`/checkout/${orderId}`, 'Check your order'],
      [`/order/${orderId}/payment-method`, /./],
      [`/order/${orderId}/payment`, 'Payment'],
      [`/order/${orderId}/confirm`, 'Your order'],
      [`/order/${orderId}`, 'Your order'],
    ] as const)
      await shows(visitor, address, title)
    await shows(visitor, '/admin', 'Admin Dashboard', 'Checking authentication...')
    await visitor.page.unroute(isApi)
    await visitor.page.route(isApi, async (route) => route.abort())
    await shows(visitor, '/purchase', /./, 'Price and stock could not be loaded')
    await shows(visitor, `/order/${orderId}`, /./, 'Your order could not be loaded')
    await shows(visitor, '/admin', /./, 'Whether you are logged in could not be checked')
    await visitor.page.route('**/assets/about-us-*.js', async (route) => route.abort())
    await shows(visitor, '/about-us', 'This page could not be shown', 'Load again')
  })

  stage.walk('screens show that everything is sold out, or can be pre-ordered', screenLooks, async (visitor) => {
    await changeSettings({ currentStock: 0 })
    const { page, see } = visitor
    const main = page.getByRole('main')
    await shows(visitor, '/', /./, 'Out of Stock', 'Delivery in seconds to 30 seconds')
    await main.getByText('Sold out', { exact: true }).waitFor()
    expect(await page.getByRole('link', { name: /buy|place.*order/i }).count()).toBe(0)
    await shows(visitor, '/purchase', 'How many coins?', 'Out of Stock')
    expect(await page.getByRole('button', { name: /^10M/ }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0)
    await changeSettings({ preOrdersEnabled: true })
    await page.getByRole('button', { name: /^10M/ }).click()
    for (const [stock, notice] of [
      [0, 'Sold out: you can pre-order'],
      [5, 'This is a pre-order'],
    ] as const) {
      await changeSettings({ currentStock: stock })
      await main.getByText(notice).waitFor()
      expect(await main.getByText(/the coins are delivered within 7-10 days/).count()).toBe(1)
      await see('How many coins?')
    }
    await changeSettings({ currentStock: 0 })
    await shows(visitor, '/', /./, 'Sold out: you can pre-order')
    await page.getByRole('link', { name: 'Pre-order coins' }).waitFor()
    await page.getByRole('link', { name: 'Pre-order 10M' }).waitFor()
    expect(await page.getByText(/seconds/).count()).toBe(0)
  })

  stage.walk(
    'the shop takes no orders while every method is off, and names no method that is off',
    wide,
    async (visitor) => {
      const { page } = visitor
      await changeSettings({ paypalEnabled: false, cryptoEnabled: false })
      await shows(visitor, '/', /./, 'pay by UPI. No account.')
      expect(await page.getByText(/paypal|crypto|usdt/i).count()).toBe(0)
      await page.getByRole('link', { name: 'Buy Now' }).waitFor()
      await changeSettings({ upiEnabled: false })
      await shows(visitor, '/', /./, 'We take no orders right now')
      expect(await page.getByText(/upi|paypal|crypto/i).count()).toBe(0)
      expect(await page.getByRole('link', { name: /buy|place.*order/i }).count()).toBe(0)
      await shows(visitor, '/purchase', 'How many coins?', 'We take no orders right now')
      expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0)
      await changeSettings({ cryptoEnabled: true })
      await page.getByRole('button', { name: 'Continue' }).waitFor()
      expect(await page.getByRole('link', { name: 'Buy Now' }).count()).toBe(0)
    },
  )

  stage.walk('screens show how an order ended, and that staff review it', screenLooks, async (visitor) => {
    const expired = await place({ paymentMethod: 'upi' })
    const cancelled = await place()
    await stage.shop.post(`/api/orders/${cancelled}/cancel`, {}, { token })
    const over = await paidBy(stage.shop, { discordUsername: 'sandbox-over' })
    stage.shop.advance(AFTER_EXPIRY_MS)
    await expireOrder(stage.shop.context, systemCaller(systemRandom), { orderId: expired })
    const { page } = visitor
    await shows(visitor, `/order/${expired}`, /^Order/, 'The time to pay ran out')
    // No payment was started, so none has failed.
    await page.getByText('Not paid', { exact: true }).waitFor()
    expect(await page.getByText('Failed').count()).toBe(0)
    await shows(visitor, `/checkout/${expired}`, 'Check your order', 'Place New Order')
    await shows(visitor, `/order/${expired}/payment-method`, 'There is nothing to pay now', 'The time to pay ran out')
    await shows(visitor, `/order/${expired}/payment`, 'Payment', 'Place New Order')
    await shows(visitor, `/order/${expired}/confirm`, 'This order has ended')
    expect(await page.getByText('Payment Cancelled').count()).toBe(0)
    await shows(visitor, `/order/${cancelled}`, /^Order/, 'This order was cancelled')
    await shows(visitor, `/order/${over}`, /^Order/, /^You paid \$[\d.]+ too much\. The shop pays it back\.$/)
    expect(await page.getByText(/will look at the payment/).count()).toBe(0)
  })

  stage.walk('screens show that a method is off, or that none is available', screenLooks, async (visitor) => {
    const byUpi = await place({ paymentMethod: 'upi' })
    const undecided = await place()
    await changeSettings({ upiEnabled: false })
    await shows(visitor, `/order/${byUpi}/payment`, 'Pay by UPI', 'UPI cannot be used for this order now')
    const none = 'No payment method selected or invalid payment method.'
    await shows(visitor, `/order/${undecided}/payment`, 'Payment', none)
    await shows(visitor, `/order/${undecided}/confirm`, 'Not paid yet')
    await changeSettings({ paypalEnabled: false, cryptoEnabled: false })
    const title = 'How do you want to pay?'
    await shows(visitor, `/order/${undecided}/payment-method`, title, 'Currently unavailable')
  })

  stage.walk('staff screens show an empty, loading or unreachable shop', screenLooks, async (owner) => {
    const { page } = owner
    const title = 'Admin Dashboard'
    await logInAt(owner, '/admin')
    await shows(owner, '/admin', title, 'No order was completed yet')
    await shows(owner, '/admin/orders', title, 'No orders found')
    await page.route(isStaffData, unanswered)
    for (const address of adminAddresses) await shows(owner, address, title, /^Loading /)
    await page.unroute(isStaffData)
    await page.route(isStaffData, async (route) => route.abort())
    await shows(owner, '/admin', title, 'The orders to deliver could not be loaded')
    for (const address of adminAddresses)
      await shows(owner, address, title, /could not be loaded|Failed to fetch orders/)
  })

  stage.walk(
    'a search that matches more orders than are found says so, and offers no file',
    screenLooks,
    async (owner) => {
      await place()
      const { page } = owner
      await logInAt(owner, '/admin/orders')
      await page.getByRole('link', { name: 'Export CSV' }).waitFor()
      await page.route('**/api/admin/order-search', async (route) => {
        const response = await route.fetch()
        const list = (await response.json()) as object
        await route.fulfill({ response, json: { ...list, filtered: 1_000, filteredIsExact: false } })
      })
      const texts = ['Filtered Orders (1,000+ of 1)', 'Narrow the search to export it']
      await shows(owner, '/admin/orders#search=a', 'Admin Dashboard', ...texts)
      expect(await page.getByText('Export CSV').count()).toBe(0)
    },
  )

  stage.walk('the order list shows every column at 1280 px, even with long values', wide, async (owner) => {
    await changeSettings({ currentStock: 2000 })
    await paidBy(stage.shop, { discordUsername: 'sandbox-over' })
    // A date of another year is longer.
    stage.shop.advance(YEAR_MS)
    token = await stage.shop.logIn()
    await place({
      customerEmail: `${'a-long-name-'.repeat(4)}@example.com`,
      discordUsername: 'a_long_discord_name_of_32_letters',
      pokecoinAmount: 1000,
      totalAmount: '35.00',
      marketIds: Array.from({ length: 20 }, () => ({ marketId: '12345678', amount: 50 })),
    })
    const { page } = owner
    await logInAt(owner, '/admin/orders')
    await page.getByText('20 IDs').waitFor()
    const hidden = async () =>
      page.getByRole('region', { name: 'Orders' }).evaluate((list) => list.scrollWidth - list.clientWidth)
    await expect.poll(hidden).toBe(0)
    await owner.press('Select')
    await owner.button(/^Select All/).waitFor()
    await expect.poll(hidden).toBe(0)
  })
})

/** Opens a screen, waits for its texts and checks its accessibility. */
async function shows({ page, see }: Buyer, address: string, title: string | RegExp, ...texts: (string | RegExp)[]) {
  await page.goto(address)
  for (const text of texts) await page.getByText(text).first().waitFor()
  await see(title)
}
