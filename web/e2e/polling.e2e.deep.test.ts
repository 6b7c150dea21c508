import type { Locator, Page, Request } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { placedBy } from '../../src/testing/orders.ts'
import { startShop, type TestShop } from '../../src/testing/start-shop.ts'
import type { Buyer } from './buyer.ts'
import { pauseClock, tasksDone } from './clock.ts'
import { describeInBrowser } from './in-browser.ts'
import { lookAwayAndBack } from './look-away.ts'
import { pathsAsked } from './requests.ts'

const STEP_MS = 500
const RUN_STEP_MS = 100
/** Longer than the interval of a payment. */
const RUN_STEPS_MAX = 60
const ofLanding = ['/api/pricing', '/api/payment-settings', '/api/products', '/api/shop']

describeInBrowser('a page asks the shop again', (stage) => {
  let shop: TestShop

  beforeEach(async () => {
    shop = await startShop({ engines: 'sqlite', config: { webFolder: stage.webFolder() } })
    return async () => shop.stop()
  })

  const visit = async (walk: (visitor: Buyer) => Promise<void>) => stage.visit(shop, { width: 1280 }, walk)

  /** At the page of a crypto payment that waits; asked again, the shop says this status. */
  async function waiting({ page }: Buyer, payment_status: string) {
    const id = await placedBy(shop, { paymentMethod: 'crypto' })
    const { body } = await shop.post('/api/crypto/create-payment', { amount: '2.25', orderId: id })
    const path = `/api/crypto/status/${String(body['payment_id'])}`
    await page.clock.install()
    await open(page, `/order/${id}/payment`, [path])
    await page.getByText('Waiting for payment...').waitFor()
    await pauseClock(page)
    const answer = { ...(await shop.get(path)).body, payment_status }
    await page.route(`**${path}`, async (route) => route.fulfill({ json: answer }))
    return { id, path }
  }

  it('at the promised intervals', async () => {
    const id = await placedBy(shop)
    await visit(async ({ page }) => {
      await page.clock.install()
      await open(page, '/', ofLanding)
      const onLanding = await askedDuring(page, 65_000)
      expectEvery(onLanding, '/api/pricing', 10_000)
      expectEvery(onLanding, '/api/payment-settings', 30_000)
      for (const path of ['/api/products', '/api/shop']) expect(onLanding.get(path)).toBeUndefined()
      await open(page, '/purchase', ['/api/pricing', '/api/payment-settings'])
      const inWizard = await askedDuring(page, 25_000)
      expectEvery(inWizard, '/api/pricing', 10_000)
      expectEvery(inWizard, '/api/payment-settings', 10_000)
      for (const [screen, everyMs] of [
        [`/order/${id}`, 5_000],
        [`/checkout/${id}`, 5_000],
        [`/order/${id}/payment-method`, 5_000],
        [`/order/${id}/payment`, 3_000],
        [`/order/${id}/confirm`, 5_000],
      ] as const) {
        const offersMethods = screen.includes('/payment')
        await open(page, screen, [`/api/orders/${id}`])
        const onScreen = await askedDuring(page, offersMethods ? 25_000 : 16_000)
        expectEvery(onScreen, `/api/orders/${id}`, everyMs)
        if (offersMethods) expectEvery(onScreen, '/api/payment-settings', 10_000)
      }
    })
  })

  it('about a crypto payment for half an hour', async () => {
    await visit(async (buyer) => {
      const { page } = buyer
      await page.clock.install()
      await buyer.placeOrder()
      // It is read once as the screen opens.
      const read = page.waitForResponse('**/api/crypto/status/**')
      await buyer.chooseMethod('Crypto')
      await page.getByText('Waiting for payment...').waitFor()
      await read
      const asked = await askedDuring(page, 16_000)
      const path = [...asked.keys()].find((one) => one.startsWith('/api/crypto/status/')) ?? ''
      expectEvery(asked, path, 5_000)
      await page.route(`**${path}`, async (route) => route.fulfill({ status: 502 }), { times: 1 })
      expectEvery(await askedDuring(page, 21_000), path, 5_000)
      await page.clock.fastForward(31 * 60_000)
      await askedDuring(page, 6_000)
      expect((await askedDuring(page, 16_000)).get(path)).toBeUndefined()
    })
  })

  describe('about a crypto payment', () => {
    it('until it has failed', async () => {
      await visit(async (buyer) => {
        const { page, toast } = buyer
        const { path } = await waiting(buyer, 'failed')
        await page.clock.runFor(5_000)
        await toast('The payment was not successful. Please try again.').waitFor()
        await toast('Payment Failed').waitFor()
        await page.clock.resume()
        expect((await askedDuring(page, 16_000)).get(path)).toBeUndefined()
      })
    })

    it('until it is paid, and then about its order, which is confirmed after a second', async () => {
      await visit(async (buyer) => {
        const { page, heading } = buyer
        const { id, path } = await waiting(buyer, 'finished')
        const asked = pathsAsked(page)
        await runUntilSeen(page, page.getByText('Payment received! Processing your order...', { exact: true }))
        await expect.poll(() => asked.slice(asked.lastIndexOf(path))).toContain(`/api/orders/${id}`)
        await page.clock.runFor(800)
        // Time enough to leave the screen, if it were left.
        await page.evaluate(async () => (await fetch('/api/shop')).text())
        expect(new URL(page.url()).pathname).toBe(`/order/${id}/payment`)
        await page.clock.runFor(300)
        await heading('Not paid yet').waitFor()
      })
    })
  })

  it('when it is looked at again, and not when its window gets the focus', async () => {
    await visit(async ({ page }) => {
      await page.clock.install()
      const pushing = page.waitForResponse('**/api/updates**')
      await open(page, '/', ofLanding)
      await pushing
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 6_000))
      const asked = pathsAsked(page)
      await page.evaluate(() => {
        window.dispatchEvent(new Event('focus'))
        document.dispatchEvent(new Event('visibilitychange'))
      })
      await page.clock.runFor(100)
      await page.evaluate(tasksDone)
      expect(asked.filter((path) => /^\/api\/(?!updates)/.test(path))).toEqual([])
      // Nothing was pushed to it meanwhile.
      await lookAwayAndBack(page)
      await expect.poll(() => asked).toEqual(expect.arrayContaining(['/api/pricing', '/api/products', '/api/shop']))
    })
  })
})

/** Moves the page's clock on until this is to be seen, a tenth of a second at a time. */
async function runUntilSeen(page: Page, seen: Locator): Promise<void> {
  for (let steps = 0; steps < RUN_STEPS_MAX && !(await seen.isVisible()); steps += 1) {
    await page.clock.runFor(RUN_STEP_MS)
    await page.evaluate(tasksDone)
  }
  await seen.waitFor()
}

/** Opens a screen, whose first questions have then been answered. The page asks them before its code has started, which then follows updates. */
async function open(page: Page, address: string, first: readonly string[]): Promise<void> {
  const answers = first.map(async (path) => page.waitForResponse((one) => new URL(one.url()).pathname === path))
  const hasStarted = page.waitForRequest((one) => new URL(one.url()).pathname === '/api/updates')
  await Promise.all([page.goto(address), ...answers, hasStarted])
  await page.waitForFunction(() => document.querySelector('main [aria-busy=true]') === null)
}

/** When each path is requested, on the page's clock, during this time. */
async function askedDuring(page: Page, ms: number): Promise<Map<string, number[]>> {
  const asked = new Map<string, number[]>()
  const unanswered = new Set<Request>()
  let now = 0
  const began = (request: Request) => {
    const { pathname } = new URL(request.url())
    // A screen may still be opening before the first step.
    if (now > 0) asked.set(pathname, [...(asked.get(pathname) ?? []), now])
    if (pathname !== '/api/updates') unanswered.add(request)
  }
  const ended = (request: Request) => unanswered.delete(request)
  page.on('request', began).on('requestfinished', ended).on('requestfailed', ended)
  const stillUnanswered = async () => {
    await page.evaluate(tasksDone)
    return unanswered.size
  }
  await pauseClock(page)
  for (; now < ms; now += STEP_MS) {
    await page.clock.runFor(STEP_MS)
    // The next poll is scheduled when the answer has come.
    await expect.poll(stillUnanswered, { interval: 5 }).toBe(0)
    await page.evaluate(tasksDone)
  }
  page.off('request', began).off('requestfinished', ended).off('requestfailed', ended)
  await page.clock.resume()
  return asked
}

function expectEvery(asked: ReadonlyMap<string, number[]>, path: string, everyMs: number): void {
  const times = asked.get(path) ?? []
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  const isEvery = gaps.length > 0 && gaps.every((gap) => Math.abs(gap - everyMs) <= STEP_MS)
  expect(isEvery, `${path} every ${everyMs} ms, asked at ${times.join(', ')}`).toBe(true)
}
