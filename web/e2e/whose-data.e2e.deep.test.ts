import { expect } from 'vitest'
import type { ShopOptions, TestShop } from '../../src/testing/start-shop.ts'
import { losingVault } from '../../src/testing/test-shop.ts'
import { personalDataOfOrder } from '../../src/domain/order/buyer-texts.ts'
import { interposed } from '../../src/engines/testing/interposed.ts'
import type { Buyer } from './buyer.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { storyLooks } from './looks.ts'
import { logInAt } from './owner.ts'

const HINT = `The ${personalDataOfOrder} are shown in full only in the browser that placed this order.`

const WAY_OUT =
  "The vault does not know this buyer's key. Put the vault's newest copy back (docs/operations.md, Restore)."

async function seesInFull({ page, says }: Buyer): Promise<void> {
  await says('ann@example.com', 'misty', '12345678')
  await page.getByText(HINT).waitFor({ state: 'detached' })
}

const seesInPart = async ({ says }: Buyer) => says(HINT, 'a…@e….com', 'm…y', '…78')

let vault: ReturnType<typeof losingVault>

async function shopWithVault(): Promise<TestShop> {
  vault = losingVault()
  const wrapVault: ShopOptions['wrapVault'] = (engine) => interposed(engine, vault.fates.vault)
  return builtShop({ env: { DELIVERY: 'staff' }, wrapVault })()
}

describeInBrowser('personal data', shopWithVault, (stage) => {
  stage.walk(
    'the browser that placed an order shows personal data in full, another one masked',
    storyLooks,
    async (buyer, look) => {
      const orderId = await buyer.placeOrder({ name: 'misty' })
      await seesInFull(buyer)
      await buyer.page.goto(`/order/${orderId}`)
      await seesInFull(buyer)
      await stage.visit(stage.shop, look, async (friend) => {
        await friend.page.goto(`/checkout/${orderId}`)
        await seesInPart(friend)
        await friend.see('Check your order')
      })
    },
  )

  stage.walk(
    'screens say that data is unreadable if the vault lost its key, and tell the owner what to do',
    storyLooks,
    async (buyer) => {
      const orderId = await buyer.placeOrder({ name: 'misty' })
      await stage.shop.post('/api/crypto/create-payment', { amount: '0.25', orderId })
      await stage.shop.pay(orderId)
      vault.lost.isLost = true
      await buyer.page.goto(`/order/${orderId}`)
      await expect.poll(async () => buyer.page.getByText('not readable').count()).toBe(3)
      await buyer.page.getByText(HINT).waitFor({ state: 'detached' })
      await buyer.page.getByText(WAY_OUT).waitFor({ state: 'detached' })
      await logInAt(buyer, '/admin')
      const toDeliver = buyer.page.getByRole('region', { name: 'To deliver', exact: true })
      await toDeliver.getByText('not readable').first().waitFor()
      await toDeliver.getByRole('button', { name: /^Copy chat name/ }).waitFor({ state: 'detached' })
      await buyer.page.goto(`/admin/orders/${orderId}`)
      await buyer.page.getByRole('dialog').getByText(WAY_OUT).waitFor()
      await buyer.see(/./)
    },
  )
})
