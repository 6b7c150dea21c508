import { type Books, booksAudit } from '../shop/books.ts'
import type { EventLog, RecordedEvent } from '../engines/event-store/event-log.ts'
import { START } from '../engines/event-store/event-store.ts'

const PAGE = 5_000

/** Every event of a log, in order. Throws at one that cannot be read. */
export async function* eventsOf(log: EventLog): AsyncGenerator<RecordedEvent> {
  let after = START
  for (;;) {
    const page = await log.readAll({ after, limit: PAGE })
    for (const event of page) {
      if (event.type === 'unreadable') throw new Error(`${event.storedType} at ${event.position}: ${event.reason}`)
      after = event.position
      yield event
    }
    if (page.length < PAGE) return
  }
}

export async function allEvents(log: EventLog): Promise<RecordedEvent[]> {
  return Array.fromAsync(eventsOf(log))
}

/** What `booksAudit` finds in events that are all at hand. */
export function auditBooks(events: Iterable<RecordedEvent>, { atRest }: { atRest: boolean }): Books {
  const audit = booksAudit({ atRest })
  for (const event of events) audit.see(event)
  return audit.books()
}
