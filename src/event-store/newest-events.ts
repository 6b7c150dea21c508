import type { Position, StoredEvent } from './event-store.ts'
import { positionOf } from './limits.ts'

/** Enough for the seconds after an order is placed, in which its buyer reads it again. */
const BYTES_KEPT_MAX = 4_194_304

/**
 * A cache of the newest events that this connection wrote, for followers of the log and for requests that read an order that they have just
 * changed. Valid only for the `version` of the file that it was written to: another connection's write changes that.
 */
export interface NewestEvents {
  /** After a commit onto a log of `past` events. */
  add(past: number, events: readonly StoredEvent[], version: unknown): void
  /** As the log would answer; undefined if the cache does not reach that far back. */
  after(count: number, limit: number, version: unknown): StoredEvent[] | undefined
  ofStream(stream: string, fromRevision: number, limit: number, version: unknown): StoredEvent[] | undefined
  head(version: unknown): Position | undefined
  forget(): void
}

export function newestEvents(bytesMax = BYTES_KEPT_MAX): NewestEvents {
  let kept: StoredEvent[] = []
  let byStream = new Map<string, StoredEvent[]>()
  /** Number of events before the cached ones. */
  let before = 0
  let bytes = 0
  let writtenTo: unknown

  const forget = (): void => {
    kept = []
    byStream = new Map()
    bytes = 0
  }

  const forgetOlderHalf = (): void => {
    let count = 0
    for (const event of kept) {
      if (bytes <= bytesMax / 2) break
      bytes -= bytesOf(event)
      count += 1
    }
    kept = kept.slice(count)
    before += count
    byStream = Map.groupBy(kept, ({ stream }) => stream)
  }

  return {
    add(past, events, version) {
      if (version !== writtenTo || past !== before + kept.length) {
        forget()
        before = past
        writtenTo = version
      }
      for (const event of events) {
        kept.push(event)
        bytes += bytesOf(event)
        const same = byStream.get(event.stream)
        if (same) same.push(event)
        else byStream.set(event.stream, [event])
      }
      if (bytes > bytesMax) forgetOlderHalf()
    },
    after(count, limit, version) {
      if (version !== writtenTo || kept.length === 0 || count < before) return undefined
      return kept.slice(count - before, count - before + limit)
    },
    ofStream(stream, fromRevision, limit, version) {
      const events = byStream.get(stream)
      const [first] = events ?? []
      if (version !== writtenTo || !events || !first || fromRevision < first.revision) return undefined
      return events.slice(fromRevision - first.revision, fromRevision - first.revision + limit)
    },
    head(version) {
      return version === writtenTo && kept.length > 0 ? positionOf(before + kept.length) : undefined
    },
    forget,
  }
}

function bytesOf({ data, metadata }: StoredEvent): number {
  return data.length + metadata.length
}
