import { expect } from 'vitest'
import { builtShop, describeInBrowser } from './in-browser.ts'
import { screenLooks } from './looks.ts'
import { logInAt } from './owner.ts'

const live = {
  PAYMENTS: 'live',
  PAYPAL_CLIENT_ID: 'id',
  PAYPAL_CLIENT_SECRET: 'secret',
  PAYPAL_WEBHOOK_ID: 'hook',
  PAYPAL_URL: 'http://127.0.0.1:9',
  PUBLIC_URL: 'https://shop.example',
  SUPPORT_EMAIL: '',
}
const liveShop = builtShop({ env: live, payments: { kind: 'live' } })

describeInBrowser('a live shop', liveShop, (stage) => {
  stage.walk(
    'the opening price is named on every tab until staff confirm it, and a missing contact asks by its tick',
    screenLooks,
    async (owner) => {
      const { page, press, see } = owner
      const banner = page
        .getByRole('status')
        .filter({ hasText: 'The opening price is on sale: 1,000M at $0.05 per million.' })
      await page.goto('/contact')
      await owner.says('There is no way to write to us yet.')
      await see('Contact')
      await logInAt(owner, '/admin')
      await banner.waitFor()
      await page.getByRole('link', { name: 'How buyers reach you (to do)' }).waitFor()
      await see('Admin Dashboard')
      for (const tab of ['Orders', 'Settings']) {
        await page.getByRole('link', { name: tab, exact: true }).click()
        await banner.waitFor()
      }
      await press('Confirm price')
      await banner.waitFor({ state: 'detached' })
      const { body } = await stage.shop.get('/api/admin/shop', { token: await stage.shop.logIn() })
      expect(body).toMatchObject({ isOpeningPriceOnSale: false })
    },
  )
})
