import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { placedBy } from '../../src/testing/orders.ts'
import { pauseClock, tasksDone } from './clock.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { wide } from './looks.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const waysToTheShop = {
  DISCORD_DM_URL: 'https://discord.com/users/1',
  DISCORD_SERVER_URL: 'https://discord.gg/coins',
  SUPPORT_EMAIL: 'help@shop.example',
}

describeInBrowser('addresses', builtShop({ env: waysToTheShop }), (stage) => {
  stage.walk(
    'each address leads to its screen, and the screen links onwards',
    wide,
    async ({ page, heading, says }) => {
      const id = await placedBy(stage.shop)
      const mail = 'mailto:help@shop.example?subject=Order%201H7SEFZW'
      for (const [address, title, ways] of [
        ['/about-us', 'About Us', { 'Buy coins': '/purchase', 'Back to Home': '/' }],
        [`/order/${id}`, /^Order /, { 'Continue Payment': `/order/${id}/payment-method` }],
        [
          `/checkout/${id}`,
          'Check your order',
          { 'View Order Status': `/order/${id}`, 'Continue to Payment': `/order/${id}/payment-method` },
        ],
        [`/order/${id}/payment-method`, 'How do you want to pay?', { Back: `/checkout/${id}` }],
        [`/order/${id}/payment`, 'Payment', { 'Select Payment Method': `/order/${id}/payment-method` }],
        [`/order/${id}/confirm`, 'Not paid yet', {}],
        [`/order/${UNKNOWN}`, 'Order Not Found', {}],
        ['/order/not-an-id', 'Order Not Found', {}],
        ['/success', 'Payment Successful!', { 'Place New Order': '/' }],
        ['/contact?order=1H7SEFZW', 'Contact', { 'Write an e-mail': mail }],
        ['/order//payment', 'Invalid Payment', {}],
        ['/checkout//', 'Invalid Checkout', {}],
        ...['', '/orders', `/orders/${id}`, '/products', '/settings'].map(
          (staff) => [`/admin${staff}`, 'Admin Login', {}] as const,
        ),
      ] as const) {
        await page.goto(address)
        await heading(title).waitFor()
        for (const [name, href] of Object.entries(ways)) {
          const way = page.getByRole('main').getByRole('link', { name, exact: true }).first()
          await expect.poll(async () => way.getAttribute('href')).toBe(href)
        }
      }
      await page.goto('/contact')
      for (const [name, url] of [
        ['Direct Message', waysToTheShop.DISCORD_DM_URL],
        ['Discord Server', waysToTheShop.DISCORD_SERVER_URL],
      ] as const) {
        const way = page.getByRole('link', { name: `Open Discord : ${name} (opens a new tab)` })
        expect([await way.getAttribute('href'), await way.getAttribute('target')]).toEqual([url, '_blank'])
      }
      await page.goto(`/order/${UNKNOWN}`)
      await says(`Order ${UNKNOWN} could not be found.`)
    },
  )

  stage.walk(
    'the link of a section scrolls to it after 100 ms, and the navigation bar stays in place',
    wide,
    async ({ page, heading }) => {
      const banner = page.getByRole('banner')
      const buyNow = banner.getByRole('link', { name: 'Buy Now' })
      const active = async () =>
        banner
          .locator('a[aria-current]')
          .evaluateAll((links) => links.map((link) => `${link.textContent}: ${link.ariaCurrent}`))
      await page.clock.install()
      await page.goto('/about-us')
      await heading('About Us').waitFor()
      await expect.poll(active).toEqual(['About Us: page'])
      await pauseClock(page)
      await banner.getByRole('link', { name: 'Process' }).click()
      await page.waitForURL('**/#process')
      const section = page.getByRole('region', { name: 'How it Works' })
      await section.waitFor()
      const before = await top(buyNow)
      expect(await top(section)).toBeGreaterThan(300)
      await page.evaluate(tasksDone)
      await page.clock.runFor(150)
      await expect.poll(async () => top(section)).toBeLessThan(200)
      await expect.poll(active).toEqual(['Process: location'])
      expect(await top(buyNow)).toBe(before)
    },
  )

  stage.walk(
    'each screen of a purchase shows its step, and Enter continues from anywhere on it',
    wide,
    async (buyer) => {
      const { page, heading } = buyer
      const enterAt = async (title: string) => {
        await heading(title).click()
        await page.keyboard.press('Enter')
      }
      await page.goto('/purchase')
      await expectStep(page, 1)
      // Enter does nothing while the step is not valid.
      await enterAt('How many coins?')
      expect(await page.getByRole('alert').count()).toBe(0)
      await page.getByRole('button', { name: /^50M/ }).press('Enter')
      await enterAt('How many coins?')
      await expectStep(page, 2)
      await buyer.fillCustomer('ann')
      await enterAt('Who are they for?')
      await expectStep(page, 3)
      await buyer.fillMarketIds()
      await page.keyboard.press('Enter')
      const id = await buyer.atCheckout()
      await expectStep(page, 4)
      await page.keyboard.press('Enter')
      await page.getByRole('radio', { name: 'Crypto' }).check()
      await enterAt('How do you want to pay?')
      await buyer.says('Waiting for payment...')
      await expectStep(page, 5)
      await stage.shop.pay(id)
      await heading('The coins are yours.').waitFor()
      await expectStep(page, 6)
      // The checkout of a completed order redirects.
      await page.goto(`/checkout/${id}`)
      await page.waitForURL(`**/order/${id}`)
    },
  )
})

async function expectStep(page: Page, step: number): Promise<void> {
  await page.getByText(new RegExp(`^Step ${step} of 6`)).waitFor()
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem')
  const current = await steps.evaluateAll((all) => all.map((one) => one.getAttribute('aria-current')))
  expect(current).toEqual(Array.from({ length: 6 }, (_, index) => (index + 1 === step ? 'step' : null)))
}

async function top(of: Locator): Promise<number> {
  return Math.round((await of.boundingBox())?.y ?? Number.NaN)
}
