import { crc32 } from 'node:zlib'
import type { SQLOutputValue } from 'node:sqlite'
import type { StoredEvent } from './event-store.ts'
import { positionOf } from './limits.ts'

/** The newest event of a stream, or of the log (stream ''). Positions count from 1 without gaps. */
export interface Head {
  readonly stream: string
  readonly revision: number
  readonly position: number
  readonly recordedAt: number
}

export const EMPTY_LOG: Head = { stream: '', revision: -1, position: 0, recordedAt: 0 }

// CRC-32 finds every short burst of flipped bits at almost no cost. It guards against failing disks, not forgery: a forger could
// recompute any checksum. No field before `data` can contain a space, so two different rows never give the same text.
export function eventChecksum(event: StoredEvent): number {
  const { position, stream, revision, id, type, version, recordedAt, data, metadata } = event
  // One call over the joined text: the call costs more than the bytes.
  return crc32(
    `${position} ${stream} ${revision} ${id} ${type} ${version} ${recordedAt} ${data.length} ${data}${metadata}`,
  )
}

export function headChecksum({ stream, revision, position, recordedAt }: Head): number {
  return crc32(`${stream} ${revision} ${position} ${recordedAt}`)
}

/** The columns of an event's row. */
export const EVENT = 'position, stream, revision, id, type, version, data, metadata, recorded_at, checksum'

/** The columns of a head's row. */
export const HEAD = 'stream, revision, position, recorded_at, checksum'

/** In the order of `EVENT` or `HEAD`. */
export type StoredRow = readonly SQLOutputValue[]

/** The row as an event; undefined if it is damaged. */
export function eventOf(row: StoredRow): StoredEvent | undefined {
  const [position, stream, revision, id, type, version, data, metadata, recordedAt, checksum] = row
  if (typeof position !== 'number' || typeof revision !== 'number' || typeof version !== 'number') return undefined
  if (typeof stream !== 'string' || typeof id !== 'string' || typeof type !== 'string') return undefined
  if (typeof data !== 'string' || typeof metadata !== 'string' || typeof recordedAt !== 'number') return undefined
  const event = { stream, revision, position: positionOf(position), id, type, version, data, metadata, recordedAt }
  return eventChecksum(event) === checksum ? event : undefined
}

/** The row as a head; undefined if it is damaged. */
export function headOf(row: StoredRow): Head | undefined {
  const [stream, revision, position, recordedAt, checksum] = row
  if (typeof stream !== 'string' || typeof revision !== 'number') return undefined
  if (typeof position !== 'number' || typeof recordedAt !== 'number') return undefined
  const head = { stream, revision, position, recordedAt }
  return headChecksum(head) === checksum ? head : undefined
}
