import { once } from 'node:events'
import type { EventLog, RecordedEvent } from '../../engines/event-store/event-log.ts'
import { type Position, START, type StoredEvent } from '../../engines/event-store/event-store.ts'
import { positionWaiters } from '../../engines/event-store/position-waiters.ts'
import { backOffMs } from '../../ports/back-off.ts'
import type { Clock } from '../../ports/clock-and-random.ts'
import type { HotStates } from './hot-states.ts'

const PAGE = 1_000
const WAIT_MS = 5_000
const RETRY = { from: 50, max: 5_000 }

export interface FollowerOptions {
  readonly log: EventLog
  readonly hot: HotStates
  readonly clock: Clock
  /** Called with every event, in order, once the hot states have it. Must not throw. */
  readonly onEvents: (events: readonly StoredEvent[]) => void
  readonly onTrouble: (error: unknown) => void
}

/** Keeps this process's hot states current by following the log, until it is stopped. */
export class Follower {
  private readonly options: FollowerOptions
  private reached: Position = START
  private readonly stopping = new AbortController()
  private readonly isStopping = once(this.stopping.signal, 'abort')
  private readonly waiters = positionWaiters(() => this.reached)
  private running: Promise<void> = Promise.resolve()

  constructor(options: FollowerOptions) {
    this.options = options
  }

  get position(): Position {
    return this.reached
  }

  /** Follows from the log's present end; load the hot states after this. */
  async start(): Promise<void> {
    this.reached = await this.options.log.head()
    this.running = this.follow()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  /** True once all events up to `position` are folded; false after `timeoutMs`. */
  async waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    return this.waiters.wait(position, timeoutMs)
  }

  private async follow(): Promise<void> {
    const { log, clock, onTrouble } = this.options
    const { signal } = this.stopping
    let troubles = 0
    while (!signal.aborted) {
      try {
        const events = await log.readAllStored({ after: this.reached, limit: PAGE })
        if (events.length > 0) await this.take(events)
        if (events.length === 0) await log.waitForEvents({ after: this.reached, timeoutMs: WAIT_MS, signal })
        troubles = 0
      } catch (error) {
        onTrouble(error)
        troubles += 1
        await Promise.race([clock.sleep(backOffMs(troubles, RETRY)), this.isStopping])
      }
    }
  }

  private async take(events: readonly StoredEvent[]): Promise<void> {
    const { hot, log, onEvents } = this.options
    for (const stored of events) {
      for (const stream of [hot.inventory, hot.settings, hot.admin, hot.products]) {
        // This process's own appends are folded already.
        if (stored.stream !== stream.stream || stored.revision <= stream.revision) continue
        if (stored.revision > stream.revision + 1) {
          // Earlier events of this stream are missing here, and the follower passes each event only once: read the stream now.
          await stream.refresh()
          continue
        }
        const event = log.decode(stored)
        if (event.type === 'unreadable') throw new Error(`${stored.type} at ${stored.position}: ${event.reason}`)
        stream.offer([{ revision: stored.revision, position: stored.position, event: event satisfies RecordedEvent }])
      }
    }
    this.reached = events.at(-1)?.position ?? this.reached
    onEvents(events)
    this.waiters.wake()
  }
}
