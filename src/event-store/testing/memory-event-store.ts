import type { AppendResult, EventStore, EventToAppend, Snapshot, StoredEvent } from '../event-store.ts'
import { AppendConflict, EventStoreAway } from '../event-store.ts'
import { checkAppend, checkPage, checkSnapshot, checkStream, countOf, positionOf } from '../limits.ts'
import { waiters } from '../waiters.ts'

export interface MemoryEventStoreOptions {
  readonly now?: () => number
}

/** Every promise of the port except durability. Deterministic; its only timers are the timeouts of waiters. */
export function memoryEventStore(options: MemoryEventStoreOptions = {}): EventStore {
  const now = options.now ?? Date.now
  const log: StoredEvent[] = []
  const streams = new Map<string, StoredEvent[]>()
  const snapshots = new Map<string, Snapshot>()
  const waiting = waiters()
  let closed = false

  const checkOpen = (): void => {
    if (closed) throw new EventStoreAway('the event store is closed')
  }

  const add = (stream: string, past: StoredEvent[], events: readonly EventToAppend[]): void => {
    const recordedAt = Math.max(Math.floor(now()), log.at(-1)?.recordedAt ?? 0)
    for (const { id, type, version, data, metadata } of events) {
      const place = { stream, revision: past.length, position: positionOf(log.length + 1), recordedAt }
      const stored = Object.freeze({ id, type, version, data, metadata, ...place })
      past.push(stored)
      log.push(stored)
    }
    streams.set(stream, past)
    waiting.wake(positionOf(log.length))
  }

  const append = (stream: string, expectedRevision: number, events: readonly EventToAppend[]): AppendResult => {
    checkOpen()
    checkAppend(stream, expectedRevision, events)
    const past = streams.get(stream) ?? []
    const first = expectedRevision + 1
    if (first === past.length) add(stream, past, events)
    const last = past[expectedRevision + events.length]
    const stands = events.every((event, index) => past[first + index]?.id === event.id)
    if (!stands || last === undefined) throw new AppendConflict(stream, expectedRevision, past.length - 1)
    return { revision: last.revision, position: last.position }
  }

  return {
    append: async (stream, expectedRevision, events) => append(stream, expectedRevision, events),

    async readStream(stream, { fromRevision, limit }) {
      checkOpen()
      checkStream(stream)
      checkPage({ fromRevision, limit })
      return (streams.get(stream) ?? []).slice(fromRevision, fromRevision + limit)
    },

    async readAll({ after, limit }) {
      checkOpen()
      checkPage({ limit })
      return log.slice(countOf(after), countOf(after) + limit)
    },

    async head() {
      checkOpen()
      return positionOf(log.length)
    },

    async waitForEvents(wait) {
      checkOpen()
      if (countOf(wait.after) >= log.length) await waiting.wait(wait)
    },

    async readSnapshot(stream) {
      checkOpen()
      checkStream(stream)
      return snapshots.get(stream)
    },

    async writeSnapshot(stream, { schemaVersion, revision, eventId, state }) {
      checkOpen()
      checkSnapshot(stream, { schemaVersion, revision, eventId, state })
      snapshots.set(stream, Object.freeze({ schemaVersion, revision, eventId, state }))
    },

    async close() {
      closed = true
      waiting.wakeAll()
    },
  }
}
