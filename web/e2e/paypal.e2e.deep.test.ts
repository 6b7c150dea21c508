import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ProviderShop, startProviderShop } from '../../src/testing/start-provider-shop.ts'
import type { Buyer } from './buyer.ts'
import { describeInBrowser } from './in-browser.ts'
import { keyboardOf } from './keyboard.ts'
import { phone, wide } from './looks.ts'

const payButton = ({ page }: Buyer) => page.getByRole('button', { name: 'Pay with PayPal' })

/** The window in which the payer chooses. */
async function windowAfter({ page }: Buyer, click: () => Promise<void>): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), click()])
  await popup.getByRole('heading', { name: 'PayPal' }).waitFor()
  return popup
}

async function choose(popup: Page, choice: string): Promise<void> {
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: choice, exact: true }).click()
  await closed
}

/** Up to PayPal's button; answers the order's id. */
async function atButton(buyer: Buyer): Promise<string> {
  const orderId = await buyer.placeOrder()
  expect(await buyer.page.locator('script[src*="web-sdk"]').count()).toBe(0)
  await buyer.chooseMethod('PayPal')
  await payButton(buyer).waitFor()
  await buyer.see('Pay by PayPal')
  return orderId
}

describeInBrowser('a buyer who pays by PayPal, live', (stage) => {
  let shop: ProviderShop<'paypal'>

  beforeAll(async () => {
    const config = { webFolder: stage.webFolder() }
    shop = await startProviderShop('paypal', { engines: 'sqlite', policy: { deliveryMode: 'staff' }, config })
  })

  afterAll(async () => shop.stop())

  async function handedOver(buyer: Buyer, orderId: string): Promise<void> {
    await buyer.see('Your payment is safe.')
    expect(await shop.typesOf(orderId)).toContain('PaymentReceived')
    const token = await shop.logIn()
    expect((await shop.post('/api/process-order', { orderId }, { token })).status).toBe(200)
    await buyer.see('The coins are yours.')
  }

  it('by the keyboard alone, to handed over', async () => {
    await stage.visit(shop, wide, async (buyer) => {
      const orderId = await atButton(buyer)
      const keys = keyboardOf(buyer.page)
      await keys.reach(buyer.page.locator('paypal-button'))
      const popup = await windowAfter(buyer, async () => keys.press('Enter'))
      await popup.keyboard.press('Tab')
      const closed = popup.waitForEvent('close')
      // The window may be gone before the key is up.
      void popup.keyboard.press('Enter').catch(() => undefined)
      await closed
      await handedOver(buyer, orderId)
    })
  })

  it('cancels: no money was taken, and the next try pays', async () => {
    await stage.visit(shop, phone, async (buyer) => {
      const orderId = await atButton(buyer)
      const popup = await windowAfter(buyer, async () => payButton(buyer).click())
      await buyer.page.locator('paypal-button[aria-busy=true]').waitFor()
      await choose(popup, 'Cancel')
      await buyer.page.getByRole('status').getByText('You closed PayPal before paying. No money was taken.').waitFor()
      expect(await buyer.page.getByRole('alert').count()).toBe(0)
      await buyer.see('Pay by PayPal')
      expect(await shop.typesOf(orderId)).not.toContain('CaptureRequested')
      await choose(await windowAfter(buyer, async () => payButton(buyer).click()), 'Approve')
      await buyer.heading('Your payment is safe.').waitFor()
    })
  })

  it('is declined, which is said, and the next try pays', async () => {
    await stage.visit(shop, phone, async (buyer) => {
      const orderId = await atButton(buyer)
      const popup = await windowAfter(buyer, async () => payButton(buyer).click())
      await choose(popup, 'Approve, but have no money')
      await buyer.page.getByText('There was an error processing your payment. Please try again.').first().waitFor()
      await payButton(buyer).waitFor()
      expect(await shop.typesOf(orderId)).not.toContain('PaymentReceived')
      await choose(await windowAfter(buyer, async () => payButton(buyer).click()), 'Approve')
      await buyer.heading('Your payment is safe.').waitFor()
    })
  })

  it('reads that PayPal checks where the answer to the capture is lost, closes the browser, and finds the order paid', async () => {
    let orderId = ''
    await stage.visit(shop, phone, async (buyer) => {
      orderId = await atButton(buyer)
      const popup = await windowAfter(buyer, async () => payButton(buyer).click())
      const [paymentId = ''] = shop.double.paymentIds().slice(-1)
      await shop.double.act(paymentId, { do: 'approve', webhooks: 0 })
      shop.double.fail({ answer: 'lost', on: 'capture' })
      // As its Approve does, which would send the webhook, too.
      await popup.evaluate(
        (told) => {
          window.opener.postMessage(told, '*')
        },
        { source: 'paypal-double', choice: 'approve', orderId: paymentId },
      )
      await buyer.page.getByText('PayPal is still checking your payment. Please do not pay again.').waitFor()
    })
    expect(await shop.typesOf(orderId)).not.toContain('PaymentReceived')
    shop.advance(60_000)
    await shop.work(orderId)
    const [paymentId = ''] = shop.double.paymentIds().slice(-1)
    expect(shop.double.known(paymentId).captures).toHaveLength(1)
    await stage.visit(shop, phone, async (buyer) => {
      await buyer.page.goto(`/order/${orderId}`)
      await buyer.page.getByText('Your payment is safe.').first().waitFor()
    })
  })

  it('pays where PayPal does not answer whether it may be used, and reads a plain no', async () => {
    await stage.visit(shop, phone, async (buyer) => {
      shop.double.eligible = 'away'
      await atButton(buyer)
      shop.double.eligible = 'no'
      await buyer.page.reload()
      await buyer.page.getByText('PayPal takes no payments from here.').waitFor()
      shop.double.eligible = 'yes'
    })
  })

  it('reads why PayPal cannot be loaded, and may try again', async () => {
    await stage.visit(shop, wide, async (buyer) => {
      await buyer.placeOrder()
      await buyer.page.route('**/web-sdk/v6/core', async (route) => route.abort(), { times: 1 })
      await buyer.chooseMethod('PayPal')
      await buyer.page.getByText('PayPal could not be loaded').waitFor()
      await buyer.press('Try again')
      await payButton(buyer).waitFor()
    })
  })
})
