import type { Page } from 'playwright-core'

/** Hides and shows the page like a change of tabs, which reconnects its push connection. */
export async function lookAwayAndBack(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const state of ['hidden', 'visible']) {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange'))
    }
  })
}
