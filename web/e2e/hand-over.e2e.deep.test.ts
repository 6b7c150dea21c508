import { expect } from 'vitest'
import type { TestShop } from '../../src/testing/start-shop.ts'
import type { Buyer } from './buyer.ts'
import { clipboardOf } from './clipboard.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { storyLooks, wide } from './looks.ts'
import { paidBy } from './paid-orders.ts'
import { logInAt } from './owner.ts'

const dialog = ({ page }: Buyer, name: string | RegExp) => page.getByRole('dialog', { name })
const toDeliver = ({ page }: Buyer) => page.getByRole('region', { name: 'To deliver', exact: true })
const heading = ({ page }: Buyer, name: string | RegExp) => page.getByRole('heading', { level: 2, name })

async function orderOf(shop: TestShop, orderId = '') {
  return (await shop.get(`/api/orders/${orderId}`)).body
}

describeInBrowser('delivery by staff', builtShop({ env: { DELIVERY: 'staff' } }), (stage) => {
  stage.walk('an order is paid first, and delivered when staff mark it', storyLooks, async (buyer, look) => {
    await stage.visit(stage.shop, look, async (owner) => {
      await logInAt(owner, '/admin')
      await heading(owner, 'Analytics Dashboard').waitFor()
      expect(await heading(owner, /to deliver$/).count()).toBe(0)

      const orderId = await buyer.placeOrder({ name: 'misty' })
      await buyer.chooseMethod('PayPal')
      await buyer.press('Pay $0.65 with PayPal')
      await buyer.page.waitForURL(/\/confirm$/)
      await buyer.says('The order is paid and will be handed over (typically 5-10 minutes).')
      await buyer.see('Your payment is safe.')
      expect(await buyer.page.getByText(/delivered|coins are yours/i).count()).toBe(0)
      const orderNumber = String((await orderOf(stage.shop, orderId))['orderNumber'])

      await heading(owner, '1 order to deliver').waitFor()
      await owner.says('Paid, not handed over: 1 order · $0.25 · 5M')
      const row = toDeliver(owner)
      await row.getByRole('button', { name: `Copy chat name of order ${orderNumber}` }).click()
      await expect.poll(async () => clipboardOf(owner)).toBe('misty')
      await row.getByRole('button', { name: 'Copy market ID 12345678' }).click()
      await expect.poll(async () => clipboardOf(owner)).toBe('12345678')
      await owner.see('Admin Dashboard')

      await row.getByRole('button', { name: `Mark delivered order ${orderNumber}` }).click()
      const question = dialog(owner, 'Mark this order delivered?')
      await question.getByRole('listitem').filter({ hasText: 'misty' }).filter({ hasText: '5M' }).waitFor()
      await question.getByText('There is no way back.').waitFor()
      await question.getByRole('button', { name: 'Mark delivered', exact: true }).click()
      await owner.toast(`Order ${orderNumber} was marked as delivered.`).waitFor()
      // Both are updated by push.
      await buyer.toast('Your Pokécoins have been delivered successfully!').waitFor()
      await buyer.see('The coins are yours.')
      await owner.says('Everything that was paid is handed over.')
    })
  })

  stage.walk('staff mark several orders at once, each listed in the confirmation', storyLooks, async (owner) => {
    const token = await stage.shop.logIn()
    const marketIds = Array.from({ length: 20 }, (_, index) => ({ marketId: `${12345670 + index}`, amount: 50 }))
    const name = 'a_chat_name_of_sixty_letters_so_that_it_has_to_be_wrapped_12'
    const many = { discordUsername: name, pokecoinAmount: 1_000, totalAmount: '35.00', marketIds }
    const ids: string[] = []
    for (const discordUsername of ['brock', 'gary', 'misty']) ids.push(await paidBy(stage.shop, { discordUsername }))
    await stage.shop.patch('/api/payment-settings', { currentStock: 2_000 }, { token })
    ids.push(await paidBy(stage.shop, { ...many, marketId: '12345670' }))
    const numbers: string[] = []
    for (const id of ids) numbers.push(String((await orderOf(stage.shop, id))['orderNumber']))
    const { page, see } = owner
    await logInAt(owner, '/admin/orders')
    await heading(owner, '4 orders to deliver').waitFor()
    await page.getByRole('link', { name: 'Show them' }).click()
    await page.getByText(/^20 IDs/).click()
    await toDeliver(owner).getByRole('button', { name: 'Copy market ID 12345689' }).waitFor()
    await see('Admin Dashboard')
    await page.getByLabel('Select all shown').check()
    await owner.button('Mark delivered (4)').waitFor()
    await page.getByRole('checkbox', { name: `Select order ${numbers[2]}` }).uncheck()
    await owner.press('Mark delivered (3)')
    const question = dialog(owner, 'Mark 3 orders delivered?')
    const named = (await question.getByRole('listitem').allInnerTexts()).map((line) => line.replaceAll(/\s+/g, ''))
    expect(named).toEqual([`${numbers[0]}brock50M`, `${numbers[1]}gary50M`, `${numbers[3]}${name}1,000M`])
    await see(/./)

    await question.getByRole('button', { name: 'Mark delivered', exact: true }).click()
    await owner.toast('3 orders were marked as delivered.').waitFor()
    await heading(owner, '1 order to deliver').and(page.locator(':focus')).waitFor()
    for (const id of [ids[0], ids[1], ids[3]])
      expect(await orderOf(stage.shop, id)).toMatchObject({ status: 'completed' })
    expect(await orderOf(stage.shop, ids[2])).toMatchObject({ status: 'pending' })
  })

  stage.walk(
    'a failed delivery is shown in its dialog, which Escape does not close during the call',
    wide,
    async (owner) => {
      const orderId = await paidBy(stage.shop)
      const { page } = owner
      await logInAt(owner, `/admin/orders/${orderId}`)
      const question = dialog(owner, 'Mark this order delivered?')
      const answered = Promise.withResolvers<void>()
      await page.route('**/api/process-order', async (route) => {
        await answered.promise
        await route.fulfill({ status: 500, json: { code: 'internal', message: 'It could not be written.' } })
      })
      await dialog(owner, /^Order Details/)
        .getByRole('button', { name: 'Mark delivered' })
        .click()
      await question.getByRole('button', { name: 'Mark delivered', exact: true }).click()
      // The browser always closes a dialog on the second Escape; the page reopens it.
      for (let presses = 0; presses < 3; presses += 1) {
        await page.keyboard.press('Escape')
        await question.getByText('Marking...').waitFor()
      }
      answered.resolve()
      await question.getByRole('listitem').getByText('It could not be written.').waitFor()
      await owner.toast('It could not be written.').waitFor()
    },
  )
})
