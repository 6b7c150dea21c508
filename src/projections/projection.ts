import type { ShopEventType } from '../domain/events.ts'
import type { Buyer, RecordedEvent, UnreadableEvent } from '../log/event-log.ts'
import type { Collection, Query, ViewDocument } from '../engines/view-store/view-store.ts'

export type LogEvent = RecordedEvent | UnreadableEvent

/** A document before an event is folded into it. */
interface Previous<Body> {
  readonly id: string
  /** Undefined if the document does not exist or was deleted. */
  readonly body: Body | undefined
  /** An event has deleted the document. */
  readonly isTombstone: boolean
  /** The event's buyer, if the projection `opens` the event. */
  readonly opened: Buyer | undefined
}

/** Functions that build a query. */
export type Queries = Readonly<Record<string, (...values: never[]) => Query>>

/**
 * One view, as a pure fold: a document depends only on its previous state and the event, so positions suffice to make repeats, races and rebuilds
 * safe. Bodies are plain JSON and never changed in place.
 */
export interface Projection<Body = unknown> extends Collection {
  /** The readers' queries by name; each has an index. */
  readonly queries?: Queries
  /** Ids of the documents that the event changes; for an unreadable event, those that it may have changed. */
  keys(event: LogEvent): readonly string[]
  /** Undefined deletes the document; the same body means no change. Throwing marks it as broken. */
  evolve(previous: Previous<Body>, event: RecordedEvent): Body | undefined
  /** Whether the event's personal data must be opened for `evolve`. */
  opens?(event: LogEvent): boolean
  /** For documents that are stored in a shorter form. */
  readonly form?: StoredForm<Body>
}

/** The stored form, without fields that readers can derive. */
interface StoredForm<Body = unknown> {
  /** Returns plain JSON. */
  toStored(body: Body): unknown
  /** The inverse of `toStored`. */
  fromStored(stored: unknown): Body
  /** The index fields of a body. */
  fields(body: Body): NonNullable<ViewDocument['fields']>
}

export type EventOf<Type extends ShopEventType> = Extract<RecordedEvent, { type: Type }>

/** Whether the event is of one of these types. */
export function isOf<Type extends ShopEventType>(types: readonly Type[], event: LogEvent): event is EventOf<Type> {
  return (types as readonly string[]).includes(event.type)
}

/** Id of a document that only marks an unreadable event. */
export function markerId({ stream, revision }: LogEvent): string {
  return `${stream}:${revision}`
}
