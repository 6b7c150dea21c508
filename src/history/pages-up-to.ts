import { RECORDED_LATE_MS } from '../domain/clocks-apart.ts'
import type { EventStore, StoredEvent } from '../engines/event-store/event-store.ts'
import { logPages, type PageOptions } from '../log/log-pages.ts'
import { isBy, type Moment } from './moment.ts'

/**
 * The log up to the last event before the moment, page by page. Writers' clocks may differ a little, so events after the
 * moment are held back until no event before it can follow.
 */
export async function* pagesUpTo(
  store: Pick<EventStore, 'readAll'>,
  moment: Moment,
  options?: PageOptions,
): AsyncGenerator<readonly StoredEvent[]> {
  let held: readonly StoredEvent[] = []
  for await (const page of logPages((asked) => store.readAll(asked), options)) {
    const events = held.length === 0 ? page : [...held, ...page]
    const end = events.findLastIndex((event) => isBy(event, moment)) + 1
    if (end > 0) yield end === events.length ? events : events.slice(0, end)
    held = events.slice(end)
    if (held.some((event) => isWellAfter(event, moment))) return
  }
}

function isWellAfter({ recordedAt, position }: StoredEvent, moment: Moment): boolean {
  return 'position' in moment ? position > moment.position : recordedAt >= moment.beforeMs + RECORDED_LATE_MS
}
