import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Buyer } from './buyer.ts'
import { describeInBrowser, builtShopAt } from './in-browser.ts'
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

describeInBrowser('a buyer who pays by PayPal, live', builtShopAt('paypal'), (stage) => {
  stage.walk('by the keyboard alone', wide, async (buyer) => {
    const orderId = await atButton(buyer)
    const keys = keyboardOf(buyer.page)
    await keys.reach(buyer.page.locator('paypal-button'))
    const popup = await windowAfter(buyer, async () => keys.press('Enter'))
    await popup.keyboard.press('Tab')
    const closed = popup.waitForEvent('close')
    // The window may be gone before the key is up.
    void popup.keyboard.press('Enter').catch(() => undefined)
    await closed
    await buyer.see('Your payment is safe.')
    expect(await stage.shop.typesOf(orderId)).toContain('PaymentReceived')
  })

  stage.walk('cancels, has no money, and pays at the next try', phone, async (buyer) => {
    const orderId = await atButton(buyer)
    const popup = await windowAfter(buyer, async () => payButton(buyer).click())
    await buyer.page.locator('paypal-button[aria-busy=true]').waitFor()
    await choose(popup, 'Cancel')
    await buyer.page.getByRole('status').getByText('You closed PayPal before paying. No money was taken.').waitFor()
    expect(await buyer.page.getByRole('alert').count()).toBe(0)
    await buyer.see('Pay by PayPal')
    expect(await stage.shop.typesOf(orderId)).not.toContain('CaptureRequested')
    const declined = await windowAfter(buyer, async () => payButton(buyer).click())
    await choose(declined, 'Approve, but have no money')
    await buyer.says('There was an error processing your payment. Please try again.')
    expect(await stage.shop.typesOf(orderId)).not.toContain('PaymentReceived')
    await choose(await windowAfter(buyer, async () => payButton(buyer).click()), 'Approve')
    await buyer.heading('Your payment is safe.').waitFor()
  })

  stage.walk(
    'reads that PayPal checks where the answer to the capture is lost, and then that it is paid',
    phone,
    async (buyer) => {
      const orderId = await atButton(buyer)
      const popup = await windowAfter(buyer, async () => payButton(buyer).click())
      const [paymentId = ''] = stage.shop.double.paymentIds().slice(-1)
      await stage.shop.double.act(paymentId, { do: 'approve', webhooks: 0 })
      stage.shop.double.fail({ answer: 'lost', on: 'capture' })
      // As its Approve does, which would send the webhook, too.
      await popup.evaluate(
        (told) => {
          window.opener.postMessage(told, '*')
        },
        { source: 'paypal-double', choice: 'approve', orderId: paymentId },
      )
      await buyer.says('PayPal is still checking your payment. Please do not pay again.')
      expect(await stage.shop.typesOf(orderId)).not.toContain('PaymentReceived')
      stage.shop.advance(60_000)
      await stage.shop.work(orderId)
      await buyer.heading('Your payment is safe.').waitFor()
    },
  )

  stage.walk('reads why PayPal cannot be loaded or used, and may try again', wide, async (buyer) => {
    stage.shop.double.eligible = 'away'
    await atButton(buyer)
    stage.shop.double.eligible = 'no'
    await buyer.page.reload()
    await buyer.says('PayPal takes no payments from here.')
    stage.shop.double.eligible = 'yes'
    await buyer.page.route('**/web-sdk/v6/core', async (route) => route.abort(), { times: 1 })
    await buyer.page.reload()
    await buyer.says('PayPal could not be loaded')
    await buyer.press('Try again')
    await payButton(buyer).waitFor()
  })
})
