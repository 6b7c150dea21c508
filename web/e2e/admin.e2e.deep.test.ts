import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { byMethod } from '../../src/domain/payment-methods.ts'
import { ADMIN_EMAIL, ADMIN_PASSWORD, startShop, type TestShop } from '../../src/testing/start-shop.ts'
import type { Buyer } from './buyer.ts'
import { pauseClock } from './clock.ts'
import { describeInBrowser } from './in-browser.ts'
import { keyboardOf } from './keyboard.ts'
import { storyLooks } from './looks.ts'
import { logIn } from './owner.ts'

const isData = (url: URL) => /^\/api\/(?:orders|admin\/analytics)/.test(url.pathname)
const tab = ({ page }: Buyer, name: string) => page.getByRole('tab', { name })
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="20"/></svg>'
const DAY_MS = 86_400_000
const dialog = ({ page }: Buyer, name: string | RegExp) => page.getByRole('dialog', { name })

async function figures({ page }: Buyer, wanted: string): Promise<void> {
  await page.getByText('Total Revenue').waitFor()
  const cards = page.locator('dl').first()
  await expect.poll(async () => (await cards.innerText()).replaceAll(/\s+/g, ' ')).toBe(wanted)
}

/** Runs in the page: the tabs that cannot be pressed because something lies over them. */
function coveredTabs(): string[] {
  const covered = [...document.querySelectorAll('[role=tab]')].filter((one) => {
    const { left, top, width, height } = one.getBoundingClientRect()
    return !one.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })
  return covered.map((one) => one.textContent ?? '')
}

/** What an order of so many millions costs on a fresh shop. */
const quotes: Record<number, string> = { 4: '0.20', 5: '0.25', 6: '0.30', 10: '0.48', 120: '5.10', 500: '17.50' }

describeInBrowser('an owner in a browser', (stage) => {
  let shop: TestShop
  let token: string

  // Each walk counts orders and money from nothing.
  beforeEach(async () => {
    shop = await startShop({ engines: 'sqlite', config: { webFolder: stage.webFolder() } })
    token = await shop.logIn()
    return async () => shop.stop()
  })

  async function visit(width: number, colorScheme: 'light' | 'dark', walk: (owner: Buyer) => Promise<void>) {
    await stage.visit(shop, { width, colorScheme }, walk)
  }

  async function place(name: string, quantity: number, changes: Record<string, unknown> = {}): Promise<string> {
    const count = quantity > 99 ? Math.ceil(quantity / 50) : 1
    const marketIds = Array.from({ length: count }, (_, index) => ({
      marketId: `1234567${index}`,
      amount: count === 1 ? quantity : Math.min(50, quantity - index * 50),
    }))
    const { status, body, text } = await shop.post('/api/orders', {
      customerEmail: `${name}@example.com`,
      discordUsername: name,
      marketId: '12345670',
      ...(count > 1 && { marketIds }),
      pokecoinAmount: quantity,
      totalAmount: quotes[quantity],
      ...changes,
    })
    expect({ status, text }).toMatchObject({ status: 201 })
    return String(body['id'])
  }

  async function numberOf(orderId: string): Promise<string> {
    return String((await shop.get(`/api/orders/${orderId}`)).body['orderNumber'])
  }

  async function nameOfTick(orderId: string): Promise<string> {
    return `Select order ${await numberOf(orderId)}`
  }

  async function eventTypes(orderId: string): Promise<string[]> {
    return (await shop.eventsOf(`order-${orderId}`)).map((event) => event.type)
  }

  async function settings(): Promise<Record<string, unknown>> {
    return (await shop.get('/api/payment-settings')).body
  }

  it('holds the list still while orders are selected, and keeps the selection over a session that ended elsewhere', async () => {
    const ids: string[] = []
    for (const name of ['ash', 'brock', 'misty']) ids.push(await place(name, 5))
    const [ash = '', brock = ''] = ids
    await visit(1280, 'light', async (owner) => {
      const { page, press } = owner
      await page.goto('/admin/orders')
      await logIn(owner)
      await press('Select')
      await page.getByRole('checkbox', { name: await nameOfTick(ash) }).check()
      const rows = page.getByRole('region', { name: 'Orders' }).getByRole('row')
      const before = await rows.allInnerTexts()
      await place('jessie', 5)
      await page.getByText('1 selected. 1 new.').waitFor()
      expect(await rows.allInnerTexts()).toEqual(before)
      await owner.see('Admin Dashboard')
      await owner.picture('orders-held')

      // As a logout in another tab does, whose cookie this one shares.
      await page.context().clearCookies()
      await page.route('**/api/orders?**', async (route) =>
        route.fulfill({ status: 401, json: { code: 'admin/not-signed-in', message: 'Log in.' } }),
      )
      await place('james', 5)
      await page.getByText('Your session has ended. Log in to go on where you were.').waitFor()
      await page.unroute('**/api/orders?**')
      await logIn(owner)
      await page.getByText('1 selected.').waitFor()
      expect(await page.getByRole('checkbox', { name: await nameOfTick(ash) }).isChecked()).toBe(true)
      expect(await page.getByRole('checkbox', { name: await nameOfTick(brock) }).isChecked()).toBe(false)

      await press('Delete (1)')
      const question = page.getByRole('dialog', { name: 'Delete this order?' })
      await question.getByRole('listitem').filter({ hasText: 'ash' }).waitFor()
      await question.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('checkbox', { name: await nameOfTick(ash) }).waitFor({ state: 'detached' })
    })
  })

  describe.for(storyLooks)('at $width px, $colorScheme', ({ width, colorScheme }) => {
    it('logs in, reads the figures, and closes one step back', async () => {
      await shop.post('/api/complete-payment', { orderId: await place('misty', 120) }, { token })
      await place('brock', 5)
      await visit(width, colorScheme, async (owner) => {
        const { page, see, press, toast } = owner
        await page.goto('/about-us')
        await page.goto('/admin')
        await see('Admin Login')
        await page.getByLabel('E-mail').fill(ADMIN_EMAIL)
        await page.getByLabel('Password').fill('not the password')
        await press('Login')
        await toast('Login failed. Please check your credentials.').waitFor()
        await see('Admin Login')
        await logIn(owner)
        await toast('Successfully logged in as admin').waitFor()
        expect(await page.evaluate(coveredTabs)).toEqual([])
        await figures(owner, 'Total Revenue $5.10 Total Orders 2 Pokecoins Sold 120M Total Customers 1')
        await page.getByText('Everything that was paid is handed over.').waitFor()
        expect(await page.getByRole('heading', { name: /to deliver$/ }).count()).toBe(0)
        await page.getByRole('row', { name: /January 2026.*\$5\.10/ }).waitFor()
        const recent = page.getByRole('region', { name: 'Recent Orders' })
        await recent.getByText('Processing').waitFor()
        await recent.getByText('Completed').waitFor()
        await see('Admin Dashboard')
        await tab(owner, 'Orders').click()
        await page.getByText('All Orders (2)').waitFor()
        const zoned = page.getByRole('region', { name: 'Orders' }).getByTitle(/^1 Jan 2026, 0\d:\d\d \S+$/)
        expect(await zoned.count()).toBe(2)
        await tab(owner, 'Settings').click()
        await page.getByLabel('Current stock').waitFor()
        await page.getByRole('button', { name: 'Close', exact: true }).click()
        await page.waitForURL(/\/about-us$/)
      })
    })

    it('draws the bars of all months to one scale', async () => {
      await shop.post('/api/complete-payment', { orderId: await place('misty', 120) }, { token })
      shop.advance(31 * DAY_MS)
      token = await shop.logIn()
      await shop.post('/api/complete-payment', { orderId: await place('brock', 500) }, { token })
      await visit(width, colorScheme, async (owner) => {
        const { page } = owner
        await page.goto('/admin')
        await logIn(owner)
        const barOf = async (month: RegExp) =>
          page
            .getByRole('row', { name: month })
            .evaluate((row) => row.querySelector('[style]')?.getBoundingClientRect().width ?? 0)
        const largest = await barOf(/February 2026.*\$17\.50/)
        expect((await barOf(/January 2026.*\$5\.10/)) / largest).toBeCloseTo(5.1 / 17.5, 2)
      })
    })

    it('searches, looks at an order, approves it and deletes others', async () => {
      const misty = await place('misty', 120)
      const [brock, gary] = [await place('brock', 5), await place('gary', 6)]
      await place('ash', 4)
      await visit(width, colorScheme, async (owner) => {
        const { page, see, press, toast } = owner
        await page.goto('/admin/orders')
        await logIn(owner)
        await page.getByText('All Orders (4)').waitFor()
        await page.getByText('3 market IDs').waitFor()
        await page.getByText('12345671 (50M)').waitFor()
        await page.getByText('+1 more...').waitFor()
        await see('Admin Dashboard')

        await page.getByLabel('Search orders').fill('nobody')
        await page.getByText('No orders found matching your search').waitFor()
        await page.getByText('Filtered Orders (0 of 4)').waitFor()
        await see('Admin Dashboard')
        await press('Clear')
        await page.getByText('All Orders (4)').waitFor()
        await page.getByLabel('Search orders').fill('misty@exam')
        await page.getByText('Filtered Orders (1 of 4)').waitFor()
        await page.waitForURL((url) => url.searchParams.get('search') === 'misty@exam')
        await page.getByRole('button', { name: 'Select', exact: true }).click()
        await page.getByRole('button', { name: 'Select All', exact: true }).click()
        await owner.button('Delete (1)').waitFor()
        await press('Clear')
        await page.getByText('All Orders (4)').waitFor()
        expect(await page.getByRole('checkbox', { name: /^Select order/, checked: true }).count()).toBe(1)
        await page.getByRole('checkbox', { name: await nameOfTick(misty), checked: true }).waitFor()
        await press('Cancel')
        await page.getByLabel('Search orders').fill('misty@exam')
        await page.getByText('Filtered Orders (1 of 4)').waitFor()

        await page.getByRole('link', { name: /^View order/ }).click()
        const details = dialog(owner, /^Order Details - /)
        await details.getByText('Complete information about this order').waitFor()
        await page.waitForURL((url) => url.pathname === `/admin/orders/${misty}`)
        await details.getByText('Order of 120M placed for $5.10.').waitFor()
        await details.getByText('No transaction data available').waitFor()
        await details.getByText('Pokétwo Pokécoins').waitFor()
        await see(/./)
        await page.keyboard.press('Escape')
        await details.waitFor({ state: 'detached' })
        await page.waitForURL((url) => url.pathname === '/admin/orders')
        await page.getByText('Filtered Orders (1 of 4)').waitFor()

        await press(/^Approve order/)
        const approval = dialog(owner, 'Approve this order?')
        await approval.getByText('misty').waitFor()
        await approval.getByText('No money is held for this order of $5.10.').waitFor()
        await approval.getByText('There is no way back.').waitFor()
        await see(/./)
        await approval.getByRole('button', { name: 'Cancel' }).click()
        expect(await eventTypes(misty)).not.toContain('OrderApproved')
        await press(/^Approve order/)
        await approval.getByRole('button', { name: 'Approve' }).click()
        await toast('Order Approved').waitFor()
        await approval.waitFor({ state: 'detached' })
        await toast(`Order ${await numberOf(misty)} has been manually approved and marked as completed.`).waitFor()
        await page.getByRole('region', { name: 'Orders' }).getByText('Completed', { exact: true }).waitFor()
        expect(await eventTypes(misty)).toEqual(expect.arrayContaining(['OrderApproved', 'OrderCompleted']))

        await page.goto('/admin')
        await figures(owner, 'Total Revenue $5.10 Total Orders 4 Pokecoins Sold 120M Total Customers 1')
        await page.goto('/admin/orders')
        await page.getByText('All Orders (4)').waitFor()
        await page.getByRole('button', { name: 'Select', exact: true }).click()
        await page.getByRole('button', { name: 'Select All', exact: true }).click()
        await owner.button('Delete (4)').waitFor()
        await page.getByText('4 selected.', { exact: true }).waitFor()
        await page.getByRole('button', { name: 'Deselect All' }).click()
        for (const id of [misty, brock, gary]) await page.getByRole('checkbox', { name: await nameOfTick(id) }).check()
        await see('Admin Dashboard')
        await press('Delete (3)')
        await page
          .getByText('Are you sure you want to delete 3 selected order(s)? This will also update revenue analytics.')
          .waitFor()
        await see(/./)
        await dialog(owner, 'Delete 3 orders?').getByRole('button', { name: 'Delete', exact: true }).click()
        await toast('Successfully deleted 3 order(s)').waitFor()
        await page.getByText('All Orders (1)').waitFor()
        expect(await eventTypes(brock)).toContain('OrderDeleted')
        await press('Cancel')
        await page.getByLabel('Deleted').check()
        await page.getByText('Deleted Orders (3)').waitFor()
        await see('Admin Dashboard')
        await tab(owner, 'Dashboard').click()
        await figures(owner, 'Total Revenue $0.00 Total Orders 1 Pokecoins Sold 0M Total Customers 0')
      })
    })

    it('changes stock and price while the shop sells, and is asked when the field was changed elsewhere', async () => {
      await visit(width, colorScheme, async (owner) => {
        const { page, see, press, toast } = owner
        await page.goto('/admin/settings')
        await logIn(owner)
        const stock = page.getByLabel('Current stock')
        await stock.waitFor()
        await see('Admin Dashboard')
        await stock.fill('1200')
        await place('misty', 10)
        await page.getByText('Now 990M. Your difference is what will be applied.').waitFor()
        await stock.press('Enter')
        await toast('Settings updated successfully').waitFor()
        await page.getByText('Added 200M; 10M were sold meanwhile.').waitFor()
        expect(await stock.inputValue()).toBe('1190')
        expect(await settings()).toMatchObject({ currentStock: 1_190 })

        const price = page.getByLabel('Base price per million')
        await price.fill('abc')
        await page.getByLabel('Bulk discount').focus()
        await page.getByRole('alert').getByText('Enter a number with at most 2 decimals').waitFor()
        await see('Admin Dashboard')
        await price.press('Escape')
        expect(await price.inputValue()).toBe('0.05')

        await price.fill('0.07')
        await shop.patch('/api/payment-settings', { pack1Discount: 6 }, { token, headers: { 'If-Match': '*' } })
        await price.blur()
        await page
          .getByText(/^Saved/)
          .first()
          .waitFor()
        await expect.poll(settings).toMatchObject({ basePricePerMillion: 0.07, pack1Discount: 6 })
        expect(await page.getByText('Somebody else has set this to').count()).toBe(0)

        await price.fill('0.08')
        const change = { basePricePerMillion: 0.09 }
        await shop.patch('/api/payment-settings', change, { token, headers: { 'If-Match': '*' } })
        await price.blur()
        await page.getByText('Somebody else has set this to').waitFor()
        expect(await settings()).toMatchObject({ basePricePerMillion: 0.09 })
        await see('Admin Dashboard')
        await press(/^Keep theirs/)
        expect(await price.inputValue()).toBe('0.09')

        await price.fill('0.08')
        await shop.patch('/api/payment-settings', { basePricePerMillion: 0.1 }, { token, headers: { 'If-Match': '*' } })
        await price.blur()
        await press(/^Use mine/)
        await page.getByText('Somebody else has set this to').waitFor({ state: 'detached' })
        await expect.poll(settings).toMatchObject({ basePricePerMillion: 0.08 })

        await page.getByRole('switch', { name: /^UPI/ }).uncheck()
        await expect.poll(settings).toMatchObject({ upiEnabled: false })
        await see('Admin Dashboard')
      })
    })

    it('reads by keyboard what was changed in the settings, and by whom', async () => {
      await visit(width, colorScheme, async ({ page, see, ...owner }) => {
        const how = { token, headers: { 'If-Match': '*' } }
        for (let discount = 6; discount < 15; discount += 1)
          await shop.patch('/api/payment-settings', { pack1Discount: discount }, how)
        await shop.patch('/api/payment-settings', { basePricePerMillion: 0.06, upiEnabled: false }, how)
        await page.goto('/admin/settings')
        await logIn({ page, see, ...owner })
        const rows = page.getByRole('table').filter({ hasText: 'Who and when' }).getByRole('row')
        await expect.poll(async () => rows.count()).toBe(9)
        expect(await rows.allInnerTexts()).toContainEqual(
          expect.stringMatching(/Base price per million\s+\$0\.05\s+\$0\.06\s+Owner/),
        )
        await see('Admin Dashboard')
        await page.getByRole('button', { name: 'Show all 11' }).focus()
        await page.keyboard.press('Enter')
        await expect.poll(async () => rows.count()).toBe(12)
        await see('Admin Dashboard')
      })
    })

    it('reads by keyboard the revenue by day and by method', async () => {
      const approve = async (orderId: string) => shop.post('/api/complete-payment', { orderId }, { token })
      await approve(await place('misty', 5, { paymentMethod: 'paypal' }))
      shop.advance(DAY_MS)
      token = await shop.logIn()
      await approve(await place('brock', 4, { paymentMethod: 'crypto' }))
      await visit(width, colorScheme, async (owner) => {
        const { page, see } = owner
        await page.goto('/admin')
        await logIn(owner)
        const part = page.getByRole('region', { name: 'Revenue by day and method' })
        await part.getByRole('button', { name: 'Show' }).focus()
        await page.keyboard.press('Enter')
        await expect
          .poll(async () => part.getByRole('row').allInnerTexts())
          .toContainEqual(expect.stringMatching(/PayPal\s+\$0\.25/))
        expect(await part.getByRole('heading', { level: 4 }).allInnerTexts()).toEqual(['By day', 'By method, all time'])
        await see('Admin Dashboard')
        await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
        const days = part.getByRole('table').filter({ hasText: 'Day' }).getByRole('row')
        await expect.poll(async () => days.count()).toBe(3)
        expect((await days.allInnerTexts()).slice(1)).toEqual([
          expect.stringMatching(/^2 Jan 2026\s+1\s+\$0\.20$/),
          expect.stringMatching(/^1 Jan 2026\s+1\s+\$0\.25$/),
        ])
        await see('Admin Dashboard')
      })
    })

    it('sees how far the revenue is added up, and ends that by hiding it', async () => {
      const gate = Promise.withResolvers<undefined>()
      let cancelled = 0
      const long = await startShop({
        engines: 'sqlite',
        config: { webFolder: stage.webFolder() },
        wrapRevenue: (read) => async (asked) => {
          asked.onProgress?.({ events: 412_000, position: '412000', recordedAt: long.now() - DAY_MS })
          const gone = new Promise<never>((_, reject) =>
            asked.signal.addEventListener('abort', () => {
              cancelled += 1
              reject(asked.signal.reason as Error)
            }),
          )
          await Promise.race([gate.promise, gone])
          return read(asked)
        },
      })
      long.advance(2 * DAY_MS)
      await stage.visit(long, { width, colorScheme }, async (owner) => {
        const { page, see, picture } = owner
        const { press: key, reach } = keyboardOf(page)
        await page.goto('/admin')
        await logIn(owner)
        const part = page.getByRole('region', { name: 'Revenue by day and method' })
        const progress = part.getByRole('progressbar', { name: 'Reading the log' })
        await reach(part.getByRole('button', { name: 'Show' }))
        await key('Enter')
        await part.getByText('Reading the log: 412,000 events, up to 2 Jan').waitFor()
        expect(await progress.getAttribute('value')).toMatch(/^0\.5/)
        await see('Admin Dashboard')
        await picture('revenue-progress')

        await key('Enter')
        await expect.poll(() => cancelled).toBe(1)
        await key('Enter')
        await progress.waitFor()
        gate.resolve(undefined)
        await part.getByText('No order was completed yet.').waitFor()
      })
      await long.stop()
    })

    it('saves the orders that the filters find as a file', async () => {
      await place('misty', 5)
      await place('brock', 4)
      await visit(width, colorScheme, async (owner) => {
        const { page, see } = owner
        await page.goto('/admin/orders?search=brock')
        await logIn(owner)
        await page.getByText('Filtered Orders (1 of 2)').waitFor()
        await see('Admin Dashboard')
        await page.getByRole('button', { name: 'Export CSV' }).focus()
        const saving = page.waitForEvent('download')
        await page.keyboard.press('Enter')
        const file = await saving
        expect(file.suggestedFilename()).toMatch(/^orders-.*\.csv$/)
        const lines = readFileSync(await file.path(), 'utf8')
          .trimEnd()
          .split('\n')
        expect(lines).toHaveLength(2)
        expect(lines[1]).toContain('brock@example.com')
      })
    })

    it('reads why a file was not saved', async () => {
      const gate = Promise.withResolvers<undefined>()
      let held = 0
      const others = await startShop({
        engines: 'sqlite',
        config: { webFolder: stage.webFolder() },
        wrapViews: (views) => ({
          ...views,
          async pageOfOrders(query) {
            if (query.search === 'others') {
              held += 1
              await gate.promise
            }
            return views.pageOfOrders(query)
          },
        }),
      })
      const othersToken = await others.logIn()
      const running = [1, 2].map(async () => others.get('/api/orders.csv?search=others', { token: othersToken }))
      await expect.poll(() => held, { timeout: 30_000 }).toBe(2)
      await stage.visit(others, { width, colorScheme }, async (owner) => {
        const { page, press, see, toast } = owner
        await page.goto('/admin/orders')
        await logIn(owner)
        await page.getByText('All Orders (0)').waitFor()
        await press('Export CSV')
        await toast('Other lists are being saved right now. Please try again in a moment.').waitFor()
        await see('Admin Dashboard')
        gate.resolve(undefined)
        await Promise.all(running)
        const saving = page.waitForEvent('download')
        await press('Export CSV')
        expect((await saving).suggestedFilename()).toMatch(/^orders-.*\.csv$/)
      })
      await others.stop()
    })

    it('reads beside its switch why a method that is on takes no money', async () => {
      const unusableMethods = {
        ...byMethod(() => null),
        crypto: 'NOWPAYMENTS_API_KEY is missing',
        upi: 'UPIGATEWAY_KEY is missing',
      }
      const webFolder = stage.webFolder()
      const live = await startShop({ engines: 'sqlite', config: { webFolder, unusableMethods } })
      await stage.visit(live, { width, colorScheme }, async (owner) => {
        const { page } = owner
        await page.goto('/admin/settings')
        await logIn(owner)
        await page.getByText('On, but NOWPAYMENTS_API_KEY is missing.').waitFor()
        const upi = page.getByRole('switch', { name: /^UPI/ })
        await page.getByText('On, but UPIGATEWAY_KEY is missing.').waitFor()
        await upi.uncheck()
        await page.getByText('On, but UPIGATEWAY_KEY is missing.').waitFor({ state: 'detached' })
      })
      await live.stop()
    })

    it('chooses where new UPI payments go, where the shop has keys of two gateways', async () => {
      await visit(width, colorScheme, async (owner) => {
        const { page, see } = owner
        const state = { methods: ['upi'], webhookAddress: 'https://shop.example/api/webhooks/x', polled: null }
        const known = { awaySince: null, lastWebhookAt: null, refusedWebhookAt: null, keys: null, canCheckKeys: false }
        const providers = ['upigateway', 'cashfree'].map((provider) => ({ provider, ...state, ...known }))
        await page.route('**/api/admin/providers', async (route) => route.fulfill({ json: { providers } }))
        await page.goto('/admin/settings')
        await logIn(owner)
        const gateway = (name: string) =>
          page.getByRole('group', { name: 'New UPI payments go to' }).getByRole('radio', { name })
        await gateway('UPIGateway').waitFor()
        expect(await gateway('UPIGateway').isChecked()).toBe(true)
        await gateway('Cashfree').check()
        await expect.poll(settings).toMatchObject({ upiGateway: 'cashfree' })
        await see('Admin Dashboard')
        await page.reload()
        await expect.poll(async () => gateway('Cashfree').isChecked()).toBe(true)
        await gateway('UPIGateway').check()
        await expect.poll(settings).toMatchObject({ upiGateway: 'upigateway' })
      })
    })

    it('adds, changes and deletes a product', async () => {
      await visit(width, colorScheme, async (owner) => {
        const { page, see, press, toast } = owner
        await page.goto('/admin/products')
        await logIn(owner)
        await page.getByText('No products yet').waitFor()
        await press('Add product')
        await dialog(owner, 'Add product').waitFor()
        await press('Save')
        await page.getByText('Enter a name').waitFor()
        await see(/./)
        await page.route('https://pictures.test/**', async (route) =>
          route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }),
        )
        await page.getByLabel('Name').fill('Starter pack')
        await page.getByLabel(/^Picture/).fill('https://pictures.test/pack.svg')
        await page.getByLabel('Quantity in millions').fill('10')
        await press('Save')
        await toast('Starter pack was added.').waitFor()
        await page.getByText('$0.48').waitFor()
        const picture = page.locator('img[src="https://pictures.test/pack.svg"]')
        await expect.poll(async () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40)
        await see('Admin Dashboard')
        await press('Edit Starter pack')
        await page.getByLabel(/^Active/).uncheck()
        await press('Save')
        await page.getByText('Inactive').waitFor()
        expect((await shop.get('/api/products')).text).toBe('[]')
        await press('Delete Starter pack')
        await see(/./)
        await dialog(owner, 'Delete this product?').getByRole('button', { name: 'Delete' }).click()
        await page.getByText('No products yet').waitFor()
      })
    })
  })

  it('saves what was typed last when the page is left, by Back or altogether', async () => {
    await visit(1280, 'light', async (owner) => {
      const { page } = owner
      await page.goto('/')
      await page.getByRole('link', { name: 'Admin' }).click()
      await logIn(owner)
      await tab(owner, 'Settings').click()
      await page.getByLabel('Bulk discount').fill('3')
      await page.goBack()
      await page.waitForURL((url) => url.pathname === '/')
      await expect.poll(settings).toMatchObject({ bulkDiscountPercent: 3 })
      await page.goto('/admin/settings')
      await page.getByLabel('Current stock').fill('1500')
      await page.goto('/')
      await expect.poll(settings).toMatchObject({ currentStock: 1_500 })
    })
  })

  it('reads on where the list ends, sorts it, and selects all of it', async () => {
    await shop.patch('/api/payment-settings', { currentStock: 100_000 }, { token })
    for (let placed = 0; placed < 54; placed += 1) await place('misty', 5)
    await place('brock', 120)
    await visit(1280, 'dark', async (owner) => {
      const { page, see, press } = owner
      const rows = page.getByRole('link', { name: /^View order/ })
      await page.goto('/admin/orders')
      await logIn(owner)
      await page.getByText('50 of 55 shown').waitFor()
      await press('Load more')
      await expect.poll(async () => rows.count()).toBe(55)
      await page.reload()
      await page.getByText('All Orders (55)').waitFor()
      await expect.poll(async () => rows.count()).toBe(55)
      await press('Amount')
      await page.getByRole('columnheader', { name: 'Amount' }).and(page.locator('[aria-sort=descending]')).waitFor()
      await page.getByRole('row').nth(1).getByText('brock', { exact: true }).waitFor()
      await expect.poll(async () => rows.count()).toBe(50)
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      await page.getByRole('button', { name: 'Select All', exact: true }).click()
      await press('Delete (55)')
      const question = dialog(owner, 'Delete 55 orders?')
      await question.getByText('55 selected, 5 of them not shown.').waitFor()
      await see(/./)
      await question.getByRole('button', { name: 'Cancel' }).click()
      await see('Admin Dashboard')
      await page.getByLabel('Method').selectOption('PayPal')
      await page.getByText('No orders found matching your search').waitFor()
      await press('Show all orders')
      await page.getByText('All Orders (55)').waitFor()
    })
  })

  it('says of how many it takes some, where there are too many to select all', async () => {
    for (const name of ['misty', 'brock']) await place(name, 5)
    await visit(320, 'light', async (owner) => {
      const { page, see, press } = owner
      // The same page again and again, as of a list without an end.
      await page.route(/limit=100/, async (route) => {
        const url = route
          .request()
          .url()
          .replace(/&cursor=[^&]*/, '')
        const response = await route.fetch({ url })
        const list = (await response.json()) as object
        await route.fulfill({ response, json: { ...list, filtered: 1_200, next: 'more' } })
      })
      await page.goto('/admin/orders')
      await logIn(owner)
      await page.getByText('All Orders (2)').waitFor()
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      await page.getByRole('button', { name: 'Select All', exact: true }).click()
      await page.getByText('2 of 1,200 selected.').waitFor()
      await see('Admin Dashboard')
      await press('Delete (2)')
      await dialog(owner, 'Delete 2 orders?').getByText('2 of 1,200 selected.').waitFor()
    })
  })

  it('sees on top what needs a person, and settles it', async () => {
    const over = await place('sandbox-over', 120, { paymentMethod: 'crypto' })
    await shop.post('/api/crypto/create-payment', { amount: '5.10', orderId: over })
    await shop.pay(over)
    await visit(1280, 'dark', async (owner) => {
      const { page, see, press } = owner
      await page.goto('/admin')
      await logIn(owner)
      await page.getByRole('heading', { name: '1 order needs a person' }).waitFor()
      await see('Admin Dashboard')
      const reason = page.getByRole('region', { name: '1 order needs a person' }).getByRole('listitem')
      await reason.waitFor()
      await tab(owner, 'Orders').click()
      await page.getByText('All Orders (1)').waitFor()
      expect(await reason.count()).toBe(0)
      await page.getByRole('link', { name: 'Show it' }).click()
      await page.getByText('Filtered Orders (1 of 1)').waitFor()
      await see('Admin Dashboard')
      await tab(owner, 'Dashboard').click()
      await page.setViewportSize({ width: 360, height: 800 })
      await reason.waitFor({ state: 'detached' })
      await see('Admin Dashboard')
      await page.setViewportSize({ width: 1280, height: 800 })
      await reason.getByRole('link').click()
      const details = dialog(owner, /^Order Details - /)
      await details.getByRole('heading', { name: 'Crypto Transactions' }).waitFor()
      await details.getByText('Pay the difference back, and note the refund.').waitFor()
      await see(/./)
      await press('Settle')
      await page.getByText(/was settled\.$/).waitFor()
      await details.getByText('Settled by staff.').waitFor()
      expect(await eventTypes(over)).toContain('AttentionSettled')
      await details.getByRole('button', { name: 'Close', exact: true }).click()
      await page.waitForURL((url) => url.pathname === '/admin')
      await page.getByRole('heading', { name: '1 order needs a person' }).waitFor({ state: 'detached' })
    })
  })

  it('shows a new order by itself, and stays logged in over a reload', async () => {
    await visit(1280, 'light', async (owner) => {
      const { page } = owner
      await page.goto('/admin/orders')
      await logIn(owner)
      await page.getByText('No orders found').waitFor()
      await place('misty', 5)
      await page.getByText('All Orders (1)').waitFor()
      await page.reload()
      await page.getByText('All Orders (1)').waitFor()
    })
  })

  it('opens an order by its address, and says when there is none', async () => {
    const misty = await place('misty', 5)
    await visit(320, 'light', async (owner) => {
      const { page, see } = owner
      await page.goto(`/admin/orders/${misty}?search=misty`)
      await logIn(owner)
      await dialog(owner, /^Order Details - /).waitFor()
      await see(/./)
      await page.keyboard.press('Escape')
      await page.waitForURL((url) => url.pathname === '/admin/orders')
      await page.getByText('Filtered Orders (1 of 1)').waitFor()
      await page.goto('/admin/orders/00000000-0000-4000-8000-000000000000')
      await page.getByText('Order 00000000-0000-4000-8000-000000000000 could not be found.').waitFor()
      await see(/./)
    })
  })

  it('says order by order what could not be deleted, and asks whether coins were given', async () => {
    const [misty, brock] = [await place('misty', 5), await place('brock', 6)]
    await visit(320, 'dark', async (owner) => {
      const { page, see, press, toast } = owner
      // The end of a delivery is unknown.
      await page.route(`**/api/orders/${misty}`, async (route) =>
        route.request().method() === 'DELETE'
          ? route.fulfill({ status: 409, json: { code: 'order/coins-given-unknown', message: 'Say whether.' } })
          : route.continue(),
      )
      await page.goto('/admin/orders')
      await logIn(owner)
      await page.getByText('All Orders (2)').waitFor()
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      await page.getByRole('button', { name: 'Select All', exact: true }).click()
      await press('Delete (2)')
      await dialog(owner, 'Delete 2 orders?').getByRole('button', { name: 'Delete', exact: true }).click()
      await toast('Delete Failed').waitFor()
      const report = dialog(owner, 'Not every order was deleted')
      await report.getByText('1 deleted, 1 not:').waitFor()
      await report.getByText(/^Failed to delete order [A-Z0-9]{8}$/).waitFor()
      await report.getByText('Its coins may have been given. Were they?').waitFor()
      await see(/./)
      expect(await eventTypes(brock)).toContain('OrderDeleted')
      expect(await eventTypes(misty)).not.toContain('OrderDeleted')
      await report.getByRole('button', { name: /^Not given/ }).click()
      await toast('Successfully deleted 1 order(s)').waitFor()
      await report.waitFor({ state: 'detached' })
      expect(await eventTypes(misty)).toContain('OrderDeleted')
    })
  })

  it('comes back to the same filter when the password was changed elsewhere', async () => {
    await place('misty', 5)
    await visit(1280, 'light', async (owner) => {
      const { page, see, toast } = owner
      await page.goto('/admin/orders?status=pending')
      await logIn(owner)
      await page.getByText('Filtered Orders (1 of 1)').waitFor()
      shop.advance(1_000)
      const change = { currentPassword: ADMIN_PASSWORD, newPassword: 'another long password' }
      await shop.post('/api/admin/password', change, { token })
      await page.getByLabel('Search orders').fill('mis')
      await toast('Session Expired').waitFor()
      await toast('Admin password was changed. Please login again.').waitFor()
      await see('Admin Login')
      await logIn(owner, 'another long password')
      expect(await page.getByLabel('Search orders').inputValue()).toBe('mis')
      await page.waitForURL((url) => url.search === '?status=pending&search=mis')

      // As the one who opens the page again finds it.
      shop.advance(1_000)
      await shop.setPasswordElsewhere('a third long password')
      await page.reload()
      await toast('Session Expired').waitFor()
      await toast('Admin password was changed. Please login again.').waitFor()
      await see('Admin Login')
    })
  })

  it('says why it asks to log in again when the session was ended in another tab', async () => {
    await visit(320, 'dark', async (owner) => {
      const { page, see } = owner
      await page.goto('/admin/settings')
      await logIn(owner)
      await page.getByLabel('Current stock').fill('12x')
      const other = await page.context().newPage()
      await other.goto('/admin')
      await other.getByRole('button', { name: 'Logout' }).click()
      await other.getByRole('heading', { name: 'Admin Login' }).waitFor()
      await tab(owner, 'Orders').click()
      await page.getByText('Your session has ended. Log in to go on where you were.').waitFor()
      await see('Admin Login')
      await logIn(owner)
      await tab(owner, 'Settings').click()
      expect(await page.getByLabel('Current stock').inputValue()).toBe('12x')
      await page.getByRole('alert').getByText('Enter a whole number from 0 to').waitFor()
    })
  })

  it('changes the password, and logs out', async () => {
    await visit(320, 'light', async (owner) => {
      const { page, see, press, toast } = owner
      await page.goto('/admin/settings')
      await logIn(owner)
      await page.getByLabel('Current password').fill('not the password')
      await page.getByLabel('New password', { exact: true }).fill('a new long password')
      await page.getByLabel('New password again').fill('a new long passwort')
      await press('Change password')
      await page.getByText('The two new passwords are not the same').waitFor()
      await page.getByLabel('New password again').fill('a new long password')
      await press('Change password')
      await page.getByLabel('Current password').and(page.locator('[aria-invalid]')).waitFor()
      await see('Admin Dashboard')
      await page.getByLabel('Current password').fill(ADMIN_PASSWORD)
      await press('Change password')
      await page.getByText('The password was changed. Please log in with the new one.').waitFor()
      await see('Admin Login')
      await logIn(owner, 'a new long password')
      await press('Logout')
      await toast('Successfully logged out').waitFor()
      await see('Admin Login')
      await page.reload()
      await see('Admin Login')
    })
  })

  it('says what cannot be loaded, and loads it when the shop is back', async () => {
    await place('misty', 5)
    await visit(320, 'light', async (owner) => {
      const { page, see, press } = owner
      await page.clock.install()
      await page.route(isData, async (route) => route.abort())
      await page.goto('/admin')
      await logIn(owner)
      await page.getByText('Analytics could not be loaded').waitFor()
      await see('Admin Dashboard')
      await tab(owner, 'Orders').click()
      await page.getByText('Failed to fetch orders').waitFor()
      await see('Admin Dashboard')
      // A poll would be answered, too.
      await pauseClock(page)
      await page.unroute(isData)
      const failed = page.getByRole('alert').filter({ hasText: 'Failed to fetch orders' })
      await failed.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('All Orders (1)').waitFor()
      await page.clock.resume()
      await page.route('**/api/complete-payment', async (route) => route.abort())
      await press(/^Approve order/)
      const approval = dialog(owner, 'Approve this order?')
      await approval.getByRole('button', { name: 'Approve' }).click()
      await owner.toast('Approval Failed').waitFor()
      await page.getByText(/^Failed to approve order/).waitFor()
      await see(/./)
      await page.unroute('**/api/complete-payment')
      const refusal = { code: 'order/not-pending', message: 'This order was cancelled a moment ago.' }
      await page.route('**/api/complete-payment', async (route) => route.fulfill({ status: 409, json: refusal }))
      await approval.getByRole('button', { name: 'Approve' }).click()
      await owner.toast('This order was cancelled a moment ago.').waitFor()
      await owner.toast('Approval Failed').waitFor()
      await page.unroute('**/api/complete-payment')
      await page.route('**/api/payment-settings', async (route) =>
        route.request().method() === 'PATCH' ? route.abort() : route.continue(),
      )
      await approval.getByRole('button', { name: 'Approve' }).click()
      await owner.toast('Order Approved').waitFor()
      await tab(owner, 'Settings').click()
      const stock = page.getByLabel('Current stock')
      await stock.fill('1200')
      await stock.press('Enter')
      await page.getByRole('alert').getByText('Failed to update payment settings. The shop cannot be').waitFor()
      await see('Admin Dashboard')
    })
  })
})
