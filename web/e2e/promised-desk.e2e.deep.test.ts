import { beforeEach, describe, expect, it } from 'vitest'
import { expireOrder } from '../../src/commands/expire-order.ts'
import { systemCaller } from '../../src/shop/shop.ts'
import { systemRandom } from '../../src/system.ts'
import { orderBody } from '../../src/testing/orders.ts'
import { ADMIN_EMAIL, ADMIN_PASSWORD, startShop, type TestShop } from '../../src/testing/start-shop.ts'
import type { Buyer } from './buyer.ts'
import { describeInBrowser } from './in-browser.ts'
import { logIn } from './owner.ts'
import { requestsOf } from './requests.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const AFTER_EXPIRY_MS = 61 * MINUTE_MS
const RULE = 'Enter a whole number from'
/** Each field of the settings, what stands in it, and what it does not take. */
const fields: readonly (readonly [label: string, value: string, wrong: readonly string[], problem: string])[] = [
  ['Current stock', '1000', ['-1', '1.5', ''], `${RULE} 0`],
  ['Base price per million', '0.05', ['0', '0.005', 'abc'], 'Enter a number with at most 2 decimals from 0.01'],
  ['Bulk discount', '0', ['-1', '101', '2.5'], `${RULE} 0 to 100.`],
  ...[10, 50, 100, 200, 300, 500].flatMap((amount, index) => {
    const discount = [5, 10, 15, 20, 25, 30][index]
    return [
      [`Pack ${index + 1} amount`, `${amount}`, ['0', '1.5'], `${RULE} 1`],
      [`Pack ${index + 1} discount`, `${discount}`, ['-1', '101'], `${RULE} 0 to 100.`],
    ] as const
  }),
]

const tab = ({ page }: Buyer, name: string) => page.getByRole('tab', { name })
const orders = ({ page }: Buyer) => page.getByRole('region', { name: 'Orders' })
const details = ({ page }: Buyer) => page.getByRole('dialog', { name: /^Order Details - / })
const fact = (owner: Buyer, name: string) =>
  details(owner)
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${name}`) })
    .locator('xpath=..')
    .getByRole('definition')

describeInBrowser('the promised desk', (stage) => {
  let shop: TestShop
  let token: string

  beforeEach(async () => {
    shop = await startShop({ engines: 'sqlite', config: { webFolder: stage.webFolder() } })
    token = await shop.logIn()
    return async () => shop.stop()
  })

  const visit = async (walk: (owner: Buyer) => Promise<void>) => stage.visit(shop, { width: 1280 }, walk)

  async function place(name: string, changes: Record<string, unknown> = {}): Promise<string> {
    const body = orderBody({ discordUsername: name, customerEmail: `${name}@example.com`, ...changes })
    const { status, body: placed, text } = await shop.post('/api/orders', body)
    expect({ status, text }).toMatchObject({ status: 201 })
    shop.advance(MINUTE_MS)
    return String(placed['id'])
  }

  it('is opened by e-mail and password, and says why not', async () => {
    await visit(async (owner) => {
      const { page, press, heading, toast } = owner
      await page.goto('/about-us')
      await page.goto('/admin')
      await heading('Admin Login').waitFor()
      await press('Cancel')
      await page.waitForURL('**/about-us')
      await page.goto('/admin/orders')
      const email = page.getByLabel('E-mail')
      expect(await email.getAttribute('type')).toBe('email')
      await press('Login')
      await toast('Login failed. Please check your credentials.').waitFor()
      // Nothing is said of the fields.
      expect(await page.getByRole('alert').count()).toBe(0)
      expect(await page.locator('[aria-invalid]').count()).toBe(0)

      await email.fill(ADMIN_EMAIL)
      await page.getByLabel('Password').fill(ADMIN_PASSWORD)
      const answered = Promise.withResolvers<undefined>()
      let message = ''
      await page.route('**/api/admin/login', async (route) => {
        await answered.promise
        await route.fulfill({ json: { success: false, token: null, message } })
      })
      await press('Login')
      await page.getByRole('button', { name: 'Logging in...' }).waitFor()
      answered.resolve(undefined)
      await toast(/^Login failed$/).waitFor()
      message = 'Come back tomorrow.'
      await press('Login')
      await toast('Come back tomorrow.').waitFor()
      await toast(/^Error$/).waitFor()
      await page.unroute('**/api/admin/login')
      const [list] = await Promise.all([
        page.waitForRequest((request) => new URL(request.url()).pathname === '/api/orders'),
        press('Login'),
      ])
      expect(list.headers()['authorization']).toMatch(/^Bearer \S+$/)
      await toast(/^Success$/).waitFor()
      await toast('Successfully logged in as admin').waitFor()
      expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Dashboard', 'Orders', 'Settings'])
      await page.getByRole('button', { name: 'Close', exact: true }).waitFor()
      await press('Logout')
      await toast(/^Logged Out$/).waitFor()
      for (const label of ['E-mail', 'Password']) expect(await page.getByLabel(label).inputValue()).toBe('')
      const [next] = await Promise.all([page.waitForRequest('**/api/admin/login'), press('Login')])
      expect(next.headers()).not.toHaveProperty('authorization')
    })
  })

  it('draws a month at a tenth of the largest at least, and lists the five newest orders', async () => {
    const cheap = { pokecoinAmount: 4, totalAmount: '0.20' }
    await shop.post('/api/complete-payment', { orderId: await place('misty', cheap) }, { token })
    shop.advance(31 * DAY_MS)
    token = await shop.logIn()
    await shop.post('/api/complete-payment', { orderId: await place('brock') }, { token })
    for (const name of ['ash', 'gary', 'jessie', 'james', 'meowth']) await place(name)
    await visit(async (owner) => {
      const { page } = owner
      await at(owner, '/admin')
      const barOf = async (month: RegExp) =>
        page
          .getByRole('row', { name: month })
          .evaluate((row) => row.querySelector('[style]')?.getBoundingClientRect().width ?? 0)
      const largest = await barOf(/February 2026.*\$2\.25/)
      expect((await barOf(/January 2026.*\$0\.20/)) / largest).toBeCloseTo(0.1, 2)
      const recent = page.getByRole('region', { name: 'Recent Orders' })
      expect(await recent.getByRole('columnheader').allInnerTexts()).toEqual([
        'Order',
        'Discord',
        'Pokecoins',
        'Amount',
        'Status',
        'Date',
      ])
      const rows = await recent.getByRole('row').allInnerTexts()
      expect(rows.slice(1).map((row) => row.split('\t')[1]?.trim())).toEqual([
        'meowth',
        'james',
        'jessie',
        'gary',
        'ash',
      ])

      const { body } = await shop.get('/api/admin/analytics', { token })
      const monthlyRevenue = Array.from({ length: 13 }, (_, index) => ({
        month: new Date(Date.UTC(2025, 1 + index)).toISOString().slice(0, 7),
        revenue: 10,
      }))
      await page.route('**/api/admin/analytics', async (route) => route.fulfill({ json: { ...body, monthlyRevenue } }))
      await page.reload()
      const trend = page.getByRole('region', { name: 'Monthly Revenue Trend' })
      const months = trend.getByRole('row', { name: /\$10\.00/ })
      await trend.getByRole('row', { name: /^February 2026/ }).waitFor()
      expect(await months.count()).toBe(12)
      await owner.press('Show all 13 months')
      await trend.getByRole('row', { name: /^February 2025/ }).waitFor()
      expect(await months.count()).toBe(13)
    })
  })

  describe('of the orders', () => {
    it('searches by what the spec names, newest first, in a list that scrolls', async () => {
      const misty = await place('misty', { paymentMethod: 'paypal', pokecoinAmount: 100, totalAmount: '4.25', ...two })
      await shop.post('/api/complete-payment', { orderId: misty }, { token })
      const brock = await place('brock', { paymentMethod: 'upi' })
      const gary = await place('gary')
      const { body } = await shop.get(`/api/orders/${misty}`)
      await visit(async (owner) => {
        const { page } = owner
        await at(owner, '/admin/orders')
        await page.getByText('All Orders (3)').waitFor()
        const names = orders(owner).getByRole('cell', { name: /^(?:misty|brock|gary)$/ })
        expect(await names.allInnerTexts()).toEqual(['gary', 'brock', 'misty'])
        const height = await orders(owner).evaluate((list) => Number.parseFloat(getComputedStyle(list).maxHeight))
        expect(height).toBe(0.6 * 800)
        // What is completed cannot be approved.
        expect(await page.getByRole('button', { name: /^Approve order/ }).count()).toBe(2)
        for (const word of [String(body['orderNumber']), misty, 'misty@example.com', 'misty', 'paypal', '4.25']) {
          await page.getByLabel('Search orders').fill(word)
          await page.getByText('Filtered Orders (1 of 3)').waitFor()
          await expect.poll(async () => names.allInnerTexts()).toEqual(['misty'])
        }
        await page.getByLabel('Search orders').fill('2026-01-01')
        await page.getByText('Filtered Orders (3 of 3)').waitFor()
        await page.getByLabel('Search orders').fill('2026-01-02')
        await page.getByText('No orders found matching your search').waitFor()
        await owner.press('Clear')
        await page.getByText('All Orders (3)').waitFor()

        await page.getByRole('button', { name: 'Select', exact: true }).click()
        await page.getByRole('button', { name: 'Select All', exact: true }).click()
        await page.route('**/api/orders/*', async (route) =>
          route.request().method() === 'DELETE' ? route.abort() : route.continue(),
        )
        await owner.press('Delete (3)')
        await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
        await owner.toast('Failed to delete selected orders: 3 of 3').waitFor()
        await owner.press('Done')
        await page.unroute('**/api/orders/*')
        const sent = requestsOf(page)
        await owner.press('Delete (3)')
        await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
        await owner.toast('Orders Deleted').waitFor()
        const deletions = sent.filter((one) => one.startsWith('DELETE'))
        expect(deletions.toSorted()).toEqual([misty, brock, gary].map((id) => `DELETE /api/orders/${id}`).toSorted())
        await page.getByText('No orders found', { exact: true }).waitFor()
      })
    })

    it('says how far each has come, and offers to approve what may be', async () => {
      const cancelled = await place('cancelled')
      await shop.post(`/api/orders/${cancelled}/cancel`, {})
      const expired = await place('expired')
      shop.advance(AFTER_EXPIRY_MS)
      await expireOrder(shop.shop, systemCaller(systemRandom), { orderId: expired })
      await shop.post('/api/complete-payment', { orderId: await place('approved') }, { token })
      await place('pending')
      for (const name of ['waiting', 'sandbox-slow', 'sandbox-short']) {
        const orderId = await place(name, { paymentMethod: 'crypto' })
        const payment = { amount: '2.25', orderId }
        expect(await shop.post('/api/crypto/create-payment', payment)).toMatchObject({ status: 200 })
        if (name !== 'waiting') await shop.pay(orderId)
      }
      await visit(async (owner) => {
        const { page } = owner
        await at(owner, '/admin/orders')
        await page.getByText('All Orders (7)').waitFor()
        for (const [name, status, mayApprove] of [
          ['cancelled', 'Cancelled', false],
          ['expired', 'Expired', false],
          ['approved', 'Completed', false],
          ['pending', 'Processing', true],
          ['waiting', 'Processing', true],
          ['sandbox-slow', 'Processing', true],
          ['sandbox-short', 'Processing', true],
        ] as const) {
          const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) })
          await row.getByText(status, { exact: true }).waitFor()
          const approve = row.getByRole('button', { name: /^Approve order/ })
          expect({ name, mayApprove: (await approve.count()) === 1 }).toEqual({ name, mayApprove })
        }
      })
    })

    it('shows the whole of one', async () => {
      const undecided = await place('gary', { pokecoinAmount: 100, totalAmount: '4.25', ...two })
      const byBank = await place('brock', { paymentMethod: 'upi' })
      const upi = { amount: '2.25', orderId: byBank, customerInfo: { customerPhone: '9876543210' } }
      expect(await shop.post('/api/upigateway/create-order', upi)).toMatchObject({ status: 200 })
      await visit(async (owner) => {
        const { page } = owner
        await at(owner, `/admin/orders/${undecided}`)
        const limits = await details(owner).evaluate((dialog) => {
          const { maxWidth, maxHeight } = getComputedStyle(dialog)
          return [maxWidth, maxHeight]
        })
        // 6xl is 72 rem.
        expect(limits).toEqual(['1152px', `${0.9 * 800}px`])
        for (const [name, value] of [
          ['ID', undecided],
          ['Payment Method', 'Litecoin'],
          ['Subtotal', '$4.25'],
          ['Total Price', '$4.25'],
          ['E-mail', 'gary@example.com'],
          ['Discord username', 'gary'],
        ] as const)
          expect(await fact(owner, name).first().innerText()).toContain(value)
        const numbered = details(owner).getByRole('list').first().getByRole('listitem')
        expect(await numbered.allInnerTexts()).toEqual(['12345678 (50M)', '23456789 (50M)'])
        await details(owner).getByRole('row', { name: 'Pokétwo Pokécoins 100M $4.25' }).waitFor()
        await details(owner).getByRole('heading', { name: 'Payment Transactions' }).waitFor()

        await page.goto(`/admin/orders/${byBank}`)
        await details(owner).getByText('$2.25 (₹194.63)').waitFor()
        expect(await fact(owner, 'Confirmed').innerText()).toBe('No')
        const { body } = await shop.get(`/api/orders/${byBank}`, { token })
        expect(await fact(owner, 'Payment ID').innerText()).toBe(body['paymentId'])
        expect(await fact(owner, 'Created At').innerText()).toMatch(/^1 Jan 2026, \d\d:01 \S+$/)
        expect(await fact(owner, 'Created$').innerText()).toMatch(/^1 Jan 2026, \d\d:02 \S+$/)
        await shop.pay(byBank)
        await expect.poll(async () => fact(owner, 'Confirmed').innerText()).toBe('Yes')
        await fact(owner, 'Completed At').waitFor()

        await page.route(`**/api/orders/${byBank}`, async (route) => {
          const response = await route.fetch()
          const order = (await response.json()) as object
          await route.fulfill({ response, json: { ...order, pokecoinAmount: 0, paymentMethod: 'paypal' } })
        })
        await page.reload()
        await details(owner).getByRole('heading', { name: 'PayPal Transactions' }).waitFor()
        await details(owner).getByRole('row', { name: 'Pokétwo Pokécoins 5M' }).waitFor()
      })
    })
  })

  it('saves each setting when it is left, if it is a number that differs', async () => {
    await visit(async (owner) => {
      const { page } = owner
      await page.goto('/')
      await page.getByRole('banner').getByRole('link', { name: 'Admin' }).click()
      await logIn(owner)
      await tab(owner, 'Settings').click()
      await page.getByLabel('Current stock').waitFor()
      const sent = requestsOf(page)
      for (const [label, value, wrong, problem] of fields) {
        const field = page.getByLabel(label, { exact: true })
        await expect.poll(async () => field.inputValue()).toBe(value)
        for (const text of wrong) {
          await field.fill(text)
          await field.blur()
          const said = await page.getByRole('alert').first().innerText()
          expect({ label, text, said: said.replaceAll('\u00A0', ' ') }).toMatchObject({
            said: expect.stringContaining(problem),
          })
        }
        await field.fill(value)
        await field.blur()
        await page.getByRole('alert').waitFor({ state: 'detached' })
      }
      for (const name of [/^PayPal/, /^Crypto/, /^UPI/])
        expect(await page.getByRole('switch', { name }).isChecked()).toBe(true)
      expect(await page.getByRole('switch', { name: /^Pre-orders/ }).isChecked()).toBe(false)
      expect(sent.filter((one) => one.startsWith('PATCH'))).toEqual([])

      await page.getByLabel('Bulk discount').fill('7')
      await page.getByLabel('Bulk discount').blur()
      await owner.toast('Settings updated successfully').waitFor()
      await owner.toast(/^Success$/).waitFor()
      await expect
        .poll(() => sent)
        .toEqual(expect.arrayContaining(['PATCH /api/payment-settings', 'GET /api/payment-settings']))
      const body = (await shop.get('/api/payment-settings')).body
      expect(body).toMatchObject({ bulkDiscountPercent: 7 })
      // Its history hears of it at once.
      await expect
        .poll(async () => page.getByRole('row', { name: /^Bulk discount 0% 7%/ }).count(), { timeout: 10_000 })
        .toBe(1)
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      await page.getByRole('region', { name: 'Price and stock' }).getByText('$0.0465', { exact: true }).waitFor()
    })
  })
})

const two = {
  marketIds: [
    { marketId: '12345678', amount: 50 },
    { marketId: '23456789', amount: 50 },
  ],
}

async function at(owner: Buyer, address: string): Promise<void> {
  await owner.page.goto(address)
  await logIn(owner)
}
