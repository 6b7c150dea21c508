import type { ShopEventType } from '../domain/events.ts'
import type { Buyer, RecordedEvent, UnreadableEvent } from '../engines/event-store/event-log.ts'
import type { Collection, Query, ViewDocument } from '../engines/view-store/view-store.ts'

export type LogEvent = RecordedEvent | UnreadableEvent

/** A document before an event is folded into it. */
export interface Standing<Body> {
  readonly id: string
  /** Undefined if there is none, or it was deleted. */
  readonly body: Body | undefined
  /** It was deleted by an event. */
  readonly isTombstone: boolean
  /** The event's buyer; only if the projection `opens` it. */
  readonly opened: Buyer | undefined
}

/** Each builds a query from its arguments. */
export type Queries = Readonly<Record<string, (...values: never[]) => Query>>

/**
 * One view, as a fold. Pure: each document is folded from itself and the event alone, so that nothing but positions is needed to repeat, race or
 * rebuild it. Bodies are plain JSON and never changed in place.
 */
export interface Projection<Body = unknown> extends Collection {
  /** Its readers' queries by name; an index answers each. */
  readonly queries?: Queries
  /** Ids of the documents that the event touches. An unreadable event touches those that it may have changed. */
  keys(event: LogEvent): readonly string[]
  /** Undefined deletes the document; the same body means no change. Throwing marks it as broken. */
  evolve(standing: Standing<Body>, event: RecordedEvent): Body | undefined
  /** Whether the event's personal data must be opened for `evolve`. */
  opens?(event: LogEvent): boolean
  /** For documents that are stored in a shorter form. */
  readonly form?: StoredForm<Body>
}

/** The stored form, without fields that readers can derive. */
export interface StoredForm<Body = unknown> {
  /** Plain JSON. */
  stored(body: Body): unknown
  /** The inverse. */
  folded(stored: unknown): Body
  /** Its index fields. */
  fields(body: Body): NonNullable<ViewDocument['fields']>
}

export type EventOf<Type extends ShopEventType> = Extract<RecordedEvent, { type: Type }>

/** Whether the event is of one of these types. */
export function isOf<Type extends ShopEventType>(types: readonly Type[], event: LogEvent): event is EventOf<Type> {
  return (types as readonly string[]).includes(event.type)
}

/** The part of a stream's name behind its category, where it is of this category. */
export function idIn(category: string, stream: string): string | undefined {
  // Runs for every event in every view, so it builds no text.
  return stream[category.length] === '-' && stream.startsWith(category) ? stream.slice(category.length + 1) : undefined
}

/** Id of a document that only marks an unreadable event. */
export function strayKey({ stream, revision }: LogEvent): string {
  return `${stream}:${revision}`
}
