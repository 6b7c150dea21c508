import { expect } from 'vitest'
import { PHONE } from '../../src/testing/start-provider-shop.ts'
import type { Buyer } from './buyer.ts'
import { describeInBrowser, builtShopAt } from './in-browser.ts'
import { narrow, phone, wide } from './looks.ts'
import { logInAt } from './owner.ts'
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

  stage.walk('a payment by UPI is paid back in rupees, and its buyer reads it', wide, async (owner) => {
    const { shop } = stage
    const { orderId, paymentId } = await shop.opened()
    await shop.double.act(paymentId, { do: 'pay' })
    await shop.work(orderId)
    const { page } = owner
    await logInAt(owner, `/admin/orders/${orderId}`)
    await page.getByRole('button', { name: 'Pay back', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: /^Refund of order/ })
    const amount = await dialog.getByLabel('Amount in rupees').inputValue()
    expect(amount).toBe(shop.double.known(paymentId).amount)
    await dialog.getByLabel(/^Not given/).check()
    await owner.see(/./)
    await dialog.getByRole('button', { name: `Pay back ₹${amount}` }).click()
    await owner.toast('Paid back').waitFor()
    expect(shop.double.known(paymentId).refunds).toMatchObject([{ amount, status: 'SUCCESS' }])
    expect(await shop.order(orderId)).toMatchObject({ endedAs: 'refunded', paidCents: 0 })
    await stage.visit(shop, narrow, async (buyer) => {
      await buyer.page.goto(`/order/${orderId}`)
      await buyer.page.getByText('This order was refunded and has ended').waitFor()
      await buyer.page.getByText('Timeline').click()
      await buyer.page.getByText(`₹${amount} was refunded to you.`).waitFor()
    })
  })
})
