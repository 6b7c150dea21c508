import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { builtShop, describeInBrowser } from './in-browser.ts'
import { type Look, wide } from './looks.ts'

const phone: Look = { width: 360, colorScheme: 'light', isTouched: true }
const HEADING_MAX_Y = 150
/** A window's height, and what a crypto payment may take of it before its QR code. */
const heights = { phone: { window: 740, crypto: 640 }, desktop: { window: 800, crypto: 800 } }

/** The lower edge, measured without scrolling. */
async function bottomOf(part: Locator): Promise<number> {
  await part.waitFor()
  const box = await part.boundingBox()
  if (box === null) throw new Error(`${String(part)} has no box`)
  return box.y + box.height
}

async function headingY(page: Page): Promise<number> {
  return (await page.getByRole('heading', { level: 1 }).boundingBox())?.y ?? Number.POSITIVE_INFINITY
}

describeInBrowser('what is in sight without scrolling', builtShop(), (stage) => {
  stage.walk('the question and Continue of each step, then what to pay', [wide, phone], async (buyer, look) => {
    const { page, press, button } = buyer
    const isPhone = look === phone
    const height = isPhone ? heights.phone : heights.desktop
    await page.setViewportSize({ width: look.width, height: height.window })

    const shows = async (title: string, action: Locator) => {
      await buyer.heading(title).waitFor()
      expect(await bottomOf(action)).toBeLessThanOrEqual(height.window)
      expect(await page.evaluate(() => window.scrollY)).toBe(0)
      if (isPhone) expect(await headingY(page)).toBeLessThanOrEqual(HEADING_MAX_Y)
    }
    const pay = async (method: string, action: Locator) => {
      await page.getByRole('radio', { name: method }).check()
      await press('Continue')
      await shows(`Pay by ${method}`, action)
    }

    await page.goto('/purchase?new')
    await button(/^500M/).waitFor()
    await shows('How many coins?', button('Continue'))
    await buyer.fillQuantity('250')
    await press('Continue')
    await shows('Who are they for?', button('Continue'))
    await buyer.fillCustomer('ann')
    await press('Continue')
    await shows('Where do they go?', button('Continue'))
    await buyer.fillMarketIds()
    await press('Continue')
    await buyer.atCheckout()
    const toPayment = page.getByRole('link', { name: 'Continue to Payment' })
    await shows('Check your order', toPayment)
    await toPayment.click()
    await shows('How do you want to pay?', button('Continue'))
    for (const method of ['PayPal', 'UPI']) {
      await pay(method, button(/^Pay [$₹]/))
      await page.getByRole('link', { name: 'Back' }).click()
      await shows('How do you want to pay?', button('Continue'))
    }
    await pay('Crypto', button('Copy Litecoin amount'))
    const parts = [
      button('Copy Litecoin amount'),
      button('Copy Litecoin address'),
      page.getByRole('link', { name: 'Open in a wallet' }),
      page.getByText(/^Reserved for you until/),
    ]
    const edges: number[] = []
    for (const part of parts) edges.push(await bottomOf(part))
    expect(edges).toEqual(edges.toSorted((one, other) => one - other))
    expect(edges.at(-1)).toBeLessThanOrEqual(height.crypto)
    const code = await bottomOf(page.getByRole('img', { name: /^QR code/ }))
    if (isPhone) expect(code).toBeGreaterThan(edges.at(-1) ?? code)
    else expect(code).toBeLessThanOrEqual(height.window)
  })
})
