import { beforeEach } from 'vitest'
import { placedBy } from '../../src/testing/orders.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { screenLooks } from './looks.ts'
import { paidBy } from './paid-orders.ts'
import { logInAsOwner } from './owner.ts'

const METHODS = { crypto: 'Crypto', paypal: 'PayPal', upi: 'UPI' } as const

/** Checks every screen in its usual states: accessibility, overflow, content security policy. */
describeInBrowser('screens', builtShop({ env: { DELIVERY: 'staff' } }), (stage) => {
  let unpaid: string
  let paid: string
  let delivered: string
  let questioned: string
  const chosen: Record<string, string> = {}

  beforeEach(async () => {
    unpaid = await placedBy(stage.shop)
    for (const paymentMethod of Object.keys(METHODS))
      chosen[paymentMethod] = await placedBy(stage.shop, { paymentMethod })
    paid = await paidBy(stage.shop, { discordUsername: 'misty' })
    delivered = await paidBy(stage.shop, { discordUsername: 'brock' })
    questioned = await paidBy(stage.shop, { discordUsername: 'sandbox-over' })
    const token = await stage.shop.logIn()
    await stage.shop.post('/api/process-order', { orderId: delivered }, { token })
  })

  stage.walk('every screen of a visitor is accessible', screenLooks, async ({ page, see }) => {
    const addresses = ['', 'about-us', 'terms', 'privacy', 'refunds', 'contact', 'success', 'nowhere', 'order']
    for (const address of addresses) {
      await page.goto(`/${address}`)
      await see(/./)
    }
  })

  stage.walk(
    'every screen of a buyer is accessible',
    screenLooks,
    async ({ page, see, press, fillQuantity, fillCustomer }) => {
      await page.goto('/purchase?new')
      await see('How many coins?')
      await fillQuantity('120')
      await press('Continue')
      await see('Who are they for?')
      await fillCustomer('ann')
      await press('Continue')
      await see('Where do they go?')
      await page.goto(`/order/${unpaid}`)
      await see(/^Order /)
      await page.goto(`/checkout/${unpaid}`)
      await see('Check your order')
      await page.goto(`/order/${unpaid}/payment-method`)
      await see('How do you want to pay?')
      for (const [method, name] of Object.entries(METHODS)) {
        await page.goto(`/order/${chosen[method]}/payment`)
        await see(`Pay by ${name}`)
      }
      for (const orderId of [paid, delivered, questioned]) {
        await page.goto(`/order/${orderId}/confirm`)
        await see(/./)
        await page.goto(`/order/${orderId}`)
        await see(/^Order /)
      }
      await page.goto(`/order/${delivered}`)
      await page.getByText('Completed').first().waitFor()
    },
  )

  stage.walk('every screen of the owner is accessible', screenLooks, async (owner) => {
    const { page, see } = owner
    await page.goto('/admin')
    await see('Admin Login')
    await logInAsOwner(owner)
    for (const address of ['/admin', '/admin/orders', '/admin/products', '/admin/settings']) {
      await page.goto(address)
      await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
      await see('Admin Dashboard')
    }
    for (const orderId of [unpaid, paid, delivered, questioned]) {
      await page.goto(`/admin/orders/${orderId}`)
      await page.getByRole('dialog', { name: /^Order Details/ }).waitFor()
      await see('Admin Dashboard')
    }
  })
})
