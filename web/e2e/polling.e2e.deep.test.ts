import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { placedBy } from '../../src/testing/orders.ts'
import { pauseClock, tasksDone } from './clock.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { lookAwayAndBack } from './look-away.ts'
import { wide } from './looks.ts'
import { requestedPaths } from './requests.ts'

const STEP_MS = 500
const ofLanding = ['/api/pricing', '/api/payment-settings', '/api/products', '/api/shop']

describeInBrowser('polling', builtShop(), (stage) => {
  stage.walk('each screen polls at the promised intervals', wide, async ({ page }) => {
    const id = await placedBy(stage.shop)
    await page.clock.install()
    await open(page, '/', ofLanding)
    const onLanding = await requestsDuring(page, 65_000)
    expectEvery(onLanding, '/api/pricing', 10_000)
    expectEvery(onLanding, '/api/payment-settings', 30_000)
    for (const path of ['/api/products', '/api/shop']) expect(onLanding.get(path)).toBeUndefined()
    await open(page, '/purchase', ['/api/pricing', '/api/payment-settings'])
    const inWizard = await requestsDuring(page, 25_000)
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
      const onScreen = await requestsDuring(page, offersMethods ? 25_000 : 16_000)
      expectEvery(onScreen, `/api/orders/${id}`, everyMs)
      if (offersMethods) expectEvery(onScreen, '/api/payment-settings', 10_000)
    }
  })

  stage.walk('eight visible windows of one browser share three push connections', wide, async ({ page }) => {
    const windows = [page]
    while (windows.length < 8) windows.push(await page.context().newPage())
    // Over HTTP/1.1, six open connections would leave none for the seventh window.
    for (const one of windows) {
      await one.goto('/purchase')
      await one.getByRole('heading', { name: 'How many coins?' }).waitFor()
      await one.getByText('$0.05').first().waitFor()
    }
    await expect.poll(async () => stage.shop.metrics()).toContain('coinshop_push_connections 3\n')
  })

  stage.walk(
    'the page polls a crypto payment for half an hour, until it fails or is paid',
    wide,
    async ({ page, says, button }) => {
      const id = await placedBy(stage.shop, { paymentMethod: 'crypto' })
      const { body } = await stage.shop.post('/api/crypto/create-payment', { amount: '2.25', orderId: id })
      const path = `/api/crypto/status/${String(body['payment_id'])}`
      const payment = (await stage.shop.get(path)).body
      let payment_status = 'waiting'
      await page.route(`**${path}`, async (route) => route.fulfill({ json: { ...payment, payment_status } }))
      await page.clock.install()
      await open(page, `/order/${id}/payment`, [path])
      await says('Waiting for payment...')
      expectEvery(await requestsDuring(page, 16_000), path, 5_000)
      await page.route(`**${path}`, async (route) => route.fulfill({ status: 502 }), { times: 1 })
      expectEvery(await requestsDuring(page, 21_000), path, 5_000)
      await page.clock.fastForward(31 * 60_000)
      await says('Nothing has arrived for 30 minutes.')
      await requestsDuring(page, 6_000)
      expect((await requestsDuring(page, 16_000)).get(path)).toBeUndefined()

      payment_status = 'failed'
      await button('I have paid: check now').click()
      await says('Payment Failed', /^The payment was not successful\. Please try again\./)
      expect((await requestsDuring(page, 16_000)).get(path)).toBeUndefined()

      payment_status = 'waiting'
      await open(page, `/order/${id}/payment`, [path])
      await says('Waiting for payment...')
      await pauseClock(page)
      payment_status = 'finished'
      const asked = requestedPaths(page)
      const message = page.getByText('Payment received! Processing your order...', { exact: true })
      // In steps of 100 ms.
      for (let steps = 0; steps < 60 && !(await message.isVisible()); steps += 1) {
        await page.clock.runFor(100)
        await page.evaluate(tasksDone)
      }
      await expect.poll(() => asked.slice(asked.lastIndexOf(path))).toContain(`/api/orders/${id}`)
      await page.clock.runFor(800)
      // Gives the page time to navigate, which it must not.
      await page.evaluate(async () => (await fetch('/api/shop')).text())
      expect(new URL(page.url()).pathname).toBe(`/order/${id}/payment`)
      await page.clock.runFor(300)
      await page.waitForURL(/\/confirm$/)
    },
  )

  stage.walk(
    'a page refreshes when its tab is visible again, not when its window gets the focus',
    wide,
    async ({ page }) => {
      await page.clock.install()
      const pushing = page.waitForResponse('**/api/updates**')
      await open(page, '/', ofLanding)
      await pushing
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 6_000))
      const asked = requestedPaths(page)
      await page.evaluate(() => {
        window.dispatchEvent(new Event('focus'))
        document.dispatchEvent(new Event('visibilitychange'))
      })
      await page.clock.runFor(100)
      await page.evaluate(tasksDone)
      expect(asked.filter((path) => /^\/api\/(?!updates)/.test(path))).toEqual([])
      // Nothing was pushed while the tab was hidden.
      await lookAwayAndBack(page)
      await expect.poll(() => asked).toEqual(expect.arrayContaining(['/api/pricing', '/api/products', '/api/shop']))
    },
  )
})

/** Opens a screen and waits for its first responses and its push connection. */
async function open(page: Page, address: string, first: readonly string[]): Promise<void> {
  const answers = first.map(async (path) => page.waitForResponse((one) => new URL(one.url()).pathname === path))
  const hasStarted = page.waitForRequest((one) => new URL(one.url()).pathname === '/api/updates')
  await Promise.all([page.goto(address), ...answers, hasStarted])
  await page.waitForFunction(() => document.querySelector('main [aria-busy=true]') === null)
}

/** The times by the page's clock at which each path is requested. */
async function requestsDuring(page: Page, ms: number): Promise<Map<string, number[]>> {
  await pauseClock(page)
  await page.evaluate(recordRequests)
  const stillUnanswered = async () => {
    await page.evaluate(tasksDone)
    return page.evaluate(countUnanswered)
  }
  for (let now = 0; now < ms; now += STEP_MS) {
    await page.clock.runFor(STEP_MS)
    // The next poll is scheduled when the response arrives.
    await expect.poll(stillUnanswered, { interval: 5 }).toBe(0)
    await page.evaluate(tasksDone)
  }
  const asked = await page.evaluate(stopRecording)
  await page.clock.resume()
  return new Map(Object.entries(asked))
}

type Recorded = Window & { recording?: { fetch: typeof fetch; asked: Record<string, number[]>; unanswered: number } }

/** Runs in the page: the browser's events reach the test late on a slow machine. */
function recordRequests(): void {
  const recording = { fetch: window.fetch, asked: {} as Record<string, number[]>, unanswered: 0 }
  const start = Date.now()
  window.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, document.baseURI)
    // The push connection has no end.
    if (pathname === '/api/updates') return recording.fetch.call(window, input, init)
    recording.asked[pathname] = [...(recording.asked[pathname] ?? []), Date.now() - start]
    recording.unanswered += 1
    try {
      const response = await recording.fetch.call(window, input, init)
      // Waits for the body, too.
      await response.clone().arrayBuffer()
      return response
    } finally {
      recording.unanswered -= 1
    }
  }
  Object.assign(window, { recording })
}

const countUnanswered = (): number => (window as Recorded).recording?.unanswered ?? 0

function stopRecording(): Record<string, number[]> {
  const { recording } = window as Recorded
  if (!recording) return {}
  window.fetch = recording.fetch
  return recording.asked
}

function expectEvery(asked: ReadonlyMap<string, number[]>, path: string, everyMs: number): void {
  const times = asked.get(path) ?? []
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  const isEvery = gaps.length > 0 && gaps.every((gap) => Math.abs(gap - everyMs) <= STEP_MS)
  expect(isEvery, `${path} every ${everyMs} ms, asked at ${times.join(', ')}`).toBe(true)
}
