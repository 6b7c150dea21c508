import { beforeEach, expect, it } from 'vitest'
import { PHONE, type ProviderShop } from '../../src/testing/start-provider-shop.ts'
import type { Buyer } from './buyer.ts'
import { describeInBrowser } from './in-browser.ts'
import { phone } from './looks.ts'
import { pathsAsked } from './requests.ts'

describeInBrowser('a buyer who pays by UPI at Cashfree', (stage) => {
  let shop: ProviderShop<'cashfree'>

  beforeEach(async () => {
    shop = await stage.openAt('cashfree')
  })

  /** Up to the checkout on the gateway's own page; answers the payment's id. */
  async function atCheckout({ page, ...buyer }: Buyer): Promise<string> {
    const asked = pathsAsked(page)
    await buyer.placeOrder()
    await buyer.chooseMethod('UPI')
    await page.getByLabel('Phone number').fill(PHONE)
    expect(asked).not.toContain('/js/v3/cashfree.js')
    await buyer.press(/^Pay ₹[\d.]+ by UPI$/)
    await page.getByRole('heading', { name: 'Cashfree double' }).waitFor()
    return shop.double.paymentIds().at(-1) ?? ''
  }

  it('pays on the gateway’s page', async () => {
    await stage.visit(shop, phone, async (buyer) => {
      const paymentId = await atCheckout(buyer)
      await buyer.button('Pay').click()
      await buyer.page.waitForURL(/\/confirm\?returned/)
      expect(shop.double.known(paymentId).status).toBe('PAID')
      await buyer.heading('Your payment is safe.').waitFor()
    })
  })

  it('finds the way to the checkout again', async () => {
    await stage.visit(shop, phone, async (buyer) => {
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
  })

  it('fails at the checkout: it is said, and the way leads home', async () => {
    await stage.visit(shop, phone, async (buyer) => {
      await atCheckout(buyer)
      await buyer.button('Fail').click()
      await buyer.toast('Payment Cancelled').waitFor()
      await buyer.page.waitForURL((url) => url.pathname === '/')
    })
  })
})
