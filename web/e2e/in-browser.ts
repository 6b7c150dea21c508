import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, inject, vi } from 'vitest'
import type { TestShop } from '../../src/testing/start-shop.ts'
import { describeUnless } from '../../src/testing/describe-unless.ts'
import { openBrowser } from './browser.ts'
import { type Buyer, buyerAt, type BuyerOptions } from './buyer.ts'

// A walk is long, and a machine that builds and tests at once is slow.
const WALK_TIMEOUT_MS = 180_000
const POLL_TIMEOUT_MS = 30_000
const SCREEN_CHARS_MAX = 2_000

const opened = await openBrowser()
const reason = 'reason' in opened ? opened.reason : undefined

// Without a browser the walks are skipped, except in CI.
if (reason !== undefined && process.env['CI'] === 'true') throw new Error(`no browser starts: ${reason}`)

export interface Stage {
  /** Where the built pages lie, once the tests run. */
  webFolder(): string
  /** Runs a walk in a new browser context; page errors fail the test. */
  visit(shop: Pick<TestShop, 'url'>, look: BuyerOptions, walk: (visitor: Buyer) => Promise<void>): Promise<void>
}

/** Walks through a built shop. Where no browser starts they are skipped by name with the reason. */
export function describeInBrowser(who: string, walks: (stage: Stage) => void): void {
  describeUnless(reason && 'no browser starts: "apt-get install chromium" brings one', who, () => {
    vi.setConfig({ testTimeout: WALK_TIMEOUT_MS, expect: { poll: { timeout: POLL_TIMEOUT_MS } } })
    let browser: Browser

    beforeAll(() => {
      if ('browser' in opened) ({ browser } = opened)
    })

    afterAll(async () => browser.close())

    walks({
      webFolder: () => inject('webFolder'),
      visit: async (shop, look, walk) => {
        const visitor = await buyerAt(browser, shop.url, look)
        await walk(visitor).catch(async (error: unknown) => {
          // The text on the screen, and what the page reported, explain a failed wait.
          const body = visitor.page.locator('body')
          const screen = await body.innerText().catch(() => '(it cannot be read any more)')
          const at = `The screen at ${visitor.page.url()}:\n${screen.slice(0, SCREEN_CHARS_MAX)}`
          const reports = visitor.faults.map((fault) => `The page reported: ${fault}`)
          // The walk's own failure is the one to tell.
          await visitor.leave().catch(() => undefined)
          throw new Error([String(error), ...reports, at].join('\n'), { cause: error })
        })
        await visitor.leave()
      },
    })
  })
}
