import { beforeEach, expect } from 'vitest'
import type { Buyer } from './buyer.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { narrow, phone, storyLooks, wide } from './looks.ts'

const isApi = (url: URL) => url.pathname.startsWith('/api/')
const pricesAndStock = /\/api\/(?:pricing|payment-settings|updates)/

describeInBrowser('a purchase', builtShop(), (stage) => {
  let token: string

  beforeEach(async () => {
    token = await stage.shop.logIn()
  })

  async function changeSettings(change: Record<string, unknown>): Promise<void> {
    const headers = 'currentStock' in change ? {} : { 'If-Match': '*' }
    const { status, text } = await stage.shop.patch('/api/payment-settings', change, { token, headers })
    expect({ status, text }).toMatchObject({ status: 200 })
  }

  async function eventTypes(orderId: string): Promise<string[]> {
    return (await stage.shop.eventsOf(`order-${orderId}`)).map((event) => event.type)
  }

  stage.walk('what a buyer types before the scripts have loaded is kept', phone, async ({ page, button, heading }) => {
    const { promise: loading, resolve: load } = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => loading.then(async () => route.continue()))
    await page.goto('/purchase', { waitUntil: 'commit' })
    await heading('How many coins?').waitFor()
    await page.getByLabel('Millions of coins').fill('50')
    await page.getByLabel('Millions of coins').press('Enter')
    load()
    await page.getByRole('button', { name: /^50M/, pressed: true }).waitFor()
    expect(await page.getByLabel('Millions of coins').inputValue()).toBe('50')
    await button('Continue').click()
    await heading('Who are they for?').waitFor()
  })

  stage.walk(
    'what a buyer pastes is taken, a ninth digit stays, and a likely slip is asked once',
    [wide, phone],
    async ({ page, see, says, press, fillQuantity, heading }) => {
      await page.goto('/purchase')
      await fillQuantity('\u202a5\u202c')
      await press('Continue')
      await page.getByLabel('E-mail address').fill(' <ann@gmial.com>')
      await page.getByLabel('Discord username').fill('\u2068ann\u2069')
      await press('Continue')
      await page.getByRole('alert').getByText('Did you mean gmail.com?').waitFor()
      await says('You entered ann@gmial.com. If that is right, continue.')
      await see('Who are they for?')
      await press('Use ann@gmail.com')
      await page.getByRole('alert').waitFor({ state: 'detached' })
      expect(await page.getByLabel('E-mail address').inputValue()).toBe('ann@gmail.com')
      await page.getByLabel('E-mail address').fill('ann@gmail')
      await press('Continue')
      await says('Did you mean gmail.com?')
      await press('Continue')
      await heading('Where do they go?').waitFor()
      await page.getByLabel('Market ID').pressSequentially('123456789')
      await says('You entered 9 of 8 digits')
      await see('Where do they go?')
      await page.getByLabel('Market ID').fill('1234-5678,')
      await press('Continue')
      const id = page.waitForURL(/\/checkout\//).then(() => page.url().split('/').at(-1) ?? '')
      expect((await stage.shop.get(`/api/orders/${await id}`, { token })).body).toMatchObject({
        customerEmail: 'ann@gmail',
        discordUsername: 'ann',
        marketId: '12345678',
      })
    },
  )

  stage.walk(
    'the wizard shows what is missing at each step',
    storyLooks,
    async ({ page, see, says, press, fillQuantity, fillCustomer, toast }) => {
      await page.goto('/purchase')
      await press('Continue')
      await says('Enter how many millions you want')
      expect(await page.title()).toMatch(/^Error: /)
      await see('How many coins?')
      await fillQuantity('5000')
      await says(/^Only [\d,]+M Pokecoins available in stock$/)
      // One toast, not one per key press.
      await toast('Insufficient Stock').waitFor()
      await press('Close notification')
      await fillQuantity('5001')
      await page.getByText('5,001M').filter({ visible: true }).first().waitFor()
      expect(await toast('Insufficient Stock').count()).toBe(0)
      await fillQuantity('5')
      await page.getByRole('alert').waitFor({ state: 'detached' })
      expect(await page.title()).not.toMatch(/^Error: /)
      await press('Continue')
      await press('Continue')
      await says('Enter your Discord username')
      await page.getByRole('alert').getByText('Enter your e-mail address').click()
      await see('Who are they for?')
      await fillCustomer('ann')
      await press('Continue')
      const marketId = page.getByLabel('Market ID')
      await page.evaluate(async () => navigator.clipboard.writeText('123456789, 22222222'))
      await marketId.press('ControlOrMeta+v')
      await says('You entered 17 of 8 digits')
      expect(await marketId.inputValue()).toBe('12345678922222222')
      await marketId.fill('12345678x')
      await says('Your market ID takes 8 digits and nothing else')
      await see('Where do they go?')
    },
  )

  stage.walk('nothing shifts while price and stock load', wide, async ({ page }) => {
    for (const path of ['/', '/purchase']) {
      await page.goto(path)
      await page.getByText('1,000M').or(page.getByText('In stock')).first().waitFor()
      await page.waitForLoadState('load')
      const moved = await page.evaluate(async () => {
        let sum = 0
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        await document.fonts.ready
        // Layout shifts are reported after painting.
        for (let frame = 0; frame < 10; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
        return sum
      })
      expect(moved).toBeLessThanOrEqual(0.02)
    }
  })

  stage.walk('changing the draft cancels its order, and so does Cancel Order', wide, async (buyer) => {
    const { page } = buyer
    const first = await buyer.placeOrder()
    await page.getByRole('link', { name: 'Change quantity' }).click()
    await buyer.fillQuantity('6')
    await throughTheSteps(buyer)
    await page.waitForURL((url) => url.pathname.startsWith('/checkout/') && !url.pathname.endsWith(first))
    const second = await buyer.atCheckout()
    expect(await eventTypes(first)).toContain('OrderCancelled')
    await buyer.press('Cancel Order')
    await buyer.press('Keep the order')
    expect(await eventTypes(second)).not.toContain('OrderCancelled')
    await buyer.cancelOrder()
    await page.waitForURL((url) => url.pathname === '/')
    // The toast stays on the next screen.
    await buyer.toast(/^Order \S+ was cancelled\. Nothing is owed\.$/).waitFor()
    expect(await eventTypes(second)).toContain('OrderCancelled')
  })

  stage.walk(
    'the wizard asks about an order with a started payment before it places another',
    narrow,
    async (buyer) => {
      const { page } = buyer
      const first = await buyer.placeOrder({ quantity: '60' })
      await buyer.chooseMethod('Crypto')
      await buyer.says('Waiting for payment...')
      await page.goto('/')
      await page.getByRole('link', { name: 'Buy Now' }).click()
      await buyer.fillQuantity('70')
      await throughTheSteps(buyer)
      const question = page.getByRole('dialog', { name: 'You have an unpaid order' })
      await question.getByText('If you have sent money for it, keep it.').waitFor()
      await buyer.see('Where do they go?')
      await question.getByRole('button', { name: 'Keep it and buy another' }).click()
      expect(await buyer.atCheckout()).not.toBe(first)
      expect(await eventTypes(first)).not.toContain('OrderCancelled')
    },
  )

  stage.walk('a buyer reads while typing that the coins are sold out', wide, async (buyer) => {
    await buyer.page.goto('/purchase')
    await buyer.fillQuantity('900')
    await buyer.press('Continue')
    await buyer.heading('Who are they for?').waitFor()
    await changeSettings({ currentStock: 3 })
    await buyer.page.getByRole('alert').getByText('Only 3M Pokecoins available in stock').waitFor()
    await changeSettings({ currentStock: 1_000 })
    await buyer.page.getByRole('alert').waitFor({ state: 'detached' })
  })

  stage.walk('the wizard returns to the quantity if the coins were sold meanwhile', wide, async (buyer) => {
    await atTheLastStep(buyer, '7')
    await changeSettings({ currentStock: 3 })
    await buyer.press('Continue')
    await buyer.heading('How many coins?').waitFor()
    await buyer.toast('Insufficient Stock').waitFor()
    await buyer.toast('Only 3M Pokecoins available in stock').waitFor()
    expect(await buyer.page.getByLabel('Millions of coins').inputValue()).toBe('7')
  })

  stage.walk('the wizard shows the old and the new price and asks again', wide, async (buyer) => {
    await atTheLastStep(buyer, '5')
    await changeSettings({ basePricePerMillion: 0.06 })
    await buyer.press('Continue')
    await buyer.says('The price has changed', '$0.25')
    await buyer.see('Where do they go?')
    await buyer.press('Continue at $0.30')
    const orderId = await buyer.atCheckout()
    const [placed] = await stage.shop.eventsOf(`order-${orderId}`)
    expect(placed?.data).toMatchObject({ totalCents: 30 })
  })

  stage.walk('the payment page continues when the shop is reachable again', wide, async (buyer) => {
    const { page } = buyer
    const orderId = await buyer.placeOrder()
    await buyer.chooseMethod('Crypto')
    await buyer.says('Waiting for payment...')
    await page.route(isApi, async (route) => route.abort())
    await buyer.says('Not up to date')
    await page.unroute(isApi)
    await stage.shop.pay(orderId)
    await buyer.heading('The coins are yours.').waitFor()
  })

  stage.walk('a buyer pays the rest after a PayPal payment that was too small', narrow, async (buyer) => {
    await buyer.placeOrder({ quantity: '10', name: 'sandbox-short' })
    await buyer.chooseMethod('PayPal')
    await buyer.press('Pay $0.88 with PayPal')
    await buyer.says('Part of your payment arrived. Please pay the rest.')
    await buyer.button('Pay $0.64 with PayPal').waitFor()
    expect(await buyer.toast('Payment Successful').count()).toBe(0)
    await buyer.see('Pay by PayPal')
  })

  stage.walk('a buyer pastes the market IDs of a very large order as one list', narrow, async (buyer) => {
    const { page, press } = buyer
    await changeSettings({ currentStock: 6_000 })
    await page.goto('/purchase?new')
    await buyer.fillQuantity('1050')
    await buyer.says('This order takes 21 market IDs')
    await press('Continue')
    await buyer.fillCustomer('ann')
    await press('Continue')
    const ids = Array.from({ length: 21 }, (_, index) => String(10_000_000 + index))
    const list = page.getByRole('textbox', { name: 'Market IDs' })
    await list.fill(ids.slice(0, 10).join(' / '))
    await press('Continue')
    await buyer.says('11 of 21 market IDs are missing')
    await buyer.see('Where do they go?')
    await page.reload()
    await list.fill(ids.join('\n'))
    await buyer.says('10000001 · 50M', '50,000,000')
    await press('Continue')
    await buyer.atCheckout()
    await buyer.says('Show all 21')
  })

  stage.walk(
    'the browser that placed an order names it until its buyer has seen that it is done',
    [wide, phone],
    async (buyer) => {
      const { page } = buyer
      const orderId = await buyer.placeOrder()
      const orders = page.getByRole('list', { name: 'Your orders' })
      await page.goto('/')
      await orders.getByText('not paid yet').waitFor()
      await buyer.see(/./)
      await stage.shop.post('/api/complete-payment', { orderId }, { token })
      await page.goto('/purchase')
      await orders.getByText('completed').waitFor()
      await buyer.see('How many coins?')
      await orders.getByRole('link').click()
      await buyer.says('Approved by the shop and delivered. Thank you.')
      await page.goto('/')
      await buyer.says('No account.')
      expect(await orders.count()).toBe(0)
    },
  )

  stage.walk('the page of an order leads with where it stands, and prints a receipt', [wide, phone], async (buyer) => {
    const { page } = buyer
    const orderId = await buyer.placeOrder()
    await buyer.chooseMethod('PayPal')
    await buyer.press('Pay $0.65 with PayPal')
    await page.waitForURL(/\/confirm$/)
    await page.goto(`/order/${orderId}`)
    await page.getByRole('listitem').filter({ hasText: 'Delivered: done' }).waitFor()
    await buyer.see(/^Order/)
    const fact = page.getByText('Order of 5M placed for $0.25.')
    expect(await fact.isVisible()).toBe(false)
    await page.getByText('Timeline').click()
    await fact.waitFor()
    await page.emulateMedia({ media: 'print' })
    const printed = await page.getByRole('main').innerText()
    for (const text of ['Test shop', 'Receipt for order', 'PayPal', '$0.65', 'The PayPal fee of $0.40 is included'])
      expect(printed).toContain(text)
    expect(printed).not.toContain('Timeline')
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(1_000)
  })

  stage.walk('a pre-order promises no reserved coins, and is delivered later', narrow, async (buyer) => {
    const { page } = buyer
    await changeSettings({ preOrdersEnabled: true })
    await changeSettings({ currentStock: 0 })
    const orderId = await buyer.placeOrder({ quantity: '20' })
    expect(await page.getByText(/reserved/i).count()).toBe(0)
    await buyer.chooseMethod('PayPal')
    await buyer.press('Pay $1.35 with PayPal')
    await page.waitForURL(/\/confirm$/)
    await buyer.see('Your payment is safe.')
    await buyer.says('$1.35', /7-10 days/)
    expect(await page.getByText(/24 hours|within \d+ seconds/).count()).toBe(0)
    await changeSettings({ currentStock: 1_000 })
    expect(await stage.shop.post('/api/complete-payment', { orderId }, { token })).toMatchObject({ status: 200 })
    await buyer.toast('Your Pokécoins have been delivered successfully!').waitFor()
  })
})

/** Continues from the quantity; the other steps are already filled. */
async function throughTheSteps({ press, heading }: Buyer): Promise<void> {
  for (const next of ['Who are they for?', 'Where do they go?']) {
    await press('Continue')
    await heading(next).waitFor()
  }
  await press('Continue')
}

/** Stops at the last step, and blocks updates of price and stock. */
async function atTheLastStep(buyer: Buyer, quantity: string): Promise<void> {
  await buyer.page.goto('/purchase?new')
  await buyer.fillQuantity(quantity)
  await buyer.press('Continue')
  await buyer.fillCustomer('ann')
  await buyer.press('Continue')
  await buyer.fillMarketIds()
  await buyer.page.route(pricesAndStock, async (route) => route.abort())
}
