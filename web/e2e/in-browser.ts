import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, inject, it, vi } from 'vitest'
import type { GatewayName } from '../../src/domain/payment-methods.ts'
import { describeUnless } from '../../src/testing/describe-unless.ts'
import { type ProviderShop, startProviderShop } from '../../src/testing/start-provider-shop.ts'
import { type ShopOptions, startShop, type TestShop } from '../../src/testing/start-shop.ts'
import { launchBrowser } from './browser.ts'
import { type Buyer, buyerAt } from './buyer.ts'
import type { Look } from './looks.ts'

// A walk is long, and a machine that builds and tests at once is slow.
const WALK_TIMEOUT_MS = 180_000
const POLL_TIMEOUT_MS = 30_000
const SCREEN_CHARS_MAX = 2_000

const opened = await launchBrowser()
const reason = 'reason' in opened ? opened.reason : undefined

// Without a browser the walks are skipped, except in CI.
if (reason !== undefined && process.env['CI'] === 'true') throw new Error(`no browser starts: ${reason}`)

const withScreens = (options: ShopOptions): ShopOptions => ({
  engines: 'sqlite',
  webFolder: inject('webFolder'),
  ...options,
})

/** A shop with the built screens. */
export const builtShop =
  (options: ShopOptions = {}) =>
  async (): Promise<TestShop> =>
    startShop(withScreens(options))

/** A shop with the built screens and the double of a provider, where staff deliver. */
export function builtShopAt<Name extends GatewayName>(provider: Name): () => Promise<ProviderShop<Name>> {
  return async () => startProviderShop(provider, withScreens({ env: { DELIVERY: 'staff' } }))
}

interface Stage<Shop extends TestShop = TestShop> {
  /** The shop of this test. */
  readonly shop: Shop
  /** A test of one visitor who walks through the shop; one test per look. */
  walk(title: string, looks: Look | readonly Look[], walk: (visitor: Buyer, look: Look) => Promise<void>): void
  /** Another visitor with a separate browser context. Page errors fail the test. */
  visit(shop: Pick<TestShop, 'url'>, look: Look, walk: (visitor: Buyer) => Promise<void>): Promise<void>
}

/** Walks, each through a new shop with the built screens. Without a browser they are skipped with the reason. */
export function describeInBrowser<Shop extends TestShop>(
  who: string,
  open: () => Promise<Shop>,
  walks: (stage: Stage<Shop>) => void,
): void {
  describeUnless(reason && 'no browser starts: "apt-get install chromium" brings one', who, () => {
    vi.setConfig({ testTimeout: WALK_TIMEOUT_MS, expect: { poll: { timeout: POLL_TIMEOUT_MS } } })
    let browser: Browser
    let shop: Shop

    beforeAll(() => {
      if ('browser' in opened) ({ browser } = opened)
    })

    afterAll(async () => browser.close())

    beforeEach(async () => {
      shop = await open()
      return async () => shop.stop()
    })

    const visit: Stage<Shop>['visit'] = async ({ url }, look, walk) => {
      const visitor = await buyerAt(browser, url, look)
      await walk(visitor).catch(async (error: unknown) => {
        // The text on the screen, and what the page reported, explain a failed wait.
        const body = visitor.page.locator('body')
        const screen = await body.innerText().catch(() => '(it cannot be read)')
        const at = `The screen at ${visitor.page.url()}:\n${screen.slice(0, SCREEN_CHARS_MAX)}`
        const reports = visitor.faults.map((fault) => `The page reported: ${fault}`)
        // Reports the walk's failure, not one of leaving.
        await visitor.leave().catch(() => undefined)
        throw new Error([String(error), ...reports, at].join('\n'), { cause: error })
      })
      await visitor.leave()
    }

    walks({
      get shop() {
        return shop
      },
      visit,
      walk: (title, looks, walk) => {
        it.for([looks].flat())(`${title} at $width px, $colorScheme`, async (look) =>
          visit(shop, look, async (visitor) => walk(visitor, look)),
        )
      },
    })
  })
}
