import { expect } from 'vitest'
import { PHONE } from '../../src/testing/start-provider-shop.ts'
import type { Buyer } from './buyer.ts'
import { describeInBrowser, builtShopAt } from './in-browser.ts'
import { phone } from './looks.ts'
import { requestedPaths } from './requests.ts'

describeInBrowser('a buyer who pays by UPI at Cashfree', builtShopAt('cashfree'), (stage) => {
  /** Up to the checkout on the gateway's own page; answers the payment's id. */
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

  stage.walk('pays on the gateway’s page', phone, async (buyer) => {
    const paymentId = await atCheckout(buyer)
    await buyer.button('Pay').click()
    await buyer.page.waitForURL(/\/confirm\?returned/)
    expect(stage.shop.double.known(paymentId).status).toBe('PAID')
    await buyer.heading('Your payment is safe.').waitFor()
  })

  stage.walk('finds the way to the checkout again', phone, async (buyer) => {
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

  stage.walk('fails at the checkout: it is said, and the way leads home', phone, async (buyer) => {
    await atCheckout(buyer)
    await buyer.button('Fail').click()
    await buyer.toast('Payment Cancelled').waitFor()
    await buyer.page.waitForURL((url) => url.pathname === '/')
  })
})
