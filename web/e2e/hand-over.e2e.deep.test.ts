import { describe, expect, it, onTestFinished } from 'vitest'
import { DELIVERY_CALLS_MINUTES, type DeliveryCall, deliverOrder } from '../../src/commands/deliver-order.ts'
import { systemCaller } from '../../src/shop/shop.ts'
import { systemRandom } from '../../src/system.ts'
import { orderBody } from '../../src/testing/orders.ts'
import { startShop, type TestShop } from '../../src/testing/start-shop.ts'
import type { Buyer } from './buyer.ts'
import { copied } from './clipboard.ts'
import { describeInBrowser } from './in-browser.ts'
import { storyLooks } from './looks.ts'
import { openAdmin } from './owner.ts'

type DeliveryMode = TestShop['shop']['policy']['deliveryMode']

const DELIVERED = 'Your Pokécoins have been delivered successfully!'
const TO_BE_HANDED_OVER = 'The order is paid and will be handed over (typically 5-10 minutes).'
const GIVEN = 'Approve says that the coins were given: the order is completed. There is no way back.'
const wide = { width: 1280 } as const
const phone = { width: 320, colorScheme: 'dark' } as const

const dialog = ({ page }: Buyer, name: string | RegExp) => page.getByRole('dialog', { name })
const toDeliver = ({ page }: Buyer) => page.getByRole('region', { name: 'To deliver', exact: true })
const heading = ({ page }: Buyer, name: string | RegExp) => page.getByRole('heading', { level: 2, name })

async function place(shop: TestShop, changes: Record<string, unknown> = {}): Promise<string> {
  const { status, body, text } = await shop.post('/api/orders', orderBody({ paymentMethod: 'crypto', ...changes }))
  expect({ status, text }).toMatchObject({ status: 201 })
  return String(body['id'])
}

async function placeAndPay(shop: TestShop, changes: Record<string, unknown> = {}): Promise<string> {
  const orderId = await place(shop, changes)
  const amount = (await shop.get(`/api/orders/${orderId}`)).body['totalAmount']
  const { status, text } = await shop.post('/api/crypto/create-payment', { amount, orderId })
  expect({ status, text }).toMatchObject({ status: 200 })
  await shop.pay(orderId)
  return orderId
}

async function orderOf(shop: TestShop, orderId: string) {
  return (await shop.get(`/api/orders/${orderId}`)).body
}

/** Pays as a buyer does, up to the page that says that the money has come. */
async function buyByPaypal(buyer: Buyer): Promise<string> {
  const orderId = await buyer.placeOrder({ name: 'misty' })
  await buyer.chooseMethod('PayPal')
  await buyer.press('Pay $0.65 with PayPal')
  await buyer.page.waitForURL(/\/confirm$/)
  return orderId
}

describeInBrowser('coins are handed over', (stage) => {
  async function open(deliveryMode: DeliveryMode): Promise<TestShop> {
    const config = { webFolder: stage.webFolder() }
    const shop = await startShop({ engines: 'sqlite', config, policy: { deliveryMode } })
    onTestFinished(async () => shop.stop())
    return shop
  }

  /** A buyer and the owner, each with a browser of their own. */
  async function both(
    shop: TestShop,
    look: Parameters<typeof stage.visit>[1],
    walk: (buyer: Buyer, owner: Buyer) => Promise<void>,
  ) {
    await stage.visit(shop, look, async (buyer) => stage.visit(shop, look, async (owner) => walk(buyer, owner)))
  }

  describe.for(storyLooks)('at $width px, $colorScheme', (look) => {
    it('by staff: paid first, and delivered when they say so', async () => {
      const shop = await open('staff')
      await both(shop, look, async (buyer, owner) => {
        await openAdmin(owner, '/admin')
        await heading(owner, 'Analytics Dashboard').waitFor()
        expect(await heading(owner, /to deliver$/).count()).toBe(0)

        const orderId = await buyByPaypal(buyer)
        await buyer.page.getByText(TO_BE_HANDED_OVER).waitFor()
        await buyer.see('Your payment is safe.')
        expect(await buyer.page.getByText(/delivered|coins are yours/i).count()).toBe(0)
        expect(await orderOf(shop, orderId)).toMatchObject({ status: 'pending', paymentStatus: 'completed' })
        const orderNumber = String((await orderOf(shop, orderId))['orderNumber'])

        await heading(owner, '1 order to deliver').waitFor()
        await owner.page.getByText('Paid, not handed over: 1 order · $0.25 · 5M').waitFor()
        const row = toDeliver(owner)
        await row.getByText('misty', { exact: true }).waitFor()
        await row.getByRole('button', { name: `Copy chat name of order ${orderNumber}` }).click()
        await expect.poll(async () => copied(owner)).toBe('misty')
        await row.getByRole('button', { name: 'Copy market ID 12345678' }).click()
        await expect.poll(async () => copied(owner)).toBe('12345678')
        await owner.see('Admin Dashboard')

        await row.getByRole('button', { name: `Mark delivered order ${orderNumber}` }).click()
        const question = dialog(owner, 'Mark this order delivered?')
        await question.getByRole('listitem').filter({ hasText: 'misty' }).filter({ hasText: '5M' }).waitFor()
        await question.getByText('There is no way back.').waitFor()
        await owner.see(/./)
        await question.getByRole('button', { name: 'Cancel' }).click()
        await question.waitFor({ state: 'detached' })
        expect(await orderOf(shop, orderId)).toMatchObject({ status: 'pending' })

        await row.getByRole('button', { name: /^Mark delivered/ }).click()
        await question.getByRole('button', { name: 'Mark delivered', exact: true }).click()
        await owner.toast(`Order ${orderNumber} was marked as delivered.`).waitFor()
        // Both hear of it by push.
        await buyer.toast(DELIVERED).waitFor()
        await buyer.see('The coins are yours.')
        await heading(owner, '1 order to deliver').waitFor({ state: 'detached' })
        await owner.page.getByText('Everything that was paid is handed over.').waitFor()
        expect(await orderOf(shop, orderId)).toMatchObject({ status: 'completed' })
      })
    })

    it('by staff, several at once: named order by order, and so is what failed', async () => {
      const shop = await open('staff')
      const token = await shop.logIn()
      const marketIds = Array.from({ length: 20 }, (_, index) => ({ marketId: `${12345670 + index}`, amount: 50 }))
      const name = 'a_chat_name_of_sixty_letters_so_that_it_has_to_be_wrapped_12'
      const many = { discordUsername: name, pokecoinAmount: 1_000, totalAmount: '35.00', marketIds }
      const ids: string[] = []
      for (const discordUsername of ['brock', 'gary', 'misty']) ids.push(await placeAndPay(shop, { discordUsername }))
      await shop.patch('/api/payment-settings', { currentStock: 2_000 }, { token })
      ids.push(await placeAndPay(shop, { ...many, marketId: '12345670' }))
      const [brock = '', gary = '', misty = '', last = ''] = ids
      await stage.visit(shop, look, async (owner) => {
        const { page, see } = owner
        await openAdmin(owner, '/admin/orders')
        await heading(owner, '4 orders to deliver').waitFor()
        expect(await toDeliver(owner).count()).toBe(0)
        await page.getByRole('link', { name: 'Show them' }).click()
        await toDeliver(owner)
          .getByRole('button', { name: /^\+17 more/ })
          .click()
        await toDeliver(owner).getByRole('button', { name: 'Copy market ID 12345689' }).waitFor()
        await see('Admin Dashboard')
        await page.getByLabel('Select all shown').check()
        await page.getByRole('button', { name: 'Mark delivered (4)' }).waitFor()
        await toDeliver(owner)
          .getByRole('checkbox', { name: `Select order ${String((await orderOf(shop, misty))['orderNumber'])}` })
          .uncheck()
        await page.getByRole('button', { name: 'Mark delivered (3)' }).click()
        const question = dialog(owner, 'Mark 3 orders delivered?')
        await question.getByText('There is no way back.').waitFor()
        const named = await question.getByRole('listitem').allInnerTexts()
        expect(named.map((line) => line.replaceAll(/\s+/g, ''))).toEqual(
          await Promise.all(
            [
              [brock, 'brock50M'],
              [gary, 'gary50M'],
              [last, `${name}1,000M`],
            ].map(async ([id = '', text = '']) => `${String((await orderOf(shop, id))['orderNumber'])}${text}`),
          ),
        )
        await see(/./)

        await shop.delete(`/api/orders/${gary}?coinsGiven=false`, { token })
        await question.getByRole('button', { name: 'Mark delivered', exact: true }).click()
        const report = dialog(owner, 'Not every order was marked')
        await report.getByText('2 marked as delivered, 1 not:').waitFor()
        await report.getByText('There is no such order.').waitFor()
        await see(/./)
        await report.getByRole('button', { name: 'Done' }).click()
        await heading(owner, '1 order to deliver').and(page.locator(':focus')).waitFor()
        expect(await orderOf(shop, brock)).toMatchObject({ status: 'completed' })
        expect(await orderOf(shop, last)).toMatchObject({ status: 'completed' })
        expect(await orderOf(shop, misty)).toMatchObject({ status: 'pending' })
      })
    })
  })

  it('not by a call that fails, which is said in the dialogs that Escape leaves open, and where they were closed', async () => {
    const shop = await open('staff')
    const orderId = await placeAndPay(shop)
    await stage.visit(shop, wide, async (owner) => {
      const { page } = owner
      await openAdmin(owner, '/admin/orders')
      await page.goto(`/admin/orders/${orderId}`)
      const order = dialog(owner, /^Order Details/)
      const question = dialog(owner, 'Mark this order delivered?')
      const mark = async () => {
        await order.getByRole('button', { name: 'Mark delivered' }).click()
        await question.getByRole('button', { name: 'Mark delivered', exact: true }).click()
      }
      await order.getByRole('button', { name: 'Mark delivered' }).click()
      await question.getByRole('button', { name: 'Cancel' }).waitFor()
      await page.keyboard.press('Escape')
      await question.waitFor({ state: 'detached' })

      let answer = await heldAnswer(owner)
      await mark()
      await answer.asked
      // The browser closes a dialog at the second Escape, whatever the page says to it; the page opens it again.
      for (let presses = 0; presses < 3; presses += 1) {
        await page.keyboard.press('Escape')
        await question.getByText('Marking...').waitFor()
      }
      answer.fail()
      const report = dialog(owner, 'The order was not marked')
      await report.getByRole('listitem').getByText('It could not be written.').waitFor()
      await page.keyboard.press('Escape')

      answer = await heldAnswer(owner)
      await mark()
      await answer.asked
      const close = order.getByRole('button', { name: 'Close' }).first()
      await close.evaluate((one: HTMLElement) => one.click())
      await question.waitFor({ state: 'detached' })
      answer.fail()
      await owner.toast(/^Order \S+ was not marked as delivered\. It could not be written\.$/).waitFor()
    })
  })

  it('by the bot: nothing is promised where it did not answer, and a person decides', async () => {
    const shop = await open('webhook')
    const orderId = await placeAndPay(shop)
    const deliver = async (call: DeliveryCall) => deliverOrder(shop.shop, systemCaller(systemRandom), { orderId, call })
    await expect(deliver(async () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer')
    shop.advance((DELIVERY_CALLS_MINUTES + 1) * 60_000)
    await deliver(async () => undefined)
    await both(shop, phone, async (buyer, owner) => {
      await buyer.page.goto(`/order/${orderId}`)
      await buyer.page.getByText('This order waits for a decision of the shop.').waitFor()
      await buyer.page.getByText(/It is not known whether the coins were handed over\./).waitFor()
      await buyer.see(/^Order/)
      expect(await buyer.page.getByText(/Paid and delivered|will be handed over|Continue Payment/).count()).toBe(0)
      await buyer.page.emulateMedia({ reducedMotion: 'no-preference' })
      await buyer.page.goto(`/order/${orderId}/confirm`)
      await buyer.heading('We are looking into your order.').waitFor()
      expect(await buyer.page.locator('[data-confetti]').count()).toBe(0)
      await openAdmin(owner, `/admin/orders/${orderId}`)
      const details = dialog(owner, /^Order Details - /)
      await details.getByText('The coins may have been given: find out.').waitFor()
      await details.getByRole('button', { name: 'Approve' }).click()
      await dialog(owner, 'Approve this order?').getByText(GIVEN).waitFor()
    })
  })
})

/** The next call that marks an order waits until it fails. */
async function heldAnswer({ page }: Buyer): Promise<{ asked: Promise<void>; fail: () => void }> {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  await page.route(
    '**/api/process-order',
    async (route) => {
      asked.resolve()
      await answered.promise
      await route.fulfill({ status: 500, json: { code: 'internal', message: 'It could not be written.' } })
    },
    { times: 1 },
  )
  return { asked: asked.promise, fail: () => answered.resolve() }
}
