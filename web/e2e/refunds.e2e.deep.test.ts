import { expect } from 'vitest'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { storyLooks, wide } from './looks.ts'
import { paidBy } from './paid-orders.ts'
import { logInAt } from './owner.ts'

describeInBrowser('refunds', builtShop({ env: { DELIVERY: 'staff' } }), (stage) => {
  stage.walk(
    'a refund of an order that changed meanwhile is not recorded, and the order shows the change',
    wide,
    async (owner) => {
      const token = await stage.shop.logIn()
      const orderId = await paidBy(stage.shop)
      await stage.shop.post('/api/process-order', { orderId }, { token })
      const { page } = owner
      await logInAt(owner, `/admin/orders/${orderId}`)
      await page.getByRole('button', { name: 'Note a refund' }).click()
      const dialog = page.getByRole('dialog', { name: /^Refund of order/ })
      await dialog.getByLabel('Amount in dollars').fill('1')
      const { revision } = (await stage.shop.get(`/api/orders/${orderId}`)).body
      const other = { revision, amountCents: 50, reason: 'asked-for', whereTo: '' }
      const headers = { 'Idempotency-Key': 'another-refund-of-it' }
      expect((await stage.shop.post(`/api/orders/${orderId}/refunds`, other, { token, headers })).status).toBe(200)
      await dialog.getByRole('button', { name: 'Note refund' }).click()
      await owner.toast('Not noted').waitFor()
      await owner.toast(/since you looked at/).waitFor()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Note a refund' }).click()
      await dialog.getByText('$1.75 of this order is held; this leaves $0.00.').waitFor()
    },
  )

  stage.walk('of an over-payment the excess is refunded, and the order goes on', wide, async (owner) => {
    const orderId = await paidBy(stage.shop, { discordUsername: 'sandbox-over' })
    const { paidCents } = (await stage.shop.get(`/api/orders/${orderId}`)).body
    const excess = ((Number(paidCents) - 225) / 100).toFixed(2)
    const { page } = owner
    await logInAt(owner, `/admin/orders/${orderId}`)
    await page.getByRole('button', { name: 'Note a refund' }).click()
    const dialog = page.getByRole('dialog', { name: /^Refund of order/ })
    await dialog.getByText('; this leaves $2.25.').waitFor()
    expect(await dialog.getByLabel('Amount in dollars').inputValue()).toBe(excess)
    expect(await dialog.getByText('Were the coins given?').count()).toBe(0)
    await owner.see(/./)
    await dialog.getByRole('button', { name: 'Note refund' }).click()
    await owner.toast('Refund noted').waitFor()
    expect((await stage.shop.get(`/api/orders/${orderId}`)).body).toMatchObject({ status: 'pending', paidCents: 225 })
    await page.getByText(`$${excess} refunded: too much was paid.`).waitFor()
    // All of it ends the order, so the coins matter.
    await page.getByRole('button', { name: 'Note a refund' }).click()
    await dialog.getByText('Were the coins given?').waitFor()
  })

  stage.walk('a buyer reads that an order was refunded before its delivery', storyLooks, async (buyer, look) => {
    const orderId = await paidBy(stage.shop)
    await buyer.page.goto(`/order/${orderId}`)
    await stage.visit(stage.shop, look, async (owner) => {
      const { page } = owner
      await logInAt(owner, `/admin/orders/${orderId}`)
      const details = page.getByRole('dialog', { name: /^Order Details/ })
      // By keyboard alone.
      await details.getByRole('button', { name: 'Note a refund' }).press('Enter')
      const dialog = page.getByRole('dialog', { name: /^Refund of order/ })
      await dialog.getByText('The shop sends no money').waitFor()
      expect(await dialog.getByLabel('Amount in dollars').inputValue()).toBe('2.25')
      await dialog.getByLabel('Amount in dollars').fill('99')
      await dialog.getByRole('button', { name: 'Note refund' }).press('Enter')
      await dialog.getByText('More cannot be paid back').waitFor()
      await dialog.getByLabel('Amount in dollars').fill('2.25')
      await dialog.getByLabel('Where to').fill('ltc1qash')
      await dialog.getByRole('button', { name: 'Note refund' }).press('Enter')
      await dialog.getByText(/Say whether they were\.$/).waitFor()
      await owner.see(/./)
      await dialog.getByLabel(/^Not given/).press('Space')
      await dialog.getByRole('button', { name: 'Note refund' }).press('Enter')
      await owner.toast('Refund noted').waitFor()
      await dialog.waitFor({ state: 'detached' })
      await details.getByText('Not delivered, to ltc1qash').waitFor()
      await details.getByText('$2.25 refunded: it was not delivered.').waitFor()
      expect(await details.getByRole('button', { name: 'Note a refund' }).count()).toBe(0)
    })
    await buyer.page.getByText('This order was refunded and has ended').waitFor()
    await buyer.page.getByText('$2.25 was refunded to you.').waitFor()
    await buyer.see(/^Order/)
    expect(await buyer.page.getByText('ltc1qash').count()).toBe(0)
  })
})
