import type { EventStore } from '../../../src/event-store/event-store.ts'
import { sqliteEventStore as soundStore } from '../../../src/event-store/sqlite-event-store.ts'

export * from '../../../src/event-store/sqlite-event-store.ts'

/** Every second order is acknowledged and not written. */
export function sqliteEventStore(...given: Parameters<typeof soundStore>): EventStore {
  const store = soundStore(...given)
  const append = store.append.bind(store)
  let orders = 0
  store.append = async (stream, expectedRevision, events) => {
    if (events[0]?.type === 'OrderPlaced') orders += 1
    if (events[0]?.type !== 'OrderPlaced' || orders % 2 === 1) return append(stream, expectedRevision, events)
    return { revision: expectedRevision + events.length, position: await store.head() }
  }
  return store
}
