import { expect } from 'vitest'
import type { Buyer } from './buyer.ts'
import { pauseClock } from './clock.ts'
import { builtShop, describeInBrowser } from './in-browser.ts'
import { phone, wide } from './looks.ts'
import { logInAt } from './owner.ts'

const card = ({ page }: Buyer) => page.getByRole('region', { name: 'Sessions' })
const linesOf = (owner: Buyer) => card(owner).getByRole('listitem')

describeInBrowser('sessions', builtShop(), (stage) => {
  stage.walk("ending another browser's session is seen there within 2 s", [wide, phone], async (owner) => {
    await stage.visit(stage.shop, wide, async (other) => {
      await other.page.clock.install()
      await logInAt(other, '/admin/orders')
      await other.says('No orders found')
      await logInAt(owner, '/admin/settings')
      await expect.poll(async () => linesOf(owner).count()).toBe(2)
      expect(await linesOf(owner).last().innerText()).toContain('this session')
      await owner.see('Admin Dashboard')
      // Its polls are 30 s apart.
      await pauseClock(other.page)
      await card(owner)
        .getByRole('button', { name: /^End Chrome on/ })
        .click()
      await expect.poll(async () => linesOf(owner).count()).toBe(1)
      await other.page.clock.runFor(2_000)
      await other.heading('Admin Login').waitFor()
      await other.says('Your session has ended. Log in to go on where you were.')
      await other.page.clock.resume()
    })
  })

  stage.walk('all other sessions are ended at once', wide, async (owner) => {
    for (let others = 0; others < 3; others += 1) await stage.shop.logIn()
    await logInAt(owner, '/admin/settings')
    await expect.poll(async () => linesOf(owner).count()).toBe(4)
    await owner.press('End all others')
    await expect.poll(async () => linesOf(owner).count()).toBe(1)
    await owner.button('End all others').waitFor({ state: 'detached' })
    await owner.see('Admin Dashboard')
  })
})
