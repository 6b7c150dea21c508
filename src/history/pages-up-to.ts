import { RECORDED_LATE_MS } from '../domain/clocks-apart.ts'
import { type EventStore, type Position, START, type StoredEvent } from '../engines/event-store/event-store.ts'
import { isBy, type Moment } from './moment.ts'

const PAGE = 1_000

/**
 * The log up to the last event that was recorded by the moment, page by page. Writers' clocks may differ a little, so later events are held back until no earlier
 * one can follow.
 */
export async function* pagesUpTo(
  store: Pick<EventStore, 'readAll'>,
  moment: Moment,
  { after: from = START, signal }: { after?: Position; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<readonly StoredEvent[]> {
  let after = from
  let held: readonly StoredEvent[] = []
  while (!held.some((event) => isWellAfter(event, moment))) {
    signal?.throwIfAborted()
    const page = await store.readAll({ after, limit: PAGE })
    const last = page.at(-1)
    if (!last) return
    after = last.position
    const events = held.length === 0 ? page : [...held, ...page]
    const end = events.findLastIndex((event) => isBy(event, moment)) + 1
    if (end > 0) yield end === events.length ? events : events.slice(0, end)
    held = events.slice(end)
  }
}

function isWellAfter({ recordedAt, position }: StoredEvent, moment: Moment): boolean {
  return 'position' in moment ? position > moment.position : recordedAt >= moment.beforeMs + RECORDED_LATE_MS
}
