import { expect, it, onTestFinished } from 'vitest'
import { eventstoredbEventStore } from '../../src/event-store/eventstoredb-event-store.ts'
import { controlMissing, someEventstoredb } from '../../src/event-store/testing/eventstoredb-server.ts'
import { describeUnless } from '../../src/testing/describe-unless.ts'
import { orderBody } from '../../src/testing/orders.ts'
import { describeInBrowser, openShop, type Stage } from './in-browser.ts'
import { lookAwayAndBack } from './look-away.ts'
import { storyLooks, wide } from './looks.ts'
import { openAdmin } from './owner.ts'

const SOON = { timeout: 60_000 }

async function open(stage: Stage) {
  const log = await someEventstoredb()
  onTestFinished(async () => log.remove())
  return { log, shop: await stage.open({ wrapStore: () => eventstoredbEventStore({ url: log.url }) }) }
}

describeInBrowser('a shop', openShop(), (stage) => {
  describeUnless(controlMissing, 'whose log is away', () => {
    it.for(storyLooks)(
      'keeps the order that its buyer has open, and shows prices, until it is back, at $width px, $colorScheme',
      async (look) => {
        const { log, shop } = await open(stage)
        await stage.visit(shop, look, async (buyer) => {
          const { page, see } = buyer
          const stale = page.getByText('Not up to date: the shop does not answer.')
          const orderId = await buyer.placeOrder()
          await buyer.chooseMethod('Crypto')
          await page.goto(`/order/${orderId}`)
          await see(/^Order/)
          await log.kill()
          await stale.waitFor()
          await see(/^Order/)
          await page.goto(`/order/${orderId}/payment`)
          await page.getByText('Your order could not be loaded').waitFor()
          await page.goto('/purchase?new')
          await see('How many coins?')

          await page.goto(`/order/${orderId}`)
          await log.start()
          await see(/^Order/)
          await page.goto(`/checkout/${orderId}`)
          await buyer.cancelOrder()
          await buyer.toast('Order Cancelled').waitFor()
          expect((await shop.get(`/api/orders/${orderId}`)).body).toMatchObject({ endedAs: 'cancelled' })
        })
      },
    )

    it('shows its staff new orders again, although their page connected while it was away', async () => {
      const { log, shop } = await open(stage)
      const pushes = async () => /^coinshop_push_connections (\d+)$/m.exec(await shop.metrics())?.[1]
      await stage.visit(shop, wide, async (owner) => {
        const { page } = owner
        await openAdmin(owner, '/admin')
        await expect.poll(pushes, SOON).toBe('1')
        await log.kill()
        const refused = page.waitForResponse(
          (answer) => answer.url().includes('/api/updates') && answer.status() === 503,
        )
        await lookAwayAndBack(page)
        await refused
        await expect.poll(pushes).toBe('0')
        await log.start()
        await expect.poll(pushes, SOON).toBe('1')
        const placed = (await shop.post('/api/orders', orderBody())).body
        await page.getByText(String(placed['orderNumber'])).first().waitFor()
      })
    })
  })
})
