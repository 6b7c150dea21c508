import { TryAgain } from '../../ports/try-again.ts'

/** Where an event stands in the whole log. Opaque; later positions sort after earlier ones as text. */
export type Position = string

/** Before every event. */
export const START: Position = ''

/** An event as the engine stores it. `data` and `metadata` are JSON text that no engine parses. */
export interface EventToAppend {
  /** UUID. The same id is only ever given to the same write (see `append`). */
  readonly id: string
  readonly type: string
  /** Version of the event's schema. */
  readonly version: number
  readonly data: string
  readonly metadata: string
}

export interface StoredEvent extends EventToAppend {
  readonly stream: string
  /** Place in the stream, from 0, without gaps. */
  readonly revision: number
  readonly position: Position
  /**
   * Given by the engine, milliseconds since 1970; never lower than an earlier event's of the same stream. Over streams that is so up to the difference of
   * the writers' clocks.
   */
  readonly recordedAt: number
}

export interface AppendResult {
  /** Revision of the last event of this append. */
  readonly revision: number
  readonly position: Position
}

/** Stands for "no event yet" where a revision is expected. */
export const NO_EVENTS = -1

/**
 * The log: streams of events, each append all or nothing, in one order for all.
 *
 * Promised: an append that has been answered survives a crash; readers see appends whole and in the order of their positions, and once
 * a position has been read nothing appears before it; two writers that expect the same revision cannot both succeed.
 * Deliberately not: a transaction over two streams, deleting, filtering, appending without an expected revision.
 */
export interface EventStore {
  /**
   * Adds 1 to 5,000 events at `expectedRevision + 1` (`NO_EVENTS` for a stream that must not exist yet).
   * If these ids already stand at these revisions, returns the first result and writes nothing.
   * Throws `AppendConflict` when other events stand there, which a read then shows, or events before are missing; `AppendAmbiguous` when it is unknown whether
   * it was written (repeat it with the same ids at the same revision); `EventStoreAway` when it was not.
   */
  append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<AppendResult>

  /** Events of one stream from `fromRevision` on, at most `limit`, oldest first; empty when there are none. */
  readStream(stream: string, options: { fromRevision: number; limit: number }): Promise<StoredEvent[]>

  /** Events of all streams after `after`, at most `limit` and fewer only at the end, in the order of the log. */
  readAll(options: { after: Position; limit: number }): Promise<StoredEvent[]>

  /** Position of the newest event, or `START`. */
  head(): Promise<Position>

  /** Resolves when there may be events after `after`, when `signal` is aborted, or after `timeoutMs`. Sees other processes' appends, too. */
  waitForEvents(options: { after: Position; timeoutMs: number; signal: AbortSignal }): Promise<void>

  /** Tells this log from every other one, also from one with the same events; empty where nothing may be made and it has none yet. */
  identity(): Promise<string>

  close(): Promise<void>
}

/** Other events stand at these revisions. */
export class AppendConflict extends TryAgain {
  override readonly name = 'AppendConflict'
  readonly code = 'append-conflict'
  readonly stream: string
  /** The stream's last revision as the engine saw it; undefined if it does not say. */
  readonly actualRevision: number | undefined
  constructor(stream: string, expectedRevision: number, actualRevision: number | undefined) {
    super(`${stream} is not at revision ${expectedRevision} but at ${actualRevision ?? 'another one'}`)
    this.stream = stream
    this.actualRevision = actualRevision
  }
}

/** The append may have happened, or may still happen. */
export class AppendAmbiguous extends TryAgain {
  override readonly name = 'AppendAmbiguous'
  readonly code = 'append-ambiguous'
}

/** The engine cannot be reached or cannot write (locked, disk full); nothing was written. */
export class EventStoreAway extends TryAgain {
  override readonly name = 'EventStoreAway'
  readonly code = 'event-store-away'
}

/** Stored data is damaged. Never served, never skipped. */
export class EventStoreDamaged extends Error {
  override readonly name = 'EventStoreDamaged'
  /** Of the damaged event, where the next one does not follow at the next number. */
  readonly position: Position | undefined
  constructor(message: string, { position, ...options }: ErrorOptions & { readonly position?: Position } = {}) {
    super(message, options)
    this.position = position
  }
}
