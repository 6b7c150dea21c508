import { beforeEach, describe, it } from 'vitest'
import { startShop, type TestShop } from '../../src/testing/start-shop.ts'
import type { Buyer } from './buyer.ts'
import { describeInBrowser } from './in-browser.ts'
import { looks } from './looks.ts'

const HINT = 'E-mail, name and market IDs are shown in full only in the browser that placed this order.'

async function seesInFull({ page }: Buyer): Promise<void> {
  await page.getByText('ann@example.com').waitFor()
  await page.getByText('misty').waitFor()
  await page.getByText('12345678').waitFor()
  await page.getByText(HINT).waitFor({ state: 'detached' })
}

async function seesInPart({ page }: Buyer): Promise<void> {
  await page.getByText(HINT).waitFor()
  await page.getByText('a…@e….com').waitFor()
  await page.getByText('m…y').waitFor()
  await page.getByText('…78').waitFor()
}

describeInBrowser('who the buyer is', (stage) => {
  let shop: TestShop

  beforeEach(async () => {
    shop = await startShop({ engines: 'sqlite', config: { webFolder: stage.webFolder() } })
    return async () => shop.stop()
  })

  describe.for(looks)('at $width px, $colorScheme', (look) => {
    it('is read by the browser that placed the order, and in part by another, which pays', async () => {
      let orderId = ''
      await stage.visit(shop, look, async (buyer) => {
        orderId = await buyer.placeOrder({ name: 'misty' })
        await seesInFull(buyer)
        await buyer.page.goto(`/order/${orderId}`)
        await seesInFull(buyer)
      })
      await stage.visit(shop, look, async (friend) => {
        await friend.page.goto(`/checkout/${orderId}`)
        await seesInPart(friend)
        await friend.see('Check your order')
        await friend.chooseMethod('UPI')
        await friend.page.getByLabel('Phone number').fill('9876543210')
        await friend.press(/^Pay .* by UPI$/)
        await friend.page.getByText('Waiting for your bank').waitFor()
        await friend.page.goto(`/pay/${shop.shop.keys.reference(orderId, 1)}?client_txn_id=other`)
        await friend.page.waitForURL(`**/order/${orderId}/**`)
        await shop.pay(orderId)
        await friend.page.goto(`/order/${orderId}`)
        await seesInPart(friend)
        await friend.see(/./)
      })
    })
  })
})
