import type { Browser, Page } from 'playwright-core'
import { startShop, type TestShop } from '../../src/testing/start-shop.ts'
import { openBrowser } from '../e2e/browser.ts'
import { builtWeb } from '../e2e/built-web.ts'

const HELP = `node src/run.js web/scripts/disturb.ts [WORD]   disturbs a purchase at each of its stations

At each station: nothing, a reload, back and forward, a second tab that acts too, ten seconds offline in mid-call, and cleared storage. Then
the purchase goes on. Prints what was lost, how many orders and charges there are, and where it got stuck. WORD: only what has it in its name.
CHROMIUM names the browser. Exit codes: 0 all held, 1 something did not.`

const WAIT_MS = 5_000
const PANEL_MS = 5_000
const OFFLINE_MS = 10_000
const MOVES_MAX = 60
/** Three seconds. */
const LOOKS_MAX = 30
const AT_ONCE = 3

interface Visit {
  readonly page: Page
  readonly shop: TestShop
  readonly station: Station
  /** What was typed and is not there any more. */
  readonly lost: Set<string>
}

interface Station {
  readonly name: string
  /** The heading of its screen, and a text on it. */
  readonly heading: RegExp
  readonly text?: string
  readonly method?: 'UPI'
  readonly buyer?: string
  /** What was typed there. */
  readonly typed?: Readonly<Record<string, string>>
}

const answers = {
  'Millions of coins': '60',
  'E-mail address': 'ann@example.com',
  'Discord username': 'ann',
  'Market ID': '12345678',
  'Phone number': '9876543210',
}

const stations: readonly Station[] = [
  { name: 'landing', heading: /^Coins over/ },
  { name: 'quantity', heading: /^How many coins/, typed: { 'Millions of coins': '60' } },
  { name: 'customer', heading: /^Who are they for/, typed: { 'E-mail address': 'ann@example.com' } },
  { name: 'market id', heading: /^Where do they go/, typed: { 'Market ID': '12345678' } },
  { name: 'checkout', heading: /^Check your order/ },
  { name: 'method', heading: /^How do you want to pay/ },
  { name: 'crypto address', heading: /^Pay by Crypto/, text: 'Waiting for payment...' },
  { name: 'UPI phone', heading: /^Pay by UPI/, method: 'UPI', typed: { 'Phone number': '9876543210' } },
  { name: 'payment seen', heading: /^Pay by Crypto/, text: 'confirming on blockchain', buyer: 'sandbox-slow' },
  { name: 'confirmed', heading: /^The coins are yours/ },
  { name: 'order status', heading: /^Order/ },
]

type Disturbance = (visit: Visit) => Promise<void>

const disturbances: Readonly<Record<string, Disturbance>> = {
  nothing: async () => undefined,
  reload: async ({ page }) => void (await page.reload()),
  'back and forward': async ({ page }) => {
    await page.goBack()
    await page.goForward()
  },
  'a second tab': async (visit) => {
    const page = await visit.page.context().newPage()
    await page.goto(visit.page.url())
    await move({ ...visit, page })
    await page.waitForTimeout(500)
  },
  'offline in mid-call': async (visit) => {
    const { page } = visit
    const moving = move(visit).catch(() => undefined)
    await page.waitForTimeout(30)
    await page.context().setOffline(true)
    await page.waitForTimeout(OFFLINE_MS)
    await page.context().setOffline(false)
    await moving
  },
  'cleared storage': async ({ page }) =>
    page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    }),
}

const headingOf = async (page: Page) => (await page.locator('h1').first().textContent({ timeout: WAIT_MS })) ?? ''
const orderIdOf = (page: Page) => /[0-9a-f-]{36}/.exec(page.url())?.[0] ?? ''

async function fill({ page, station }: Visit, label: keyof typeof answers): Promise<void> {
  const field = page.getByLabel(label, { exact: true })
  const answer = label === 'Discord username' ? (station.buyer ?? answers[label]) : answers[label]
  if ((await field.inputValue()) === '') await field.fill(answer)
}

/** What a buyer does next on the screen that is open; false at the end. */
async function move(visit: Visit): Promise<boolean> {
  const { page, shop, station } = visit
  const press = async (name: string | RegExp) => page.getByRole('button', { name }).click({ timeout: WAIT_MS })
  const follow = async (name: string) => page.getByRole('link', { name }).first().click({ timeout: WAIT_MS })
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
    else if (/Waiting for|confirming/.test(seen)) await shop.pay(orderIdOf(page))
    else if (seen.includes('Try again')) await press('Try again')
  } else if (seen.includes('could not be loaded')) await press('Try again')
  else if (seen.includes('Continue Payment')) await follow('Continue Payment')
  else if (heading.startsWith('The coins')) await follow('View Order Status')
  else if (heading.startsWith('Order')) return !seen.includes('Timeline')
  await page.waitForTimeout(300)
  return true
}

/** A panel comes after its heading: it is waited for, or the buyer would pay on the way to the station. */
async function isAt({ page, station: { heading, text, typed = {} } }: Visit): Promise<boolean> {
  if (!heading.test(await headingOf(page))) return false
  const wanted = Object.keys(typed).map((label) => page.getByLabel(label, { exact: true }))
  if (text !== undefined) wanted.push(page.getByText(text))
  for (const one of wanted) await one.first().waitFor({ timeout: PANEL_MS })
  return true
}

/** Moves on; a screen that changes under the hand is looked at again. */
async function until(visit: Visit, isThere: () => Promise<boolean>): Promise<void> {
  for (let moves = 0; moves < MOVES_MAX; moves += 1) {
    if (await isThere().catch(() => false)) return
    await move(visit).catch(() => undefined)
  }
  throw new Error(`stuck at '${await headingOf(visit.page)}'`)
}

/** The field may be empty until the draft is read. */
async function isLost(page: Page, label: string): Promise<boolean> {
  const field = page.getByLabel(label, { exact: true })
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    if ((await field.count()) === 0 || (await field.inputValue()) !== '') return false
    await page.waitForTimeout(100)
  }
  return true
}

async function combination(browser: Browser, webFolder: string, station: Station, disturbance: Disturbance) {
  const shop = await startShop({ config: { webFolder } })
  const context = await browser.newContext({ baseURL: shop.url, viewport: { width: 360, height: 800 } })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  const visit: Visit = { page, shop, station, lost: new Set() }
  try {
    await page.goto('/about-us')
    await page.goto('/')
    await until(visit, async () => isAt(visit))
    for (const [label, answer] of Object.entries(station.typed ?? {}))
      await page.getByLabel(label, { exact: true }).fill(answer)
    await disturbance(visit)
    for (const label of Object.keys(station.typed ?? {})) if (await isLost(page, label)) visit.lost.add(label)
    await until(visit, async () => !(await move(visit)))
    return [...visit.lost].map((label) => `lost: ${label}`).concat(await countsOf(shop))
  } catch (error) {
    return [error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error), page.url()]
  } finally {
    await context.close()
    await shop.stop()
  }
}

async function countsOf(shop: TestShop): Promise<string[]> {
  const types = (await shop.allEvents()).map(({ type }) => type as string)
  const count = (type: string) => types.filter((one) => one === type).length
  const orders = count('OrderPlaced') - count('OrderCancelled')
  const charges = count('PaymentReceived')
  return orders === 1 && charges === 1 ? [] : [`${orders} orders, ${charges} charges`]
}

async function disturb(word: string): Promise<void> {
  const opened = await openBrowser()
  if ('reason' in opened) throw new Error(`no browser starts: ${opened.reason}`)
  const web = await builtWeb()
  const waiting = stations
    .flatMap((station) => Object.entries(disturbances).map(([name, disturbance]) => ({ station, name, disturbance })))
    .filter(({ station, name }) => `${station.name}: ${name}`.includes(word))
  const work = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const faults = await combination(opened.browser, web.folder, one.station, one.disturbance)
      if (faults.length > 0) process.exitCode = 1
      process.stdout.write(`${one.station.name}: ${one.name}: ${faults.length === 0 ? 'held' : faults.join('; ')}\n`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await opened.browser.close()
  await web.remove()
}

if (process.argv.includes('--help')) process.stdout.write(`${HELP}\n`)
else await disturb(process.argv[2] ?? '')
