import { type Books, booksAudit } from '../shop/books.ts'
import type { EventLog, RecordedEvent } from '../log/event-log.ts'
import { logPages } from '../log/log-pages.ts'

/** Returns every event of a log, in order. Throws if one cannot be read. */
export async function* eventsOf(log: EventLog): AsyncGenerator<RecordedEvent> {
  for await (const page of logPages((asked) => log.readAll(asked)))
    for (const event of page) {
      if (event.type === 'unreadable') throw new Error(`${event.storedType} at ${event.position}: ${event.reason}`)
      yield event
    }
}

export async function allEvents(log: EventLog): Promise<RecordedEvent[]> {
  return Array.fromAsync(eventsOf(log))
}

/** Runs `booksAudit` on events that are all in memory. */
export function auditBooks(events: Iterable<RecordedEvent>, { atRest }: { atRest: boolean }): Books {
  const audit = booksAudit({ atRest })
  for (const event of events) audit.see(event)
  return audit.books()
}
