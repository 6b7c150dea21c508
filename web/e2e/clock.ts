import type { Page } from 'playwright-core'

/** Stops the clock of a page, at most a second from now; the timers of that second have run. */
export async function pauseClock(page: Page): Promise<void> {
  const pause = async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
  // On a slow machine the second may have passed meanwhile. The clock then stands nevertheless, and can be moved.
  await pause().catch(pause)
}

/** In the page: once the tasks that are queued, as those of an answer that came, have run. */
export async function tasksDone(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1)
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => resolve())
      port1.start()
      port2.postMessage(null)
    })
}
