import { describe, expect, it, onTestFinished } from 'vitest'
import { orderBody } from '../../src/testing/orders.ts'
import { startShop, type TestShop } from '../../src/testing/start-shop.ts'
import { describeInBrowser } from './in-browser.ts'
import { storyLooks } from './looks.ts'
import { openAdmin } from './owner.ts'

async function placeAndPay(shop: TestShop): Promise<string> {
  const { body } = await shop.post('/api/orders', orderBody({ paymentMethod: 'crypto' }))
  const orderId = String(body['id'])
  await shop.post('/api/crypto/create-payment', { amount: '2.25', orderId })
  await shop.pay(orderId)
  return orderId
}

describeInBrowser('money is paid back', (stage) => {
  async function open(deliveryMode: 'staff' | 'instant'): Promise<TestShop> {
    const config = { webFolder: stage.webFolder() }
    const shop = await startShop({ engines: 'sqlite', config, policy: { deliveryMode } })
    onTestFinished(async () => shop.stop())
    return shop
  }

  it('reads an order again that has changed while its refund was typed, and says what changed', async () => {
    const shop = await open('instant')
    const orderId = await placeAndPay(shop)
    await stage.visit(shop, { width: 1280 }, async (owner) => {
      const { page } = owner
      await openAdmin(owner, `/admin/orders/${orderId}`)
      await page.getByRole('button', { name: 'Note a refund' }).click()
      const dialog = page.getByRole('dialog', { name: /^Refund of order/ })
      await dialog.getByLabel('Amount in dollars').fill('1')
      const token = await shop.logIn()
      const { revision } = (await shop.get(`/api/orders/${orderId}`)).body
      const other = { revision, amountCents: 50, reason: 'asked-for', whereTo: '' }
      const headers = { 'Idempotency-Key': 'another-refund-of-it' }
      const { status, text } = await shop.post(`/api/orders/${orderId}/refunds`, other, { token, headers })
      expect({ status, text }).toMatchObject({ status: 200 })
      await dialog.getByRole('button', { name: 'Note refund' }).click()
      await dialog.getByText('$1.75 is held now, before it was $2.25.').waitFor()
      expect(await dialog.getByLabel('Amount in dollars').inputValue()).toBe('1')
      await owner.see(/./)
      await dialog.getByRole('button', { name: 'Note refund' }).click()
      await owner.toast('Refund noted').waitFor()
    })
  })

  describe.for(storyLooks)('at $width px, $colorScheme', (look) => {
    it('before the hand-over: the buyer reads that it was refunded', async () => {
      const shop = await open('staff')
      const orderId = await placeAndPay(shop)
      await stage.visit(shop, look, async (buyer) => {
        await buyer.page.goto(`/order/${orderId}`)
        await buyer.see(/^Order/)
        await stage.visit(shop, look, async (owner) => {
          const { page } = owner
          await openAdmin(owner, `/admin/orders/${orderId}`)
          const details = page.getByRole('dialog', { name: /^Order Details/ })
          // By keyboard alone.
          await details.getByRole('button', { name: 'Note a refund' }).press('Enter')
          const dialog = page.getByRole('dialog', { name: /^Refund of order/ })
          await dialog.getByText('The shop sends no money').waitFor()
          expect(await dialog.getByLabel('Amount in dollars').inputValue()).toBe('2.25')
          await owner.see(/./)
          await dialog.getByLabel('Amount in dollars').fill('99')
          await dialog.getByRole('button', { name: 'Note refund' }).press('Enter')
          await dialog.getByText('Only $2.25 is held.').waitFor()
          await dialog.getByLabel('Amount in dollars').fill('2.25')
          await dialog.getByLabel('Where to').fill('ltc1qash')
          await dialog.getByRole('button', { name: 'Note refund' }).press('Enter')
          await dialog.getByText('Say whether the coins were given.').waitFor()
          await owner.see(/./)
          await dialog.getByLabel(/^Not given/).press('Space')
          await dialog.getByRole('button', { name: 'Note refund' }).press('Enter')
          await owner.toast('Refund noted').waitFor()
          await dialog.waitFor({ state: 'detached' })
          await details.getByText('Not delivered, to ltc1qash').waitFor()
          await details.getByText('$2.25 refunded: it was not delivered.').waitFor()
          expect(await details.getByRole('button', { name: 'Note a refund' }).count()).toBe(0)
          await owner.see(/./)
        })
        await buyer.page.getByText('Money of this order was refunded, and it has ended').waitFor()
        await buyer.page.getByText('$2.25 was refunded to you.').waitFor()
        await buyer.see(/^Order/)
        expect(await buyer.page.getByText('ltc1qash').count()).toBe(0)
      })
      expect((await shop.get(`/api/orders/${orderId}`)).body).toMatchObject({ endedAs: 'refunded', refundedCents: 225 })
    })
  })
})
