import { describe, expect, it, onTestFinished } from 'vitest'
import { orderBody, placedBy } from '../../src/testing/orders.ts'
import { startShop, type TestShop } from '../../src/testing/start-shop.ts'
import { noteUnplacedMoney } from '../../src/testing/unplaced-money.ts'
import type { Buyer, BuyerOptions } from './buyer.ts'
import { describeInBrowser } from './in-browser.ts'
import { keyboardOf } from './keyboard.ts'
import { storyLooks, wide } from './looks.ts'
import { openAdmin } from './owner.ts'

const DAY_MS = 86_400_000
const THEN = 'As of the end of 1 Jan 2026, read only'

const day = ({ page }: Buyer) => page.getByLabel('As of the end of')
const heading = ({ page }: Buyer, name: string | RegExp) => page.getByRole('heading', { level: 2, name })
const figure = ({ page }: Buyer, label: string) => page.getByRole('term').filter({ hasText: label }).locator('+ dd')

async function choose(owner: Buyer, isoDay: string): Promise<void> {
  await day(owner).fill(isoDay)
  await day(owner).press('Enter')
}

describeInBrowser('staff look back', (stage) => {
  interface Past {
    readonly shop: TestShop
    readonly paid: string
    /** Lets folds begin. */
    readonly fold: () => void
  }

  /** On the first day one order was paid and another placed; on the third the first is delivered, the second deleted. Money without an order came and was settled. */
  async function open(): Promise<Past> {
    const gate = Promise.withResolvers<void>()
    const shop = await startShop({
      engines: 'sqlite',
      config: { webFolder: stage.webFolder() },
      policy: { deliveryMode: 'staff' },
      wrapFold: (plain) => async (asked) => {
        const gone = new Promise<never>((_, reject) =>
          asked.signal.addEventListener('abort', () => reject(asked.signal.reason as Error)),
        )
        await Promise.race([gate.promise, gone])
        return plain(asked)
      },
    })
    onTestFinished(async () => shop.stop())
    const place = async (discordUsername: string): Promise<string> => {
      const changes = { paymentMethod: 'crypto', discordUsername, customerEmail: `${discordUsername}@example.com` }
      return placedBy(shop, changes)
    }
    const paid = await place('misty')
    await shop.post('/api/crypto/create-payment', { amount: '2.25', orderId: paid })
    await shop.pay(paid)
    const deleted = await place('gary')
    await noteUnplacedMoney(shop.shop, '4711')
    shop.advance(2 * DAY_MS)
    const token = await shop.logIn()
    expect((await shop.post('/api/process-order', { orderId: paid }, { token })).status).toBe(200)
    expect((await shop.delete(`/api/orders/${deleted}`, { token })).status).toBe(204)
    const settled = { provider: 'nowpayments', receiptId: '4711', outcome: 'paid-back' }
    expect((await shop.post('/api/admin/unplaced-payments/settle', settled, { token })).status).toBe(200)
    return { shop, paid, fold: () => gate.resolve() }
  }

  /** The owner, who has logged in at this address. */
  async function lookBack(shop: TestShop, look: BuyerOptions, address: string, walk: (owner: Buyer) => Promise<void>) {
    await stage.visit(shop, look, async (owner) => {
      await openAdmin(owner, address)
      await walk(owner)
    })
  }

  describe.for(storyLooks)('at $width px, $colorScheme', (look) => {
    it('on both screens and into an order, by keyboard, and come back to now', async () => {
      const { shop, fold } = await open()
      await lookBack(shop, look, '/admin', async (owner) => {
        const { page, see, press } = owner
        const { press: key, reach, type } = keyboardOf(page)
        await figure(owner, 'Total Orders').getByText('1', { exact: true }).waitFor()
        await see('Admin Dashboard')

        await reach(day(owner))
        await type('01012026')
        await key('Enter')
        await heading(owner, 'As of the end of 1 Jan 2026').waitFor()
        await page.getByRole('progressbar', { name: 'Reading the log' }).waitFor()
        await expect.poll(async () => page.title()).toContain('Dashboard as of 1 Jan 2026')
        await see('Admin Dashboard')

        fold()
        await heading(owner, THEN).waitFor()
        await figure(owner, 'Total Orders').getByText('2', { exact: true }).waitFor()
        await figure(owner, 'Total Revenue').getByText('$0.00').waitFor()
        await page.getByText('Paid, not handed over: 1 order · $2.25 · 50M').waitFor()
        await heading(owner, '1 order to deliver').waitFor()
        await page.getByText('waiting for 18 h').waitFor()
        await page.getByText('1 payment without an order').waitFor()
        await see('Admin Dashboard')

        await reach(
          page.getByRole('navigation', { name: 'Admin sections' }).getByRole('link', { name: 'Orders' }),
          'Shift+Tab',
        )
        await key('Enter')
        await page.getByText('All Orders (2)').waitFor()
        await heading(owner, THEN).waitFor()
        expect(new URL(page.url()).search).toBe('?asOf=2026-01-01')
        for (const name of [/^Select/, /^Delete/, /^Mark delivered/, /^Approve/])
          expect(await page.getByRole('button', { name }).count()).toBe(0)
        await see('Admin Dashboard')

        // What happens now is not shown.
        await shop.post('/api/orders', orderBody())
        await page.getByLabel('Search orders').fill('gary@')
        await page.getByText('Filtered Orders (1 of 2)').waitFor()
        await page.getByRole('link', { name: /^View/ }).press('Enter')
        const details = page.getByRole('dialog', { name: /^Order Details/ })
        await details.getByText('As of the end of 1 Jan 2026, read only.').waitFor()
        await details.getByText('gary@example.com').waitFor()
        expect(await details.getByText('deleted', { exact: false }).count()).toBe(0)
        expect(await details.getByRole('button', { name: 'Delete' }).count()).toBe(0)
        await see(/./)
        await key('Escape')
        await details.waitFor({ state: 'detached' })

        await press('Back to now')
        await page.getByText('Filtered Orders (0 of 2)').waitFor()
        expect(await page.getByText(/without an order$/).count()).toBe(0)
        expect(await day(owner).evaluate((field) => field === document.activeElement)).toBe(true)
        expect(await heading(owner, /^As of/).count()).toBe(0)
        await page.getByRole('button', { name: 'Select', exact: true }).waitFor()
      })
    })
  })

  it('until they cancel', async () => {
    const { shop } = await open()
    await lookBack(shop, wide, '/admin/orders', async (owner) => {
      await choose(owner, '2026-01-01')
      await owner.page.getByRole('progressbar', { name: 'Reading the log' }).waitFor()
      await owner.press('Cancel')
      await owner.page.getByText('All Orders (1)').waitFor()
    })
  })
})
