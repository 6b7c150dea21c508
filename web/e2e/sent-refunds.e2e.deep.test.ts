import { expect } from 'vitest'
import { builtShopAt, describeInBrowser } from './in-browser.ts'
import { narrow, storyLooks, wide } from './looks.ts'
import { logInAt } from './owner.ts'

const title = /^Refund of order/

describeInBrowser('refunds through PayPal', builtShopAt('paypal'), (stage) => {
  /** A captured payment of this amount; the order costs $2.25, and PayPal adds $0.40. */
  async function paid(amount?: string): Promise<{ orderId: string; paymentId: string }> {
    const { shop } = stage
    const opened = await shop.opened()
    shop.double.happen(opened.paymentId, { do: 'approve', amount })
    await shop.capture(opened.orderId, opened.paymentId)
    return opened
  }

  stage.walk('an over-payment is paid back in three presses', storyLooks, async (owner) => {
    const { orderId, paymentId } = await paid('3.65')
    const { page } = owner
    await logInAt(owner, `/admin/orders/${orderId}`)
    await page.getByRole('button', { name: 'Pay back', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByText('Sent through PayPal').waitFor()
    await dialog.getByText('PayPal keeps the fee that it charged the shop.').waitFor()
    const amount = await dialog.getByLabel('Amount in dollars').inputValue()
    await dialog.getByText(`$3.65 can be paid back; this leaves $${(3.65 - Number(amount)).toFixed(2)}.`).waitFor()
    await owner.see(/./)
    await dialog.getByRole('button', { name: `Pay back $${amount}` }).click()
    await owner.toast('Paid back').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(`$${amount} refunded: too much was paid.`, { exact: true }).waitFor()
    const [refund, ...others] = stage.shop.double.known(paymentId).captures[0]?.refunds ?? []
    expect([refund?.value, others]).toEqual([amount, []])
    expect(await stage.shop.order(orderId)).toMatchObject({ status: 'pending', paidCents: 225, toPayBackCents: 0 })
  })

  stage.walk('a refused refund says why, and the order needs a person', narrow, async (owner) => {
    const { orderId } = await paid('3.65')
    stage.shop.double.refusesRefunds = 'REFUND_FAILED_INSUFFICIENT_FUNDS'
    const { page } = owner
    await logInAt(owner, `/admin/orders/${orderId}`)
    await page.getByRole('button', { name: 'Pay back', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByLabel('Amount in dollars').fill('99')
    await dialog.getByRole('button', { name: 'Pay back $99.00' }).click()
    await dialog.getByText('More cannot be paid back').waitFor()
    await dialog.getByLabel('Amount in dollars').fill('0.5')
    await dialog.getByRole('button', { name: 'Pay back $0.50' }).click()
    await owner.toast('Not paid back').waitFor()
    await owner.toast(/REFUND_FAILED_INSUFFICIENT_FUNDS/).waitFor()
    await page.getByText('Refund not sent').first().waitFor()
    await owner.see(/./)
    expect(await stage.shop.order(orderId)).toMatchObject({ paidCents: 309 })
  })

  stage.walk(
    'orders to pay back are paid one after another from the list, and one that staff paid back by hand stays',
    storyLooks,
    async (owner) => {
      const { shop } = stage
      const orders = [await paid('3.65'), await paid('3.15'), await paid('2.85')]
      const { page } = owner
      await logInAt(owner, '/admin')
      const list = page.getByRole('region', { name: /orders to pay back$/ })
      await list.getByText(/through PayPal/).waitFor({ state: 'attached' })
      await owner.see(/./)
      const lines = list.getByRole('checkbox')
      for (let at = 0; at < 3; at += 1) await lines.nth(at).check()
      await list.getByRole('button', { name: 'Pay back (3)' }).click()
      const dialog = page.getByRole('dialog', { name: 'Pay back 3 orders?' })
      await dialog.getByText(/^\$\d+\.\d\d through PayPal, to the payers\./).waitFor()
      await owner.see(/./)
      shop.double.happen(orders[1]?.paymentId ?? '', { do: 'refund', amount: '0.10' })
      await dialog.getByRole('button', { name: 'Pay back' }).click()
      await page.getByRole('dialog').getByText('2 paid back, 1 not:').waitFor()
      await owner.see(/./)
      const left = await Promise.all(orders.map(async ({ orderId }) => (await shop.order(orderId))['toPayBackCents']))
      expect(left.filter((cents) => cents === 0)).toHaveLength(2)
    },
  )

  stage.walk('a payment is only recorded where staff paid it back themselves', wide, async (owner) => {
    const { orderId, paymentId } = await paid('3.65')
    const { page } = owner
    await logInAt(owner, `/admin/orders/${orderId}`)
    await page.getByRole('button', { name: 'Pay back', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByRole('button', { name: 'Only record it' }).click()
    await dialog.getByText('Nothing is sent').waitFor()
    await dialog.getByRole('button', { name: 'Note refund' }).click()
    await owner.toast('Refund noted').waitFor()
    expect(stage.shop.double.known(paymentId).captures[0]?.refunds).toEqual([])
  })
})
