import { type EventData, jsonEvent, type JSONType, type RecordedEvent } from '@eventstore/db-client'
import * as z from 'zod'
import type { EventToAppend, Position, StoredEvent } from './event-store.ts'
import { EventStoreDamaged } from './event-store.ts'

const POSITION_DIGITS = 20

// Names that the server's own projections and screens use; the port's metadata has no $.
const RESERVED = { correlationId: '$correlationId', causationId: '$causationId' } as const

const BACK = new Map<string, string>(Object.entries(RESERVED).map(([name, reserved]) => [reserved, name]))

/** The engine's own fields in the server's metadata. */
const ours = z.looseObject({
  version: z.int().min(1),
  recordedAt: z.int().min(0),
  /** How many events of the same append come after this one; absent in its last. */
  following: z.int().min(1).optional(),
})

/** The driver's event. Its texts come from JSON.stringify, so a round trip keeps them unchanged. */
export function toServer(
  { id, type, version, data, metadata }: EventToAppend,
  { recordedAt, following }: { recordedAt: number; following: number },
): EventData {
  return jsonEvent({
    id,
    type,
    data: JSON.parse(data) as JSONType,
    metadata: {
      ...renameFields(JSON.parse(metadata) as object, new Map(Object.entries(RESERVED))),
      version,
      recordedAt,
      ...(following > 0 && { following }),
    },
  })
}

/** Whether the event carries the shop's mark, whole or damaged. Others may use a stream of the same name. */
export function isMarked({ metadata }: RecordedEvent): boolean {
  return typeof metadata === 'object' && metadata !== null && 'recordedAt' in metadata && 'version' in metadata
}

/** What the server appends to a stream that is deleted for good. */
export function isTombstone({ type }: RecordedEvent): boolean {
  return type === '$streamDeleted'
}

/** An event of this stream. Throws `EventStoreDamaged` if it is damaged, or not a shop's. */
export function fromServer({ event, stream }: { event: RecordedEvent; stream: string }): StoredEvent {
  const { id, type, position, isJson, revision } = event
  const parsed = ours.safeParse(event.metadata)
  // The driver returns malformed JSON as text. Only older clients' transactions have two positions; this shop uses none.
  if (
    parsed.success &&
    isJson &&
    typeof event.data === 'object' &&
    position?.commit === position?.prepare &&
    position
  ) {
    const { version, recordedAt, following: _, ...rest } = parsed.data
    const [data, metadata] = [JSON.stringify(event.data), JSON.stringify(renameFields(rest, BACK))]
    const place = { stream, revision: Number(revision), position: positionText(position.commit), recordedAt }
    return { ...place, id, type, version, data, metadata }
  }
  const place = position === undefined ? '' : `, position ${position.commit}`
  throw new EventStoreDamaged(
    isTombstone(event)
      ? `${stream} was deleted on the server`
      : `event ${revision} of ${stream}${place} is not what was written`,
    position && { position: positionText(position.commit) },
  )
}

/** 0 if the event has no time. */
export function recordedAtOf({ metadata }: RecordedEvent): number {
  return ours.safeParse(metadata).data?.recordedAt ?? 0
}

/** Whether more events of the same append follow: a subscription delivers them one by one. */
export function isPartOfAppend({ metadata }: RecordedEvent): boolean {
  return typeof metadata === 'object' && metadata !== null && 'following' in metadata
}

/** 20 digits make the text sort like the number. */
export function positionText(commit: bigint): Position {
  return String(commit).padStart(POSITION_DIGITS, '0')
}

/** Keeps the order of the fields. */
function renameFields(metadata: object, names: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [names.get(name) ?? name, value]))
}
