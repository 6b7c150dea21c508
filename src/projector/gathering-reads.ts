import type { EventLog } from '../event-store/event-log.ts'

/** From this many new events on, more are likely to follow soon. */
const CROWD_EVENTS = 16
/** Only lists wait for the views. */
const REST_MS_MAX = 30
const RESTS_PER_WORK = 2

/**
 * Reads pages of the log, and while much is going on begins each only twice as long after the last one as that took to fold: to read and commit a page costs
 * as much as to fold five orders, so what comes meanwhile is folded together. A few events never wait, nor do the pages behind a full one.
 */
export function gatheringReads(
  log: Pick<EventLog, 'readAll'>,
  clock: { now(): number; sleep(ms: number): Promise<void> },
): EventLog['readAll'] {
  let readAt = 0
  let isCrowd = false
  return async (page) => {
    const workedMs = clock.now() - readAt
    if (isCrowd && workedMs > 0) await clock.sleep(Math.min(RESTS_PER_WORK * workedMs, REST_MS_MAX))
    const events = await log.readAll(page)
    readAt = clock.now()
    isCrowd = events.length >= CROWD_EVENTS && events.length < page.limit
    return events
  }
}
