import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { placedBy } from '../../src/testing/orders.ts'
import { startShop, type TestShop } from '../../src/testing/start-shop.ts'
import type { Buyer } from './buyer.ts'
import { pauseClock, tasksDone } from './clock.ts'
import { describeInBrowser } from './in-browser.ts'
import { openAdmin } from './owner.ts'

describeInBrowser('toasts', (stage) => {
  let shop: TestShop
  let token: string

  beforeEach(async () => {
    shop = await startShop({ engines: 'sqlite', config: { webFolder: stage.webFolder() } })
    token = await shop.logIn()
    return async () => shop.stop()
  })

  const visit = async (walk: (visitor: Buyer) => Promise<void>) => stage.visit(shop, { width: 1280 }, walk)

  async function place(changes: Record<string, unknown> = {}): Promise<string> {
    return placedBy(shop, changes)
  }

  it('stand alone for five seconds, are dismissed by a swipe of 50 pixels, and focused by F8', async () => {
    const id = await place()
    await visit(async ({ page, press }) => {
      const region = page.getByRole('region', { name: 'Notifications (F8)' })
      const message = region.getByText('Please select a payment method')
      await page.clock.install()
      await atMethods(page, id)
      await press('Continue')
      await region.getByText("Choose how you'd like to pay for your order.").waitFor()
      await press('Continue')
      expect(await message.count()).toBe(1)
      await page.clock.runFor(4_900)
      expect(await message.count()).toBe(1)
      await page.clock.runFor(200)
      await message.waitFor({ state: 'detached' })

      await press('Continue')
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

  describe('say what failed', () => {
    it('to a buyer', async () => {
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
        await buyer.chooseMethod('PayPal')
        await fail(page, '**/api/paypal/order')
        await press(/^Pay \$/)
        await toast('Payment Failed').waitFor()
        for (const where of [page.getByRole('region', { name: /Notifications/ }), page.getByRole('alert')])
          await where.getByText('There was an error processing your payment. Please try again.').waitFor()

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
        await page.getByLabel('Phone number').fill('12345')
        await press(/^Pay ₹/)
        await page.getByText('Enter the 10 digits of your phone number').first().waitFor()
        await page.getByLabel('Phone number').fill('9876543210')
        await fail(page, '**/api/upigateway/create-order')
        await press(/^Pay ₹/)
        await toast('Failed to initiate payment. Please try again.').waitFor()
        await page.getByRole('alert').getByText('UPI payment failed. Please try again.').waitFor()
        for (const [json, said] of [
          [{ code: 'x', message: 'No.' }, 'No.'],
          [undefined, 'Failed to create payment order'],
        ] as const) {
          await page.unroute('**/api/upigateway/create-order')
          const answer = json === undefined ? { status: 502, body: '' } : { status: 409, json }
          await page.route('**/api/upigateway/create-order', async (route) => route.fulfill(answer))
          await press(/^Pay ₹/)
          await toast(said).waitFor()
        }
      })
    })

    it('of a paid order that is not processed', async () => {
      const id = await place({ paymentMethod: 'crypto' })
      await shop.post('/api/complete-payment', { orderId: id }, { token })
      const { body: order } = await shop.get(`/api/orders/${id}`)
      await visit(async ({ page, heading, toast }) => {
        let answer = order
        await page.route(`**/api/orders/${id}`, async (route) => route.fulfill({ json: answer }))
        await page.goto(`/order/${id}/confirm`)
        await heading('The coins are yours.').waitFor()
        answer = { ...order, status: 'failed', paymentStatus: 'failed' }
        await toast('Processing Error').waitFor()
        await toast('Failed to process your order. Please contact support.').waitFor()
        // It was paid, whatever is said of it now.
        await page.getByRole('heading', { name: 'What happens next' }).waitFor()
      })
    })

    it('to the owner', async () => {
      const id = await place()
      const number = String((await shop.get(`/api/orders/${id}`)).body['orderNumber'])
      await visit(async (owner) => {
        const { page, press, toast } = owner
        await openAdmin(owner, `/admin/orders/${id}`)
        const question = page.getByRole('dialog', { name: 'Delete this order?' })
        await fail(page, `**/api/orders/${id}`)
        await press('Delete')
        await question.getByRole('button', { name: 'Delete' }).click()
        await toast('Delete Failed').waitFor()
        await toast(`Failed to delete order ${number}. The shop cannot be reached.`).waitFor()
        await page.unroute(`**/api/orders/${id}`)
        // It was deleted by another member of staff.
        await press('Done')
        await page.route(`**/api/orders/${id}`, async (route) =>
          route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status: 404, json: { code: 'x' } }),
        )
        await press('Delete')
        await question.getByRole('button', { name: 'Delete' }).click()
        await toast('Successfully deleted 1 order(s)').waitFor()
      })
    })
  })

  describe('follow a payment', () => {
    it('that was cancelled at UPI, which leads home after two seconds', async () => {
      await visit(async (buyer) => {
        const { page, toast } = buyer
        const id = await place({ discordUsername: 'sandbox-cancel', paymentMethod: 'upi' })
        const upi = { amount: '2.25', orderId: id, customerInfo: { customerPhone: '9876543210' } }
        expect(await shop.post('/api/upigateway/create-order', upi)).toMatchObject({ status: 200 })
        await stopped(buyer, `/order/${id}/confirm`, 'Not paid yet')
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

    it('by PayPal at once', async () => {
      await visit(async (buyer) => {
        const id = await place({ paymentMethod: 'paypal' })
        await stopped(buyer, `/order/${id}/payment`, 'with PayPal')
        await buyer.press('Pay $2.65 with PayPal')
        await buyer.toast('Payment Successful').waitFor()
        await buyer.heading('Payment Completed!').waitFor()
      })
    })

    it('by a second and confetti: fifty pieces for three seconds, and none after a reload', async () => {
      await visit(async (buyer) => {
        const { page } = buyer
        await page.emulateMedia({ reducedMotion: 'no-preference' })
        const id = await place({ paymentMethod: 'crypto' })
        await stopped(buyer, `/order/${id}/payment`, 'Waiting for payment...')
        await shop.post('/api/complete-payment', { orderId: id }, { token })
        await buyer.heading('Payment Completed!').waitFor()
        await page.evaluate(tasksDone)
        await page.clock.runFor(900)
        await buyer.heading('Payment Completed!').waitFor()
        await page.clock.runFor(200)
        await page.waitForURL(/\/confirm$/)
        const confetti = page.locator('[data-confetti]')
        await confetti.locator('> *').first().waitFor()
        expect(await confetti.locator('> *').count()).toBe(50)
        await page.evaluate(tasksDone)
        await page.clock.runFor(2_500)
        expect(await confetti.count()).toBe(1)
        await page.clock.runFor(600)
        await confetti.waitFor({ state: 'detached' })
        // A screen is shown by timers of its own.
        await page.clock.resume()
        await page.reload()
        await buyer.heading('The coins are yours.').waitFor()
        expect(await confetti.count()).toBe(0)
      })
    })
  })
})

/** Opens this page, with its clock stopped once updates are pushed to it: then it does not poll. */
async function stopped({ page }: Buyer, address: string, ready: string): Promise<void> {
  await page.clock.install()
  const pushing = page.waitForResponse((response) => response.url().includes('/api/updates'))
  await page.goto(address)
  await page.getByText(ready).first().waitFor()
  await pushing
  await pauseClock(page)
}

/** At the choice of a payment method, where the clock is stopped. */
async function atMethods(page: Page, orderId: string): Promise<void> {
  await page.goto(`/order/${orderId}/payment-method`)
  await page.getByRole('radio', { name: 'UPI' }).waitFor()
  await pauseClock(page)
}

/** Requests to this path that change something get no answer. */
async function fail(page: Page, path: string): Promise<void> {
  await page.route(path, async (route) => (route.request().method() === 'GET' ? route.fallback() : route.abort()))
}
