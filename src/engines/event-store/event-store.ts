import { TryAgain } from '../../ports/try-again.ts'

/** An event's place in the whole log. Opaque; as text, later positions sort after earlier ones. */
export type Position = string

/** Before every event. */
export const START: Position = ''

/** An event as the engine stores it. `data` and `metadata` are JSON text that no engine parses. */
export interface EventToAppend {
  /** UUID. Only a repeat of the same write reuses an id (see `append`). */
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
   * Set by the engine, milliseconds since 1970. Never decreases within a stream; across streams it may decrease by the difference of the writers'
   * clocks.
   */
  readonly recordedAt: number
  /** Why the stored event cannot be read; its other texts are empty. Only with `showsDamaged`. */
  readonly damage?: string
}

export interface AppendResult {
  /** Revision of the last event of this append. */
  readonly revision: number
  readonly position: Position
}

export interface Foreign {
  readonly events: number
  /** One of their streams. */
  readonly stream: string | undefined
}

/** The expected revision of a stream without events. */
export const NO_EVENTS = -1

/**
 * The log: streams of events in one total order; each append is atomic.
 *
 * Promised: an acknowledged append survives a crash; readers see whole appends in the order of their positions, and once a reader has
 * seen a position, nothing appears before it; of two writers that expect the same revision, at most one succeeds.
 * Deliberately not: transactions over two streams, deleting, filtering, appending without an expected revision.
 */
export interface EventStore {
  /**
   * Adds 1 to 5,000 events from `expectedRevision + 1` on (`NO_EVENTS` for a stream that must not exist yet).
   * If these revisions already hold these ids, returns the first result and writes nothing.
   * Throws `AppendConflict` if they hold other events (visible to the next read) or earlier ones are missing; `AppendAmbiguous` if the outcome is unknown
   * (retry with the same ids at the same revision); `EventStoreAway` if nothing was written.
   */
  append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<AppendResult>

  /** Events of one stream from `fromRevision` on, at most `limit`, oldest first; empty when there are none. */
  readStream(stream: string, options: { fromRevision: number; limit: number }): Promise<StoredEvent[]>

  /**
   * Events of all streams after `after`, oldest first: `limit` of them, fewer only at the end of the log. Throws `EventStoreDamaged` at a damaged
   * event, but for engines that can go on after it: with `showsDamaged`, they return its place.
   */
  readAll(options: { after: Position; limit: number; showsDamaged?: boolean }): Promise<StoredEvent[]>

  /** Position of the newest event, or `START`. */
  head(): Promise<Position>

  /** Events of other applications in streams with the shop's names, passed over so far; undefined if the log is the shop's alone. */
  foreign?(): Foreign

  /** Resolves when there may be events after `after` (from any process), when `signal` is aborted, or after `timeoutMs`. */
  waitForEvents(options: { after: Position; timeoutMs: number; signal: AbortSignal }): Promise<void>

  /** Differs from every other log's, even one with the same events. Empty if the log has none yet and is read-only. */
  identity(): Promise<string>

  close(): Promise<void>
}

/** The stream is not at the expected revision. */
export class AppendConflict extends TryAgain {
  override readonly name = 'AppendConflict'
  readonly code = 'append-conflict'
  readonly stream: string
  /** The stream's last revision as the engine saw it; undefined if unknown. */
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

/** Stored data is damaged: it is never returned and never skipped. */
export class EventStoreDamaged extends Error {
  override readonly name = 'EventStoreDamaged'
  /** The damaged event's position, in an engine whose positions have gaps. */
  readonly position: Position | undefined
  constructor(message: string, { position, ...options }: ErrorOptions & { readonly position?: Position } = {}) {
    super(message, options)
    this.position = position
  }
}
