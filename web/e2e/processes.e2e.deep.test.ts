import { cp, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { ADMIN_PASSWORD, ask } from '../../src/testing/buyers.ts'
import { describeEach } from '../../src/testing/describe-unless.ts'
import { engineSets } from '../../src/testing/engine-sets.ts'
import { type ShopProcess, startShopProcess } from '../../src/testing/shop-process.ts'
import { describeInBrowser } from './in-browser.ts'
import { logIn } from './owner.ts'

const WEB_FOLDER = fileURLToPath(new URL('../../dist/web', import.meta.url))
const ROLES = ['api', 'projector', 'worker']
const START_MS = 120_000

describeInBrowser('a shop of three processes', (stage) => {
  beforeAll(async () => {
    // Where npm start builds them.
    await rm(WEB_FOLDER, { recursive: true, force: true })
    await cp(stage.webFolder(), WEB_FOLDER, { recursive: true })
  })

  describeEach(engineSets, 'bought and sold', (engines) => {
    let api: ShopProcess

    beforeEach(async () => {
      const place = await engines.provision()
      const env = { ...place.env, ADMIN_PASSWORD, SANDBOX_DELAY_MS: '500', DELIVERY: 'instant' }
      const parts = await Promise.all(ROLES.map(async (role) => startShopProcess({ ...env, ROLES: role })))
      api = parts.find(({ url }) => url !== '') ?? never()
      return async () => {
        await Promise.all(parts.map(async (part) => part.kill()))
        await place.remove()
      }
    }, START_MS)

    it('sells by each method, and shows its owner what was sold', async () => {
      await stage.visit(api, { width: 1280 }, async (buyer) => {
        const { page, press, chooseMethod } = buyer
        const pay = {
          Crypto: async () => undefined,
          UPI: async () => {
            await page.getByLabel('Phone number').fill('98765 43210')
            await press(/^Pay ₹/)
          },
          PayPal: async () => press(/with PayPal$/),
        }
        for (const [method, payNow] of Object.entries(pay)) {
          const orderId = await buyer.placeOrder({ name: `buyer-${method}` })
          await chooseMethod(method)
          await payNow()
          await page.waitForURL(/\/confirm$/)
          await buyer.see('The coins are yours.')
          const { body } = await ask(api.url, 'GET', `/api/orders/${orderId}`)
          expect(body).toMatchObject({ status: 'completed', isMasked: true })
        }
        await page.goto('/admin/orders')
        await logIn(buyer, ADMIN_PASSWORD)
        for (const method of Object.keys(pay)) await page.getByText(`buyer-${method}`).first().waitFor()
      })
    })
  })
})

function never(): never {
  throw new Error('one of the processes serves the shop')
}
