import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { shopTexts } from '../../src/domain/settings/shop-texts.ts'
import type { Buyer } from './buyer.ts'
import { builtShop, describeInBrowser } from './in-browser.ts'
import { screenLooks, wide } from './looks.ts'
import { logInAsOwner, logInAt } from './owner.ts'

const NEW_PASSWORD = 'a password of my own'

const list = (page: Page, done: number) => page.getByRole('region', { name: `The first day: ${done} of 6 done` })

/** Whether the list stands above the figures. */
async function leads(page: Page, done: number): Promise<boolean> {
  const [own, figures] = await Promise.all(
    [list(page, done), page.getByRole('heading', { name: 'Analytics Dashboard' })].map(async (one) =>
      one.boundingBox(),
    ),
  )
  return (own?.y ?? 0) < (figures?.y ?? 0)
}

/** Fills fields of the settings, one after another, each saved by Enter. */
async function fill({ page, toast }: Buyer, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(texts)) {
    const saved = page.waitForResponse(
      (response) => response.request().method() === 'PATCH' && response.url().endsWith('/api/payment-settings'),
    )
    await page.getByLabel(label, { exact: true }).fill(text)
    await page.getByLabel(label, { exact: true }).press('Enter')
    expect((await saved).status()).toBe(200)
    await toast('Settings updated successfully').waitFor()
  }
}

/** Counts what is pressed, on every page from now on. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() =>
    // On the document: Playwright stops a click that missed its target at the window, and clicks again.
    document.addEventListener(
      'click',
      ({ target }) => {
        const isPressed = target instanceof Element && target.closest('a, button') !== null
        if (isPressed) sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks') ?? 0) + 1))
      },
      { capture: true },
    ),
  )
  return async () => page.evaluate(() => Number(sessionStorage.getItem('clicks')))
}

describeInBrowser('the first day', builtShop({ env: { DELIVERY: 'staff', SUPPORT_EMAIL: '' } }), (stage) => {
  stage.walk('six ticks lead from an empty shop to its first test order', screenLooks, async (owner, look) => {
    const { page, press, see, says } = owner
    const clicks = await countClicks(page)
    await logInAt(owner, '/admin')
    const before = await clicks()
    const follow = async (tick: string) => {
      await page.getByRole('link', { name: 'Dashboard' }).click()
      await page.getByRole('link', { name: `${tick} (to do)` }).click()
    }
    await list(page, 0).getByText('Now 1,000M at $0.05 per million.').waitFor()
    expect(await leads(page, 0)).toBe(true)
    await see('Admin Dashboard')
    await press('Confirm price')
    await list(page, 1).waitFor()

    await follow('What is sold, and who sells it')
    await says('Each change is kept in the clear, for ever.')
    await fill(owner, {
      Game: 'Dragon Market',
      'What the coins are called': 'Gems',
      'Seller’s name': 'Example Trading',
    })
    await says('Manage your Gems shop')
    await follow('How buyers reach you')
    await page.getByLabel('E-mail address').fill('help at shop')
    await page.getByLabel('E-mail address').press('Enter')
    await says(/Enter an e-mail address with an @/)
    await fill(owner, { 'E-mail address': 'help@shop.test' })
    await follow('Your own password')
    await page.getByLabel('Current password').fill('correct horse battery')
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('New password again').fill(NEW_PASSWORD)
    await press('Change password')
    await page.getByText('Admin Login').waitFor()
    await logInAsOwner(owner, NEW_PASSWORD)
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await list(page, 4).waitFor()
    await page.getByRole('link', { name: 'A test order (to do)' }).click()
    await page.getByRole('heading', { name: 'How many coins?' }).waitFor()
    await owner.fillQuantity('1')
    await press('Continue')
    await owner.fillCustomer('ann')
    await press('Continue')
    await owner.fillMarketIds()
    await press('Continue')
    const orderId = await owner.atCheckout()
    await says('Sold by', 'Example Trading')
    expect((await clicks()) - before).toBe(14)

    await page.goto('/admin')
    await list(page, 5).waitFor()
    expect(await leads(page, 5)).toBe(false)
    await see('Admin Dashboard')
    await press('Dismiss this list')
    await list(page, 5).waitFor({ state: 'detached' })
    await page.goto('/admin/settings')
    await page.getByRole('row', { name: /List of the first day.* dismissed/ }).waitFor()
    await page.getByRole('row', { name: /Game.*not set.*Dragon Market/ }).waitFor()
    await see('Admin Dashboard')

    await stage.visit(stage.shop, look, async (other) => {
      await other.page.goto(`/order/${orderId}`)
      await other.heading(/^Order /).waitFor()
      await other.says('Market ID')
      expect(await other.page.getByText('Example Trading').count()).toBe(0)
      await other.page.goto('/contact')
      await other.says('help@shop.test')
      await other.page.goto('/admin')
      await logInAsOwner(other, NEW_PASSWORD)
      await other.says('Gems Sold')
      expect(await list(other.page, 5).count()).toBe(0)
    })
  })

  stage.walk('the first picture has the words of the owner, and waits for no call', wide, async ({ page, heading }) => {
    const token = await stage.shop.logIn()
    const words = { shopName: `Otto's <b> & "coins"`, gameName: 'Dragon Market', coinName: 'Gems' }
    await stage.shop.patch('/api/payment-settings', words, { token })
    await page.route('**/api/**', async (route) => route.abort())
    for (const address of ['/', '/about-us']) {
      await page.goto(address)
      await page.getByRole('link', { name: words.shopName }).first().waitFor()
      await heading(address === '/' ? 'Coins over the counter.' : 'About Us').waitFor()
      await expect.poll(async () => page.title()).toMatch(new RegExp(` – Otto's <b> & "coins"$`))
    }
    await page.goto('/')
    await page.getByText('Gems for Dragon Market, delivered to your market listing.').waitFor()
  })

  stage.walk('the longest words fit every screen', { width: 320, colorScheme: 'light' }, async (visitor) => {
    const token = await stage.shop.logIn()
    const longest = Object.entries(shopTexts).map(([name, chars]) => [name, 'W'.repeat(chars)])
    const ways = { discordDmUrl: `https://a.test/${'a'.repeat(285)}`, supportEmail: `${'a'.repeat(247)}@b.test` }
    const server = `https://b.test/${'b'.repeat(285)}`
    const texts = { ...Object.fromEntries(longest), ...ways, discordServerUrl: server }
    expect((await stage.shop.patch('/api/payment-settings', texts, { token })).status).toBe(200)
    const { page, see } = visitor
    for (const address of ['/', '/contact', '/about-us']) {
      await page.goto(address)
      await see(/./)
    }
    const orderId = await visitor.placeOrder({ quantity: '1' })
    await page.goto(`/order/${orderId}`)
    await visitor.says('Sold by')
    await see(/^Order /)
    await logInAt(visitor, '/admin')
    await visitor.says(/W{40} Sold/)
    await see('Admin Dashboard')
    await page.goto('/admin/settings')
    await page.getByRole('row', { name: /W{60}/ }).first().waitFor()
    await see('Admin Dashboard')
  })

  stage.walk('a visitor without scripts sees what is sold and by whom', wide, async ({ page }) => {
    await stage.shop.patch('/api/payment-settings', { shopName: 'Otto' }, { token: await stage.shop.logIn() })
    await page.route('**/*.js', async (route) => route.abort())
    await page.goto('/')
    expect(await page.title()).toBe('Otto')
    await page.getByText('Pokecoins, delivered to your market listing.').waitFor()
    await page.getByRole('link', { name: 'Otto' }).first().waitFor()
  })

  stage.walk('a name that staff change is on the open pages of buyers', wide, async ({ page }) => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Test shop' }).first().waitFor()
    await page.waitForTimeout(1_000)
    await stage.shop.patch('/api/payment-settings', { shopName: 'Otto' }, { token: await stage.shop.logIn() })
    await page.getByRole('link', { name: 'Otto' }).first().waitFor()
  })
})
