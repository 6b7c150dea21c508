import { beforeEach, describe, expect, it } from 'vitest'
import type { TestShop } from '../../src/testing/start-shop.ts'
import { losingVault } from '../../src/commands/testing/losing-vault.ts'
import { interposed } from '../../src/testing/interposed.ts'
import type { Buyer } from './buyer.ts'
import { describeInBrowser } from './in-browser.ts'
import { storyLooks } from './looks.ts'
import { openAdmin } from './owner.ts'

const HINT = 'E-mail, name and market IDs are shown in full only in the browser that placed this order.'

const WAY_OUT =
  "The vault does not know this buyer's key. Put the vault's newest copy back (docs/operations.md, Restore)."

async function seesInFull({ page, says }: Buyer): Promise<void> {
  await says('ann@example.com', 'misty', '12345678')
  await page.getByText(HINT).waitFor({ state: 'detached' })
}

const seesInPart = async ({ says }: Buyer) => says(HINT, 'a…@e….com', 'm…y', '…78')

describeInBrowser('who the buyer is', (stage) => {
  let shop: TestShop
  let vault: ReturnType<typeof losingVault>

  beforeEach(async () => {
    vault = losingVault()
    shop = await stage.open({
      policy: { deliveryMode: 'staff' },
      wrapVault: (engine) => interposed(engine, vault.fates.vault),
    })
  })

  describe.for(storyLooks)('at $width px, $colorScheme', (look) => {
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

    it('is not readable under a vault that does not know the buyer, and the owner is told what to do', async () => {
      await stage.visit(shop, look, async (buyer) => {
        const orderId = await buyer.placeOrder({ name: 'misty' })
        await shop.post('/api/crypto/create-payment', { amount: '0.25', orderId })
        await shop.pay(orderId)
        vault.lost.isLost = true
        await buyer.page.goto(`/order/${orderId}`)
        await expect.poll(async () => buyer.page.getByText('not readable').count()).toBe(3)
        await buyer.page.getByText(HINT).waitFor({ state: 'detached' })
        await buyer.page.getByText(WAY_OUT).waitFor({ state: 'detached' })
        await openAdmin(buyer, '/admin')
        const toDeliver = buyer.page.getByRole('region', { name: 'To deliver', exact: true })
        await toDeliver.getByText('not readable').first().waitFor()
        await toDeliver.getByRole('button', { name: /^Copy chat name/ }).waitFor({ state: 'detached' })
        await buyer.page.goto(`/admin/orders/${orderId}`)
        await buyer.page.getByRole('dialog').getByText(WAY_OUT).waitFor()
        await buyer.see(/./)
      })
    })
  })
})
