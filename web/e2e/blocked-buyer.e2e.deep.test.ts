import { expect } from 'vitest'
import { orderBody } from '../../src/testing/orders.ts'
import type { Buyer } from './buyer.ts'
import { builtShop, describeInBrowser } from './in-browser.ts'
import { phone, wide } from './looks.ts'
import { logInAt } from './owner.ts'

const REFUSED = 'The shop cannot take this order; if you think that this is a mistake, write to us'

const card = ({ page }: Buyer) => page.getByRole('region', { name: 'Blocked buyers' })

/** The last step of the wizard, with these texts. */
async function tryToOrder({ page, press, heading, fillQuantity, fillMarketIds }: Buyer, email: string, name: string) {
  await page.goto('/purchase?new')
  await heading('How many coins?').waitFor()
  await fillQuantity('5')
  await press('Continue')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Discord username').fill(name)
  await press('Continue')
  await heading('Where do they go?').waitFor()
  await fillMarketIds()
  await press('Continue')
}

describeInBrowser('blocked buyers', builtShop(), (stage) => {
  stage.walk('a blocked buyer is refused in three spellings, until unblocked', [wide, phone], async (owner, look) => {
    const { page, press, says } = owner
    const given = orderBody({ customerEmail: 'ann.lee@gmail.com', discordUsername: 'Ann' })
    const orderId = String((await stage.shop.post('/api/orders', given)).body['id'])
    await logInAt(owner, `/admin/orders/${orderId}`)
    await press('Block this buyer...')
    const dialog = page.getByRole('dialog', { name: 'Block this buyer?' })
    for (const box of await dialog.getByRole('checkbox').all()) await box.uncheck()
    await dialog.getByRole('button', { name: 'Block' }).click()
    await dialog.getByText('Tick what to block.').waitFor()
    for (const box of await dialog.getByRole('checkbox').all()) await box.check()
    await dialog.getByLabel('Reason').selectOption('Fraud')
    await dialog.getByLabel('Note').fill('A stolen card')
    await owner.see('Admin Dashboard')
    await dialog.getByRole('button', { name: 'Block' }).click()
    await owner.toast('Buyer blocked').waitFor()
    await says('This buyer is blocked: see')

    await stage.visit(stage.shop, look, async (buyer) => {
      for (const [email, name] of [
        ['ANN.LEE@gmail.com', 'somebody'],
        ['annlee+coins@googlemail.com', 'somebody'],
        ['else@example.com', 'ANN'],
      ] as const) {
        await tryToOrder(buyer, email, name)
        await buyer.toast(REFUSED).waitFor()
        await buyer.says(REFUSED)
        await buyer.see('Where do they go?')
      }

      await page.goto('/admin/settings')
      await card(owner)
        .getByText(/Fraud; by e-mail, chat name\..*met 3 times/)
        .waitFor()
      await card(owner).getByText('A stolen card').waitFor()
      await card(owner).getByRole('link', { name: 'ann.lee@gmail.com, Ann' }).waitFor()
      await card(owner).getByRole('button', { name: 'Renew' }).click()
      await owner.toast('Block renewed').waitFor()
      await owner.see('Admin Dashboard')
      await card(owner).getByRole('button', { name: 'Unblock' }).click()
      await owner.see('Admin Dashboard')
      await page.getByRole('dialog').getByRole('button', { name: 'Unblock' }).click()
      await card(owner).getByText('Nobody is blocked.').waitFor()
      expect(await card(owner).getByText('ann.lee').count()).toBe(0)

      await tryToOrder(buyer, 'ann.lee@gmail.com', 'Ann')
      await buyer.atCheckout()
    })
  })
})
