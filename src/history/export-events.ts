import type { EventMetadata } from '../event-store/event-codec.ts'
import type { StoredEvent } from '../event-store/event-store.ts'
import type { Column, Row } from './columns.ts'

export const eventColumns: readonly Column[] = [
  { name: 'position', type: 'integer', says: 'its place in the log; `--after` goes on behind it' },
  { name: 'recordedAt', type: 'timestamp', says: 'when the log recorded it' },
  { name: 'stream', type: 'text', says: 'whose event it is: `order-<id>`, `stock-main`, ...' },
  { name: 'revision', type: 'integer', says: 'its place in the stream, from 0' },
  { name: 'type', type: 'text', says: 'what happened; `docs/events.md` has them all' },
  { name: 'version', type: 'integer', says: "of the type's shape" },
  { name: 'actor', type: 'text', says: '`buyer`, `staff`, `system` or `provider`' },
  { name: 'correlationId', type: 'text', says: 'the same for all that one request caused' },
  { name: 'causationId', type: 'text', says: 'the event that caused it, if one did' },
  { name: 'id', type: 'text', says: 'of the event' },
  { name: 'data', type: 'json', says: 'its facts, without what is sealed' },
]

/** A JSON string that `seal` has written. */
const SEALED = /"v1\.[\w-]+\.[\w-]{38,}"/g

export function eventRow(event: StoredEvent): Row {
  const { position, recordedAt, stream, revision, type, version, id } = event
  const { actor, correlationId, causationId } = JSON.parse(event.metadata) as EventMetadata
  const at = new Date(recordedAt).toISOString()
  return [Number(position), at, stream, revision, type, version, actor, correlationId, causationId, id, factsOf(event)]
}

/** The event's data as JSON text, with null for what is sealed under a customer's key. */
export function factsOf({ data }: Pick<StoredEvent, 'data'>): string {
  return data.includes('"v1.') ? data.replaceAll(SEALED, 'null') : data
}
