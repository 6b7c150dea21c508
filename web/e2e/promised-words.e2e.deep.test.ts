import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { expireOrder } from '../../src/commands/expire-order.ts'
import { systemCaller } from '../../src/shop/shop.ts'
import { systemRandom } from '../../src/system.ts'
import { orderBody } from '../../src/testing/orders.ts'
import { startShop, type TestShop } from '../../src/testing/start-shop.ts'
import type { Buyer } from './buyer.ts'
import { copied } from './clipboard.ts'
import { pauseClock } from './clock.ts'
import { describeInBrowser } from './in-browser.ts'
import { pathsAsked } from './requests.ts'

const AFTER_EXPIRY_MS = 61 * 60_000
const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const packs = [
  ['10M', '$0.48', 'save 4%'],
  ['50M', '$2.25', 'save 10%'],
  ['100M', '$4.25', 'save 15%'],
  ['200M', '$8.00', 'save 20%'],
  ['300M', '$11.25', 'save 25%'],
  ['500M', '$17.50', 'save 30%'],
] as const

const policies = {
  '/privacy': [
    'Information we collect',
    'How we use it',
    'Sharing',
    'Security',
    'Cookies',
    'Retention',
    'Your rights',
    'Children',
    'International transfers',
    'Changes',
    'Legal compliance',
    'Contact',
    'Transaction records 7 years; support communications 3 years; account data until closure; analytics anonymized indefinitely.',
    'Payment data is not stored.',
    'Rights requests are answered within 30 days.',
    'Under 13 is not allowed. From 13 to 18, parental consent is recommended.',
    'Privacy questions are answered within 48 hours',
  ],
  '/refunds': [
    'Quick summary',
    'Questions',
    'Ask for a refund within 24 hours',
    'with your order ID, a payment proof and a description.',
    'It takes 24-48 hours; the final decision comes within 72 hours.',
    'We deliver, refund, or explain why not.',
    'PayPal: 1-3 business days',
    'UPI and bank: 3-7 business days',
    'Crypto: 1-24 hours',
    'replaced for 24 hours',
    'corrected within 10 minutes, if the delivery has not started',
    'down for over 48 hours, we discuss the options',
    'This policy is governed by Indian law.',
    'account suspension, a permanent ban, blacklisting and possible legal action',
  ],
  '/terms': [
    'You must be 18 or older to buy.',
    'Ask for a refund within 24 hours',
    'Once delivered, the sale is final',
    'Usually 5-30 minutes after the payment is confirmed, longer at peak times.',
    'delivered within 7-10 days',
    'A chargeback without first contacting support leads to account suspension',
    'PayPal payments carry a fee of $0.40.',
  ],
  '/contact': [
    'Questions',
    'A delivery usually takes 5-30 minutes',
    'Daily 9:00 AM-11:00 PM IST; emergencies 24/7',
    'Check the market ID that you gave.',
  ],
} as const
const answerTimes = {
  'First answer': '2-6 hours',
  'High priority': '2 hours',
  Normal: '6 hours',
  'General questions': '24 hours',
  'Refund requests': '2-6 hours',
}

const fact = ({ page }: Buyer, name: string) =>
  page.getByRole('term').filter({ hasText: name }).locator('xpath=..').getByRole('definition').first()

describeInBrowser('the promised words', (stage) => {
  let shop: TestShop
  let token: string

  beforeEach(async () => {
    const config = { webFolder: stage.webFolder(), discordDmUrl: 'https://discord.com/users/1' }
    shop = await startShop({ engines: 'sqlite', config })
    token = await shop.logIn()
    return async () => shop.stop()
  })

  const visit = async (walk: (visitor: Buyer) => Promise<void>, width = 1280) => stage.visit(shop, { width }, walk)

  async function place(changes: Record<string, unknown> = {}): Promise<string> {
    return String((await shop.post('/api/orders', orderBody(changes))).body['id'])
  }

  async function setStock(currentStock: number): Promise<void> {
    expect(await shop.patch('/api/payment-settings', { currentStock }, { token })).toMatchObject({ status: 200 })
  }

  /** Of an order with an open crypto payment; answers its id. */
  async function begun(name: string, isPaid = true): Promise<string> {
    const orderId = await place({ discordUsername: name, paymentMethod: 'crypto' })
    await shop.post('/api/crypto/create-payment', { amount: '2.25', orderId })
    if (isPaid) await shop.pay(orderId)
    return orderId
  }

  describe('of the landing page', () => {
    it('are there, under a bar that stays', async () => {
      await visit(async ({ page }) => {
        await page.goto('/')
        const [banner, main] = [page.getByRole('banner'), page.getByRole('main')]
        const active = async () =>
          banner
            .getByRole('link')
            .evaluateAll((links) =>
              links.flatMap((link) => (link.ariaCurrent === null ? [] : [`${link.textContent}: ${link.ariaCurrent}`])),
            )
        await expect.poll(active).toEqual(['Home: location'])
        await href(banner.getByRole('link', { name: 'Test shop' }), '/')
        await href(main.getByRole('link', { name: 'Buy coins' }), '/purchase')
        await href(main.getByRole('link', { name: 'How it Works' }), '/#process')
        const steps = page.getByRole('region', { name: 'How it Works' }).getByRole('listitem')
        expect(await steps.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
          'Quantity',
          'Details',
          'Market ID',
          'Payment',
        ])
        await steps.filter({ hasText: 'Market ID' }).getByText('The 8 digits of your market listing').waitFor()
        const why = page.getByRole('region', { name: 'Why Us' })
        await why.getByText('Up to 30% off on bulk').waitFor()
        const figures = await why.getByRole('definition').allInnerTexts()
        expect(figures).toEqual(['100+', '10,000+', '25B+', '99.9%'])
        expect(await why.getByRole('term').allInnerTexts()).toEqual([
          'players served',
          'deliveries made',
          'coins sold',
          'uptime',
        ])
        for (const claim of ['Support answers within 6 hours', 'Delivery in seconds to 30 seconds'])
          await why.getByRole('listitem').filter({ hasText: claim }).waitFor()
        await page.getByText('Can I pay with USDT?').click()
        await page.getByText(/^Yes, where the page of the payment offers it/).waitFor()

        const before = await top(banner.getByRole('link', { name: 'Buy Now' }))
        await banner.getByRole('link', { name: 'Why Us' }).click()
        await expect.poll(async () => top(why)).toBeLessThan(200)
        expect(await top(banner.getByRole('link', { name: 'Buy Now' }))).toBe(before)
        await expect.poll(active).toEqual(['Why Us: location'])
        await banner.getByRole('link', { name: 'About Us' }).click()
        await expect.poll(active).toEqual(['About Us: page'])
      })
    })

    it('are typed and scrolled smoothly where motion is wanted, and leave staff’s door to wide screens', async () => {
      await visit(async ({ page, heading }) => {
        const typing = async () =>
          heading('Coins over the counter.').evaluate(
            (headline) => getComputedStyle(headline.querySelector('.typed > span') ?? headline).animationName,
          )
        await page.goto('/')
        await page.getByRole('link', { name: 'Buy Now' }).waitFor()
        expect(await page.getByRole('banner').getByRole('link', { name: 'Admin' }).isVisible()).toBe(false)
        expect(await typing()).toBe('none')
        await page.getByText('USD per 1M').waitFor()
        expect(await placesToProcess(page)).toBe(1)
        await page.emulateMedia({ reducedMotion: 'no-preference' })
        expect(await typing()).not.toBe('none')
        expect(await placesToProcess(page)).toBeGreaterThan(2)
      }, 360)
    })

    it('name what each pack costs and saves, and what a product holds', async () => {
      await visit(async ({ page }) => {
        await page.goto('/')
        for (const [name, price, saving] of packs)
          await page
            .getByRole('row', { name: new RegExp(`^${name} `) })
            .filter({ hasText: price })
            .filter({ hasText: saving })
            .waitFor()
        const product = { name: 'Starter pack', pokecoinAmount: 20, active: true, position: 0 }
        expect(await shop.post('/api/products', product, { token })).toMatchObject({ status: 201 })
        await page.getByRole('row', { name: /^Starter pack 20M coins \$0\.95/ }).waitFor()
      })
    })
  })

  describe('of a purchase', () => {
    it('offer what is in stock at the discount of the highest pack within it', async () => {
      await setStock(60)
      await visit(async (buyer) => {
        const { page } = buyer
        await page.goto('/purchase')
        await page.getByRole('button', { name: '100M $4.25 Out of Stock' }).waitFor()
        for (const [name, price, saving] of packs) {
          const isOut = Number.parseInt(name) > 60
          const pack = page.getByRole('button', { name: `${name} ${price} ${isOut ? 'Out of Stock' : saving}` })
          expect(await pack.isDisabled()).toBe(isOut)
        }
        const total = page.getByRole('complementary', { name: 'Your order' })
        for (const [quantity, discount, price] of [
          ['9', '0%', '$0.45'],
          ['10', '5%', '$0.48'],
          ['49', '5%', '$2.33'],
          ['50', '10%', '$2.25'],
        ] as const) {
          await buyer.fillQuantity(quantity)
          await total.getByText(price, { exact: true }).waitFor()
          await total.getByText(discount, { exact: true }).waitFor()
        }
        await page.getByText('INR', { exact: true }).click()
        await total.getByText('₹4.33', { exact: true }).waitFor()
        for (const wrong of ['0', '-1', '1.5', 'ten']) {
          await buyer.fillQuantity(wrong)
          await buyer.press('Continue')
          await page.getByRole('alert').getByText('Enter a whole number of millions, 1 to 50,000').waitFor()
        }
      })
    })

    it('ask for an address with an @ and for ids of eight digits, and send what was typed', async () => {
      await setStock(1_000)
      await visit(async (buyer) => {
        const { page, press, heading } = buyer
        for (const [quantity, labels] of [
          ['99', ['Market ID']],
          ['100', ['Market ID 1, for 50M', 'Market ID 2, for 50M']],
          ['120', ['Market ID 1, for 50M', 'Market ID 2, for 50M', 'Market ID 3, for 20M']],
        ] as const) {
          await page.goto('/purchase?new')
          await buyer.fillQuantity(quantity)
          await press('Continue')
          await heading('Who are they for?').waitFor()
          await buyer.fillCustomer('ann')
          await page.getByLabel('E-mail address').fill('ann')
          await press('Continue')
          await page.getByRole('alert').getByText('Enter an e-mail address with an @').waitFor()
          // What was refused is looked at again while it is typed.
          await page.getByLabel('E-mail address').fill('ann@home@example.com')
          await page.getByRole('alert').getByText('Enter an e-mail address with one @ and text on both sides').waitFor()
          await page.getByLabel('E-mail address').fill('ann@example.com')
          await press('Continue')
          await heading('Where do they go?').waitFor()
          const fields = page.getByRole('textbox')
          expect(await fields.count()).toBe(labels.length)
          for (const label of labels) await page.getByLabel(label, { exact: true }).waitFor()
        }
        const [first, , last] = await page.getByRole('textbox').all()
        await first?.pressSequentially('123456789')
        expect(await first?.inputValue()).toBe('12345678')
        await page.getByLabel('Market ID 2, for 50M').fill('23456789')
        await last?.fill('3456789')
        await press('Continue')
        await page.getByRole('alert').getByText('The 8 digits of market ID 3: 7 so far').first().waitFor()
        await last?.fill('34567890')
        const [sent] = await Promise.all([
          page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/orders')),
          press('Continue'),
        ])
        expect(sent.headers()['content-type']).toContain('application/json')
        expect(sent.postDataJSON()).toMatchObject({
          customerEmail: 'ann@example.com',
          discordUsername: 'ann',
          marketId: '12345678',
          marketIds: [
            { marketId: '12345678', amount: 50 },
            { marketId: '23456789', amount: 50 },
            { marketId: '34567890', amount: 20 },
          ],
          pokecoinAmount: 120,
          totalAmount: '5.10',
        })
        const id = await buyer.atCheckout()
        const number = String((await shop.get(`/api/orders/${id}`)).body['orderNumber'])
        const main = page.getByRole('main')
        for (const text of [number, 'Pending', 'Total for 120M', '$5.10'])
          await main.getByText(text, { exact: true }).first().waitFor()
        await page.goto(`/order/${id}/payment`)
        await href(main.getByRole('link', { name: 'Select Payment Method' }), `/order/${id}/payment-method`)
        await page.goto(`/order/${id}/payment-method`)
        await href(main.getByRole('link', { name: 'Back' }), `/checkout/${id}`)
        for (const text of ['A fee of $0.40 is included', 'Litecoin, confirmed in 5-15 minutes'])
          await main.getByText(text).waitFor()
        await page.getByRole('radio', { name: 'Crypto' }).check()
        const [change, payment] = await Promise.all([
          page.waitForRequest((request) => request.method() === 'PATCH' && request.url().endsWith(`/api/orders/${id}`)),
          page.waitForRequest('**/api/crypto/create-payment'),
          press('Continue'),
        ])
        expect(change.postDataJSON()).toEqual({ paymentMethod: 'crypto' })
        expect(payment.method()).toBe('POST')
        expect(payment.postDataJSON()).toEqual({ amount: '5.10', currency: 'usd', orderId: id })
      })
    })

    it('say that a total which is no amount is none', async () => {
      await visit(async (buyer) => {
        const { page, press } = buyer
        await page.route('**/api/pricing', async (route) => {
          const response = await route.fetch()
          const pricing = (await response.json()) as object
          await route.fulfill({ response, json: { ...pricing, pokecoinPriceUSDPerMillion: 1e308 } })
        })
        await page.goto('/purchase?new')
        await buyer.fillQuantity('5')
        await press('Continue')
        await buyer.fillCustomer('ann')
        await press('Continue')
        await buyer.fillMarketIds()
        await press('Continue')
        await page.getByRole('alert').getByText('Invalid total amount').waitFor()
      })
    })

    it('say that the browser goes to the gateway', async () => {
      const id = await place({ paymentMethod: 'upi' })
      await visit(async (buyer) => {
        const { page } = buyer
        // Without content the browser stays, and what it says can be read.
        await page.route('https://gateway.test/**', async (route) => route.fulfill({ status: 204 }))
        const opened = { payment_url: 'https://gateway.test/pay', upi_intent: null, order_id: '1' }
        await page.route('**/api/upigateway/create-order', async (route) => route.fulfill({ json: opened }))
        await page.goto(`/order/${id}/payment`)
        await page.getByLabel('Phone number').fill('9876543210')
        const [payment, asked] = await Promise.all([
          page.waitForRequest('**/api/upigateway/create-order'),
          page.waitForRequest('https://gateway.test/**'),
          buyer.press('Pay ₹194.63 by UPI'),
          buyer.toast('Redirecting to UPI checkout').waitFor(),
        ])
        expect(payment.method()).toBe('POST')
        const customerInfo = { customerPhone: '9876543210' }
        expect(payment.postDataJSON()).toEqual({ amount: '194.63', orderId: id, customerInfo })
        expect(asked.isNavigationRequest()).toBe(true)
      })
    })
  })

  it('of a PayPal payment ask to capture what is owed, and its capture is completed', async () => {
    const id = await place({ paymentMethod: 'paypal' })
    await visit(async (buyer) => {
      const { page, press } = buyer
      const asked = async (path: string) =>
        page.waitForResponse((one) => one.request().method() === 'POST' && new URL(one.url()).pathname.endsWith(path))
      await page.goto(`/order/${id}/payment`)
      const [created, captured] = await Promise.all([
        asked('/api/paypal/order'),
        asked('/capture'),
        press('Pay $2.65 with PayPal'),
      ])
      const wanted = { amount: '2.65', currency: 'usd', intent: 'CAPTURE', orderId: id }
      expect(created.request().postDataJSON()).toEqual(wanted)
      const { id: paypalId } = (await created.json()) as { id: string }
      expect(new URL(captured.url()).pathname).toBe(`/api/paypal/order/${paypalId}/capture`)
      expect(captured.request().postDataJSON()).toEqual({ orderId: id })
      expect(await captured.json()).toMatchObject({ status: 'COMPLETED' })
      await buyer.toast('Payment Successful').waitFor()
    })
  })

  describe('of a crypto payment', () => {
    it.for([
      ['confirming', 'Payment received, confirming on blockchain...'],
      ['sending', 'Payment confirmed, processing order...'],
      ['finished', 'Payment received! Processing your order...'],
      ['confirmed', 'Payment received! Processing your order...'],
      ['completed', 'Payment completed successfully!'],
      ['partially_paid', 'Partial payment received - please complete the full amount'],
      ['failed', 'Payment failed or expired'],
      ['expired', 'Payment expired'],
      ['refunded', 'Payment failed or expired'],
    ] as const)('that is %s', async ([status, message]) => {
      const id = await begun('ann', false)
      await visit(async (buyer) => {
        const { page, heading } = buyer
        await page.clock.install()
        // The next poll is scheduled when the answer has come.
        await Promise.all([page.waitForResponse('**/api/crypto/status/*'), page.goto(`/order/${id}/payment`)])
        await page.getByText('Waiting for payment...').waitFor()
        await pauseClock(page)
        const hasPolled = Promise.withResolvers<undefined>()
        await statusOf(page, status, hasPolled.promise)
        const asked = pathsAsked(page)
        await page.clock.runFor(5_000)
        hasPolled.resolve(undefined)
        await page.getByText(message, { exact: true }).waitFor()
        if (['sending', 'finished', 'confirmed', 'completed'].includes(status)) {
          const sinceTheStatus = () => asked.slice(asked.findLastIndex(isCryptoStatus))
          await expect.poll(sinceTheStatus).toContain(`/api/orders/${id}`)
          await page.clock.runFor(900)
          // Time enough to leave the screen, if it were left.
          await page.evaluate(async () => (await fetch('/api/shop')).text())
          expect(new URL(page.url()).pathname).toBe(`/order/${id}/payment`)
          await page.clock.runFor(200)
          await heading('Not paid yet').waitFor()
        }
        if (['failed', 'expired', 'refunded'].includes(status)) await saysFailed(buyer, id, asked)
      })
    })

    it('lead on by hand: to the confirmation, or to the rest', async () => {
      const id = await begun('ann', false)
      await visit(async ({ page, press, heading }) => {
        await page.clock.install()
        for (const status of ['finished', 'confirmed', 'partially_paid']) {
          await page.unrouteAll()
          await page.goto(`/order/${id}/payment`)
          await page.getByText('Waiting for payment...').waitFor()
          // The status alone would lead on in a second that does not pass.
          await pauseClock(page)
          await statusOf(page, status)
          await press('I have paid: check now')
          if (status === 'partially_paid')
            await page.getByText('Partial payment received - please complete the full amount').waitFor()
          else await heading('Not paid yet').waitFor()
          await page.clock.resume()
        }
        expect(new URL(page.url()).pathname).toBe(`/order/${id}/payment`)
      })
    })
  })

  describe('of an order', () => {
    it('say where it stands', async () => {
      const [cancelled, approved, delivered] = [await place(), await place(), await begun('ann')]
      await shop.post(`/api/orders/${cancelled}/cancel`, {})
      await shop.post('/api/complete-payment', { orderId: approved }, { token })
      const [short, failed] = [await begun('sandbox-short'), await begun('sandbox-fail')]
      const [seen, waiting, pending] = [await begun('sandbox-slow'), await begun('ann', false), await place()]
      Object.assign(shop.shop.policy, { deliveryMode: 'staff' })
      const paid = await begun('ann')
      await visit(async (buyer) => {
        const { page, heading } = buyer
        for (const [id, badge, status] of [
          [pending, 'Pending', 'Pending'],
          [waiting, 'Waiting for payment', 'Waiting'],
          [seen, 'Payment seen', 'Processing'],
          [short, 'Partly paid', 'Partially paid'],
          [failed, 'Payment failed', 'Failed'],
          [paid, 'Paid', 'Completed'],
          [delivered, 'Completed', 'Completed'],
          [approved, 'Completed', 'Approved by the shop'],
          [cancelled, 'Cancelled', 'Not paid'],
        ] as const) {
          await page.goto(`/order/${id}`)
          await heading(/^Order /)
            .locator('xpath=..')
            .getByText(badge, { exact: true })
            .waitFor()
          await expect.poll(async () => fact(buyer, 'Payment status').innerText()).toBe(status)
          const isPayable = await page.getByRole('link', { name: 'Continue Payment' }).count()
          expect({ badge, isPayable }).toEqual({
            badge,
            isPayable: ['Pending', 'Waiting for payment', 'Partly paid', 'Payment failed'].includes(badge) ? 1 : 0,
          })
        }
        shop.advance(AFTER_EXPIRY_MS)
        await expireOrder(shop.shop, systemCaller(systemRandom), { orderId: pending })
        await page.goto(`/order/${pending}`)
        await page.getByText('Expired', { exact: true }).waitFor()
        await expect.poll(async () => fact(buyer, 'Method').innerText()).toBe('None')
        await page.goto(`/order/${UNKNOWN}`)
        await heading('Order Not Found').waitFor()
        await page.getByText(`Order ${UNKNOWN} could not be found.`).waitFor()
      })
    })

    it('claim no money that has not come', async () => {
      const id = await place()
      await shop.post('/api/complete-payment', { orderId: id }, { token })
      await visit(async (buyer) => {
        const { page } = buyer
        await page.goto(`/order/${id}`)
        await page.getByText('Approved by the shop and delivered. Thank you.').waitFor()
        expect(await page.getByText(/\$0\.00|Paid and delivered/).count()).toBe(0)
        await page.goto(`/order/${id}/confirm`)
        await page.getByText('Total for 50M').waitFor()
        expect(await page.getByText(/Total paid|Paid and delivered/).count()).toBe(0)
      })
    })

    it('confirm what was bought, to the browser that bought it', async () => {
      await visit(async (buyer) => {
        const { page } = buyer
        const id = await buyer.placeOrder({ quantity: '50' })
        await buyer.chooseMethod('Crypto')
        await page.getByText('Waiting for payment...').waitFor()
        const number = String((await shop.get(`/api/orders/${id}`)).body['orderNumber'])
        for (const text of [number, 'You pay for 50M', '$2.25'])
          await page.getByRole('main').getByText(text, { exact: true }).waitFor()
        await shop.pay(id)
        await buyer.heading('The coins are yours.').waitFor()
        await page.getByText(number).first().waitFor()
        await page.getByText('Total paid for 50M').waitFor()
        await page.getByText('$2.25', { exact: true }).waitFor()
        for (const [name, value] of [
          ['Coins', '50M'],
          ['E-mail', 'ann@example.com'],
          ['Discord username', 'ann'],
          ['Market ID', '12345678'],
        ] as const)
          expect(await fact(buyer, name).innerText()).toBe(value)
        await buyer.press('Copy Link')
        await buyer.toast('Copied!').waitFor()
        await expect.poll(async () => copied({ page })).toBe(`${shop.url}/order/${id}`)
      })
    })
  })

  it('of the policies are there, to the last figure', async () => {
    await visit(async (buyer) => {
      const { page } = buyer
      const main = page.getByRole('main')
      for (const [address, texts] of Object.entries(policies)) {
        await page.goto(address)
        for (const text of texts) await main.getByText(text).first().waitFor()
        await href(main.getByRole('link', { name: 'Back to Home' }).first(), '/')
      }
      for (const [about, time] of Object.entries(answerTimes)) expect(await fact(buyer, about).innerText()).toBe(time)
    })
  })
})

async function href(link: Locator, address: string): Promise<void> {
  expect(await link.getAttribute('href')).toBe(address)
}

/** A crypto payment, which is asked about no more, while its order still is. */
async function saysFailed({ page, toast, button }: Buyer, id: string, asked: readonly string[]): Promise<void> {
  await toast('Payment Failed').waitFor()
  await toast('The payment was not successful. Please try again.').waitFor()
  await button('Get a fresh address').waitFor()
  const before = asked.length
  // The order is asked for every three seconds, the status was every five.
  const ofTheOrder = async () => {
    await page.clock.runFor(1_000)
    return asked.slice(before).filter((path) => path === `/api/orders/${id}`).length
  }
  await expect.poll(ofTheOrder, { timeout: 30_000 }).toBeGreaterThan(3)
  expect(asked.slice(before).filter(isCryptoStatus)).toEqual([])
}

function isCryptoStatus(path: string): boolean {
  return path.startsWith('/api/crypto/status/')
}

/** What the shop says of any crypto payment from now on, no sooner than `since`. */
async function statusOf(page: Page, payment_status: string, since?: Promise<unknown>): Promise<void> {
  await page.route('**/api/crypto/status/*', async (route) => {
    const response = await route.fetch()
    await since
    await route.fulfill({ response, json: { ...((await response.json()) as object), payment_status } })
  })
}

async function top(of: Locator): Promise<number> {
  return Math.round((await of.boundingBox())?.y ?? Number.NaN)
}

/** How many places the landing page is scrolled to on the way from the link to its section. */
async function placesToProcess(page: Page): Promise<number> {
  const link = page.getByRole('main').getByRole('link', { name: 'How it Works' })
  await link.scrollIntoViewIfNeeded()
  await page.evaluate(() => {
    const [from, places] = [window.scrollY, new Set<number>()]
    Object.assign(window, { places })
    document.addEventListener('scroll', () => {
      if (window.scrollY !== from) places.add(window.scrollY)
    })
  })
  await link.click()
  await expect.poll(async () => top(page.getByRole('region', { name: 'How it Works' }))).toBeLessThan(200)
  return page.evaluate(() => (window as unknown as { places: Set<number> }).places.size)
}
