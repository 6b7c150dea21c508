import { decode } from '../event-store/event-codec.ts'
import type { RecordedEvent } from '../event-store/event-log.ts'
import { EventStoreDamaged, type StoredEvent } from '../event-store/event-store.ts'

/** Decodes; throws `EventStoreDamaged` where this release cannot read the event, since an export must be complete. */
export function readable(stored: StoredEvent): RecordedEvent {
  const event = decode(stored)
  if (event.type !== 'unreadable') return event
  throw new EventStoreDamaged(
    `${event.storedType} at ${event.stream}:${event.revision} cannot be read (${event.reason}): npm run verify says what to do`,
  )
}
