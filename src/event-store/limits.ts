import type { EventToAppend, Position, Snapshot } from './event-store.ts'
import { NO_EVENTS } from './event-store.ts'

export const EVENTS_PER_APPEND_MAX = 5_000
/** EventStoreDB takes 1,023 KiB and refuses 1,024. */
export const BYTES_PER_APPEND_MAX = 1_047_552
export const EVENTS_PER_PAGE_MAX = 10_000
export const WAIT_MS_MAX = 2_147_483_647

const VERSION_MAX = 999_999
// EventStoreDB counts the type twice, and its engine stores version, time and checksum inside the metadata.
const BYTES_BESIDE_AN_EVENT = 72

const STREAM = /^[a-z]+-[\w-]{1,150}$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TYPE = /^[A-Za-z][A-Za-z0-9]{0,99}$/
const POSITION = /^[0-9]{20}$/

export function checkStream(stream: string): void {
  if (!STREAM.test(stream)) throw new TypeError(`not a stream name: ${JSON.stringify(stream)}`)
}

/** Validates an append without regard to the stored events; returns its size in bytes. */
export function checkAppend(stream: string, expectedRevision: number, events: readonly EventToAppend[]): number {
  checkStream(stream)
  checkInteger('expectedRevision', expectedRevision, NO_EVENTS, Number.MAX_SAFE_INTEGER)
  checkInteger('number of events', events.length, 1, EVENTS_PER_APPEND_MAX)
  const ids = new Set<string>()
  let bytes = 0
  for (const event of events) {
    if (!UUID.test(event.id)) throw new TypeError(`not a lower-case UUID: ${JSON.stringify(event.id)}`)
    if (ids.has(event.id)) throw new TypeError(`${event.id} is used twice in one append`)
    ids.add(event.id)
    if (!TYPE.test(event.type)) throw new TypeError(`not an event type: ${JSON.stringify(event.type)}`)
    checkInteger('version', event.version, 1, VERSION_MAX)
    bytes += sizeOf(event)
  }
  if (bytes > BYTES_PER_APPEND_MAX) {
    throw new RangeError(`an append of ${bytes} bytes to ${stream}; at most ${BYTES_PER_APPEND_MAX}`)
  }
  return bytes
}

/** What an event takes of an append's bytes. */
export function sizeOf({ type, data, metadata }: EventToAppend): number {
  return 2 * type.length + BYTES_BESIDE_AN_EVENT + textBytes('data', data) + textBytes('metadata', metadata)
}

export function checkSnapshot(stream: string, snapshot: Snapshot): void {
  checkStream(stream)
  checkInteger('schemaVersion', snapshot.schemaVersion, 0, Number.MAX_SAFE_INTEGER)
  checkInteger('revision', snapshot.revision, 0, Number.MAX_SAFE_INTEGER)
  if (!UUID.test(snapshot.eventId)) throw new TypeError(`not a lower-case UUID: ${JSON.stringify(snapshot.eventId)}`)
  const bytes = textBytes('state', snapshot.state)
  if (bytes > BYTES_PER_APPEND_MAX - 1_024) throw new RangeError(`a snapshot of ${bytes} bytes for ${stream}`)
}

export function checkPage(page: { fromRevision?: number; limit: number }): void {
  checkInteger('limit', page.limit, 1, EVENTS_PER_PAGE_MAX)
  checkInteger('fromRevision', page.fromRevision ?? 0, 0, Number.MAX_SAFE_INTEGER)
}

export function checkWait(timeoutMs: number): void {
  if (!(timeoutMs >= 0 && timeoutMs <= WAIT_MS_MAX)) throw new RangeError(`timeoutMs is ${timeoutMs}`)
}

/** Embedded engines number events from 1; 20 digits make the text sort like the number. */
export function positionOf(count: number): Position {
  return count === 0 ? '' : String(count).padStart(20, '0')
}

/** As people read it: without the zeros that make it sort. */
export function shortOf(position: Position): string {
  return position.replace(/^0+(?=.)/, '') || '0'
}

export function countOf(position: Position): number {
  if (position !== '' && !POSITION.test(position)) throw new TypeError(`not a position of this log: ${position}`)
  return Number(position)
}

function checkInteger(name: string, value: number, min: number, max: number): void {
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} is ${value}; it must be a whole number from ${min} to ${max}`)
  }
}

function textBytes(name: string, text: string): number {
  // Half a surrogate pair has no UTF-8 form: what is read back would differ.
  if (typeof text !== 'string' || !text.isWellFormed()) throw new TypeError(`${name} is not well-formed text`)
  return Buffer.byteLength(text)
}
