import type { Locator, Page, Request } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { orderBody } from '../../src/testing/orders.ts'
import { startShop, type TestShop } from '../../src/testing/start-shop.ts'
import type { Buyer } from './buyer.ts'
import { pauseClock, tasksDone } from './clock.ts'
import { describeInBrowser } from './in-browser.ts'
import { lookAwayAndBack } from './look-away.ts'
import { logIn } from './owner.ts'
import { pathsAsked } from './requests.ts'

const waysToTheShop = {
  discordDmUrl: 'https://discord.com/users/1',
  discordServerUrl: 'https://discord.gg/coins',
  supportEmail: 'help@shop.example',
}
const stepTitles = [
  'Select Quantity',
  'Customer Information',
  'Market ID Verification',
  'Payment Method',
  'Payment',
  'Complete',
]
const STEP_MS = 500

describeInBrowser('the promised texts and times', (stage) => {
  let shop: TestShop
  let token: string

  beforeEach(async () => {
    shop = await startShop({ engines: 'sqlite', config: { webFolder: stage.webFolder(), ...waysToTheShop } })
    token = await shop.logIn()
    return async () => shop.stop()
  })

  const visit = async (walk: (visitor: Buyer) => Promise<void>) => stage.visit(shop, { width: 1280 }, walk)

  async function place(changes: Record<string, unknown> = {}): Promise<string> {
    return String((await shop.post('/api/orders', orderBody(changes))).body['id'])
  }

  /** What the shop answers at this path, but for these fields. */
  async function changeAnswers(page: Page, path: string, fields: object): Promise<void> {
    const { body } = await shop.get(path)
    await page.unrouteAll()
    await page.route(`**${path}`, async (route) => route.fulfill({ json: { ...body, ...fields } }))
  }

  describe('every address', () => {
    it('leads to its screen', async () => {
      const id = await place({ paymentMethod: 'crypto' })
      await visit(async ({ page, heading }) => {
        for (const [address, title] of [
          ['/', 'Coins over the counter.'],
          ['/about-us', 'About Us'],
          ['/purchase', 'How many coins?'],
          [`/order/${id}`, /^Order /],
          [`/checkout/${id}`, 'Check your order'],
          [`/order/${id}/payment-method`, 'How do you want to pay?'],
          [`/order/${id}/payment`, 'Pay by Crypto'],
          [`/order/${id}/confirm`, 'Not paid yet'],
          ['/terms', 'Terms and conditions'],
          ['/privacy', 'Privacy policy'],
          ['/refunds', 'Refund policy'],
          ['/contact', 'Contact'],
          ['/success', 'Payment Successful!'],
          ['/checkout', 'Invalid Checkout'],
          ['/order', 'Invalid Order'],
          ['/order/payment', 'Invalid Payment'],
          ['/order/payment-method', 'Invalid Payment'],
          ['/order//payment', 'Invalid Payment'],
          ['/order//payment-method', 'Invalid Payment'],
          ['/checkout//', 'Invalid Checkout'],
          ['/nothing-here', '404 Page Not Found'],
          ...['/admin', '/admin/orders', `/admin/orders/${id}`, '/admin/products', '/admin/settings'].map(
            (staff) => [staff, 'Admin Login'] as const,
          ),
        ] as const) {
          await page.goto(address)
          await heading(title).waitFor()
          if (String(title).startsWith('Invalid')) await page.getByText('Order ID is required').waitFor()
        }
      })
    })

    it('offers the ways on', async () => {
      const id = await place()
      await visit(async ({ page }) => {
        await page.goto('/')
        await links(page.getByRole('banner'), {
          Home: '/#home',
          'About Us': '/about-us',
          Process: '/#process',
          'Why Us': '/#why-us',
          Admin: '/admin',
          'Buy Now': '/purchase',
        })
        await links(page.getByRole('navigation', { name: 'Footer' }), {
          Privacy: '/privacy',
          Refunds: '/refunds',
          Contact: '/contact',
          Terms: '/terms',
        })
        for (const name of ['How it Works', 'Why Us']) await page.getByRole('heading', { level: 2, name }).waitFor()
        await page.goto('/about-us')
        await links(page.getByRole('main'), { 'Buy coins': '/purchase', 'Back to Home': '/' })
        await page.goto('/success')
        await page.getByText('Your coins were delivered.').waitFor()
        await links(page, { 'Place New Order': '/' })
        await page.goto('/contact')
        for (const name of [
          'Direct Message',
          'Discord Server',
          'E-mail',
          'Support Information',
          'Before You Contact Us',
          'Support Hours',
        ])
          await page.getByRole('heading', { level: 2, name }).waitFor()
        for (const [name, url] of [
          ['Direct Message', waysToTheShop.discordDmUrl],
          ['Discord Server', waysToTheShop.discordServerUrl],
        ] as const) {
          const way = page.getByRole('link', { name: `Open Discord : ${name} (opens a new tab)` })
          expect([await way.getAttribute('href'), await way.getAttribute('target')]).toEqual([url, '_blank'])
        }
        await page.goto('/contact?order=1H7SEFZW')
        await links(page, { 'Write an e-mail': 'mailto:help@shop.example?subject=Order%201H7SEFZW' })
        await page.goto('/nothing-here')
        await page.getByText('Did you forget to add the page to the router?').waitFor()
        await page.goto(`/checkout/${id}`)
        await links(page, { 'View Order Status': `/order/${id}`, 'Continue to Payment': `/order/${id}/payment-method` })
        await page.getByRole('button', { name: 'Cancel Order' }).waitFor()
        await page.goto(`/order/${id}`)
        for (const name of ['Order details', 'Timeline', 'Payment information'])
          await page.getByRole('heading', { level: 2, name }).waitFor()
        await links(page, { 'Continue Payment': `/order/${id}/payment-method` })
        expect(await shop.post('/api/crypto/create-payment', { amount: '2.25', orderId: id })).toMatchObject({
          status: 200,
        })
        await shop.pay(id)
        await page.goto(`/order/${id}/confirm`)
        await page.getByText(/^Total paid/).waitFor()
        await page.getByRole('heading', { level: 2, name: 'What happens next' }).waitFor()
        await page.getByRole('button', { name: 'Copy Link' }).waitFor()
        await links(page, {
          'View Order Status': `/order/${id}`,
          'Place New Order': '/purchase?new',
          'Back to Home': '/',
        })
        await page.getByRole('link', { name: 'Contact Support' }).waitFor()
        // A finished order has nothing left to check.
        await page.goto(`/checkout/${id}`)
        await page.waitForURL(`**/order/${id}`)
      })
    })

    it('of a purchase has its six steps, and Enter goes on from anywhere', async () => {
      await visit(async (buyer) => {
        const { page, heading } = buyer
        await page.goto('/purchase')
        await expectStep(page, 1)
        // Not valid yet, and not what Enter is for there.
        await heading('How many coins?').click()
        await page.keyboard.press('Enter')
        expect(await page.getByRole('alert').count()).toBe(0)
        await page.getByRole('button', { name: /^50M/ }).press('Enter')
        await heading('How many coins?').click()
        await page.keyboard.press('Enter')
        await heading('Who are they for?').waitFor()
        await expectStep(page, 2)
        await buyer.fillCustomer('ann')
        await heading('Who are they for?').click()
        await page.keyboard.press('Enter')
        await heading('Where do they go?').waitFor()
        await expectStep(page, 3)
        await buyer.fillMarketIds()
        await page.keyboard.press('Enter')
        const id = await buyer.atCheckout()
        await expectStep(page, 4)
        await page.keyboard.press('Enter')
        await heading('How do you want to pay?').waitFor()
        await expectStep(page, 4)
        await page.getByRole('radio', { name: 'Crypto' }).check()
        await heading('How do you want to pay?').click()
        await page.keyboard.press('Enter')
        await page.getByText('Waiting for payment...').waitFor()
        await expectStep(page, 5)
        await page.goto(`/order/${id}/confirm`)
        await heading('Not paid yet').waitFor()
        await expectStep(page, 5)
        await shop.pay(id)
        await heading('The coins are yours.').waitFor()
        await expectStep(page, 6)
      })
    })

    it('of a checkout names the step that the order has come to', async () => {
      const id = await place()
      const customer = { customerEmail: 'ann@example.com', discordUsername: 'ann' }
      await visit(async ({ page }) => {
        const empty = { customerEmail: '', discordUsername: '', marketId: '' }
        for (const [step, has] of [
          [1, { pokecoinAmount: 0 }],
          [2, { pokecoinAmount: 5 }],
          [2, { discordUsername: 'ann' }],
          [3, customer],
          [4, { ...customer, marketId: '12345678' }],
        ] as const) {
          await changeAnswers(page, `/api/orders/${id}`, { ...empty, ...has })
          await page.goto(`/checkout/${id}`)
          await expectStep(page, step)
          await expect.poll(async () => page.title()).toContain(`Step ${step} of 6: ${stepTitles[step - 1]}`)
        }
      })
    })

    it('shows each policy whole', async () => {
      await visit(async ({ page }) => {
        // Otherwise midnight may fall between the page and what is wanted of it.
        await page.clock.setFixedTime(new Date('2026-03-31T12:00:00Z'))
        for (const [address, sections] of [
          ['/privacy', 12],
          // A summary before the eight, and questions after them.
          ['/refunds', 10],
          ['/terms', 13],
        ] as const) {
          await page.goto(address)
          const contents = page.getByRole('navigation', { name: 'Contents' }).getByRole('listitem')
          await contents.first().waitFor()
          expect(await contents.count()).toBe(sections)
          await page.getByRole('link', { name: 'Back to Home' }).first().waitFor()
          await page
            .getByText(address === '/privacy' ? 'Last updated: 31 March 2026' : /^Last updated: \d+ \w+ \d{4}$/)
            .waitFor()
          expect(await page.getByText(/wallet/i).count()).toBe(0)
        }
      })
    })

    it('of the landing page is a section that is scrolled to, a tenth of a second after it is chosen', async () => {
      await visit(async ({ page, heading }) => {
        await page.clock.install()
        await page.goto('/about-us')
        await heading('About Us').waitFor()
        await pauseClock(page)
        await page.getByRole('banner').getByRole('link', { name: 'Process' }).click()
        await page.waitForURL('**/#process')
        const section = page.getByRole('region', { name: 'How it Works' })
        await section.waitFor()
        const top = async () => section.evaluate((element) => Math.round(element.getBoundingClientRect().top))
        const before = await top()
        expect(before).toBeGreaterThan(300)
        await page.evaluate(tasksDone)
        await page.clock.runFor(150)
        await expect.poll(top).toBeLessThan(200)
        await expect
          .poll(async () => page.getByRole('link', { name: 'Process' }).getAttribute('aria-current'))
          .toBe('location')
      })
    })

    it('shows one price in dollars and, at one rate, in rupees', async () => {
      await visit(async (buyer) => {
        const { page } = buyer
        await page.clock.install()
        await page.goto('/')
        const board = page.getByRole('region', { name: 'Price and stock' })
        for (const figure of ['$0.05', '₹4.33', '1,000M'])
          await board.getByText(figure, { exact: true }).first().waitFor()
        // 10M at 5% off is $0.475, charged as $0.48.
        await page.getByRole('row', { name: /^10M/ }).getByText('save 4%').waitFor()
        await page.getByText('Up to 30% off on bulk').waitFor()
        await page.goto('/purchase')
        await page.getByRole('button', { name: /^100M \$4\.25 save 15%/ }).click()
        await page.getByText('INR', { exact: true }).click()
        await page.getByRole('button', { name: /^100M ₹367\.63/ }).waitFor()
        await page.getByRole('complementary', { name: 'Your order' }).getByText('₹367.63').waitFor()
        await pauseClock(page)
        await buyer.fillQuantity('1001')
        await buyer.toast('Insufficient Stock').waitFor()
        await buyer.toast('Only 1,000M Pokecoins available in stock').waitFor()
        // It goes with its screen, not with its time, which does not pass.
        await page.getByRole('link', { name: 'Back' }).click()
        await board.waitFor()
        await buyer.toast('Insufficient Stock').waitFor({ state: 'detached' })
      })
    })
  })

  it('takes a price only where it is above 0, and else the one of the settings', async () => {
    const discount = { headers: { 'If-Match': '*' }, token }
    expect(await shop.patch('/api/payment-settings', { bulkDiscountPercent: 10 }, discount)).toMatchObject({
      status: 200,
    })
    await visit(async ({ page }) => {
      for (const [pokecoinPriceUSDPerMillion, perMillion, for500M] of [
        [0, '$0.045', '$15.75'],
        [-1, '$0.045', '$15.75'],
        [0.06, '$0.06', '$21.00'],
      ] as const) {
        await changeAnswers(page, '/api/pricing', { pokecoinPriceUSDPerMillion })
        await page.goto('/')
        const board = page.getByRole('region', { name: 'Price and stock' })
        await board.getByText(perMillion, { exact: true }).waitFor()
        await page.goto('/purchase')
        await page.getByRole('button', { name: `500M ${for500M} save 30%` }).waitFor()
      }
    })
  })

  describe('every failure', () => {
    it('of a question is logged as status and body, and said as a sentence', async () => {
      const id = await place()
      await visit(async ({ page, heading }) => {
        await page.clock.install()
        const logged: string[] = []
        page.on('console', (message) => logged.push(message.text()))
        for (const [status, body, line, sentence] of [
          [409, '{"code":"x","message":"Not today."}', '409: {"code":"x","message":"Not today."}', 'Not today.'],
          [500, 'out of order', '500: out of order', 'Something went wrong on our side. Please try again.'],
          [502, '', '502: Bad Gateway', 'Something went wrong on our side. Please try again.'],
          [401, '', '401: Unauthorized', 'Something went wrong on our side. Please try again.'],
        ] as const) {
          await page.unrouteAll()
          await page.route(`**/api/orders/${id}`, async (route) => route.fulfill({ status, body }))
          await page.goto(`/order/${id}`)
          const said = page.getByRole('alert').filter({ hasText: 'Your order could not be loaded' })
          await said.getByText(sentence, { exact: true }).waitFor()
          await expect.poll(() => logged).toContain(line)
          expect(await page.getByText(`${status}:`).count()).toBe(0)
        }

        // A price that was there stays on the screen.
        await page.goto('/purchase')
        await page.getByRole('button', { name: /^10M \$0\.48/ }).waitFor()
        await page.route('**/api/pricing', async (route) => route.fulfill({ status: 500, body: 'no price' }))
        await page.clock.runFor(11_000)
        await expect.poll(() => logged).toContain('500: no price')
        await page.getByRole('button', { name: /^10M \$0\.48/ }).waitFor()
        await heading('How many coins?').waitFor()
        expect(await page.getByRole('alert').count()).toBe(0)
      })
    })

    it('of a buyer has the promised text', async () => {
      await visit(async (buyer) => {
        const { page, press, toast } = buyer
        await fail(page, '**/api/orders')
        await page.goto('/purchase')
        await buyer.fillQuantity('5')
        await press('Continue')
        await buyer.fillCustomer('ann')
        await press('Continue')
        await buyer.fillMarketIds()
        await press('Continue')
        await toast('Failed to create order. Please try again.').waitFor()
        await toast(/^Error$/).waitFor()
        await page.getByText('Your order was not placed').waitFor()
        await page.unroute('**/api/orders')
        await press('Continue')
        const id = await buyer.atCheckout()

        await fail(page, `**/api/orders/${id}/cancel`)
        await buyer.cancelOrder()
        await page.getByRole('alert').getByText('The order was not cancelled').waitFor()

        await page.getByRole('link', { name: 'Continue to Payment' }).click()
        await buyer.heading('How do you want to pay?').waitFor()
        await press('Continue')
        await toast('Please select a payment method').waitFor()
        await toast("Choose how you'd like to pay for your order.").waitFor()
        await fail(page, `**/api/orders/${id}`)
        await page.getByRole('radio', { name: 'PayPal' }).check()
        await press('Continue')
        await toast('Failed to update payment method. Please try again.').waitFor()
        await page.unroute(`**/api/orders/${id}`)
        await press('Continue')

        await fail(page, '**/api/paypal/order')
        await press(/^Pay \$/)
        await toast('Payment Failed').waitFor()
        await toast('There was an error processing your payment. Please try again.').waitFor()
        await page
          .getByRole('alert')
          .getByText('There was an error processing your payment. Please try again.')
          .waitFor()

        await page.getByRole('link', { name: 'Back' }).click()
        await page.getByRole('radio', { name: 'Crypto' }).check()
        await fail(page, '**/api/crypto/create-payment')
        await press('Continue')
        await toast('Failed to create crypto payment. Please try again.').waitFor()
        await toast('Payment Error').waitFor()
        await page.getByRole('alert').getByText('No crypto payment could be made').waitFor()
        await page.unroute('**/api/crypto/create-payment')
        await press('Try again')
        await page.getByText('Waiting for payment...').waitFor()
        await page.evaluate(() =>
          Object.assign(navigator.clipboard, { writeText: async () => Promise.reject(new Error()) }),
        )
        await press('Copy Litecoin address')
        await toast('Copy Failed').waitFor()
        await toast('Unable to copy to clipboard').waitFor()

        await page.getByRole('link', { name: 'Back' }).click()
        await page.getByRole('radio', { name: 'UPI' }).check()
        await press('Continue')
        await page.getByLabel('Phone number').fill('9876543210')
        await fail(page, '**/api/upigateway/create-order')
        await press(/^Pay ₹/)
        await toast('Failed to initiate payment. Please try again.').waitFor()
        await page.getByRole('alert').getByText('UPI payment failed. Please try again.').waitFor()
        await page.unroute('**/api/upigateway/create-order')
        await fail(page, '**/api/upigateway/create-order', 409)
        await press(/^Pay ₹/)
        await toast('No.').waitFor()
        await page.route('**/api/upigateway/create-order', async (route) => route.fulfill({ status: 502, body: '' }))
        await press(/^Pay ₹/)
        await toast('Failed to create payment order').waitFor()
      })
    })

    it('of a payment has the promised text, and so has its success', async () => {
      await visit(async (buyer) => {
        const { page, toast } = buyer
        await buyer.placeOrder({ name: 'sandbox-fail' })
        await buyer.chooseMethod('PayPal')
        await buyer.press(/^Pay \$/)
        await page.getByText('PayPal declined this payment. No money was taken.').waitFor()
        await toast('Payment Failed').waitFor()

        const id = await buyer.placeOrder({ name: 'sandbox-fail' })
        await buyer.chooseMethod('Crypto')
        await page.getByText('Waiting for payment...').waitFor()
        await shop.pay(id)
        await toast('The payment was not successful. Please try again.').waitFor()
        await buyer.button('Get a fresh address').waitFor()

        await buyer.placeOrder({ name: 'ann' })
        await buyer.chooseMethod('PayPal')
        // The heading stands for a second.
        await Promise.all([
          toast('Payment Successful').waitFor(),
          buyer.heading('Payment Completed!').waitFor(),
          buyer.press(/^Pay \$/),
        ])
      })
    })

    it('of a paid order that is not processed has the promised text', async () => {
      const id = await place({ paymentMethod: 'crypto' })
      await shop.post('/api/complete-payment', { orderId: id }, { token })
      await visit(async ({ page, heading, toast }) => {
        let hasFailed = false
        await page.route(`**/api/orders/${id}`, async (route) => {
          const response = await route.fetch()
          const order = (await response.json()) as Record<string, unknown>
          const failure = hasFailed ? { status: 'failed', paymentStatus: 'failed' } : {}
          await route.fulfill({ response, json: { ...order, ...failure } })
        })
        await page.goto(`/order/${id}/confirm`)
        await heading('The coins are yours.').waitFor()
        hasFailed = true
        await toast('Processing Error').waitFor()
        await toast('Failed to process your order. Please contact support.').waitFor()
        // It was paid, whatever is said of it now.
        await page.getByRole('heading', { name: 'What happens next' }).waitFor()
      })
    })

    it('of the owner has the promised text', async () => {
      const [brock, misty] = [await place({ discordUsername: 'brock' }), await place({ discordUsername: 'misty' })]
      shop.advance(60_000)
      await shop.post('/api/complete-payment', { orderId: misty }, { token })
      await visit(async (owner) => {
        const { page, press, toast } = owner
        await page.goto('/admin')
        await page.route('**/api/admin/analytics', async () => undefined)
        await logIn(owner)
        await page.getByText('Manage your pokecoin shop').waitFor()
        await page.getByRole('status').getByText('Loading analytics...').waitFor()
        await page.unroute('**/api/admin/analytics')
        await page.reload()
        await page.getByRole('heading', { name: 'Monthly Revenue Trend' }).waitFor()

        await page.getByRole('tab', { name: 'Orders' }).click()
        await page.getByRole('heading', { name: 'Order Management' }).waitFor()
        await page.getByText('All Orders (2)').waitFor()
        const columns = await page.getByRole('columnheader').allInnerTexts()
        expect(columns).toEqual(
          'Order ID,Customer,Discord,Market ID,Pokecoins,Amount,Payment,Status,Date,Actions'.split(','),
        )
        await page.goto(`/admin/orders/${misty}`)
        const details = page.getByRole('dialog')
        for (const name of ['Order Information', 'Customer Information', 'Payment Transactions'])
          await details.getByRole('heading', { name }).waitFor()
        for (const term of ['Payment Method', 'Subtotal', 'Total Price', 'Created At', 'Completed At'])
          await details.getByRole('term').filter({ hasText: term }).waitFor()

        await fail(page, `**/api/orders/${brock}`)
        await page.goto(`/admin/orders/${brock}`)
        await press('Delete')
        const question = page.getByRole('dialog', { name: 'Delete this order?' })
        await question.getByText(/^Are you sure you want to delete 1 selected order\(s\)\?/).waitFor()
        await question.getByRole('button', { name: 'Delete' }).click()
        await toast('Delete Failed').waitFor()
        const number = String((await shop.get(`/api/orders/${brock}`)).body['orderNumber'])
        await toast(`Failed to delete order ${number}. The shop cannot be reached.`).waitFor()
        await page.unroute(`**/api/orders/${brock}`)
        // It was deleted by another member of staff.
        await press('Done')
        await fail(page, `**/api/orders/${brock}`, 404)
        await press('Delete')
        await question.getByRole('button', { name: 'Delete' }).click()
        await toast('Successfully deleted 1 order(s)').waitFor()

        await page.goto('/admin/products')
        await fail(page, '**/api/products')
        await press('Add product')
        await page.getByLabel('Name').fill('Starter pack')
        await page.getByLabel('Quantity in millions').fill('10')
        await press('Save')
        await toast('Failed to create product').waitFor()
        await page.unroute('**/api/products')
        await press('Save')
        await toast('Starter pack was added.').waitFor()
        await fail(page, '**/api/products/*')
        await press('Edit Starter pack')
        await press('Save')
        await toast('Failed to update product').waitFor()
        await press('Cancel')
        await press('Delete Starter pack')
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
        await toast('Failed to delete product').waitFor()
      })
    })
  })

  describe('every interval and delay', () => {
    it('of polling is the promised one', async () => {
      const id = await place()
      await visit(async ({ page, heading }) => {
        await page.clock.install()
        await page.goto('/')
        await page.getByText('USD per 1M').waitFor()
        const onLanding = await askedDuring(page, 65_000)
        expectEvery(onLanding, '/api/pricing', 10_000)
        expectEvery(onLanding, '/api/payment-settings', 30_000)
        for (const path of ['/api/products', '/api/shop']) expect(onLanding.get(path)).toBeUndefined()
        await page.goto('/purchase')
        await page.getByRole('button', { name: /^10M/ }).waitFor()
        const inWizard = await askedDuring(page, 25_000)
        expectEvery(inWizard, '/api/pricing', 10_000)
        expectEvery(inWizard, '/api/payment-settings', 10_000)
        for (const [screen, everyMs] of [
          [`/order/${id}`, 5_000],
          [`/checkout/${id}`, 5_000],
          [`/order/${id}/payment-method`, 5_000],
          [`/order/${id}/payment`, 3_000],
          [`/order/${id}/confirm`, 5_000],
        ] as const) {
          const offersMethods = screen.includes('/payment')
          await page.goto(screen)
          await heading(/./).waitFor()
          const onScreen = await askedDuring(page, offersMethods ? 25_000 : 16_000)
          expectEvery(onScreen, `/api/orders/${id}`, everyMs)
          if (offersMethods) expectEvery(onScreen, '/api/payment-settings', 10_000)
        }
      })
    })

    it('of polling a crypto payment, which ends after half an hour', async () => {
      await visit(async (buyer) => {
        const { page } = buyer
        await page.clock.install()
        await buyer.placeOrder()
        await buyer.chooseMethod('Crypto')
        await page.getByText('Waiting for payment...').waitFor()
        const asked = await askedDuring(page, 16_000)
        const path = [...asked.keys()].find((one) => one.startsWith('/api/crypto/status/')) ?? ''
        expectEvery(asked, path, 5_000)
        await page.route(`**${path}`, async (route) => route.fulfill({ status: 502 }), { times: 1 })
        expectEvery(await askedDuring(page, 21_000), path, 5_000)
        await page.clock.fastForward(31 * 60_000)
        await askedDuring(page, 6_000)
        expect((await askedDuring(page, 16_000)).get(path)).toBeUndefined()
      })
    })

    it('of a toast: one at a time, for five seconds, dismissed by a swipe of 50 pixels, focused by F8', async () => {
      const id = await place()
      await visit(async ({ page, press }) => {
        const region = page.getByRole('region', { name: 'Notifications (F8)' })
        await page.clock.install()
        await page.goto(`/order/${id}/payment-method`)
        await page.getByRole('radio', { name: 'UPI' }).waitFor()
        await pauseClock(page)
        await press('Continue')
        await region.getByText('Please select a payment method').waitFor()
        await press('Continue')
        expect(await region.getByText('Please select a payment method').count()).toBe(1)
        await page.clock.runFor(4_900)
        expect(await region.getByText('Please select a payment method').count()).toBe(1)
        await page.clock.runFor(200)
        await region.getByText('Please select a payment method').waitFor({ state: 'detached' })

        await press('Continue')
        const message = region.getByText('Please select a payment method')
        const sweep = async (pixels: number) => {
          const box = await message.boundingBox()
          // Beside the text, which could be selected and dragged.
          const [x, y] = [(box?.x ?? 0) - 10, (box?.y ?? 0) - 10]
          await page.mouse.move(x, y)
          await page.mouse.down()
          await page.mouse.move(x + pixels, y)
          await page.mouse.up()
        }
        await sweep(45)
        await message.waitFor()
        await page.keyboard.press('F8')
        expect(await region.evaluate((element) => element === document.activeElement)).toBe(true)
        await sweep(55)
        await message.waitFor({ state: 'detached' })
        await press('Continue')
        // Before the page could draw how far it was pulled.
        await message.evaluate((element) => {
          const swipe = { pointerdown: 0, pointermove: 55, pointerup: 55 }
          for (const [type, clientX] of Object.entries(swipe))
            element.dispatchEvent(new PointerEvent(type, { clientX, bubbles: true }))
        })
        await message.waitFor({ state: 'detached' })

        await press('Continue')
        await message.waitFor()
        await fail(page, `**/api/orders/${id}`)
        await page.getByRole('radio', { name: 'UPI' }).check()
        await press('Continue')
        await region.getByText('Failed to update payment method. Please try again.').waitFor()
        expect(await message.count()).toBe(0)
      })
    })

    it('of a toast that was dismissed: forgotten after 1,000,000 ms, and the next one is not', async () => {
      const id = await place()
      await visit(async ({ page, press }) => {
        const region = page.getByRole('region', { name: 'Notifications (F8)' })
        const message = region.getByText('Please select a payment method')
        await page.clock.install()
        // A toast that is not shown cannot be seen to be forgotten: only its timer can.
        await page.addInitScript(() => {
          const real = window.setTimeout.bind(window)
          const delays: (number | undefined)[] = []
          const noted = (...given: Parameters<typeof setTimeout>) => {
            delays.push(given[1])
            return real(...given)
          }
          Object.assign(window, { delays, setTimeout: noted })
        })
        const forgotten = async () =>
          page.evaluate(() => (window as unknown as { delays: number[] }).delays.filter((ms) => ms > 60_000))
        await page.goto(`/order/${id}/payment-method`)
        await page.getByRole('radio', { name: 'UPI' }).waitFor()
        await pauseClock(page)
        await press('Continue')
        await message.waitFor()
        expect(await forgotten()).toEqual([])
        await press('Close notification')
        await message.waitFor({ state: 'detached' })
        expect(await forgotten()).toEqual([1_000_000])
        await page.clock.fastForward(998_000)
        expect(await message.count()).toBe(0)
        await press('Continue')
        await message.waitFor()
        await page.clock.runFor(4_900)
        await message.waitFor()
        await page.clock.runFor(200)
        await message.waitFor({ state: 'detached' })
      })
    })

    it('of a cancelled UPI payment: home after two seconds, where it is still said', async () => {
      await visit(async (buyer) => {
        const { page, toast } = buyer
        const id = await place({ discordUsername: 'sandbox-cancel', paymentMethod: 'upi' })
        const upi = { amount: '2.25', orderId: id, customerInfo: { customerPhone: '9876543210' } }
        expect(await shop.post('/api/upigateway/create-order', upi)).toMatchObject({ status: 200 })
        await page.clock.install()
        const pushing = pushedTo(page)
        await page.goto(`/order/${id}/confirm`)
        await buyer.heading('Not paid yet').waitFor()
        await pushing
        await pauseClock(page)
        await shop.pay(id)
        await toast('Payment Cancelled').waitFor()
        await toast('Your UPI payment was cancelled. Please try again.').waitFor()
        await page.clock.runFor(1_900)
        expect(new URL(page.url()).pathname).toBe(`/order/${id}/confirm`)
        await page.clock.runFor(200)
        await page.waitForURL((url) => url.pathname === '/')
        await toast('Payment Cancelled').waitFor()
      })
    })

    it('of asking again: not when the window gets the focus, but when a hidden page is looked at again', async () => {
      await visit(async ({ page }) => {
        await page.clock.install()
        const pushing = pushedTo(page)
        await page.goto('/')
        await page.getByText('USD per 1M').waitFor()
        await pushing
        await page.clock.pauseAt(await page.evaluate(() => Date.now() + 6_000))
        const asked = pathsAsked(page)
        await page.evaluate(() => {
          window.dispatchEvent(new Event('focus'))
          document.dispatchEvent(new Event('visibilitychange'))
        })
        await page.clock.runFor(100)
        await page.evaluate(tasksDone)
        expect(asked.filter((path) => /^\/api\/(?!updates)/.test(path))).toEqual([])
        // Nothing was pushed to it meanwhile.
        await lookAwayAndBack(page)
        await expect.poll(() => asked).toEqual(expect.arrayContaining(['/api/pricing', '/api/products', '/api/shop']))
      })
    })

    it('of asking again: neither after a failure nor on coming back, where it is not polled', async () => {
      await visit(async ({ page, heading }) => {
        await page.clock.install()
        const logged: string[] = []
        page.on('console', (message) => logged.push(message.text()))
        await page.route('**/api/products', async (route) => route.fulfill({ status: 500, body: 'no products' }))
        await page.goto('/')
        await page.getByText('USD per 1M').waitFor()
        await expect.poll(() => logged).toContain('500: no products')
        expect((await askedDuring(page, 20_000)).get('/api/products')).toBeUndefined()

        await page.unroute('**/api/products')
        await page.reload()
        await page.getByText('USD per 1M').waitFor()
        const asked = pathsAsked(page)
        await page.getByRole('link', { name: 'About Us' }).click()
        await heading('About Us').waitFor()
        // What was asked for within a second is not asked for again in any case.
        await page.clock.runFor(2_000)
        await page.getByRole('link', { name: 'Home', exact: true }).click()
        // What is polled is read again on its screen.
        await expect.poll(() => asked).toContain('/api/pricing')
        await page.getByText('USD per 1M').waitFor()
        expect(asked.filter((path) => /products|shop/.test(path))).toEqual([])
      })
    })

    it('of asking again: always the shop, never a cache', async () => {
      const id = await place({ paymentMethod: 'crypto' })
      await visit(async (buyer) => {
        const { page, heading } = buyer
        const kept = new Map<string, string | undefined>()
        page.on('response', (response) => {
          const { pathname } = new URL(response.url())
          if (pathname.startsWith('/api/')) kept.set(pathname, response.headers()['cache-control'])
        })
        await page.clock.install()
        await page.goto('/')
        await page.getByText('USD per 1M').waitFor()
        const [poll] = await Promise.all([page.waitForRequest('**/api/pricing'), page.clock.runFor(11_000)])
        expect(await poll.allHeaders()).toMatchObject({ 'cache-control': 'no-cache', pragma: 'no-cache' })
        for (const [address, title] of [
          ['/purchase', 'How many coins?'],
          [`/checkout/${id}`, 'Check your order'],
          [`/order/${id}`, /^Order /],
          [`/order/${id}/payment-method`, 'How do you want to pay?'],
          [`/order/${id}/confirm`, 'Not paid yet'],
        ] as const) {
          await page.goto(address)
          await heading(title).waitFor()
        }
        await page.goto(`/order/${id}/payment`)
        await page.getByText('Waiting for payment...').waitFor()
        await page.clock.runFor(6_000)
        await expect.poll(() => [...kept.keys()].some((path) => path.startsWith('/api/crypto/status/'))).toBe(true)
        await page.goto('/admin')
        await logIn(buyer)
        await page.getByText('Monthly Revenue Trend').waitFor()
        for (const address of ['/admin/orders', '/admin/settings', '/admin/products']) {
          await page.goto(address)
          await page.getByRole('tabpanel').waitFor()
          await page.getByText(/^Loading/).waitFor({ state: 'detached' })
        }
        const asked = ['pricing', 'payment-settings', 'products', 'shop', 'updates', 'orders', `orders/${id}`]
        const ofPayment = ['crypto/create-payment', 'crypto/currencies']
        const ofStaff = ['admin/verify', 'admin/login', 'admin/analytics']
        for (const path of [...asked, ...ofPayment, ...ofStaff]) expect([...kept.keys()]).toContain(`/api/${path}`)
        expect(new Set(kept.values())).toEqual(new Set(['no-store']))
      })
    })

    it('of a mock UPI payment: successful after two seconds, once the money is there', async () => {
      await visit(async (buyer) => {
        const { page, toast } = buyer
        const id = await place({ paymentMethod: 'upi' })
        await page.clock.install()
        const pushing = pushedTo(page)
        await page.goto(`/order/${id}/payment`)
        await page.getByLabel('Phone number').fill('9876543210')
        await pushing
        await pauseClock(page)
        await buyer.press(/^Pay ₹/)
        await page.getByText('Waiting for your bank’s word.').waitFor()
        await page.clock.runFor(900)
        await shop.pay(id)
        await buyer.heading('Payment Completed!').waitFor()
        expect(await toast('Mock Payment Successful').count()).toBe(0)
        await page.evaluate(tasksDone)
        await page.clock.runFor(1_200)
        await toast('Mock Payment Successful').waitFor()
      })
    })

    it('after a payment: confirmed after a second, with fifty pieces of confetti for three', async () => {
      await visit(async (buyer) => {
        const { page } = buyer
        await page.emulateMedia({ reducedMotion: 'no-preference' })
        await page.clock.install()
        const id = await place({ paymentMethod: 'crypto' })
        const pushing = pushedTo(page)
        await page.goto(`/order/${id}/payment`)
        await page.getByText('Waiting for payment...').waitFor()
        await pushing
        await pauseClock(page)
        await shop.post('/api/complete-payment', { orderId: id }, { token })
        await buyer.heading('Payment Completed!').waitFor()
        await page.evaluate(tasksDone)
        await page.clock.runFor(900)
        await buyer.heading('Payment Completed!').waitFor()
        await page.clock.runFor(200)
        await page.waitForURL(/\/confirm$/)
        await page.locator('[data-confetti] > *').first().waitFor()
        expect(await page.locator('[data-confetti] > *').count()).toBe(50)
        await page.evaluate(tasksDone)
        await page.clock.runFor(2_500)
        expect(await page.locator('[data-confetti]').count()).toBe(1)
        await page.clock.runFor(600)
        await page.locator('[data-confetti]').waitFor({ state: 'detached' })
        await page.reload()
        await buyer.heading('The coins are yours.').waitFor()
        expect(await page.locator('[data-confetti]').count()).toBe(0)
      })
    })
  })
})

async function expectStep(page: Page, step: number): Promise<void> {
  await page.getByText(`Step ${step} of 6`, { exact: true }).waitFor()
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem')
  expect(await steps.allInnerTexts()).toEqual(stepTitles)
  const current = await steps.evaluateAll((all) => all.map((one) => one.getAttribute('aria-current')))
  expect(current).toEqual(stepTitles.map((_, index) => (index + 1 === step ? 'step' : null)))
}

/** Where the links of these names lead to. */
async function links(within: Page | Locator, wanted: Readonly<Record<string, string>>): Promise<void> {
  const names = Object.keys(wanted)
  const addresses = names.map(async (name) =>
    within.getByRole('link', { name, exact: true }).first().getAttribute('href'),
  )
  expect(await Promise.all(addresses)).toEqual(Object.values(wanted))
}

/** Requests to this path that change something are refused, or get no answer. */
async function fail(page: Page, path: string, status?: number): Promise<void> {
  await page.route(path, async (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    return status === undefined ? route.abort() : route.fulfill({ status, json: { code: 'x', message: 'No.' } })
  })
}

/** When each path is requested, on the page's clock, during this time. */
async function askedDuring(page: Page, ms: number): Promise<Map<string, number[]>> {
  const asked = new Map<string, number[]>()
  const unanswered = new Set<Request>()
  let now = 0
  const began = (request: Request) => {
    const { pathname } = new URL(request.url())
    asked.set(pathname, [...(asked.get(pathname) ?? []), now])
    if (pathname !== '/api/updates') unanswered.add(request)
  }
  const ended = (request: Request) => unanswered.delete(request)
  page.on('request', began).on('requestfinished', ended).on('requestfailed', ended)
  const stillUnanswered = async () => {
    await page.evaluate(tasksDone)
    return unanswered.size
  }
  await pauseClock(page)
  for (; now < ms; now += STEP_MS) {
    await page.clock.runFor(STEP_MS)
    // The next poll is scheduled when the answer has come.
    await expect.poll(stillUnanswered, { interval: 5 }).toBe(0)
    await page.evaluate(tasksDone)
  }
  page.off('request', began).off('requestfinished', ended).off('requestfailed', ended)
  await page.clock.resume()
  return asked
}

/** Resolves when the next page has its stream of updates. A page whose clock stands does not poll. */
async function pushedTo(page: Page): Promise<unknown> {
  return page.waitForResponse((response) => response.url().includes('/api/updates'))
}

/** The time between requests. */
function gaps(times: readonly number[] = []): number[] {
  return times.slice(1).map((time, index) => time - (times[index] ?? 0))
}

function expectEvery(asked: ReadonlyMap<string, number[]>, path: string, everyMs: number): void {
  const found = gaps(asked.get(path))
  const isEvery = found.length > 0 && found.every((gap) => Math.abs(gap - everyMs) <= STEP_MS)
  expect({ path, everyMs, found, isEvery }).toMatchObject({ isEvery: true })
}
