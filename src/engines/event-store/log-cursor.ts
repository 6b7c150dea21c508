import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { backOffMs } from '../../ports/back-off.ts'
import { EventStoreDamaged, type Position, type StoredEvent } from './event-store.ts'

/** An event as a subscription delivers it. */
export interface Delivered {
  readonly stream: string
  readonly revision: number
  readonly position: Position
  readonly id: string
  readonly recordedAt: number
  /** Further events of the same append follow. */
  readonly isPart: boolean
  /** Undefined if another application appended it. */
  readonly event: StoredEvent | EventStoreDamaged | undefined
}

/** Receives what a subscription delivers, in order. */
export interface Listener {
  onEvent(delivered: Delivered): void
  /** Up to this position, all events were delivered. */
  onPassed(position: Position): void
  /** All events were delivered that the log had when the subscription began. */
  onCaughtUp(): void
}

export interface Subscription {
  pause(): void
  resume(): void
  end(): void
  /** Resolves when it delivers no more, for any reason. */
  readonly ended: Promise<void>
}

/** Events received ahead of the readers, in their largest pages; then the subscription waits. */
const PAGES_AHEAD = 2
/** Read events kept for other readers near the same place. */
const KEPT_MAX = 2_000
const STREAMS_KNOWN = 10_000
const RESUBSCRIBE = { from: 50, max: 2_000 }

export interface LogCursor {
  /** Whether it can deliver the events after a position without beginning elsewhere. */
  covers(after: Position): boolean
  /** What has arrived after a position: whole appends, as far as the limit allows. */
  read(page: { after: Position; limit: number }): readonly Delivered[]
  /** Whether all events up to this position have arrived, and the log has ended there. */
  isAtEnd(position: Position): boolean
  /** True as soon as something arrives; false if the subscription ends. */
  change(): Promise<boolean>
  /** Replaces a subscription that delivers nothing. */
  beginAnew(): void
  stop(): void
}

/** Reads the log from a position on by one subscription, which begins anew after each end. Doubled events are dropped; after a gap it begins anew. */
// oxlint-disable-next-line max-lines-per-function -- one state machine over one subscription
export function logCursor({
  start,
  subscribe,
  onArrived,
  onForeign,
  onPassed,
  onDrop,
}: {
  readonly start: Position
  readonly subscribe: (after: Position, listener: Listener) => Promise<Subscription>
  readonly onArrived: (delivered: Delivered) => void
  readonly onForeign: (delivered: Delivered) => void
  readonly onPassed: (position: Position) => void
  readonly onDrop: () => void
}): LogCursor {
  const stopping = new AbortController()
  const { signal } = stopping
  const kept: Delivered[] = []
  const revisions = new LRUCache<string, number>({ max: STREAMS_KNOWN })
  /** Events after `from`, and up to `reached`, are kept. */
  let [from, reached] = [start, start]
  let appended: Delivered[] = []
  let [taken, limitMax] = [0, 1]
  let isCaughtUp = false
  /** Where an event was missing before: it is missing in the log, too. */
  let gapAt: Position | undefined
  let subscription: Subscription | undefined
  let change = Promise.withResolvers<boolean>()

  function moved(isProgress = true): void {
    change.resolve(isProgress)
    change = Promise.withResolvers<boolean>()
  }

  function pace(): void {
    if (kept.length - taken >= PAGES_AHEAD * limitMax) subscription?.pause()
    else subscription?.resume()
  }

  function take(delivered: Delivered): void {
    const { stream, revision, position, isPart } = delivered
    const last = appended.at(-1)
    if (position <= (last?.position ?? reached)) return
    // A tombstone has the highest revision of all.
    const next = Number.isSafeInteger(revision) ? (revisions.get(stream) ?? revision - 1) + 1 : revision
    if (revision !== next && gapAt !== position) {
      gapAt = position
      subscription?.end()
      return
    }
    revisions.set(stream, revision)
    if (last && last.stream !== stream) arrive()
    if (!delivered.event) return onForeign(delivered)
    appended.push(
      revision === next ? delivered : { ...delivered, event: missing({ stream, revision: next }, position) },
    )
    if (!isPart) arrive()
    pace()
  }

  function arrive(): void {
    const last = appended.at(-1)
    if (!last) return
    kept.push(...appended)
    appended = []
    reached = last.position
    onArrived(last)
    moved()
  }

  async function follow(): Promise<void> {
    /** Consecutive ends without progress. */
    for (let ends = 1; !signal.aborted; ends += 1) {
      for (const { stream } of appended) revisions.delete(stream)
      appended = []
      let isOver = false
      const whileOpen =
        <Given>(note: (given: Given) => void) =>
        (given: Given): void => {
          if (isOver) return
          ends = 1
          note(given)
        }
      try {
        subscription = await subscribe(reached, {
          onEvent: whileOpen(take),
          onPassed: whileOpen((position: Position) => {
            onPassed(position)
            moved()
          }),
          onCaughtUp: whileOpen<void>(() => {
            isCaughtUp = true
            moved()
          }),
        })
        pace()
        if (!signal.aborted) await subscription.ended
      } catch {
        // An error is an end: subscribe again.
      } finally {
        isOver = true
        isCaughtUp = false
        subscription?.end()
        subscription = undefined
      }
      if (signal.aborted) break
      moved(false)
      onDrop()
      await pause(backOffMs(ends, RESUBSCRIBE, Math.random), undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  void follow()
  return {
    covers: (after) => after >= from && (after <= reached || isCaughtUp),

    read({ after, limit }) {
      let first = kept.length
      while ((kept[first - 1]?.position ?? after) > after) first -= 1
      const page = kept.slice(first, first + limit)
      taken = Math.max(taken, first + page.length)
      limitMax = Math.max(limitMax, limit)
      const spare = kept[taken - KEPT_MAX - 1]
      if (spare) {
        from = spare.position
        kept.splice(0, taken - KEPT_MAX)
        taken = KEPT_MAX
      }
      pace()
      return page
    },

    isAtEnd: (position) => isCaughtUp && reached >= position,

    change: async () => change.promise,

    beginAnew: () => subscription?.end(),

    stop() {
      stopping.abort()
      subscription?.end()
      moved(false)
    },
  }
}

function missing({ stream, revision }: Pick<Delivered, 'stream' | 'revision'>, position: Position): EventStoreDamaged {
  return new EventStoreDamaged(`event ${revision} of ${stream} is not there: the stream was cut on the server`, {
    position,
  })
}
