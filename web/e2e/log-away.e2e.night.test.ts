import { expect, it, onTestFinished } from 'vitest'
import { eventstoredbEventStore } from '../../src/event-store/eventstoredb-event-store.ts'
import { controlMissing, someEventstoredb } from '../../src/event-store/testing/eventstoredb-server.ts'
import { describeUnless } from '../../src/testing/describe-unless.ts'
import { startShop } from '../../src/testing/start-shop.ts'
import { orderBody } from '../../src/testing/orders.ts'
import { describeInBrowser } from './in-browser.ts'
import { lookAwayAndBack } from './look-away.ts'
import { storyLooks, wide } from './looks.ts'
import { openAdmin } from './owner.ts'

const AS_OF = /^As of .*\. We cannot look further at the moment\./
const SOON = { timeout: 60_000 }
const AWAY = 'The shop cannot be reached. Please try again in a moment.'

describeInBrowser('a shop', (stage) => {
  describeUnless(controlMissing, 'whose log is away', () => {
    it.for(storyLooks)(
      'shows its buyers prices and orders until it is back, at $width px, $colorScheme',
      async (look) => {
        const log = await someEventstoredb()
        onTestFinished(async () => log.remove())
        const wrapStore = () => eventstoredbEventStore({ url: log.url })
        const shop = await startShop({ wrapStore, config: { webFolder: stage.webFolder() } })
        onTestFinished(async () => shop.stop())
        await stage.visit(shop, look, async (buyer) => {
          const { page, see } = buyer
          const asOf = page.getByText(AS_OF)
          const orderId = await buyer.placeOrder()
          await buyer.chooseMethod('Crypto')
          await page.goto(`/order/${orderId}`)
          await see(/^Order/)
          await log.kill()
          await asOf.waitFor()
          await see(/^Order/)
          for (const [address, heading] of [
            [`/order/${orderId}`, /^Order/],
            [`/order/${orderId}/payment`, 'Pay by Crypto'],
            [`/order/${orderId}/payment-method`, 'How do you want to pay?'],
            [`/order/${orderId}/confirm`, 'Not paid yet'],
          ] as const) {
            await page.goto(address)
            await asOf.waitFor()
            await see(heading)
          }
          await page.goto('/purchase?new')
          await see('How many coins?')

          await page.goto(`/checkout/${orderId}`)
          await asOf.waitFor()
          await see('Check your order')
          await buyer.cancelOrder()
          await page.getByText(AWAY).waitFor()
          await log.start()
          await asOf.waitFor({ state: 'detached' })
          await buyer.cancelOrder()
          await buyer.toast('Order Cancelled').waitFor()
          expect((await shop.get(`/api/orders/${orderId}`)).body).toMatchObject({ endedAs: 'cancelled' })
        })
      },
    )

    it('shows its staff new orders again, although their page connected while it was away', async () => {
      const log = await someEventstoredb()
      onTestFinished(async () => log.remove())
      const wrapStore = () => eventstoredbEventStore({ url: log.url })
      const shop = await startShop({ wrapStore, config: { webFolder: stage.webFolder() } })
      onTestFinished(async () => shop.stop())
      const pushes = async () => /^coinshop_push_connections (\d+)$/m.exec((await shop.get('/metrics')).text)?.[1]
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
