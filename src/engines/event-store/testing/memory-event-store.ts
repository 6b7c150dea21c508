import { randomUUID } from 'node:crypto'
import type { AppendResult, EventStore, EventToAppend, Position, StoredEvent } from '../event-store.ts'
import { AppendConflict, EventStoreAway, START } from '../event-store.ts'
import { checkAppend, checkStream, countOf, positionOf } from '../limits.ts'
import { waiters } from '../waiters.ts'

export interface MemoryEventStoreOptions {
  readonly now?: () => number
  /** How many events of others stand in the log before the next one; none by default. */
  readonly othersBefore?: () => number
}

/** Every promise of the port except durability. Deterministic; its only timers are the timeouts of waiters. */
export function memoryEventStore(options: MemoryEventStoreOptions = {}): EventStore {
  const { now = Date.now, othersBefore = () => 0 } = options
  const log: StoredEvent[] = []
  const streams = new Map<string, StoredEvent[]>()
  const id = randomUUID()
  const waiting = waiters()
  let closed = false
  const head = (): Position => log.at(-1)?.position ?? START
  const checkOpen = (): void => {
    if (closed) throw new EventStoreAway('the event store is closed')
  }

  const add = (stream: string, past: StoredEvent[], events: readonly EventToAppend[]): void => {
    let count = countOf(head()) + othersBefore()
    const recordedAt = Math.max(Math.floor(now()), log.at(-1)?.recordedAt ?? 0)
    for (const { id, type, version, data, metadata } of events) {
      count += 1
      const place = { stream, revision: past.length, position: positionOf(count), recordedAt }
      past.push(Object.freeze({ id, type, version, data, metadata, ...place }))
    }
    log.push(...past.slice(-events.length))
    streams.set(stream, past)
    waiting.wake(head())
  }

  const append = (stream: string, expectedRevision: number, events: readonly EventToAppend[]): AppendResult => {
    checkOpen()
    checkAppend(stream, events)
    const past = streams.get(stream) ?? []
    if (expectedRevision + 1 === past.length) add(stream, past, events)
    const last = past[expectedRevision + events.length]
    if (last === undefined || !standAt(past, expectedRevision + 1, events))
      throw new AppendConflict(stream, expectedRevision, past.length - 1)
    return { revision: last.revision, position: last.position }
  }

  return {
    append: async (stream, expectedRevision, events) => append(stream, expectedRevision, events),

    async readStream(stream, { fromRevision, limit }) {
      checkOpen()
      checkStream(stream)
      return (streams.get(stream) ?? []).slice(fromRevision, fromRevision + limit)
    },

    async readAll({ after, limit }) {
      checkOpen()
      return log.slice(indexAfter(log, after)).slice(0, limit)
    },

    async head() {
      checkOpen()
      return head()
    },

    async waitForEvents(wait) {
      checkOpen()
      if (indexAfter(log, wait.after) === log.length) await waiting.wait(wait)
    },

    async identity() {
      checkOpen()
      return id
    },

    async close() {
      closed = true
      waiting.wakeAll()
    },
  }
}

function standAt(past: readonly StoredEvent[], first: number, events: readonly EventToAppend[]): boolean {
  return events.every((event, index) => past[first + index]?.id === event.id)
}

/** Of the first event after a position. */
function indexAfter(log: readonly StoredEvent[], after: Position): number {
  countOf(after)
  let [low, high] = [0, log.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((log[middle]?.position ?? after) <= after) low = middle + 1
    else high = middle
  }
  return low
}
