import { arraysOf, type Sql } from '../sqlite/connection.ts'
import type { StoredEvent } from './event-store.ts'
import { EventStoreDamaged, NO_EVENTS } from './event-store.ts'
import type { StoredRow, Head } from './sqlite-rows.ts'
import { EVENT, eventOf, HEAD, headOf } from './sqlite-rows.ts'

export interface LogTables {
  readonly file: string
  readonly sql: Sql
}

// To be called in a transaction. Each read verifies each row's checksum, and each page against the head.

const STREAM_PAGE = `SELECT ${EVENT} FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`
const LOG_PAGE = `SELECT ${EVENT} FROM events WHERE position > ? ORDER BY position LIMIT ?`

export function streamPage(log: LogTables, stream: string, fromRevision: number, limit: number): StoredEvent[] {
  const head = headIn(log, stream)
  if (head && head.revision < fromRevision) return []
  const place = (index: number): string => `event ${fromRevision + index} of ${stream}`
  const events = arraysOf<StoredRow>(log.sql, STREAM_PAGE, stream, fromRevision, limit).map((row, index) => {
    const event = eventOf(row)
    if (event?.stream !== stream || event.revision !== fromRevision + index) throw damaged(log, place(index))
    return event
  })
  const due = Math.min((head?.revision ?? NO_EVENTS) - fromRevision + 1, limit)
  if (events.length !== Math.max(due, 0)) throw damaged(log, place(Math.min(events.length, due)))
  return events
}

export function logPage(log: LogTables, afterCount: number, limit: number): StoredEvent[] {
  const events = arraysOf<StoredRow>(log.sql, LOG_PAGE, afterCount, limit).map((row, index) => {
    const event = eventOf(row)
    const position = afterCount + index + 1
    if (event === undefined || row[0] !== position)
      throw damaged(log, `the event at position ${position} (${nameOf(row)})`)
    return event
  })
  const due = Math.min(Math.max(headOfLog(log).position - afterCount, 0), limit)
  if (events.length !== due) throw damaged(log, `the event at position ${afterCount + events.length + 1}`)
  return events
}

export function headOfLog(log: LogTables): Head {
  const head = headIn(log, '')
  if (head === undefined) throw damaged(log, 'the head of the log')
  const newest = log.sql('SELECT max(position) AS position FROM events').get()?.['position'] ?? 0
  if (newest !== head.position) throw damaged(log, `the end of the log (position ${head.position})`)
  return head
}

export function lastRevision(log: LogTables, stream: string): number {
  const last = headIn(log, stream)?.revision ?? NO_EVENTS
  const found = log.sql('SELECT max(revision) AS revision FROM events WHERE stream = ?').get(stream)?.['revision']
  if ((found ?? NO_EVENTS) !== last) throw damaged(log, `the end of ${stream} (revision ${last})`)
  return last
}

function headIn(log: LogTables, stream: string): Head | undefined {
  const [row] = arraysOf<StoredRow>(log.sql, `SELECT ${HEAD} FROM heads WHERE stream = ?`, stream)
  if (row === undefined) return undefined
  const head = headOf(row)
  if (head?.stream !== stream) throw damaged(log, stream === '' ? 'the head of the log' : `the head of ${stream}`)
  return head
}

function nameOf([, stream, revision]: StoredRow): string {
  return `event ${String(revision)} of ${String(stream)}`
}

function damaged({ file }: LogTables, what: string): EventStoreDamaged {
  return new EventStoreDamaged(
    `${file}: ${what} is not what was written. Stop the shop, keep a copy of the file, and restore the newest backup.`,
  )
}
