import type { Decider } from '../../domain/decider.ts'
import type { ShopEvent } from '../../domain/events.ts'
import type { EventLog } from '../../log/event-log.ts'
import { EventStoreAway, NO_EVENTS, type Position, START } from '../../engines/event-store/event-store.ts'

const PAGE = 5_000

interface PlacedEvent {
  readonly revision: number
  readonly position: Position
  readonly event: ShopEvent
}

/** The state of one stream, kept in memory and folded as events come: from this process's own appends, the follower, or a read. */
export class HotStream<State, Event extends ShopEvent> {
  readonly stream: string
  private readonly decider: Pick<Decider<never, State, Event>, 'initial' | 'evolve'>
  private readonly log: EventLog
  private current: State
  private fault: string | undefined
  private lastRevision = NO_EVENTS
  private lastPosition: Position = START

  constructor(log: EventLog, stream: string, decider: Pick<Decider<never, State, Event>, 'initial' | 'evolve'>) {
    this.log = log
    this.stream = stream
    this.decider = decider
    this.current = decider.initial
  }

  /** Throws once the stream cannot be read: nothing may be decided on what it was before. */
  get state(): State {
    if (this.fault !== undefined) throw new EventStoreAway(this.fault)
    return this.current
  }

  /** The log holds something in this stream that cannot be read. */
  fail(why: string): void {
    this.fault = why
  }

  get revision(): number {
    return this.lastRevision
  }

  /** Position of the last event folded. */
  get position(): Position {
    return this.lastPosition
  }

  /** Adopts a state that was folded elsewhere (from a snapshot, or while deciding); ignored if older than the current one. */
  restore(state: State, revision: number, position: Position): void {
    if (revision <= this.lastRevision) return
    this.current = state
    this.lastRevision = revision
    this.lastPosition = position
  }

  /** Folds the next events; ignores known ones and those after a gap. */
  offer(events: readonly PlacedEvent[]): void {
    for (const { revision, position, event } of events) {
      if (revision !== this.lastRevision + 1) continue
      this.current = this.decider.evolve(this.current, event as Event)
      this.lastRevision = revision
      this.lastPosition = position
    }
  }

  /** Reads new events in pages, since a long stream may be folded for the first time. */
  async refresh(progress?: (revision: number) => void): Promise<void> {
    for (;;) {
      const events = await this.log.readStream(this.stream, this.lastRevision + 1, PAGE)
      this.offer(events.map((event) => ({ revision: event.revision, position: event.position, event })))
      if (events.length < PAGE) return
      progress?.(this.lastRevision)
    }
  }
}
