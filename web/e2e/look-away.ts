import type { Page } from 'playwright-core'

/** As another tab in front of the page does: its push connection ends, and begins again. */
export async function lookAwayAndBack(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const state of ['hidden', 'visible']) {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange'))
    }
  })
}
