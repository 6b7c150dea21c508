import { expect } from 'vitest'
import { placedBy } from '../../src/testing/orders.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { narrow, storyLooks, wide } from './looks.ts'
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
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText(`$${excess} refunded: too much was paid.`).waitFor()
    // All of it ends the order, so the coins matter.
    await page.getByRole('button', { name: 'Note a refund' }).click()
    await dialog.getByText('Were the coins given?').waitFor()
  })

  stage.walk('deleting asks once, names the money, and leaves out what asks for a decision', narrow, async (owner) => {
    const { page, press, toast } = owner
    const paid = await paidBy(stage.shop)
    for (let placed = 0; placed < 2; placed += 1) await placedBy(stage.shop)
    await logInAt(owner, '/admin/orders')
    await owner.says('All Orders (3)')
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await page.getByRole('button', { name: 'Select All', exact: true }).click()
    await owner.says('3 selected, $6.75.')
    await press('Delete (3)')
    const dialog = page.getByRole('dialog')
    const question = 'Are you sure you want to delete 3 selected order(s)? This will also update revenue analytics.'
    await dialog.getByText(question).waitFor()
    await dialog.getByText('1 of them holds $2.25 and is left out.').waitFor()
    await owner.see(/./)
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await toast('Successfully deleted 2 order(s)').waitFor()
    await dialog.getByText('2 deleted, 1 not:').waitFor()
    await dialog.getByText('Left out: open it to decide about $2.25.').waitFor()
    await owner.see(/./)
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()

    await press('Delete (1)')
    await dialog.getByText('It holds $2.25; deleting pays nothing back.').waitFor()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByText('Choose one.').waitFor()
    await owner.see(/./)
    await dialog.getByLabel('Not given: back to stock').check()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await toast('Successfully deleted 1 order(s)').waitFor()
    const last = (await stage.shop.eventsOf(`order-${paid}`)).at(-1)
    expect(last).toMatchObject({ type: 'OrderDeleted', data: { coinsGiven: false, receivedCents: 225 } })
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
      await dialog.getByText('Nothing is sent').waitFor()
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
      const timeline = details.getByRole('region', { name: 'Timeline' })
      await timeline.getByText('$2.25 refunded: it was not delivered.').waitFor()
      expect(await details.getByRole('button', { name: 'Note a refund' }).count()).toBe(0)
    })
    await buyer.page.getByText('This order was refunded and has ended').waitFor()
    await buyer.page.getByText('Timeline').click()
    await buyer.page.getByText('$2.25 was refunded to you.').waitFor()
    await buyer.see(/^Order/)
    expect(await buyer.page.getByText('ltc1qash').count()).toBe(0)
  })
})
