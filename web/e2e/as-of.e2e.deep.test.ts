import { expect } from 'vitest'
import { orderBody, placedBy } from '../../src/testing/orders.ts'
import type { TestShop } from '../../src/testing/start-shop.ts'
import { noteUnplacedMoney } from '../../src/testing/unplaced-money.ts'
import type { Buyer } from './buyer.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { keyboardOf } from './keyboard.ts'
import { storyLooks } from './looks.ts'
import { paidBy } from './paid-orders.ts'
import { logInAt } from './owner.ts'

const DAY_MS = 86_400_000
const THEN = 'As of the end of 1 Jan 2026, read only'

const day = ({ page }: Buyer) => page.getByLabel('As of the end of')
const heading = ({ page }: Buyer, name: string | RegExp) => page.getByRole('heading', { level: 2, name })
const figure = ({ page }: Buyer, label: string) => page.getByRole('term').filter({ hasText: label }).locator('+ dd')

/** Day 1: an order is paid, another placed, money comes without an order. Day 3: delivered, deleted, settled. */
async function haveAPast(shop: TestShop): Promise<void> {
  const paid = await paidBy(shop, { discordUsername: 'misty' })
  const deleted = await placedBy(shop, { discordUsername: 'gary', customerEmail: 'gary@example.com' })
  await noteUnplacedMoney(shop.context, '4711')
  shop.advance(2 * DAY_MS)
  const token = await shop.logIn()
  const settled = { provider: 'nowpayments', receiptId: '4711', outcome: 'paid-back' }
  const answers = [
    await shop.post('/api/process-order', { orderId: paid }, { token }),
    await shop.delete(`/api/orders/${deleted}`, { token }),
    await shop.post('/api/admin/unplaced-payments/settle', settled, { token }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 204, 200])
}

async function shopWithAPast(): Promise<TestShop> {
  const shop = await builtShop({ env: { DELIVERY: 'staff' } })()
  await haveAPast(shop)
  return shop
}

describeInBrowser('past days', shopWithAPast, (stage) => {
  stage.walk(
    'staff see a past day on both screens and in an order by keyboard, and return to now',
    storyLooks,
    async (owner) => {
      const { page, see, says, press } = owner
      const { press: key, reach, type } = keyboardOf(page)
      await logInAt(owner, '/admin')
      await figure(owner, 'Total Orders').getByText('1', { exact: true }).waitFor()

      await reach(day(owner))
      await type('01012026')
      await key('Enter')
      await heading(owner, THEN).waitFor()
      await figure(owner, 'Total Orders').getByText('2', { exact: true }).waitFor()
      await figure(owner, 'Total Revenue').getByText('$0.00').waitFor()
      await says('Paid, not handed over: 1 order · $2.25 · 50M', '1 order to deliver', 'waiting for 18 h')
      await says('1 payment without an order')
      await see('Admin Dashboard')

      const orders = page.getByRole('navigation', { name: 'Admin sections' }).getByRole('link', { name: 'Orders' })
      await reach(orders, 'Shift+Tab')
      await key('Enter')
      await says('All Orders (2)')
      await heading(owner, THEN).waitFor()
      expect(new URL(page.url()).search).toBe('?asOf=2026-01-01')
      for (const name of [/^Select/, /^Delete/, /^Mark delivered/, /^Approve/])
        expect(await owner.button(name).count()).toBe(0)
      await see('Admin Dashboard')

      // The past day does not show a new order.
      await stage.shop.post('/api/orders', orderBody())
      await page.getByLabel('Search orders').fill('gary@')
      await says('Filtered Orders (1 of 2)')
      await page.getByRole('link', { name: /^View/ }).press('Enter')
      const details = page.getByRole('dialog', { name: /^Order Details/ })
      for (const text of [`${THEN}.`, 'gary@example.com']) await details.getByText(text).waitFor()
      await details.getByText('Status', { exact: true }).waitFor()
      expect(await details.getByText('deleted', { exact: false }).count()).toBe(0)
      expect(await details.getByRole('button', { name: 'Delete' }).count()).toBe(0)
      await key('Escape')
      await details.waitFor({ state: 'detached' })

      await press('Back to now')
      await says('Filtered Orders (0 of 2)')
      expect(await page.getByText(/without an order$/).count()).toBe(0)
      expect(await day(owner).evaluate((field) => field === document.activeElement)).toBe(true)
      expect(await heading(owner, /^As of/).count()).toBe(0)
      await page.getByRole('button', { name: 'Select', exact: true }).waitFor()
    },
  )
})
