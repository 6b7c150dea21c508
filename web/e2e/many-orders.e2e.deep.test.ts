import pLimit from 'p-limit'
import { expect } from 'vitest'
import { auditBooks } from '../../src/testing/audit-books.ts'
import { placedBy } from '../../src/testing/orders.ts'
import { sizeOf } from '../../src/testing/tier.ts'
import { builtShop, describeInBrowser } from './in-browser.ts'
import { wide } from './looks.ts'
import { logInAt } from './owner.ts'
import { paidBy } from './paid-orders.ts'

const SIZE = sizeOf({ fast: 0, deep: 250, night: 5_000 })
const STOCK_M = 50_000
const AT_ONCE = 16
const HELD_UP_MS = 40
const shown = (value: number) => value.toLocaleString('en-US')
const small = { pokecoinAmount: 1, totalAmount: '0.05' }

describeInBrowser('many orders', builtShop({ env: { DELIVERY: 'staff' } }), (stage) => {
  stage.walk(
    'all orders are selected and deleted while others are placed, and what was not deleted is named',
    wide,
    async (owner) => {
      const { shop } = stage
      const token = await shop.logIn()
      const ofStaff = { token, headers: { 'If-Match': '*' } }
      await shop.patch('/api/payment-settings', { currentStock: STOCK_M, currentStockSeen: 1_000 }, ofStaff)
      const atOnce = pLimit(AT_ONCE)
      const many = async (size: number) =>
        Promise.all(Array.from({ length: size }, async () => atOnce(placedBy, shop, small)))
      await paidBy(shop)
      const [changed = ''] = await many(SIZE - 1)

      const { page, press } = owner
      await logInAt(owner, '/admin/orders')
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      await page.getByRole('button', { name: 'Select All', exact: true }).click()
      const money = `$${((5 * (SIZE - 1) + 225) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`
      await owner.says(`${shown(SIZE)} selected, ${money}.`)

      // Paid after it was selected, as others are placed.
      const payment = { amount: '0.45', currency: 'usd', intent: 'CAPTURE', orderId: changed }
      expect((await shop.post('/api/paypal/order', payment)).status).toBe(200)
      await shop.pay(changed)
      await many(5)
      await page.route(/revision=/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, HELD_UP_MS))
        await route.continue()
      })
      await press(`Delete (${shown(SIZE)})`)
      const dialog = page.getByRole('dialog')
      await dialog.getByText('1 of them holds $2.25 and is left out.').waitFor()
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
      await dialog.getByRole('button', { name: /^Deleting [1-9]/ }).waitFor()
      await dialog.getByRole('button', { name: 'Stop' }).click()
      const stopped = dialog.getByText(/^\d+ deleted, [\d,]+ not:$/)
      await stopped.waitFor()
      const [done = 0, left = 0] = (await stopped.innerText()).replaceAll(',', '').match(/\d+/g)?.map(Number) ?? []
      expect(done).toBeGreaterThan(0)
      expect(done + left).toBe(SIZE)
      const deleted = async () => (await shop.allEvents()).filter(({ type }) => type === 'OrderDeleted').length
      expect(await deleted()).toBe(done)
      await owner.see(/./)

      await page.unrouteAll({ behavior: 'wait' })
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
      const placing = many(20)
      await dialog.getByText(`${shown(SIZE - 2)} deleted, 2 not:`).waitFor({ timeout: 150_000 })
      await placing
      await dialog.getByText('Something happened to this order since you looked at it.').waitFor()
      await dialog.getByText('Left out: open it to decide about $2.25.').waitFor()

      expect(await deleted()).toBe(SIZE - 2)
      expect(auditBooks(await shop.allEvents(), { atRest: false }).problems).toEqual([])
      const { total } = (await shop.get('/api/orders?limit=1', { token })).body
      expect(total).toBe(2 + 5 + 20)
      // One order of 50M and 26 of 1M are left.
      expect((await shop.get('/api/payment-settings')).body['currentStock']).toBe(STOCK_M - 50 - 26)
    },
  )
})
