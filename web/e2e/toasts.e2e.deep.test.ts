import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { placedBy } from '../../src/testing/orders.ts'
import type { Buyer } from './buyer.ts'
import { pauseClock, tasksDone } from './clock.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { wide } from './looks.ts'

const refusal = { code: 'order/not-pending', message: 'No.' }

describeInBrowser('toasts', builtShop(), (stage) => {
  stage.walk(
    'a toast lasts five seconds alone, is dismissed by a swipe of 50 px, and focused by F8',
    wide,
    async ({ page, press }) => {
      const id = await placedBy(stage.shop)
      const region = page.getByRole('region', { name: 'Notifications (F8)' })
      const message = region.getByText('Please select a payment method')
      await page.clock.install()
      await page.goto(`/order/${id}/payment-method`)
      await page.getByRole('radio', { name: 'UPI' }).waitFor()
      await pauseClock(page)
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
        // Beside the text, so that the swipe does not drag it.
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
      await message.waitFor()
      await fail(page, `/api/orders/${id}`)
      await page.getByRole('radio', { name: 'UPI' }).check()
      await press('Continue')
      await region.getByText('Failed to update payment method. Please try again.').waitFor()
      expect(await message.count()).toBe(0)
    },
  )

  stage.walk('toast and page say what failed, or why the shop refused it', wide, async (buyer) => {
    const { page, press, toast, says } = buyer
    const toasted = async (...texts: (string | RegExp)[]) => {
      for (const text of texts) await toast(text).waitFor()
    }
    await page.goto('/purchase')
    await buyer.fillQuantity('5')
    await press('Continue')
    await buyer.fillCustomer('ann')
    await press('Continue')
    await buyer.fillMarketIds()
    await fail(page, '/api/orders')
    await press('Continue')
    await toasted('Failed to create order. Please try again.', /^Error$/)
    await says('Your order was not placed')
    await press('Continue')
    const id = await buyer.atCheckout()

    await fail(page, `/api/orders/${id}/cancel`)
    await buyer.cancelOrder()
    await toasted('The order was not cancelled')
    await buyer.chooseMethod('PayPal')
    const failed = 'There was an error processing your payment. Please try again.'
    for (const [answer, text] of [
      [{ status: 409, json: refusal }, 'No.'],
      [undefined, failed],
    ] as const) {
      await fail(page, '/api/paypal/order', answer)
      await press(/^Pay \$/)
      await page.getByRole('alert').getByText(text).waitFor()
    }
    await says('Payment Failed')
    expect(await page.getByText(failed).count()).toBe(1)

    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByRole('radio', { name: 'Crypto' }).check()
    await fail(page, '/api/crypto/create-payment')
    await press('Continue')
    await says('Failed to create crypto payment. Please try again.', 'Choose another method')
    await press('Try again')
    await says('Waiting for payment...')
    await page.evaluate(() =>
      Object.assign(navigator.clipboard, { writeText: async () => Promise.reject(new Error()) }),
    )
    await press('Copy Litecoin address')
    await toasted('Copy Failed', 'Unable to copy to clipboard')

    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByRole('radio', { name: 'UPI' }).check()
    await press('Continue')
    await page.getByLabel('Phone number').fill('9876543210')
    for (const [answer, text] of [
      [undefined, 'Failed to initiate payment. Please try again.'],
      [{ status: 409, json: refusal }, 'No.'],
      [{ status: 502 }, 'Failed to create payment order'],
    ] as const) {
      await fail(page, '/api/upigateway/create-order', answer)
      await press(/^Pay ₹/)
      await page.getByRole('alert').getByText(text).waitFor()
    }
    await says('Payment Error')
  })

  stage.walk('a toast says that a paid order could not be processed', wide, async ({ page, heading, toast }) => {
    const id = await placedBy(stage.shop, { paymentMethod: 'crypto' })
    await stage.shop.post('/api/complete-payment', { orderId: id }, { token: await stage.shop.logIn() })
    const { body: order } = await stage.shop.get(`/api/orders/${id}`)
    let answer = order
    await page.route(`**/api/orders/${id}`, async (route) => route.fulfill({ json: answer }))
    await page.goto(`/order/${id}/confirm`)
    await heading('The coins are yours.').waitFor()
    answer = { ...order, status: 'failed', paymentStatus: 'failed' }
    await toast('Processing Error').waitFor()
    await toast('Failed to process your order. Please contact support.').waitFor()
    // The order was paid, so its screen stays.
    await page.getByRole('heading', { name: 'What happens next' }).waitFor()
  })

  stage.walk('the page says that UPI was cancelled, and offers another method', wide, async (buyer) => {
    const { page } = buyer
    const id = await placedBy(stage.shop, { discordUsername: 'sandbox-cancel', paymentMethod: 'upi' })
    const upi = { amount: '2.25', orderId: id, customerInfo: { customerPhone: '9876543210' } }
    expect(await stage.shop.post('/api/upigateway/create-order', upi)).toMatchObject({ status: 200 })
    await openStopped(buyer, `/order/${id}/confirm`, 'Not paid yet')
    await stage.shop.pay(id)
    await page.getByText('Your UPI payment was cancelled. Please try again.').waitFor()
    await page.clock.runFor(5_000)
    await page.clock.resume()
    await page.getByRole('link', { name: 'Choose another method' }).click()
    await buyer.heading('How do you want to pay?').waitFor()
    await buyer.says('Your UPI payment was cancelled. Please try again.')
    await page.goto(`/order/${id}/payment`)
    await page.getByRole('alert').getByText('Payment Cancelled').waitFor()
  })

  stage.walk(
    'a second after the payment come fifty pieces of confetti for three seconds, and none after a reload',
    wide,
    async (buyer) => {
      const { page } = buyer
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      const id = await placedBy(stage.shop, { paymentMethod: 'crypto' })
      await openStopped(buyer, `/order/${id}/payment`, 'Waiting for payment...')
      await stage.shop.post('/api/complete-payment', { orderId: id }, { token: await stage.shop.logIn() })
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
      // The reloaded screen needs running timers.
      await page.clock.resume()
      await page.reload()
      await buyer.heading('The coins are yours.').waitFor()
      expect(await confetti.count()).toBe(0)
    },
  )
})

/** Opens a page and stops its clock, and so its polling, once it is connected for push. */
async function openStopped({ page }: Buyer, address: string, ready: string): Promise<void> {
  await page.clock.install()
  const pushing = page.waitForResponse((response) => response.url().includes('/api/updates'))
  await page.goto(address)
  await page.getByText(ready).first().waitFor()
  await pushing
  await pauseClock(page)
}

interface FailedResponse {
  readonly status: number
  readonly json?: object
}

/** Answers the next write to this path with this response, or fails it. */
async function fail(page: Page, path: string, answer?: FailedResponse): Promise<void> {
  let hasFailed = false
  await page.route(`**${path}`, async (route) => {
    if (hasFailed || route.request().method() === 'GET') return route.fallback()
    hasFailed = true
    return answer === undefined ? route.abort() : route.fulfill(answer)
  })
}
