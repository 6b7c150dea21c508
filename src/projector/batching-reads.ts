import type { EventLog } from '../event-store/event-log.ts'

/** From this many new events on, more are likely to follow soon. */
const BUSY_PAGE_EVENTS = 16
/** Upper bound of the delay that lists see. */
const DELAY_MS_MAX = 30
const DELAY_PER_FOLD = 2

/**
 * Batches reads under load: after a busy page, waits twice as long as that page took to fold (at most 30 ms). Reading and committing a page costs as much
 * as folding five orders. Small and full pages never wait.
 */
export function batchingReads(
  log: Pick<EventLog, 'readAll'>,
  clock: { now(): number; sleep(ms: number): Promise<void> },
): EventLog['readAll'] {
  let readAt = 0
  let isBusy = false
  return async (page) => {
    const foldMs = clock.now() - readAt
    if (isBusy && foldMs > 0) await clock.sleep(Math.min(DELAY_PER_FOLD * foldMs, DELAY_MS_MAX))
    const events = await log.readAll(page)
    readAt = clock.now()
    isBusy = events.length >= BUSY_PAGE_EVENTS && events.length < page.limit
    return events
  }
}
