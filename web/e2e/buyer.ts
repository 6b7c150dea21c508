import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Look } from './looks.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const WAIT_MS = 30_000
/** Tall enough that nothing scrolls and no sticky part covers anything. */
const WHOLE_PAGE_HEIGHT = 4_000
const PHONE_MAX_PX = 480
/** The folder for pictures of all visited screens. */
const pictures = process.env['PICTURES']
let taken = 0

/** A visitor who finds elements by role and name. */
export async function buyerAt(browser: Browser, url: string, { width, colorScheme, isTouched = false }: Look) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: 800 },
    colorScheme,
    timezoneId: 'UTC',
    hasTouch: isTouched,
    isMobile: isTouched,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text())
  })

  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const see = async (name: string | RegExp) => {
    await heading(name).waitFor()
    await expectAccessible(page, { colorScheme, faults })
    if (pictures !== undefined) await picture(page, pictures)
  }

  const says = async (...texts: (string | RegExp)[]) => {
    for (const text of texts) await page.getByText(text).first().waitFor()
  }
  const press = async (name: string | RegExp) => button(name).click()
  const fillQuantity = async (quantity: string) => page.getByLabel('Millions of coins').fill(quantity)
  const fillCustomer = async (name: string) => {
    await page.getByLabel('E-mail address').fill('ann@example.com')
    await page.getByLabel('Discord username').fill(name)
  }
  const fillMarketIds = async () => {
    await page.getByLabel(/^Market IDs?$/).waitFor()
    const needed = /Paste all ([\d,]+)/.exec(await page.getByRole('main').innerText())?.[1] ?? '1'
    const ids = Array.from({ length: Number(needed.replaceAll(',', '')) }, (_, index) => String(12_345_678 + index))
    await page.getByLabel(/^Market IDs?$/).fill(ids.join('\n'))
  }
  const atCheckout = async () => {
    await page.waitForURL(/\/checkout\//)
    await page.getByRole('link', { name: 'View Order Status' }).waitFor()
    await heading('Check your order').waitFor()
    return page.url().split('/').at(-1) ?? ''
  }
  const placeOrder = async ({ quantity = '5', name = 'ann' } = {}) => {
    await page.goto('/purchase?new')
    await heading('How many coins?').waitFor()
    await fillQuantity(quantity)
    await press('Continue')
    await heading('Who are they for?').waitFor()
    await fillCustomer(name)
    await press('Continue')
    await heading('Where do they go?').waitFor()
    await fillMarketIds()
    await press('Continue')
    return atCheckout()
  }
  const chooseMethod = async (method: string) => {
    await page.getByRole('link', { name: 'Continue to Payment' }).click()
    await heading('How do you want to pay?').waitFor()
    await page.getByRole('radio', { name: method }).check()
    await press('Continue')
    await heading(`Pay by ${method}`).waitFor()
  }
  /** Cancels the order and confirms. */
  const cancelOrder = async () => {
    await press('Cancel Order')
    await page.getByRole('dialog', { name: 'Cancel this order?' }).getByRole('button', { name: 'Cancel Order' }).click()
  }
  const toast = (title: string | RegExp) => page.getByRole('region', { name: /Notifications/ }).getByText(title)
  const leave = async () => {
    await context.close()
    expect(faults).toEqual([])
  }

  return {
    page,
    heading,
    button,
    /** Waits for the screen with this heading and checks its accessibility. */
    see,
    /** Waits for each of these texts. */
    says,
    toast,
    press,
    fillQuantity,
    fillCustomer,
    fillMarketIds,
    /** Places an order in an empty wizard and returns its id at the checkout. `screens` checks the steps. */
    placeOrder,
    atCheckout,
    chooseMethod,
    cancelOrder,
    /** Errors of the page and violations of its content security policy. */
    faults: faults as readonly string[],
    leave,
  }
}

/** Takes a picture named after the test and a running number. */
async function picture(page: Page, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  taken += 1
  const test = (expect.getState().currentTestName ?? '').replaceAll(/\W+/g, '-')
  await page.screenshot({ path: `${folder}/${test}-${taken}-${page.viewportSize()?.width}.png`, fullPage: true })
}

export type Buyer = Awaited<ReturnType<typeof buyerAt>>

interface AxeResult {
  readonly violations: readonly { id: string; nodes: readonly { html: string; failureSummary?: string }[] }[]
}

/** Checks both themes. On a phone the page must not scroll sideways, even at twice the text size. */
async function expectAccessible(
  page: Page,
  { colorScheme, faults }: { colorScheme: 'light' | 'dark'; faults: readonly string[] },
): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 800 }
  const overflow = await overflowAt(page, 1)
  const overflowAtTwiceTheText = size.width <= PHONE_MAX_PX ? await overflowAt(page, 2) : 0
  await page.setViewportSize({ ...size, height: WHOLE_PAGE_HEIGHT })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const found = await violations(page)
  await changeTheme(page, colorScheme === 'light' ? 'dark' : 'light')
  const foundInTheOtherTheme = await violations(page)
  await changeTheme(page, colorScheme)
  await page.setViewportSize(size)
  const screen = page.url().replace(/[0-9a-f-]{36}/, '…')
  expect({ screen, found, foundInTheOtherTheme, overflow, overflowAtTwiceTheText, faults }).toMatchObject({
    found: [],
    foundInTheOtherTheme: [],
    overflow: 0,
    overflowAtTwiceTheText: 0,
    faults: [],
  })
}

async function changeTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  // axe must not measure colours in transition.
  await page.waitForFunction((wanted) => window.matchMedia(`(prefers-color-scheme: ${wanted})`).matches, colorScheme)
  await page.evaluate(async () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))))
}

async function violations(page: Page): Promise<string[]> {
  const result = await page.evaluate<AxeResult, string[]>(
    // Runs in the page, where axe is loaded.
    (tags) =>
      (window as unknown as { axe: { run: (where: unknown, how: unknown) => Promise<AxeResult> } }).axe.run(document, {
        runOnly: tags,
      }),
    axeTags,
  )
  return result.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((node) => `${node.html.slice(0, 120)} ${node.failureSummary ?? ''}`).join(' | ')}`,
  )
}

/** How many pixels the page or an open dialog can be scrolled sideways. */
async function overflowAt(page: Page, textSize: number): Promise<number> {
  return page.evaluate((scale) => {
    const root = document.documentElement
    root.style.fontSize = scale === 1 ? '' : `${scale * 100}%`
    const dialogs = [...document.querySelectorAll('dialog[open]')].map((one) => one.scrollWidth - one.clientWidth)
    const most = Math.max(root.scrollWidth - window.innerWidth, ...dialogs)
    root.style.fontSize = ''
    return most
  }, textSize)
}
