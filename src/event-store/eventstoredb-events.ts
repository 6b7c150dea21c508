import { binaryEvent, type EventData, jsonEvent, type JSONType, type RecordedEvent } from '@eventstore/db-client'
import * as z from 'zod'
import type { EventToAppend, Position, Snapshot, StoredEvent } from './event-store.ts'
import { EventStoreDamaged, START } from './event-store.ts'
import { eventChecksum, snapshotChecksum } from './sqlite-rows.ts'

const POSITION_DIGITS = 20

// Names that the server's own projections and screens understand; the port's metadata has them without the $.
const RESERVED = { correlationId: '$correlationId', causationId: '$causationId' } as const

const BACK = new Map<string, string>(Object.entries(RESERVED).map(([name, reserved]) => [reserved, name]))

/** What the engine keeps of an event beside what the server does; the checksum is of what the port was given. */
const ours = z.looseObject({ version: z.int().min(1), recordedAt: z.int().min(0), checksum: z.int().min(0) })

const snapshotMetadata = z.object({
  schemaVersion: z.int(),
  revision: z.int(),
  eventId: z.string(),
  checksum: z.int(),
})

/** The event as the driver takes it. Throws where it would not come back as the same text. */
export function toServer(
  event: EventToAppend,
  place: { readonly stream: string; readonly revision: number; readonly recordedAt: number },
): EventData {
  const { id, type, version } = event
  const metadata = canonical('metadata', event.metadata)
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    throw new TypeError(`metadata is not an object: ${event.metadata.slice(0, 80)}`)
  for (const name of Object.keys(metadata))
    if (name.startsWith('$') || Object.hasOwn(ours.shape, name)) throw new TypeError(`metadata has the name ${name}`)
  const checksum = eventChecksum({ ...event, ...place, position: START })
  return jsonEvent({
    id,
    type,
    data: canonical('data', event.data) as JSONType,
    metadata: {
      ...renamed(metadata, new Map(Object.entries(RESERVED))),
      version,
      recordedAt: place.recordedAt,
      checksum,
    },
  })
}

/** An event of this stream as it was written. Throws `EventStoreDamaged` where it is not. */
export function fromServer({ event, stream }: { event: RecordedEvent; stream: string }): StoredEvent {
  const { id, type, position, isJson } = event
  const parsed = ours.safeParse(event.metadata)
  // Only transactions of older clients have two different positions; no event of this shop was written in one.
  if (parsed.success && isJson && position !== undefined && position.commit === position.prepare) {
    const { version, recordedAt, checksum, ...rest } = parsed.data
    const [data, metadata] = [JSON.stringify(event.data), JSON.stringify(renamed(rest, BACK))]
    const stored = { stream, revision: Number(event.revision), id, type, version, data, metadata, recordedAt }
    if (eventChecksum({ ...stored, position: START }) === checksum)
      return { ...stored, position: positionText(position.commit) }
  }
  const place = position === undefined ? '' : `, position ${position.commit}`
  throw new EventStoreDamaged(
    `event ${event.revision} of ${stream}${place} is not what was written. Stop the shop, keep the server's files, and restore the newest backup.`,
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

/** As bytes, since a text inside JSON could be twice as long. */
export function snapshotToServer(stream: string, snapshot: Snapshot): EventData {
  const { state, ...rest } = snapshot
  return binaryEvent({
    type: 'Snapshot',
    data: Buffer.from(state),
    metadata: { ...rest, checksum: snapshotChecksum(stream, snapshot) },
  })
}

export function snapshotFromServer(stream: string, { data, metadata, streamId }: RecordedEvent): Snapshot {
  const parsed = snapshotMetadata.safeParse(metadata)
  if (parsed.success && data instanceof Uint8Array) {
    const { checksum, ...rest } = parsed.data
    const snapshot = { ...rest, state: Buffer.from(data).toString() }
    if (snapshotChecksum(stream, snapshot) === checksum) return snapshot
  }
  throw new EventStoreDamaged(
    `the snapshot of ${stream} is not what was written. It is only a copy: delete the stream ${streamId}, it is made again.`,
  )
}

/** The driver parses and writes JSON anew, which only this form survives. */
function canonical(name: string, text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new TypeError(`${name} is not JSON: ${text.slice(0, 80)}`)
  }
  if (JSON.stringify(value) !== text)
    throw new TypeError(`${name} is not JSON as it is written here: ${text.slice(0, 80)}`)
  return value
}

/** In the same order. */
function renamed(metadata: object, names: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [names.get(name) ?? name, value]))
}
