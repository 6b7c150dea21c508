import { expect } from 'vitest'
import { PHONE } from '../../src/testing/start-provider-shop.ts'
import type { Buyer } from './buyer.ts'
import { describeInBrowser, builtShopAt } from './in-browser.ts'
import { phone } from './looks.ts'
import { requestedPaths } from './requests.ts'

describeInBrowser('UPI by Cashfree', builtShopAt('cashfree'), (stage) => {
  /** Goes to Cashfree's page and returns the payment's id. */
  async function atCheckout({ page, ...buyer }: Buyer): Promise<string> {
    const asked = requestedPaths(page)
    await buyer.placeOrder()
    await buyer.chooseMethod('UPI')
    await page.getByLabel('Phone number').fill(PHONE)
    expect(asked).not.toContain('/js/v3/cashfree.js')
    await buyer.press(/^Pay ₹[\d.]+ by UPI$/)
    await page.getByRole('heading', { name: 'Cashfree double' }).waitFor()
    return stage.shop.double.paymentIds().at(-1) ?? ''
  }

  stage.walk('a buyer pays on Cashfree’s page', phone, async (buyer) => {
    const paymentId = await atCheckout(buyer)
    await buyer.button('Pay').click()
    await buyer.page.waitForURL(/\/confirm\?returned/)
    expect(stage.shop.double.known(paymentId).status).toBe('PAID')
    await buyer.heading('Your payment is safe.').waitFor()
  })

  stage.walk('a buyer who went back opens Cashfree’s page again', phone, async (buyer) => {
    await atCheckout(buyer)
    await buyer.page.goBack()
    await buyer.see('Pay by UPI')
    await buyer.page.route('**/js/v3/cashfree.js', async (route) => route.abort())
    await buyer.page.reload()
    await buyer.press('Pay on the gateway’s page')
    await buyer.page.getByText('The checkout did not answer.').waitFor()
    await buyer.see('Pay by UPI')
    await buyer.page.unroute('**/js/v3/cashfree.js')
    await buyer.press('Pay on the gateway’s page')
    await buyer.page.getByRole('heading', { name: 'Cashfree double' }).waitFor()
  })

  stage.walk('a failed payment at Cashfree is called failed, and another method is offered', phone, async (buyer) => {
    await atCheckout(buyer)
    await buyer.button('Fail').click()
    await buyer.says(/^UPI payment failed\. Please try again\./)
    expect(await buyer.page.getByText(/cancelled/i).count()).toBe(0)
    await buyer.page.getByRole('link', { name: 'Choose another method' }).click()
    await buyer.see('How do you want to pay?')
  })
})
