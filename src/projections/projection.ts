import type { ShopEventType } from '../domain/events.ts'
import type { Personal, RecordedEvent, UnreadableEvent } from '../event-store/event-log.ts'
import type { Collection, Question, ViewDocument } from '../view-store/view-store.ts'

export type LogEvent = RecordedEvent | UnreadableEvent

/** A document as it stands before an event is folded into it. */
export interface Standing<Body> {
  readonly id: string
  /** Undefined where there is none, or none any more. */
  readonly body: Body | undefined
  /** There was one, and an event took it away. */
  readonly isTombstone: boolean
  /** Who the buyer of this event is; only where the projection `opens` it. */
  readonly opened: Personal | 'erased' | undefined
}

/** Each makes a question of what is asked for. */
export type Questions = Readonly<Record<string, (...values: never[]) => Question>>

/**
 * One view, as a fold. Pure: each document is folded from itself and the event alone, so that nothing but positions is needed to repeat, race or
 * rebuild it. Bodies are plain JSON and never changed in place.
 */
export interface Projection<Body = unknown> {
  /** `[a-z]+` */
  readonly name: string
  /** Raised with every change of what a document holds; a new version is built anew beside the old one. */
  readonly version: number
  readonly fields: Collection['fields']
  readonly indexes: Collection['indexes']
  /** What readers ask of its documents, by name; an index answers each. */
  readonly questions?: Questions
  /** Configuration that the documents depend on: built anew when it is another one. */
  readonly variant?: string
  /** Former versions are dropped at the switch, never kept as a way back. */
  readonly isPersonal?: boolean
  /** Every document that the event touches; none when this view does not care. An unreadable event touches what it may have changed. */
  keys(event: LogEvent): readonly string[]
  /** Undefined takes the document away; the same body says that nothing changes. Throwing marks it as broken. */
  evolve(standing: Standing<Body>, event: RecordedEvent): Body | undefined
  /** Whether the event's personal data must be opened for `evolve`. */
  opens?(event: LogEvent): boolean
  readonly counter?: Counter<Body>
  /** Where a document is stored as less than is folded. */
  readonly form?: StoredForm<Body>
}

/** A document as it is stored: without what follows from the rest, which its readers make anew. */
export interface StoredForm<Body = unknown> {
  /** Plain JSON. */
  stored(body: Body): unknown
  /** The way back. */
  folded(stored: unknown): Body
  /** What it is found by. */
  fields(body: Body): NonNullable<ViewDocument['fields']>
}

/** How many documents of a projection are of a kind. Kept as `{ count }` in a document of its own. */
export interface Counter<Body = unknown> {
  readonly id: string
  /** Whether this document can be counted at all. */
  watches(id: string): boolean
  counts(body: Body): boolean
}

export interface Count {
  readonly count: number
}

export type EventOf<Type extends ShopEventType> = Extract<RecordedEvent, { type: Type }>

/** Whether the event is of one of these types. */
export function isOf<Type extends ShopEventType>(types: readonly Type[], event: LogEvent): event is EventOf<Type> {
  return (types as readonly string[]).includes(event.type)
}

/** The part of a stream's name behind its category, where it is of this category. */
export function idIn(category: string, stream: string): string | undefined {
  // Asked of every event by every view: no text is put together for it.
  return stream[category.length] === '-' && stream.startsWith(category) ? stream.slice(category.length + 1) : undefined
}

/** Names a document that only tells that an unreadable event stands there. */
export function strayKey({ stream, revision }: LogEvent): string {
  return `${stream}:${revision}`
}
