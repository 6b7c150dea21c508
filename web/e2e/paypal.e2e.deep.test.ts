import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Buyer } from './buyer.ts'
import { describeInBrowser, builtShopAt } from './in-browser.ts'
import { keyboardOf } from './keyboard.ts'
import { phone, wide } from './looks.ts'

const payButton = ({ page }: Buyer) => page.getByRole('button', { name: 'Pay with PayPal' })

/** PayPal's window, which this click opens. */
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

/** Goes to PayPal's button and returns the order's id. */
async function atButton(buyer: Buyer): Promise<string> {
  const orderId = await buyer.placeOrder()
  expect(await buyer.page.locator('script[src*="web-sdk"]').count()).toBe(0)
  await buyer.chooseMethod('PayPal')
  await payButton(buyer).waitFor()
  await buyer.see('Pay by PayPal')
  return orderId
}

describeInBrowser('PayPal', builtShopAt('paypal'), (stage) => {
  stage.walk('a buyer pays by PayPal with the keyboard alone', wide, async (buyer) => {
    const orderId = await atButton(buyer)
    const keys = keyboardOf(buyer.page)
    await keys.reach(buyer.page.locator('paypal-button'))
    const popup = await windowAfter(buyer, async () => keys.press('Enter'))
    await popup.keyboard.press('Tab')
    const closed = popup.waitForEvent('close')
    // The window may close before the key is released.
    void popup.keyboard.press('Enter').catch(() => undefined)
    await closed
    await buyer.see('Your payment is safe.')
    expect(await stage.shop.typesOf(orderId)).toContain('PaymentReceived')
  })

  stage.walk('a buyer cancels, is declined, and pays at the next try', phone, async (buyer) => {
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
    await buyer.says('Payment Declined', 'Choose another method')
    expect(await buyer.page.getByText(/declined|error|failed/i).allInnerTexts()).toEqual([
      'Payment Declined',
      'PayPal declined this payment. No money was taken.',
    ])
    await buyer.see('Pay by PayPal')
    expect(await stage.shop.typesOf(orderId)).not.toContain('PaymentReceived')
    await choose(await windowAfter(buyer, async () => payButton(buyer).click()), 'Approve')
    await buyer.heading('Your payment is safe.').waitFor()
  })

  stage.walk(
    'the page says that PayPal is checking if the capture’s response is lost, and then that it is paid',
    phone,
    async (buyer) => {
      const orderId = await atButton(buyer)
      const popup = await windowAfter(buyer, async () => payButton(buyer).click())
      const [paymentId = ''] = stage.shop.double.paymentIds().slice(-1)
      await stage.shop.double.act(paymentId, { do: 'approve', webhooks: 0 })
      stage.shop.double.fail({ answer: 'lost', on: 'capture' })
      // Like the window's Approve, but without its webhook.
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

  stage.walk('the page says why PayPal cannot be loaded or used, and offers to try again', wide, async (buyer) => {
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
