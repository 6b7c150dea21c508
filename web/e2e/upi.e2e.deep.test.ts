import { expect } from 'vitest'
import { PHONE } from '../../src/testing/start-provider-shop.ts'
import type { Buyer } from './buyer.ts'
import { describeInBrowser, builtShopAt } from './in-browser.ts'
import { phone, wide } from './looks.ts'

/** All links to apps are in sight without scrolling. */
const PHONE_HEIGHT = 740

describeInBrowser('UPI by UPIGateway', builtShopAt('upigateway'), (stage) => {
  /** Opens a payment and returns the ids of the order and the payment. */
  async function opened(buyer: Buyer): Promise<{ orderId: string; paymentId: string }> {
    const orderId = await buyer.placeOrder()
    await buyer.chooseMethod('UPI')
    await buyer.page.getByLabel('Phone number').fill(`+91 ${PHONE.slice(0, 5)} ${PHONE.slice(5)}`)
    await buyer.press(/^Pay ₹[\d.]+ by UPI$/)
    await buyer.page.getByText('Waiting for your bank.').waitFor()
    return { orderId, paymentId: stage.shop.double.paymentIds().at(-1) ?? '' }
  }

  stage.walk('a buyer scans a code on a wide screen, or pays on the gateway’s page', wide, async (buyer) => {
    const { paymentId } = await opened(buyer)
    await buyer.see('Pay by UPI')
    await buyer.page.getByRole('img', { name: /^QR code: pay ₹[\d.]+ in a UPI app$/ }).waitFor()
    expect(await buyer.page.getByRole('list', { name: 'Payment apps' }).count()).toBe(0)
    await buyer.page.reload()
    await buyer.page.getByRole('img', { name: /^QR code/ }).waitFor()
    const away = buyer.page.getByRole('link', { name: 'Pay on the gateway’s page' })
    // After a 204 the browser stays on the page.
    await buyer.page.route('**/gateway/pay/*', async (route) => route.fulfill({ status: 204 }), { times: 1 })
    await away.click()
    await buyer.toast('Redirecting to UPI checkout').waitFor()
    await away.click()
    await buyer.page.getByRole('heading', { name: 'UPI double' }).waitFor()
    await buyer.button('Pay').click()
    await buyer.page.waitForURL(/\/confirm\?returned/)
    expect(stage.shop.double.known(paymentId).status).toBe('success')
    await buyer.heading('Your payment is safe.').waitFor()
  })

  stage.walk('a buyer opens an app on a phone, and the page continues by itself', phone, async (buyer) => {
    await buyer.page.setViewportSize({ width: phone.width, height: PHONE_HEIGHT })
    const { paymentId } = await opened(buyer)
    const apps = buyer.page.getByRole('list', { name: 'Payment apps' }).getByRole('link')
    await buyer.page.evaluate(() => window.scrollTo(0, 0))
    const lowest = await apps.last().boundingBox()
    expect((lowest?.y ?? PHONE_HEIGHT) + (lowest?.height ?? 0)).toBeLessThanOrEqual(PHONE_HEIGHT)
    await buyer.see('Pay by UPI')
    const links = await apps.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    expect(links.map((link) => link.split('?')[0])).toEqual([
      'upi://pay',
      'tez://upi/pay',
      'phonepe://pay',
      'paytmmp://pay',
    ])
    expect(links.every((link) => link.includes(`tr=${paymentId}`))).toBe(true)
    const [first, code] = [
      await apps.last().boundingBox(),
      await buyer.page.getByRole('img', { name: /^QR code/ }).boundingBox(),
    ]
    expect(code?.y).toBeGreaterThan(first?.y ?? Number.POSITIVE_INFINITY)
    expect(await buyer.page.getByText('Placing your order').count()).toBe(0)
    await stage.shop.double.act(paymentId, { do: 'pay' })
    await buyer.page.waitForURL(/\/confirm$/)
    await buyer.heading('Your payment is safe.').waitFor()
  })

  stage.walk(
    'the page checks the payment of a returning buyer, and does not trust the address',
    phone,
    async (buyer) => {
      const { orderId, paymentId } = await opened(buyer)
      await buyer.page.goto(`/pay/${paymentId}?client_txn_id=${paymentId}&txn_id=600000000001&status=success`)
      await buyer.see('Checking your payment')
      expect((await stage.shop.get(`/api/orders/${orderId}`)).body['paymentStatus']).toBe('waiting')
      await stage.shop.double.act(paymentId, { do: 'pay' })
      await buyer.heading('Your payment is safe.').waitFor()
    },
  )

  stage.walk('a buyer goes to the gateway’s page if there are no links to apps', phone, async (buyer) => {
    stage.shop.double.hasIntents = false
    await buyer.placeOrder()
    await buyer.chooseMethod('UPI')
    await buyer.page.getByLabel('Phone number').fill(PHONE)
    await buyer.press(/^Pay ₹[\d.]+ by UPI$/)
    await buyer.page.getByRole('heading', { name: 'UPI double' }).waitFor()
    await buyer.page.goBack()
    await buyer.page.getByRole('link', { name: 'Pay on the gateway’s page' }).waitFor()
  })
})
