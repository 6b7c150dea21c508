import type { EventToAppend, Position } from './event-store.ts'

export const EVENTS_PER_APPEND_MAX = 5_000
/** EventStoreDB accepts 1,023 KiB and rejects 1,024. */
export const BYTES_PER_APPEND_MAX = 1_047_552

// EventStoreDB counts the type twice; our engine for it adds version and time to the metadata.
const BYTES_BESIDE_AN_EVENT = 72

const STREAM = /^[a-z]+-[\w-]{1,150}$/
const POSITION = /^[0-9]{20}$/

export function checkStream(stream: string): void {
  if (!STREAM.test(stream)) throw new TypeError(`not a stream name: ${JSON.stringify(stream)}`)
}

/** Validates an append and returns its size in bytes. The codec validates ids, types, versions and texts. */
export function checkAppend(stream: string, events: readonly EventToAppend[]): number {
  checkStream(stream)
  if (events.length === 0 || events.length > EVENTS_PER_APPEND_MAX)
    throw new RangeError(`an append of ${events.length} events to ${stream}; 1 to ${EVENTS_PER_APPEND_MAX}`)
  const bytes = events.reduce((sum, event) => sum + sizeOf(event), 0)
  if (bytes > BYTES_PER_APPEND_MAX)
    throw new RangeError(`an append of ${bytes} bytes to ${stream}; at most ${BYTES_PER_APPEND_MAX}`)
  return bytes
}

/** Bytes of an event in an append. */
export function sizeOf({ type, data, metadata }: EventToAppend): number {
  return 2 * type.length + BYTES_BESIDE_AN_EVENT + Buffer.byteLength(data) + Buffer.byteLength(metadata)
}

/** One line for operators: the problem and the way out. */
export function foreignText(stream: string): string {
  return `${stream} has a name of the shop's, and events of another application: they are passed over. Give the shop's streams a name of their own: npm run shop -- log copy --to esdb://…/NAME (docs/servers.md)`
}

/** Embedded engines number events from 1; 20 digits make the text sort like the number. */
export function positionOf(count: number): Position {
  return count === 0 ? '' : String(count).padStart(20, '0')
}

/** For people: without the leading zeros. */
export function shortOf(position: Position): string {
  return position.replace(/^0+(?=.)/, '') || '0'
}

/** Whether some log could have this position. */
export function isPosition(text: string): boolean {
  return POSITION.test(text)
}

/** How far this position is into a log that ends at `head`: on a server, positions are no numbers of events. */
export function shareOf(position: Position, head: Position): string {
  return `${head === '' ? 100 : Math.floor((100 * countOf(position)) / countOf(head))} % of the log`
}

export function countOf(position: Position): number {
  if (position !== '' && !isPosition(position)) throw new TypeError(`not a position of this log: ${position}`)
  return Number(position)
}
