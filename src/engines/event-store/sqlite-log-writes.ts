import type { AppendResult, EventToAppend } from './event-store.ts'
import { AppendConflict, EventStoreDamaged } from './event-store.ts'
import { positionOf } from './limits.ts'
import { headOfLog, lastRevision, streamPage } from './sqlite-log-reads.ts'
import type { LogTables } from './sqlite-log-reads.ts'
import type { Head } from './sqlite-rows.ts'
import { eventChecksum, headChecksum } from './sqlite-rows.ts'

export interface Append {
  readonly stream: string
  readonly expectedRevision: number
  readonly events: readonly EventToAppend[]
}

export interface Appended {
  /** One per append, in order. */
  readonly outcomes: readonly (AppendResult | AppendConflict | EventStoreDamaged)[]
  /** Number of events in the log. */
  readonly head: number
}

/** Runs in one transaction; each append succeeds or fails on its own. */
export function appendTogether(log: LogTables, appends: readonly Append[], now: () => number): Appended {
  const before = headOfLog(log)
  let head = before
  const outcomes = appends.map((append) => {
    try {
      const current = lastRevision(log, append.stream)
      if (append.expectedRevision !== current) return matchEarlierAppend(log, append, current)
      head = insert(log, append, { current, head, recordedAt: Math.max(Math.floor(now()), head.recordedAt) })
      return { revision: current + append.events.length, position: positionOf(head.position) }
    } catch (error) {
      if (error instanceof EventStoreDamaged) return error
      throw error
    }
  })
  if (head !== before) saveHead(log, head)
  return { outcomes, head: head.position }
}

/** The result of an identical earlier append, or the conflict. */
function matchEarlierAppend(
  log: LogTables,
  { stream, expectedRevision, events }: Append,
  current: number,
): AppendResult | AppendConflict {
  const stored = expectedRevision < current ? streamPage(log, stream, expectedRevision + 1, events.length) : []
  const last = stored.at(-1)
  const isSame = stored.length === events.length && stored.every(({ id }, index) => id === events[index]?.id)
  if (last === undefined || !isSame) return new AppendConflict(stream, expectedRevision, current)
  return { revision: last.revision, position: last.position }
}

/** Returns the new head of the log. */
function insert(
  log: LogTables,
  { stream, events }: Append,
  { current, head, recordedAt }: { current: number; head: Head; recordedAt: number },
): Head {
  const insertEvent = log.sql('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const [index, { id, type, version, data, metadata }] of events.entries()) {
    const revision = current + 1 + index
    const count = head.position + 1 + index
    const event = { stream, revision, position: positionOf(count), id, type, version, data, metadata, recordedAt }
    insertEvent.run(count, stream, revision, id, type, version, data, metadata, recordedAt, eventChecksum(event))
  }
  const position = head.position + events.length
  saveHead(log, { stream, revision: current + events.length, position, recordedAt })
  return { stream: '', revision: position - 1, position, recordedAt }
}

function saveHead({ sql }: LogTables, head: Head): void {
  const { stream, revision, position, recordedAt } = head
  sql('INSERT OR REPLACE INTO heads VALUES (?, ?, ?, ?, ?)').run(
    stream,
    revision,
    position,
    recordedAt,
    headChecksum(head),
  )
}
