import { once } from 'node:events'
import { type EventLog, lastPosition } from '../../log/event-log.ts'
import { type Position, START, type StoredEvent } from '../../engines/event-store/event-store.ts'
import { positionWaiters } from '../../log/position-waiters.ts'
import { backOffMs } from '../../ports/back-off.ts'
import type { Clock } from '../../ports/clock-and-random.ts'
import type { HotStates } from './hot-states.ts'

const PAGE = 1_000
const WAIT_MS = 5_000
const RETRY = { from: 50, max: 5_000 }

type FollowedStream = HotStates['inventory' | 'settings' | 'admin' | 'products']

export interface FollowerOptions {
  readonly log: EventLog
  readonly hot: HotStates
  readonly clock: Clock
  /** Called with every event, in order, once the hot states have it. Must not throw. */
  readonly onEvents: (events: readonly StoredEvent[]) => void
  readonly onTrouble: (error: unknown) => void
  /** Called once for each stored event that cannot be read; the others are followed. */
  readonly onDamaged?: (stored: StoredEvent) => void
}

export interface Follower {
  position(): Position
  /** Starts at the log's current end: load the hot states afterwards, so that they miss no event. */
  start(): Promise<void>
  stop(): Promise<void>
  /** True once all events up to `position` are folded; false after `timeoutMs`. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>
}

/** Keeps this process's hot states current by following the log, until it is stopped. */
export function logFollower({ log, hot, clock, onEvents, onTrouble, onDamaged }: FollowerOptions): Follower {
  const stopping = new AbortController()
  const { signal } = stopping
  const isStopping = once(signal, 'abort')
  let reached = START
  const waiters = positionWaiters(() => reached)
  let running: Promise<void> = Promise.resolve()

  async function follow(): Promise<void> {
    let troubles = 0
    while (!signal.aborted) {
      try {
        const events = await log.readAllStored({ after: reached, limit: PAGE })
        if (events.length > 0) await take(events)
        // A page that is not full ends at the log's end.
        if (events.length < PAGE) await log.waitForEvents({ after: reached, timeoutMs: WAIT_MS, signal })
        troubles = 0
      } catch (error) {
        onTrouble(error)
        troubles += 1
        await Promise.race([clock.sleep(backOffMs(troubles, RETRY)), isStopping])
      }
    }
  }

  async function take(events: readonly StoredEvent[]): Promise<void> {
    for (const stored of events)
      for (const stream of [hot.inventory, hot.settings, hot.admin, hot.products])
        if (stored.stream === stream.stream) await fold(stream, stored)
    for (const stored of events) if (stored.damage !== undefined) onDamaged?.(stored)
    reached = lastPosition(events)
    onEvents(events)
    waiters.wake()
  }

  async function fold(stream: FollowedStream, stored: StoredEvent): Promise<void> {
    const { revision, position } = stored
    // This process's own appends are folded already.
    if (revision <= stream.revision) return
    if (stored.damage !== undefined) return stream.fail(stored.damage)
    // Earlier events of this stream are missing here, and the follower passes each event only once: read the stream now.
    if (revision > stream.revision + 1) return stream.refresh()
    const event = log.decode(stored)
    if (event.type === 'unreadable') throw new Error(`${stored.type} at ${position}: ${event.reason}`)
    stream.offer([{ revision, position, event }])
  }

  return {
    position: () => reached,
    async start() {
      reached = await log.head()
      running = follow()
    },
    async stop() {
      stopping.abort()
      await running
    },
    waitFor: async (position, timeoutMs) => waiters.wait(position, timeoutMs),
  }
}
