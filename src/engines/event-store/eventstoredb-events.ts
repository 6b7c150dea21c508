import { type EventData, jsonEvent, type JSONType, type RecordedEvent } from '@eventstore/db-client'
import * as z from 'zod'
import type { EventToAppend, Position, StoredEvent } from './event-store.ts'
import { EventStoreDamaged } from './event-store.ts'

const POSITION_DIGITS = 20

// Names that the server's own projections and screens understand; the port's metadata has them without the $.
const RESERVED = { correlationId: '$correlationId', causationId: '$causationId' } as const

const BACK = new Map<string, string>(Object.entries(RESERVED).map(([name, reserved]) => [reserved, name]))

/** What the engine keeps of an event beside what the server does. */
const ours = z.looseObject({ version: z.int().min(1), recordedAt: z.int().min(0) })

/** The event as the driver takes it. Its texts come from JSON.stringify, so they come back as they were. */
export function toServer({ id, type, version, data, metadata }: EventToAppend, recordedAt: number): EventData {
  return jsonEvent({
    id,
    type,
    data: JSON.parse(data) as JSONType,
    metadata: { ...renamed(JSON.parse(metadata) as object, new Map(Object.entries(RESERVED))), version, recordedAt },
  })
}

/** An event of this stream. Throws `EventStoreDamaged` where it is none of this shop. */
export function fromServer({ event, stream }: { event: RecordedEvent; stream: string }): StoredEvent {
  const { id, type, position, isJson, revision } = event
  const parsed = ours.safeParse(event.metadata)
  // Malformed JSON comes as text. Only transactions of older clients have two positions; no event of this shop was written in one.
  if (
    parsed.success &&
    isJson &&
    typeof event.data === 'object' &&
    position?.commit === position?.prepare &&
    position
  ) {
    const { version, recordedAt, ...rest } = parsed.data
    const [data, metadata] = [JSON.stringify(event.data), JSON.stringify(renamed(rest, BACK))]
    const place = { stream, revision: Number(revision), position: positionText(position.commit), recordedAt }
    return { ...place, id, type, version, data, metadata }
  }
  const place = position === undefined ? '' : `, position ${position.commit}`
  throw new EventStoreDamaged(
    `event ${revision} of ${stream}${place} is not what was written. Stop the shop, keep the server's files, and restore the newest backup.`,
    position && { position: positionText(position.commit) },
  )
}

/** 0 where the event does not tell. */
export function recordedAtOf({ metadata }: RecordedEvent): number {
  return ours.safeParse(metadata).data?.recordedAt ?? 0
}

/** 20 digits make the text sort like the number. */
export function positionText(commit: bigint): Position {
  return String(commit).padStart(POSITION_DIGITS, '0')
}

/** In the same order. */
function renamed(metadata: object, names: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [names.get(name) ?? name, value]))
}
