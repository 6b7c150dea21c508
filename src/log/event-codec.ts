import { hash } from 'node:crypto'
import { eventFormats, type ShopEvent, upcast } from '../domain/events.ts'
import type { Actor } from '../domain/words.ts'
import type { EventToAppend, Position, StoredEvent } from '../engines/event-store/event-store.ts'

/** The origin of a write. */
export interface Caller {
  /** New for each request and job run. Event ids derive from it, so only a repeat of the same write gets the same ids. */
  readonly requestId: string
  readonly correlationId: string
  /** The event that caused this one. */
  readonly causationId: string | null
  readonly actor: Actor
}

export type EventMetadata = Omit<Caller, 'requestId'>

export interface Envelope {
  readonly stream: string
  readonly revision: number
  readonly position: Position
  readonly recordedAt: number
  readonly id: string
  readonly metadata: EventMetadata
}

export type RecordedEvent<Event extends ShopEvent = ShopEvent> = Envelope & Event

/** An event that this release cannot read. A reader that needs the event must stop at it, never skip it. */
export interface UnreadableEvent extends Envelope {
  readonly type: 'unreadable'
  readonly storedType: string
  readonly reason: string
}

export interface DecidedEvent {
  readonly event: ShopEvent
  readonly caller: Caller
}

/** Ids derive from the request, stream and revision, so a repeated append is the same write. */
export function encode(decided: DecidedEvent, place: { stream: string; revision: number }): EventToAppend {
  const { event, caller } = decided
  const format = eventFormats.get(event.type)
  if (!format) throw new TypeError(`no event type ${event.type}`)
  const { requestId, ...metadata } = caller
  return {
    id: uuidOf(`${requestId}/${place.stream}/${place.revision}`),
    type: event.type,
    version: format.version,
    data: JSON.stringify(format.schema.parse(event.data)),
    metadata: JSON.stringify(metadata),
  }
}

export function decode(stored: StoredEvent): RecordedEvent | UnreadableEvent {
  const { stream, revision, position, recordedAt, id, type } = stored
  const format = eventFormats.get(type)
  let metadata: EventMetadata = { correlationId: '', causationId: null, actor: 'system' }
  const unreadable = (reason: string): UnreadableEvent => {
    return { stream, revision, position, recordedAt, id, metadata, type: 'unreadable', storedType: type, reason }
  }
  if (stored.damage !== undefined) return unreadable(stored.damage)
  try {
    metadata = metadataOf(stored.metadata)
    if (!format) return unreadable('no such event type in this release')
    if (stored.version > format.version) return unreadable(`version ${stored.version} is newer than this release`)
    const checked = format.schema.safeParse(upcast(format, stored.version, JSON.parse(stored.data)))
    if (!checked.success) return unreadable(checked.error.issues.map(describe).join('; '))
    const { data } = checked
    return { stream, revision, position, recordedAt, id, metadata, type: names.get(type), data } as RecordedEvent
  } catch (error) {
    return unreadable(error instanceof Error ? error.message : String(error))
  }
}

/** Interned type names: they compare faster than the strings read from the store. */
const names = new Map([...eventFormats.keys()].map((type) => [type, type]))

/** All events of one append share one metadata object. */
let lastMetadata: { readonly text: string; readonly metadata: EventMetadata } | undefined

function metadataOf(text: string): EventMetadata {
  if (lastMetadata?.text !== text) lastMetadata = { text, metadata: Object.freeze(JSON.parse(text) as EventMetadata) }
  return lastMetadata.metadata
}

function describe(issue: { path: PropertyKey[]; message: string }): string {
  return `${issue.path.join('.')}: ${issue.message}`
}

/** A UUID (version 8) derived from the text. */
function uuidOf(text: string): string {
  const hex = hash('sha256', text, 'hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
