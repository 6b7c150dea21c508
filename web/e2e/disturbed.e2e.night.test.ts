import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestShop } from '../../src/testing/start-shop.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { phone } from './looks.ts'

const PANEL_MS = 5_000
const OFFLINE_MS = 10_000
const MOVES_MAX = 60

interface Visit {
  readonly page: Page
  readonly shop: TestShop
  readonly station: Station
}

interface Station {
  /** The heading of the screen, and a text on it. */
  readonly heading: RegExp
  readonly text?: string
  readonly method?: 'UPI'
  readonly buyer?: string
  /** The field to type into. */
  readonly typed?: Label
}

const answers = {
  'Millions of coins': '60',
  'E-mail address': 'ann@example.com',
  'Discord username': 'ann',
  'Market ID': '12345678',
  'Phone number': '9876543210',
}
type Label = keyof typeof answers

const stations: Readonly<Record<string, Station>> = {
  landing: { heading: /^Coins over/ },
  quantity: { heading: /^How many coins/, typed: 'Millions of coins' },
  customer: { heading: /^Who are they for/, typed: 'E-mail address' },
  'market id': { heading: /^Where do they go/, typed: 'Market ID' },
  checkout: { heading: /^Check your order/ },
  method: { heading: /^How do you want to pay/ },
  'crypto address': { heading: /^Pay by Crypto/, text: 'Waiting for payment...' },
  'UPI phone': { heading: /^Pay by UPI/, method: 'UPI', typed: 'Phone number' },
  'payment seen': { heading: /^Pay by Crypto/, text: 'confirming on blockchain', buyer: 'sandbox-slow' },
  confirmed: { heading: /^The coins are yours/ },
  'order status': { heading: /^Order/ },
}

const disturbances: Readonly<Record<string, (visit: Visit) => Promise<unknown>>> = {
  'no disturbance': async () => undefined,
  'a reload': async ({ page }) => page.reload(),
  'back and forward': async ({ page }) => page.goBack().then(async () => page.goForward()),
  'a second tab that acts too': async (visit) => {
    const page = await visit.page.context().newPage()
    await page.goto(visit.page.url())
    await move({ ...visit, page })
    await page.waitForTimeout(500)
  },
  'ten seconds offline in mid-call': async (visit) => {
    const context = visit.page.context()
    const moving = move(visit).catch(() => undefined)
    await visit.page.waitForTimeout(30)
    await context.setOffline(true)
    await visit.page.waitForTimeout(OFFLINE_MS)
    await context.setOffline(false)
    await moving
  },
  'cleared storage': async ({ page }) =>
    page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    }),
}

describeInBrowser('disturbed purchases', builtShop(), (stage) => {
  for (const [name, station] of Object.entries(stations))
    for (const [disturbance, disturb] of Object.entries(disturbances))
      stage.walk(
        `a purchase with ${disturbance} at '${name}' makes one order and one charge`,
        phone,
        async ({ page }) => {
          const visit = { page, shop: stage.shop, station }
          const { typed } = station
          page.setDefaultTimeout(PANEL_MS)
          await page.goto('/about-us')
          await page.goto('/')
          await until(visit, async () => isAt(visit))
          if (typed) await fieldOf(page, typed).fill(answers[typed])
          await disturb(visit)
          // The field may be empty until the draft is read.
          if (typed) await expect.poll(async () => isEmpty(page, typed), { timeout: PANEL_MS }).toBe(false)
          await until(visit, async () => !(await move(visit)))
          const types = (await stage.shop.allEvents()).map(({ type }) => type as string)
          const count = (type: string) => types.filter((one) => one === type).length
          const orders = count('OrderPlaced') - count('OrderCancelled')
          expect({ orders, charges: count('PaymentReceived') }).toEqual({ orders: 1, charges: 1 })
        },
      )
})

const fieldOf = (page: Page, label: Label) => page.getByLabel(label, { exact: true })
const headingOf = async (page: Page) => (await page.locator('h1').first().textContent()) ?? ''

async function isEmpty(page: Page, label: Label): Promise<boolean> {
  const field = fieldOf(page, label)
  return (await field.count()) > 0 && (await field.inputValue()) === ''
}

async function fill({ page, station }: Visit, label: Label): Promise<void> {
  const answer = label === 'Discord username' ? (station.buyer ?? answers[label]) : answers[label]
  if (await isEmpty(page, label)) await fieldOf(page, label).fill(answer)
}

/** Does the buyer's next step on the open screen. False at the end. */
async function move(visit: Visit): Promise<boolean> {
  const { page, shop, station } = visit
  const press = async (name: string | RegExp) => page.getByRole('button', { name }).click()
  const follow = async (name: string) => page.getByRole('link', { name }).first().click()
  const heading = await headingOf(page)
  const seen = await page.locator('main').innerText()
  if (await page.getByRole('dialog').count()) await press('Change it')
  else if (heading.startsWith('Coins over')) await follow('Buy coins')
  else if (heading.startsWith('How many')) await fill(visit, 'Millions of coins').then(async () => press('Continue'))
  else if (heading.startsWith('Who are')) {
    await fill(visit, 'E-mail address')
    await fill(visit, 'Discord username')
    await press('Continue')
  } else if (heading.startsWith('Where do')) await fill(visit, 'Market ID').then(async () => press('Continue'))
  else if (heading.startsWith('Check your')) await follow('Continue to Payment')
  else if (heading.startsWith('How do')) {
    await page.getByRole('radio', { name: station.method ?? 'Crypto' }).check()
    await press('Continue')
  } else if (heading.startsWith('Pay by')) {
    if (seen.includes('Phone number')) await fill(visit, 'Phone number').then(async () => press(/^Pay ₹/))
    else if (/Waiting for|confirming/.test(seen)) await shop.pay(/[0-9a-f-]{36}/.exec(page.url())?.[0] ?? '')
    else if (seen.includes('Try again')) await press('Try again')
  } else if (seen.includes('could not be loaded')) await press('Try again')
  else if (heading === 'This page could not be shown') await press('Load again')
  else if (seen.includes('Continue Payment')) await follow('Continue Payment')
  else if (heading.startsWith('The coins')) await follow('View Order Status')
  else if (heading.startsWith('Order')) return !seen.includes('Timeline')
  await page.waitForTimeout(300)
  return true
}

/** Waits for the panel after its heading, or the buyer would pay before the disturbance. */
async function isAt({ page, station: { heading, text, typed } }: Visit): Promise<boolean> {
  if (!heading.test(await headingOf(page))) return false
  if (typed) await fieldOf(page, typed).waitFor()
  if (text !== undefined) await page.getByText(text).first().waitFor()
  return true
}

/** Makes moves until this is true. A move may fail because the screen changes meanwhile. */
async function until(visit: Visit, isThere: () => Promise<boolean>): Promise<void> {
  for (let moves = 0; moves < MOVES_MAX; moves += 1) {
    if (await isThere().catch(() => false)) return
    await move(visit).catch(() => undefined)
  }
  throw new Error(`stuck at '${await headingOf(visit.page)}'`)
}
