import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { orderBody } from '../../src/testing/orders.ts'
import { ADMIN_EMAIL, ADMIN_PASSWORD, startShop, type TestShop } from '../../src/testing/start-shop.ts'
import { launchBrowser } from '../e2e/browser.ts'
import { builtWeb } from '../e2e/built-web.ts'
import { type Buyer, buyerAt } from '../e2e/buyer.ts'

const HELP = `npm run screenshots   walks through a whole shop and writes its pictures into docs/screens

CHROMIUM names the browser to use. Exit codes: 0 done, 1 failed, 2 wrong usage.`

const folder = fileURLToPath(new URL('../../docs/screens', import.meta.url))
const BYTES_MAX = 130_000
const SETTLED_MS = 5_000
const wide = { width: 1280, colorScheme: 'light' } as const
const phone = { width: 360, colorScheme: 'dark' } as const

if (process.argv.includes('--help')) process.stdout.write(`${HELP}\n`)
else if (process.argv.length > 2) {
  process.stderr.write(`unknown argument ${process.argv[2]} (see --help)\n`)
  process.exitCode = 2
} else await takePictures()

async function takePictures(): Promise<void> {
  const opened = await launchBrowser()
  if ('reason' in opened) {
    process.stderr.write(`no browser starts: ${opened.reason}\n`)
    process.exitCode = 1
    return
  }
  const { browser } = opened
  const web = await builtWeb()
  const shop = await startShop({
    engines: 'sqlite',
    webFolder: web.folder,
    env: { SHOP_NAME: 'Coinshop', DELIVERY: 'staff' },
  })
  // Pages show ages by the real clock of the HTTP server.
  shop.advance(Date.now() - shop.now())
  try {
    await mkdir(folder, { recursive: true })
    await buy(browser, shop, wide)
    await buy(browser, shop, phone)
    await runTheShop(browser, shop)
  } finally {
    await browser.close()
    await shop.stop()
    await web.remove()
  }
}

async function buy(browser: Browser, shop: TestShop, look: typeof wide | typeof phone): Promise<void> {
  const buyer = await buyerAt(browser, shop.url, look)
  const { page } = buyer
  const isPhone = look.width < 640
  const name = (screen: string) => (isPhone ? `${screen}-phone` : screen)
  await page.goto('/')
  await page.getByRole('link', { name: /^Buy 10M/ }).waitFor()
  await picture(page, name('landing'))
  if (!isPhone) await chooseQuantity(buyer)
  const orderId = await buyer.placeOrder({ quantity: '120', name: 'ann' })
  await buyer.chooseMethod('Crypto')
  await page.getByText('Waiting for payment...').waitFor()
  await page.evaluate(() => window.scrollTo(0, 0))
  await picture(page, name('payment'))
  await shop.pay(orderId)
  await page.waitForURL(/\/confirm$/)
  if (!isPhone) await shop.post('/api/process-order', { orderId }, { token: await shop.logIn() })
  await page.goto(`/order/${orderId}`)
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  if (!isPhone) await picture(page, 'order')
  await buyer.leave()
}

async function chooseQuantity(buyer: Buyer): Promise<void> {
  await buyer.page.goto('/purchase')
  await buyer.page.getByRole('button', { name: /^100M/ }).click()
  await picture(buyer.page, 'purchase')
}

async function runTheShop(browser: Browser, shop: TestShop): Promise<void> {
  for (const discordUsername of ['brock', 'misty', 'jessie'])
    await shop.post('/api/orders', orderBody({ discordUsername }))
  const owner = await buyerAt(browser, shop.url, wide)
  const { page } = owner
  await page.goto('/admin')
  await page.getByLabel('E-mail').fill(ADMIN_EMAIL)
  await page.getByLabel('Password').fill(ADMIN_PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByText('Total Revenue').waitFor()
  await picture(page, 'admin')
  await page.goto('/admin/settings')
  await page.getByLabel('Current stock').waitFor()
  await picture(page, 'admin-settings')
  await owner.leave()
}

/** Takes a picture of the visible part of the page, once no toast covers it. */
async function picture(page: Page, name: string): Promise<void> {
  await page.evaluate(async () => document.fonts.ready)
  await page.getByRole('button', { name: 'Close notification' }).waitFor({ state: 'detached', timeout: 2 * SETTLED_MS })
  const path = join(folder, `${name}.png`)
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
  const { size } = await stat(path)
  if (size > BYTES_MAX) throw new Error(`${name}.png has ${size} bytes, more than ${BYTES_MAX}`)
  process.stdout.write(`docs/screens/${name}.png  ${Math.round(size / 1000)} kB\n`)
}
