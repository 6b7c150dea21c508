import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, inject, onTestFinished, vi } from 'vitest'
import type { GatewayName } from '../../src/domain/payment-methods.ts'
import { describeUnless } from '../../src/testing/describe-unless.ts'
import { type ProviderShop, startProviderShop } from '../../src/testing/start-provider-shop.ts'
import { type ShopOptions, startShop, type TestShop } from '../../src/testing/start-shop.ts'
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

const withScreens = ({ config, ...options }: ShopOptions = {}): ShopOptions => ({
  engines: 'sqlite',
  ...options,
  config: { webFolder: inject('webFolder'), ...config },
})

export interface Stage {
  /** A shop with the built screens, which stops with the test. */
  open(options?: ShopOptions): Promise<TestShop>
  /** The same at the double of a provider; staff hand over. */
  openAt<Name extends GatewayName>(provider: Name): Promise<ProviderShop<Name>>
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
      open: async (options) => {
        const shop = await startShop(withScreens(options))
        onTestFinished(async () => shop.stop())
        return shop
      },
      openAt: async (provider) => {
        const shop = await startProviderShop(provider, withScreens({ policy: { deliveryMode: 'staff' } }))
        onTestFinished(async () => shop.stop())
        return shop
      },
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
