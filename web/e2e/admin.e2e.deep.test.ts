import type { Locator } from 'playwright-core'
import { beforeEach, expect } from 'vitest'
import { byMethod } from '../../src/domain/payment-methods.ts'
import { placedBy } from '../../src/testing/orders.ts'
import { ADMIN_PASSWORD } from '../../src/testing/start-shop.ts'
import type { Buyer } from './buyer.ts'
import { pauseClock } from './clock.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { narrow, phone, storyLooks, wide } from './looks.ts'
import { paidBy } from './paid-orders.ts'
import { logInAsOwner, logInAt } from './owner.ts'

/** How long a press lasts. */
const PRESS_MS = 100
/** The price of a quantity in millions in a new shop. */
const quotes: Record<number, string> = { 4: '0.20', 5: '0.25', 6: '0.30', 10: '0.48', 120: '5.10' }

const tab = ({ page }: Buyer, name: string) =>
  page.getByRole('navigation', { name: 'Admin sections' }).getByRole('link', { name })
const dialog = ({ page }: Buyer, name: string | RegExp) => page.getByRole('dialog', { name })
const details = (owner: Buyer) => dialog(owner, /^Order Details - /)
const orders = ({ page }: Buyer) => page.getByRole('region', { name: 'Orders' })
const columnsOf = async (within: Locator) => (await within.getByRole('columnheader').allInnerTexts()).join()

async function says(within: Locator, ...texts: (string | RegExp)[]): Promise<void> {
  for (const text of texts) await within.getByText(text).waitFor()
}

function orderOf(name: string, quantity: number): Record<string, unknown> {
  const amounts = quantity > 99 ? [50, 50, quantity - 100] : [quantity]
  const marketIds = amounts.map((amount, index) => ({ marketId: `1234567${index}`, amount }))
  return {
    customerEmail: `${name}@example.com`,
    discordUsername: name,
    marketId: '12345670',
    ...(marketIds.length > 1 && { marketIds }),
    pokecoinAmount: quantity,
    totalAmount: quotes[quantity],
  }
}

async function top(at: Locator): Promise<number> {
  return (await at.first().boundingBox())?.y ?? Number.NaN
}

async function figures({ page }: Buyer, wanted: string): Promise<void> {
  await page.getByText('Total Revenue').waitFor()
  const cards = page.locator('dl').first()
  await expect.poll(async () => (await cards.innerText()).replaceAll(/\s+/g, ' ')).toBe(wanted)
}

async function selectAll({ page }: Buyer): Promise<void> {
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByRole('button', { name: 'Select All', exact: true }).click()
}

const unusableMethods = { ...byMethod(() => null), paypal: 'PAYPAL_CLIENT_ID is missing' }

describeInBrowser('the dashboard', builtShop({ payments: { unusableMethods } }), (stage) => {
  let token: string

  beforeEach(async () => {
    token = await stage.shop.logIn()
  })

  async function place(name: string, quantity: number, changes: Record<string, unknown> = {}): Promise<string> {
    return placedBy(stage.shop, { ...orderOf(name, quantity), ...changes })
  }

  const approve = async (orderId: string) => stage.shop.post('/api/complete-payment', { orderId }, { token })
  const numberOf = async (orderId: string) =>
    String((await stage.shop.get(`/api/orders/${orderId}`)).body['orderNumber'])
  const tickOf = async ({ page }: Buyer, orderId: string) =>
    page.getByRole('checkbox', { name: `Select order ${await numberOf(orderId)}` })
  const eventTypes = async (orderId: string) => (await stage.shop.eventsOf(`order-${orderId}`)).map(({ type }) => type)
  const settings = async () => (await stage.shop.get('/api/payment-settings')).body
  const change = async (fields: object) =>
    stage.shop.patch('/api/payment-settings', fields, { token, headers: { 'If-Match': '*' } })

  stage.walk('the owner logs in, reads the figures and closes one step back', storyLooks, async (owner, look) => {
    await approve(await place('misty', 120))
    await place('brock', 5)
    const { page, press, toast } = owner
    await page.goto('/about-us')
    await page.goto('/admin')
    await press('Login')
    await toast('Login failed. Please check your credentials.').waitFor()
    // No field is marked.
    expect(await page.locator('[aria-invalid]').count()).toBe(0)
    const held = Promise.withResolvers<void>()
    await page.route('**/api/admin/login', async (route) => held.promise.then(async () => route.continue()))
    const loggedIn = logInAsOwner(owner)
    await owner.button('Logging in...').waitFor()
    held.resolve()
    await loggedIn
    await toast('Successfully logged in as admin').waitFor()
    await owner.says('Manage your pokecoin shop')
    await figures(owner, 'Total Revenue $5.10 Total Orders 2 Pokecoins Sold 120M Total Customers 1')
    await page.getByRole('row', { name: /January 2026.*\$5\.10/ }).waitFor()
    const recent = page.getByRole('region', { name: 'Recent Orders' })
    const isTable = look.width === wide.width
    if (isTable) expect(await columnsOf(recent)).toBe('Order,Discord,Pokecoins,Amount,Status,Date')
    await says(recent, 'Processing', 'Completed')
    await tab(owner, 'Orders').click()
    await owner.says('Order Management', 'All Orders (2)')
    const columns = 'Order ID,Customer,Discord,Market ID,Pokecoins,Amount,Payment,Status,Date,Actions'
    if (isTable) expect(await columnsOf(orders(owner))).toBe(columns)
    expect(await orders(owner).evaluate((list) => getComputedStyle(list).maxHeight)).toBe(`${0.6 * 800}px`)
    expect(
      await orders(owner)
        .getByTitle(/^1 Jan 2026, 0\d:\d\d \S+$/)
        .count(),
    ).toBe(2)
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.waitForURL(/\/about-us$/)
  })

  stage.walk('the owner searches, opens and approves an order, and deletes others', storyLooks, async (owner, look) => {
    const misty = await place('misty', 120)
    const [brock, gary] = [await place('brock', 5), await place('gary', 6)]
    await place('ash', 4)
    await logInAt(owner, '/admin/orders')
    const { page, see, press, toast } = owner
    const paths: string[] = []
    page.on('request', (request) => paths.push(request.url()))
    await owner.says('All Orders (4)')
    if (look.width === wide.width) {
      await page.getByText('3 IDs').click()
      await owner.says('12345671', '(20M)')
    }
    await page.getByLabel('Search orders').fill('nobody')
    await owner.says('No orders found matching your search', 'Filtered Orders (0 of 4)')
    await page.getByRole('link', { name: 'Show all orders' }).click()
    await owner.says('All Orders (4)')
    expect(await page.getByLabel('Search orders').inputValue()).toBe('')
    await page.getByLabel('Search orders').fill('misty@exam')
    await owner.says('Filtered Orders (1 of 4)')
    // No address names a buyer, neither in the browser nor at the shop.
    expect(new URL(page.url()).search).toBe('')
    expect(paths.filter((path) => path.includes('misty'))).toEqual([])
    const download = page.waitForEvent('download')
    await press('Export CSV')
    expect((await download).suggestedFilename()).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/)

    await page.getByRole('link', { name: /^View order/ }).click()
    await page.waitForURL((url) => url.pathname === `/admin/orders/${misty}`)
    await says(details(owner), 'Complete information about this order', 'Order of 120M placed for $5.10.')
    await says(details(owner), 'No transaction data available', 'Pokétwo Pokécoins')
    for (const name of ['Order Information', 'Customer Information', 'Payment Transactions'])
      await details(owner).getByRole('heading', { name }).waitFor()
    for (const term of ['Payment Method', 'Subtotal', 'Total Price', 'Created At'])
      await details(owner).getByRole('term').filter({ hasText: term }).waitFor()
    const ids = await details(owner).getByRole('list').first().getByRole('listitem').allInnerTexts()
    expect(ids).toEqual(['12345670 (50M)', '12345671 (50M)', '12345672 (20M)'])
    // 6xl is 72 rem.
    const limits = await details(owner).evaluate((one) => {
      const { maxWidth, maxHeight } = getComputedStyle(one)
      return { maxWidth, maxHeight }
    })
    if (look.width === wide.width) expect(limits).toEqual({ maxWidth: '1152px', maxHeight: '720px' })
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.pathname === '/admin/orders' && url.hash === '#search=misty%40exam')

    await press(/^Approve order/)
    const approval = dialog(owner, 'Approve this order?')
    await says(approval, 'misty', 'No money is held for this order of $5.10.', 'There is no way back.')
    await see(/./)
    await page.route('**/api/complete-payment', async (route) => route.abort(), { times: 1 })
    await approval.getByRole('button', { name: 'Approve' }).click()
    await toast('Approval Failed').waitFor()
    await toast(`Failed to approve order ${await numberOf(misty)}`).waitFor()
    await approval.getByRole('button', { name: 'Approve' }).click()
    await toast('Order Approved').waitFor()
    await toast(`Order ${await numberOf(misty)} has been manually approved and marked as completed.`).waitFor()
    await orders(owner).getByText('Completed', { exact: true }).waitFor()
    expect(await eventTypes(misty)).toEqual(expect.arrayContaining(['OrderApproved', 'OrderCompleted']))

    await press('Clear')
    await owner.says('All Orders (4)')
    // An order that has changed since it was ticked is not deleted.
    await orders(owner).getByText('Completed', { exact: true }).waitFor()
    await selectAll(owner)
    await owner.button('Delete (4)').waitFor()
    await press('Deselect All')
    for (const id of [misty, brock, gary]) await (await tickOf(owner, id)).check()
    await press('Delete (3)')
    const warning = 'Are you sure you want to delete 3 selected order(s)? This will also update revenue analytics.'
    await owner.says(warning)
    await see(/./)
    await dialog(owner, 'Delete 3 orders?').getByRole('button', { name: 'Delete', exact: true }).click()
    await toast('Orders Deleted').waitFor()
    await toast('Successfully deleted 3 order(s)').waitFor()
    await owner.says('All Orders (1)')
    await press('Cancel')
    await page.getByLabel('Deleted').check()
    await owner.says('Deleted Orders (3)')
    await tab(owner, 'Dashboard').click()
    await figures(owner, 'Total Revenue $0.00 Total Orders 1 Pokecoins Sold 0M Total Customers 0')
  })

  stage.walk(
    'the owner changes settings, and reads of sales, conflicts and a method that takes no money',
    storyLooks,
    async (owner) => {
      await logInAt(owner, '/admin/settings')
      const { page, see, toast } = owner
      const elsewhere = page.getByText(/Somebody set this to \$0\.\d\d meanwhile\./)
      const stock = page.getByLabel('Current stock')
      await stock.fill('1200')
      await place('misty', 10)
      await owner.says('Now 990M. Your difference is what will be applied.')
      await stock.press('Enter')
      await toast('Settings updated successfully').waitFor()
      await expect.poll(async () => stock.inputValue()).toBe('1190')
      expect(await settings()).toMatchObject({ currentStock: 1_190 })

      const price = page.getByLabel('Base price per million')
      await price.fill('abc')
      await page.getByLabel('Bulk discount').focus()
      await says(page.getByRole('alert'), 'Enter a number.')
      await see('Admin Dashboard')
      await price.press('Escape')
      expect(await price.inputValue()).toBe('0.05')

      await price.fill('0.07')
      await change({ pack1Discount: 6 })
      await price.blur()
      await expect.poll(settings).toMatchObject({ basePricePerMillion: 0.07, pack1Discount: 6 })
      expect(await elsewhere.count()).toBe(0)

      await price.fill('0.08')
      await change({ basePricePerMillion: 0.09 })
      await price.blur()
      await elsewhere.waitFor()
      expect(await settings()).toMatchObject({ basePricePerMillion: 0.09 })
      // Staff who have read of the other value may overwrite it.
      await price.press('Enter')
      await expect.poll(settings).toMatchObject({ basePricePerMillion: 0.08 })
      expect(await elsewhere.count()).toBe(0)

      await page.route('**/api/payment-settings', async (route) => route.abort(), { times: 1 })
      await page.getByLabel('Bulk discount').fill('5')
      await page.getByLabel('Bulk discount').press('Enter')
      await says(page.getByRole('alert'), 'Failed to update payment settings. The shop cannot be')
      await page.getByLabel('Bulk discount').press('Enter')
      await expect.poll(settings).toMatchObject({ bulkDiscountPercent: 5 })
      await page.getByRole('alert').waitFor({ state: 'detached' })

      const why = page.getByText('On, but PAYPAL_CLIENT_ID is missing.')
      await why.waitFor()
      await page.getByRole('switch', { name: /^PayPal/ }).uncheck()
      await why.waitFor({ state: 'detached' })
    },
  )

  stage.walk('the first press on a switch works, although it ends a message above it', phone, async (owner) => {
    await logInAt(owner, '/admin/settings')
    const { page } = owner
    const price = page.getByLabel('Base price per million')
    await price.fill('0.06')
    await change({ basePricePerMillion: 0.09 })
    await price.press('Enter')
    await owner.says('Somebody set this to $0.09 meanwhile.')
    // With the field in view, scroll anchoring does not compensate for the shift below it.
    await price.evaluate((input) => input.scrollIntoView())
    await page.getByRole('switch', { name: /^UPI/ }).click({ delay: PRESS_MS })
    await expect.poll(settings).toMatchObject({ basePricePerMillion: 0.06, upiEnabled: false })
  })

  stage.walk('a price that moves by more than half is asked about, and a change is undone', narrow, async (owner) => {
    const { page, press, toast } = owner
    await page.clock.install()
    await logInAt(owner, '/admin/settings')
    const price = page.getByLabel('Base price per million')
    await price.fill('0.5')
    await price.press('Enter')
    const ask = dialog(owner, 'Set Base price per million to 0.5?')
    await says(ask, '1M then cost $0.50 instead of $0.05.')
    await owner.see(/./)
    await ask.getByRole('button', { name: 'Cancel' }).click()
    expect(await price.inputValue()).toBe('0.05')
    expect(await settings()).toMatchObject({ basePricePerMillion: 0.05 })

    const undo = page.getByRole('button', { name: /^Undo/ })
    await page.getByRole('switch', { name: /^UPI/ }).uncheck()
    await press('Undo (UPI back to on)')
    await toast('UPI back to on.').waitFor()
    await expect.poll(settings).toMatchObject({ upiEnabled: true })

    await pauseClock(page)
    await price.fill('0.07')
    await price.press('Enter')
    await undo.waitFor()
    await page.clock.runFor(9_900)
    expect(await undo.count()).toBe(1)
    const placed = { pokecoinAmount: 10, totalAmount: '0.67' }
    const meanwhile = await placedBy(stage.shop, placed)
    await press('Undo (Base price per million back to $0.05)')
    await expect.poll(settings).toMatchObject({ basePricePerMillion: 0.05 })
    expect((await stage.shop.get(`/api/orders/${meanwhile}`)).body).toMatchObject(placed)
    const changes = (await stage.shop.eventsOf('settings-shop')).slice(-2)
    expect(changes.map(({ type, data }) => [type, (data as { changes: object }).changes])).toEqual([
      ['SettingsChanged', { basePriceCents: 7 }],
      ['SettingsChanged', { basePriceCents: 5 }],
    ])

    await price.fill('0.06')
    await price.press('Enter')
    await undo.waitFor()
    await change({ basePricePerMillion: 0.08 })
    await undo.click()
    await toast('Somebody set this to $0.08 meanwhile.').waitFor()
    expect(await settings()).toMatchObject({ basePricePerMillion: 0.08 })
    await page.getByRole('switch', { name: /^UPI/ }).uncheck()
    await undo.waitFor()
    await page.clock.runFor(10_100)
    await undo.waitFor({ state: 'detached' })
  })

  stage.walk('the owner adds, changes and deletes a product', storyLooks, async (owner) => {
    await logInAt(owner, '/admin/products')
    const { page, see, press, toast } = owner
    /** Acts twice: the first time the shop is unreachable. */
    const twice = async (failure: string, act: () => Promise<void>) => {
      await page.route('**/api/products**', async (route) =>
        route.request().method() === 'GET' ? route.fallback() : route.abort(),
      )
      await act()
      await owner.says(failure)
      await page.unroute('**/api/products**')
      await act()
    }
    await press('Add product')
    await press('Save')
    await owner.says('The name is missing.', 'The quantity in millions must be at least 1.')
    await see(/./)
    await page.getByLabel('Name').fill('Starter pack')
    await page.getByLabel('Quantity in millions').fill('10')
    await twice('Failed to create product', async () => press('Save'))
    await toast('Starter pack was added.').waitFor()
    await owner.says('$0.48')
    await press('Edit Starter pack')
    await page.getByLabel(/^Active/).uncheck()
    await twice('Failed to update product', async () => press('Save'))
    await owner.says('Inactive')
    await press('Delete Starter pack')
    const remove = dialog(owner, 'Delete this product?').getByRole('button', { name: 'Delete' })
    await twice('Failed to delete product', async () => remove.click())
    await owner.says('No products yet')
  })

  stage.walk('the list stays still while orders are selected', wide, async (owner) => {
    const ash = await place('ash', 5)
    await logInAt(owner, '/admin/orders')
    await owner.press('Select')
    await (await tickOf(owner, ash)).check()
    const rows = orders(owner).getByRole('row')
    const before = await rows.allInnerTexts()
    await place('jessie', 5)
    await owner.says('All Orders (2)')
    expect(await rows.allInnerTexts()).toEqual(before)
  })

  stage.walk('the owner loads more orders at the end of the list, and selects all', wide, async (owner) => {
    for (let placed = 0; placed < 55; placed += 1) await place('misty', 5)
    await logInAt(owner, '/admin/orders')
    const { page, press } = owner
    const rows = page.getByRole('link', { name: /^View order/ })
    await owner.says('50 of 55 shown')
    await press('Load more')
    await expect.poll(async () => rows.count()).toBe(55)
    await selectAll(owner)
    await press('Delete (55)')
    await dialog(owner, 'Delete 55 orders?').getByRole('listitem').nth(54).waitFor()
    await page.keyboard.press('Escape')
    await owner.says('55 selected, $13.75.')
    await page.getByLabel('Method').selectOption('PayPal')
    await owner.says('No orders found matching your search')
    await tab(owner, 'Dashboard').click()
    const recent = page.getByRole('region', { name: 'Recent Orders' }).getByRole('row')
    await expect.poll(async () => recent.count()).toBe(1 + 5)
  })

  stage.walk('the owner sees an order that needs attention on top, and settles it', wide, async (owner) => {
    const over = await paidBy(stage.shop, { discordUsername: 'sandbox-over' })
    await logInAt(owner, '/admin')
    const { page, press } = owner
    const attention = page.getByRole('region', { name: '1 order needs a person' })
    const reason = attention.getByRole('row').nth(1)
    await reason.waitFor()
    await tab(owner, 'Orders').click()
    await page.getByRole('link', { name: 'Show it' }).click()
    await owner.says('Filtered Orders (1 of 1)')
    expect(await reason.count()).toBe(0)
    await tab(owner, 'Dashboard').click()
    await reason.getByRole('link').click()
    await details(owner).getByRole('heading', { name: 'Crypto Transactions' }).waitFor()
    await says(details(owner), 'What stands to be paid back goes back', ', to be paid back $')
    await press('Settle...')
    const settle = dialog(owner, 'Settle this order?')
    await says(settle, '$0.22 stays with the shop. Why?')
    await owner.see(/./)
    await settle.getByRole('button', { name: 'Settle' }).click()
    await says(settle, 'Choose one.')
    expect(await eventTypes(over)).not.toContain('AttentionSettled')
    await settle.getByLabel('The buyer leaves it to the shop').check()
    await settle.getByRole('button', { name: 'Settle' }).click()
    await owner.says(/was settled\.$/)
    const timeline = details(owner).getByRole('region', { name: 'Timeline' })
    await says(timeline, 'Settled by staff: the buyer leaves the money to the shop.')
    expect(await eventTypes(over)).toContain('AttentionSettled')
    await details(owner).getByRole('button', { name: 'Close', exact: true }).click()
    await page.waitForURL((url) => url.pathname === '/admin')
    await attention.waitFor({ state: 'detached' })
  })

  stage.walk(
    'an address opens its order or says that there is none, and a new order appears in the list',
    narrow,
    async (owner) => {
      const misty = await place('misty', 5, { paymentMethod: 'upi' })
      const upi = { amount: '0.25', orderId: misty, customerInfo: { customerPhone: '9876543210' } }
      expect(await stage.shop.post('/api/upigateway/create-order', upi)).toMatchObject({ status: 200 })
      await logInAt(owner, `/admin/orders/${misty}?search=misty`)
      const { page } = owner
      const confirmed = details(owner).getByRole('term').filter({ hasText: 'Confirmed' }).locator('+ dd')
      await says(details(owner), '$0.25 (₹21.63)')
      expect(await confirmed.innerText()).toBe('No')
      await stage.shop.pay(misty)
      await expect.poll(async () => confirmed.innerText()).toBe('Yes')
      await says(details(owner), 'Completed At')
      await page.keyboard.press('Escape')
      await owner.says('Filtered Orders (1 of 1)')
      await place('misty', 6)
      await owner.says('Filtered Orders (2 of 2)')
      const unknown = '00000000-0000-4000-8000-000000000000'
      await page.goto(`/admin/orders/${unknown}`)
      await owner.says(`Order ${unknown} could not be found.`)
      await owner.see(/./)
    },
  )

  stage.walk(
    'the dialog lists orders that were not deleted, and asks whether coins were given',
    narrow,
    async (owner) => {
      const [misty, brock, gary] = [await place('misty', 5), await place('brock', 6), await place('gary', 6)]
      await logInAt(owner, '/admin/orders')
      const { page, see, press, toast } = owner
      // The first order's delivery has an unknown result; other staff have deleted the second.
      const answers = [
        [misty, 409, 'order/coins-given-unknown'],
        [gary, 404, 'order/not-found'],
      ] as const
      for (const [id, status, code] of answers)
        await page.route(`**/api/orders/${id}*`, async (route) =>
          route.request().method() === 'DELETE' && !route.request().url().includes('coinsGiven')
            ? route.fulfill({ status, json: { code, message: 'Say whether.' } })
            : route.continue(),
        )
      await owner.says('All Orders (3)')
      await selectAll(owner)
      await press('Delete (3)')
      await dialog(owner, 'Delete 3 orders?').getByRole('button', { name: 'Delete', exact: true }).click()
      await toast('Delete Failed').waitFor()
      await toast('Failed to delete selected orders: 1 of 3').waitFor()
      const left = dialog(owner, 'Delete this order?')
      await says(left, '2 deleted, 1 not:', 'misty', 'Say whether.')
      await see(/./)
      expect(await eventTypes(brock)).toContain('OrderDeleted')
      await left.getByLabel(/^Not given/).check()
      await left.getByRole('button', { name: 'Delete', exact: true }).click()
      await toast('Successfully deleted 1 order(s)').waitFor()
      expect(await eventTypes(misty)).toContain('OrderDeleted')
    },
  )

  stage.walk('figures and orders stand at the top, in rows of one line', [wide, phone], async (owner, { width }) => {
    const isWide = width === wide.width
    for (const quantity of [120, 5]) await paidBy(stage.shop, orderOf(`buyer-with-a-long-name-${quantity}`, quantity))
    await logInAt(owner, '/admin')
    const { page } = owner
    expect(await top(page.getByText('Total Revenue'))).toBeLessThan(isWide ? 100 : 200)
    await tab(owner, 'Orders').click()
    const rows = orders(owner).locator('tbody').getByRole('row')
    await rows.first().waitFor()
    expect(await top(rows)).toBeLessThan(isWide ? 250 : 420)
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
    expect(heights).toEqual(Array.from({ length: 2 }, () => (isWide ? 40 : 72)))
  })

  stage.walk('the dashboard shows which stock paid pre-orders need, and that little is left', wide, async (owner) => {
    for (const change of [{ currentStock: 0 }, { preOrdersEnabled: true }])
      await stage.shop.patch('/api/payment-settings', change, { token })
    await paidBy(stage.shop, orderOf('ash', 120))
    await stage.shop.patch('/api/payment-settings', { currentStock: 60 }, { token })
    await logInAt(owner, '/admin')
    const waiting = owner.page.getByRole('region', { name: '1 paid pre-order' })
    await says(waiting, 'needs 60M more', 'ash')
    await owner.page.getByText('Low stock').waitFor({ state: 'detached' })
    await stage.shop.patch('/api/payment-settings', { lowStockM: 60 }, { token })
    await owner.says('Low stock: 60M left')
    await stage.shop.patch('/api/payment-settings', { currentStock: 0 }, { token })
    await owner.says('Sold out')
  })

  stage.walk('an ended session clears every tab, and a hidden one before it is seen again', wide, async (owner) => {
    await place('misty', 5)
    await logInAt(owner, '/admin/orders')
    const other = await owner.page.context().newPage()
    await other.goto('/admin/orders')
    await other.getByText('misty@example.com').waitFor()
    const show = async (state: 'hidden' | 'visible') =>
      other.evaluate((next) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => next })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await show('hidden')
    await other.getByText('misty@example.com').waitFor({ state: 'hidden' })
    await show('visible')
    await other.getByText('misty@example.com').waitFor()
    await stage.shop.setPasswordElsewhere('another long password')
    for (const page of [owner.page, other]) await page.getByText('misty@example.com').waitFor({ state: 'detached' })
    await other.close()
  })

  stage.walk('the owner returns to the same filter after a password change elsewhere', wide, async (owner) => {
    await place('misty', 5)
    await logInAt(owner, '/admin/orders?status=pending')
    const { page, see, toast } = owner
    const sessionExpired = async () => {
      await toast('Session Expired').waitFor()
      await toast('Admin password was changed. Please login again.').waitFor()
      await see('Admin Login')
    }
    await owner.says('Filtered Orders (1 of 1)')
    await page.getByLabel('Search orders').fill('mis')
    await page.waitForURL(/#search=mis$/)
    stage.shop.advance(1_000)
    await stage.shop.setPasswordElsewhere('another long password')
    await sessionExpired()
    await logInAsOwner(owner, 'another long password')
    expect(await page.getByLabel('Search orders').inputValue()).toBe('mis')
    await page.waitForURL((url) => url.search === '?status=pending' && url.hash === '#search=mis')
  })

  stage.walk('what the owner has typed is there again after a session that ended meanwhile', wide, async (owner) => {
    const orderId = await paidBy(stage.shop)
    const { page, press, see } = owner
    const endSession = async (password: string) => {
      stage.shop.advance(1_000)
      await stage.shop.setPasswordElsewhere(password)
    }
    const logInAgain = async (password: string) => {
      await see('Admin Login')
      await logInAsOwner(owner, password)
    }
    await logInAt(owner, `/admin/orders/${orderId}`)
    await press('Note a refund')
    const refund = dialog(owner, /^Refund of order/)
    await refund.getByLabel('Amount in dollars').fill('1.25')
    await refund.getByLabel('Where to').fill('ltc1qash')
    await refund.getByLabel('Reason').selectOption('other')
    await endSession('another long password')
    await logInAgain('another long password')
    expect(await refund.getByLabel('Amount in dollars').inputValue()).toBe('1.25')
    expect(await refund.getByLabel('Where to').inputValue()).toBe('ltc1qash')
    expect(await refund.getByLabel('Reason').inputValue()).toBe('other')
    await refund.getByRole('button', { name: 'Cancel' }).click()
    await press('Note a refund')
    expect(await refund.getByLabel('Where to').inputValue()).toBe('')

    await page.goto('/admin/products')
    await press('Add product')
    const product = dialog(owner, 'Add product')
    await product.getByLabel('Name').fill('Starter')
    await product.getByLabel('Quantity in millions').fill('10')
    await product.getByLabel(/^Active/).uncheck()
    await endSession('a third long password')
    await logInAgain('a third long password')
    expect(await product.getByLabel('Name').inputValue()).toBe('Starter')
    expect(await product.getByLabel(/^Active/).isChecked()).toBe(false)
    await product.getByRole('button', { name: 'Save' }).click()
    await owner.toast('Starter was added.').waitFor()

    await page.goto('/admin/settings')
    await page.getByLabel('Base price').fill('0.07')
    await endSession('a fourth long password')
    await logInAgain('a fourth long password')
    expect(await page.getByLabel('Base price').inputValue()).toBe('0.07')
    await page.getByLabel('Base price').press('Enter')
    await owner.toast('Settings updated successfully').waitFor()
    expect((await stage.shop.get('/api/payment-settings')).body['basePricePerMillion']).toBe(0.07)
  })

  stage.walk('the owner erases a person once no order needs its buyer', narrow, async (owner) => {
    const misty = await place('misty', 5)
    await logInAt(owner, '/admin/settings')
    const { page, press } = owner
    const erase = dialog(owner, 'Erase this person?')
    const confirm = async () => erase.getByRole('button', { name: 'Erase' }).click()
    await page.getByLabel('E-mail of the person').fill('misty')
    await press('Erase...')
    await owner.says('Type the e-mail address of the orders')
    await page.getByLabel('E-mail of the person').fill(' misty@example.com ')
    await press('Erase...')
    await says(erase, 'misty@example.com')
    await confirm()
    await erase.getByRole('alert').getByText(/./).waitFor()
    expect((await stage.shop.get(`/api/orders/${misty}`, { token })).body['customerEmail']).toBe('misty@example.com')
    await stage.shop.delete(`/api/orders/${misty}`, { token })
    await confirm()
    await owner.says('This person was erased.')
    await erase.waitFor({ state: 'detached' })
    expect(await page.getByLabel('E-mail of the person').inputValue()).toBe('')
    expect((await stage.shop.get(`/api/orders/${misty}`, { token })).body['customerEmail']).toBe('erased')
  })

  stage.walk('the owner changes the password and logs out', narrow, async (owner) => {
    await logInAt(owner, '/admin/settings')
    const { page, press, toast } = owner
    await page.getByLabel('Current password').fill('not the password')
    await page.getByLabel('New password', { exact: true }).fill('a new long password')
    await page.getByLabel('New password again').fill('a new long passwort')
    await press('Change password')
    await owner.says('The two new passwords are not the same')
    await page.getByLabel('New password again').fill('a new long password')
    await press('Change password')
    await page.getByLabel('Current password').and(page.locator('[aria-invalid]')).waitFor()
    await owner.see('Admin Dashboard')
    await page.getByLabel('Current password').fill(ADMIN_PASSWORD)
    await press('Change password')
    await owner.says('The password was changed. Please log in with the new one.')
    await logInAsOwner(owner, 'a new long password')
    await press('Logout')
    await toast(/^Logged Out$/).waitFor()
    await toast('Successfully logged out').waitFor()
    for (const label of ['E-mail', 'Password']) expect(await page.getByLabel(label).inputValue()).toBe('')
  })
})
