import { expect } from 'vitest'
import type { Buyer } from './buyer.ts'
import { clipboardOf } from './clipboard.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { wide } from './looks.ts'

/** The walks of `npm test`: one purchase by each method. Rarer cases are in `buy-coins.e2e.deep.test.ts`. */
describeInBrowser('a purchase', builtShop(), (stage) => {
  async function paidUntilConfirmed({ page, see }: Buyer, orderId: string): Promise<void> {
    await stage.shop.pay(orderId)
    await page.waitForURL(/\/confirm$/)
    await see('The coins are yours.')
    expect((await stage.shop.eventsOf(`order-${orderId}`)).map(({ type }) => type)).toContain('OrderCompleted')
  }

  stage.walk('a buyer buys by crypto', wide, async (buyer) => {
    const orderId = await buyer.placeOrder({ quantity: '120' })
    await buyer.chooseMethod('Crypto')
    await buyer.page.getByText('Waiting for payment...').waitFor()
    await buyer.button('Copy Litecoin address').click()
    await buyer.toast('Copied!').waitFor()
    await buyer.see('Pay by Crypto')
    await paidUntilConfirmed(buyer, orderId)
    const number = String((await stage.shop.get(`/api/orders/${orderId}`)).body['orderNumber'])
    for (const text of [number, 'ann@example.com', 'What happens next'])
      await buyer.page.getByRole('main').getByText(text).first().waitFor()
    await buyer.press('Copy Link')
    await expect.poll(async () => clipboardOf(buyer)).toBe(`${stage.shop.url}/order/${orderId}`)
    await buyer.page.getByRole('link', { name: 'View Order Status' }).click()
    await buyer.page.getByRole('heading', { name: 'Timeline' }).waitFor()
    await buyer.see(/^Order/)
  })

  stage.walk('a buyer buys by UPI', wide, async (buyer) => {
    const orderId = await buyer.placeOrder()
    await buyer.chooseMethod('UPI')
    await buyer.press(/^Pay ₹/)
    await buyer.says('Enter the 10 digits of your phone number')
    await buyer.see('Pay by UPI')
    await buyer.page.getByLabel('Phone number').fill('98765 43210')
    await buyer.press(/^Pay ₹/)
    await buyer.page.getByText('Waiting for your bank.').waitFor()
    await stage.shop.pay(orderId)
    await buyer.toast('Mock Payment Successful').waitFor()
    await paidUntilConfirmed(buyer, orderId)
    expect(await buyer.page.getByRole('main').innerText()).toMatch(/Total paid for 5M\s+₹21\.63\s+\$0\.25\s/)
  })

  stage.walk('a buyer buys by PayPal, with the fee on top', wide, async (buyer) => {
    const orderId = await buyer.placeOrder()
    await buyer.chooseMethod('PayPal')
    await buyer.press('Pay $0.65 with PayPal')
    await buyer.toast('Payment Successful').waitFor()
    await paidUntilConfirmed(buyer, orderId)
  })
})
