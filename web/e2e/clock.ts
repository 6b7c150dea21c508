import type { Page } from 'playwright-core'

/** Stops a page's clock within a second, after that second's timers have run. */
export async function pauseClock(page: Page): Promise<void> {
  const pause = async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
  // On a slow machine the second may have passed; a second attempt then succeeds.
  await pause().catch(pause)
}

/** Runs in the page: waits until queued tasks, such as those of a response, are done. */
export async function tasksDone(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1)
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => resolve())
      port1.start()
      port2.postMessage(null)
    })
}
