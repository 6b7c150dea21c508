import { expect } from 'vitest'
import type { ProviderShop } from '../../src/testing/start-provider-shop.ts'
import { clipboardOf } from './clipboard.ts'
import { describeInBrowser, builtShopAt } from './in-browser.ts'
import { keyboardOf } from './keyboard.ts'
import { storyLooks } from './looks.ts'
import { logInAt } from './owner.ts'

const AWAY = 'We cannot reach the payment provider right now. We look again by ourselves; your payment is safe.'
const MISSING = '00000000-0000-4000-8000-000000000000'

/** Fails often enough for every process to notice. */
async function goAway(live: ProviderShop<'nowpayments'>, orderId: string): Promise<void> {
  live.double.fail({ answer: '500', on: 'check', times: 4 })
  for (let turn = 0; turn < 4; turn += 1) {
    await live.work(orderId)
    live.advance(15_000)
  }
}

async function comeBack(live: ProviderShop<'nowpayments'>, orderId: string): Promise<void> {
  live.advance(60_000)
  await live.work(orderId)
  live.advance(2_000)
  // A push updates the owner at once.
  await live.opened({ discordUsername: 'misty' })
}

async function unplaced(live: ProviderShop<'nowpayments'>): Promise<void> {
  const id = live.double.foreign({ reference: live.context.keys.reference(MISSING, 1) })
  await live.double.act(id, { do: 'pay' })
  expect(await live.hook(live.double.webhook(id))).toBe(200)
}

describeInBrowser('payment providers', builtShopAt('nowpayments'), (stage) => {
  stage.walk('buyer and owner read that the provider does not respond', storyLooks, async (buyer, look) => {
    const { orderId } = await stage.shop.opened()
    await goAway(stage.shop, orderId)
    await buyer.page.goto(`/order/${orderId}/payment`)
    await buyer.says(AWAY)
    await buyer.see('Pay by Crypto')
    await buyer.page.goto(`/order/${orderId}`)
    await buyer.says(AWAY)
    await stage.visit(stage.shop, look, async (owner) => {
      const { page } = owner
      await logInAt(owner, '/admin')
      await page.getByText(/^NOWPayments has not answered since/).waitFor()
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByText(/^It has not answered since/).waitFor()
      await owner.see('Admin Dashboard')
      await comeBack(stage.shop, orderId)
      await page.getByText(/^NOWPayments has not answered since/).waitFor({ state: 'detached' })
      await page.getByText(/^It answers\./).waitFor()
    })
    await buyer.page.getByText(AWAY).waitFor({ state: 'detached' })
  })

  stage.walk('the owner reads of payments without an order, of keys and of webhooks', storyLooks, async (owner) => {
    await unplaced(stage.shop)
    const address = `${stage.shop.context.config.PUBLIC_URL}/api/webhooks/nowpayments`
    const { page } = owner
    const keys = keyboardOf(page)
    const check = page.getByRole('button', { name: 'Check keys of NOWPayments' })
    await logInAt(owner, '/admin')
    await owner.says('1 payment without an order')
    await page.getByRole('link', { name: 'Settings' }).click()
    await owner.says('The keys were not checked yet.', /^It answers\. Last webhook:/)
    await keys.reach(check)
    await keys.press('Enter')
    await owner.says('The keys are accepted.')
    stage.shop.advance(10_000)
    stage.shop.double.fail({ answer: 'forbidden' })
    await check.click()
    await owner.says('The keys are refused: Invalid api key')
    await owner.see('Admin Dashboard')
    await page.getByRole('button', { name: 'Copy address for webhooks of NOWPayments' }).click()
    await expect.poll(async () => clipboardOf({ page })).toBe(address)
  })
})
