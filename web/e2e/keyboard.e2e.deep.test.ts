import { expect, it } from 'vitest'
import { orderBody } from '../../src/testing/orders.ts'
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../../src/testing/start-shop.ts'
import type { Buyer } from './buyer.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { type Look, storyLooks } from './looks.ts'
import { keyboardOf } from './keyboard.ts'

const PRESSES_MAX = 25

type Method = 'PayPal' | 'Crypto' | 'UPI'

/** Each method, width and theme once. */
const walks: readonly ({ method: Method } & Look)[] = [
  { method: 'PayPal', width: 1280, colorScheme: 'dark' },
  { method: 'Crypto', width: 360, colorScheme: 'light' },
  { method: 'UPI', width: 320, colorScheme: 'dark' },
]

describeInBrowser('keyboard', builtShop(), (stage) => {
  const settings = async () => (await stage.shop.get('/api/payment-settings')).body

  it.for(walks)(
    `a buyer buys by $method with at most ${PRESSES_MAX} key presses besides typing, at $width px, $colorScheme`,
    async ({ method, ...look }) => {
      await stage.visit(stage.shop, look, async (buyer) => {
        expect(await buyByKeyboard(buyer, method)).toBeLessThanOrEqual(PRESSES_MAX)
      })
    },
  )

  /** Buys from the landing page to the delivered order, and returns the number of key presses. */
  async function buyByKeyboard({ page, heading }: Buyer, method: Method): Promise<number> {
    const { press, reach, type, isAt, presses } = keyboardOf(page)
    await page.goto('/')
    await reach(page.getByRole('link', { name: 'Skip to content' }))
    await press('Enter')
    await reach(page.getByRole('link', { name: 'Buy coins' }))
    await press('Enter')
    await isAt(heading('How many coins?'))
    await reach(page.getByLabel('Millions of coins'))
    await type('5')
    // Until the price is loaded, Enter does nothing.
    await page.getByText('$0.25').filter({ visible: true }).first().waitFor()
    await press('Enter')
    await isAt(heading('Who are they for?'))
    await reach(page.getByLabel('E-mail address'))
    await type('ann@example.com')
    await reach(page.getByLabel('Discord username'))
    await type('ann')
    await press('Enter')
    await isAt(heading('Where do they go?'))
    await reach(page.getByLabel('Market ID'))
    await type('12345678')
    await press('Enter')
    const toPayment = page.getByRole('link', { name: 'Continue to Payment' })
    await toPayment.waitFor()
    await isAt(heading('Check your order'))
    const orderId = page.url().split('/').at(-1) ?? ''
    await reach(toPayment)
    await press('Enter')
    await isAt(heading('How do you want to pay?'))
    const choice = (name: Method) => page.getByRole('radio', { name })
    await reach(choice('PayPal'))
    if (method === 'PayPal') await press('Space')
    else await reach(choice(method), 'ArrowDown')
    await press('Enter')
    await isAt(heading(`Pay by ${method}`))
    if (method === 'PayPal') {
      await reach(page.getByRole('button', { name: /^Pay \$/ }))
      await press('Enter')
    }
    if (method === 'UPI') {
      await reach(page.getByLabel('Phone number'))
      await type('9876543210')
      await press('Enter')
      await page.getByText('Waiting for your bank.').waitFor()
    }
    // The buyer pays in a wallet of their own.
    if (method === 'Crypto') await page.getByText('Waiting for payment...').waitFor()
    await stage.shop.pay(orderId)
    await page.waitForURL(/\/confirm$/)
    await isAt(heading('The coins are yours.'))
    const types = (await stage.shop.eventsOf(`order-${orderId}`)).map((event) => event.type)
    expect(types).toContain('OrderCompleted')
    return presses()
  }

  const placeFor = async (name: string) => {
    const changes = { discordUsername: name, customerEmail: `${name}@example.com` }
    return String((await stage.shop.post('/api/orders', orderBody(changes))).body['orderNumber'])
  }

  stage.walk("the owner does a day's work by keyboard", storyLooks, async ({ page, heading, toast }) => {
    const [misty, brock] = [await placeFor('misty'), await placeFor('brock')]
    const { press, reach, type, retype, isAt } = keyboardOf(page)
    const tab = (name: string) => page.getByRole('navigation', { name: 'Admin sections' }).getByRole('link', { name })
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

    await page.goto('/admin')
    await isAt(page.getByLabel('E-mail'))
    await type(ADMIN_EMAIL)
    await reach(page.getByLabel('Password'))
    await type(ADMIN_PASSWORD)
    await press('Enter')
    await isAt(heading('Admin Dashboard'))

    await reach(tab('Dashboard'))
    await reach(tab('Orders'))
    await press('Enter')
    await reach(page.getByLabel('Search orders'))
    await type('misty')
    await page.getByText(/^Filtered Orders \(1 of/).waitFor()

    const view = page.getByRole('link', { name: `View order ${misty}` })
    await reach(view)
    await press('Enter')
    const details = page.getByRole('dialog', { name: `Order Details - ${misty}` })
    await details.getByText('Timeline').waitFor()
    await isAt(details.getByRole('button', { name: 'Close', exact: true }))
    await press('Escape')
    await details.waitFor({ state: 'detached' })
    await isAt(view)

    await reach(button(`Approve order ${misty}`))
    await press('Enter')
    const approval = page.getByRole('dialog', { name: 'Approve this order?' })
    await approval.waitFor()
    await reach(approval.getByRole('button', { name: 'Approve', exact: true }))
    await press('Enter')
    await toast('Order Approved').waitFor()
    await page.getByRole('region', { name: 'Orders' }).getByText('Completed', { exact: true }).waitFor()

    await reach(page.getByLabel('Search orders'), 'Shift+Tab')
    await retype(brock)
    await page.getByText('brock', { exact: true }).waitFor()
    await reach(button('Select'))
    await press('Enter')
    await isAt(button('Select All'))
    await reach(page.getByRole('checkbox', { name: `Select order ${brock}` }))
    await press('Space')
    await reach(button('Delete (1)'), 'Shift+Tab')
    await press('Enter')
    const question = page.getByRole('dialog', { name: 'Delete this order?' })
    await reach(question.getByRole('button', { name: 'Cancel', exact: true }))
    await press('Enter')
    await question.waitFor({ state: 'detached' })
    await isAt(button('Delete (1)'))
    await press('Enter')
    await reach(question.getByRole('button', { name: 'Delete', exact: true }))
    await press('Enter')
    await toast('Successfully deleted 1 order(s)').waitFor()
    await question.waitFor({ state: 'detached' })

    await page.keyboard.press('Home')
    await reach(tab('Settings'), 'Shift+Tab')
    await press('Enter')
    const stock = page.getByLabel('Current stock')
    await reach(stock)
    await retype('2000')
    await reach(page.getByLabel('Base price per million'))
    await expect.poll(settings).toMatchObject({ currentStock: 2_000 })
    await retype('0.06')
    await press('Enter')
    await expect.poll(settings).toMatchObject({ basePricePerMillion: 0.06 })
    await reach(page.getByRole('switch', { name: /^UPI/ }))
    await press('Space')
    await expect.poll(settings).toMatchObject({ upiEnabled: false })

    await reach(button('Logout'), 'Shift+Tab')
    await press('Enter')
    await toast('Successfully logged out').waitFor()
    await heading('Admin Login').waitFor()
  })
})
