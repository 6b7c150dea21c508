import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { AppendResult, EventToAppend, Position, Snapshot, StoredEvent } from './event-store.ts'
import { AppendAmbiguous, AppendConflict, EventStoreDamaged, NO_EVENTS } from './event-store.ts'
import { positionOf } from './limits.ts'
import { newestEvents } from './newest-events.ts'
import { isBusy, isFull } from './sqlite-log-file.ts'
import type { EventRow, Head } from './sqlite-rows.ts'
import { EVENT, eventChecksum, eventOf, headChecksum, headOf, snapshotChecksum, snapshotOf } from './sqlite-rows.ts'

export interface Append {
  readonly stream: string
  readonly expectedRevision: number
  readonly events: readonly EventToAppend[]
}

export type AppendOutcome = AppendResult | AppendConflict | EventStoreDamaged

/** The log as SQLite keeps it: nothing here waits, and every row is checked whenever it is read. What this connection has just written is not read back. */
export interface SqliteLog {
  /** One transaction; each append in it succeeds or fails on its own. */
  appendTogether(appends: readonly Append[]): AppendOutcome[]
  /** All that `read` asks for is answered from one moment; to begin and end such a look costs more than most looks. */
  inOneRead<T>(read: () => T): T
  readStream(stream: string, fromRevision: number, limit: number): StoredEvent[]
  readAll(afterCount: number, limit: number): StoredEvent[]
  head(): Position
  readSnapshot(stream: string): Snapshot | undefined
  writeSnapshot(stream: string, snapshot: Snapshot): void
  /** Another number once another connection has written. */
  dataVersion(): unknown
  close(): void
}

export function sqliteLog(file: string, database: DatabaseSync, now: () => number): SqliteLog {
  const selectEvents = (rest: string): StatementSync => {
    const statement = database.prepare(`SELECT ${EVENT} FROM events ${rest}`)
    statement.setReturnArrays(true)
    return statement
  }
  const selectStream = selectEvents('WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?')
  const selectAll = selectEvents('WHERE position > ? ORDER BY position LIMIT ?')
  const selectNewest = database.prepare('SELECT max(position) AS position FROM events')
  const selectLast = database.prepare('SELECT max(revision) AS revision FROM events WHERE stream = ?')
  const selectHead = database.prepare('SELECT * FROM heads WHERE stream = ?')
  const selectSnapshot = database.prepare('SELECT * FROM snapshots WHERE stream = ?')
  const selectDataVersion = database.prepare('PRAGMA data_version')
  const insertEvent = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const replaceHead = database.prepare('INSERT OR REPLACE INTO heads VALUES (?, ?, ?, ?, ?)')
  const replaceSnapshot = database.prepare('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)')
  const beginRead = database.prepare('BEGIN')
  const endRead = database.prepare('COMMIT')
  const newest = newestEvents()

  const dataVersion = (): unknown => selectDataVersion.get()?.['data_version']

  const damaged = (what: string): EventStoreDamaged =>
    new EventStoreDamaged(
      `${file}: ${what} is not what was written. Stop the shop, keep a copy of the file, and restore the newest backup.`,
    )

  const rollBack = (): void => {
    if (database.isTransaction) database.exec('ROLLBACK')
  }

  const inOneRead = <T>(read: () => T): T => {
    if (database.isTransaction) return read()
    beginRead.run()
    try {
      return read()
    } finally {
      // After some errors SQLite has ended it by itself.
      if (database.isTransaction) endRead.run()
    }
  }

  const headIn = (stream: string): Head | undefined => {
    const row = selectHead.get(stream)
    if (row === undefined) return undefined
    const head = headOf(row)
    if (head?.stream !== stream) throw damaged(stream === '' ? 'the head of the log' : `the head of ${stream}`)
    return head
  }

  const lastRevision = (stream: string): number => {
    const last = headIn(stream)?.revision ?? NO_EVENTS
    const found = selectLast.get(stream)?.['revision'] ?? NO_EVENTS
    if (found !== last) throw damaged(`the end of ${stream} (revision ${last})`)
    return last
  }

  const headOfLog = (): Head => {
    const head = headIn('')
    if (head === undefined) throw damaged('the head of the log')
    const newest = selectNewest.get()?.['position'] ?? 0
    if (newest !== head.position) throw damaged(`the end of the log (position ${head.position})`)
    return head
  }

  const streamPage = (stream: string, fromRevision: number, limit: number): StoredEvent[] => {
    const place = (index: number): string => `event ${fromRevision + index} of ${stream}`
    const rows = selectStream.all(stream, fromRevision, limit) as unknown as EventRow[]
    const events = rows.map((row, index) => {
      const event = eventOf(row)
      const isAsked = event?.stream === stream && event.revision === fromRevision + index
      if (!isAsked) throw damaged(place(index))
      return event
    })
    const last = headIn(stream)?.revision ?? NO_EVENTS
    const due = Math.min(Math.max(last - fromRevision + 1, 0), limit)
    if (events.length !== due) throw damaged(place(Math.min(events.length, due)))
    return events
  }

  const allPage = (afterCount: number, limit: number): StoredEvent[] => {
    const rows = selectAll.all(afterCount, limit) as unknown as EventRow[]
    const events = rows.map((row, index) => {
      const event = eventOf(row)
      const position = afterCount + index + 1
      if (event === undefined || row[0] !== position) throw damaged(`the event at position ${position} (${named(row)})`)
      return event
    })
    const due = Math.min(Math.max(headOfLog().position - afterCount, 0), limit)
    if (events.length !== due) throw damaged(`the event at position ${afterCount + events.length + 1}`)
    return events
  }

  const keepHead = (head: Head): void => {
    replaceHead.run(head.stream, head.revision, head.position, head.recordedAt, headChecksum(head))
  }

  const insert = ({ stream, events }: Append, past: number, log: Head, written: StoredEvent[]): Head => {
    const recordedAt = Math.max(Math.floor(now()), log.recordedAt)
    for (const [index, { id, type, version, data, metadata }] of events.entries()) {
      const revision = past + 1 + index
      const count = log.position + 1 + index
      const event = { stream, revision, position: positionOf(count), id, type, version, data, metadata, recordedAt }
      insertEvent.run(count, stream, revision, id, type, version, data, metadata, recordedAt, eventChecksum(event))
      written.push(event)
    }
    const position = log.position + events.length
    keepHead({ stream, revision: past + events.length, position, recordedAt })
    return { stream: '', revision: position - 1, position, recordedAt }
  }

  const standing = ({ stream, expectedRevision, events }: Append, past: number): AppendResult | AppendConflict => {
    const there = expectedRevision < past ? streamPage(stream, expectedRevision + 1, events.length) : []
    const last = there.at(-1)
    const isThere = there.length === events.length && there.every(({ id }, index) => id === events[index]?.id)
    if (last === undefined || !isThere) return new AppendConflict(stream, expectedRevision, past)
    return { revision: last.revision, position: last.position }
  }

  const commit = (): void => {
    try {
      database.exec('COMMIT')
    } catch (error) {
      // With no room or no lock the commit mark was not written; after any other error it may be in the file and count after a crash.
      newest.forget()
      if (isFull(error) || isBusy(error)) throw error
      throw new AppendAmbiguous(`${file}: the disk did not say whether the events were written`, { cause: error })
    }
  }

  const appendTogether = (appends: readonly Append[]): AppendOutcome[] => {
    database.exec('BEGIN IMMEDIATE')
    try {
      const before = headOfLog()
      const version = dataVersion()
      const written: StoredEvent[] = []
      let log = before
      const outcomes = appends.map((append) => {
        try {
          const past = lastRevision(append.stream)
          if (append.expectedRevision !== past) return standing(append, past)
          log = insert(append, past, log, written)
          return { revision: past + append.events.length, position: positionOf(log.position) }
        } catch (error) {
          if (error instanceof EventStoreDamaged) return error
          throw error
        }
      })
      if (log === before) rollBack()
      else {
        keepHead(log)
        commit()
        newest.add(before.position, written, version)
      }
      return outcomes
    } catch (error) {
      rollBack()
      throw error
    }
  }

  return {
    appendTogether,
    inOneRead,
    readStream(stream, fromRevision, limit) {
      const known = newest.ofStream(stream, fromRevision, limit, dataVersion())
      if (known) return known
      // Whoever has read the whole stream before asks again and again whether there is more: one look tells.
      if (fromRevision > 0 && headIn(stream)?.revision === fromRevision - 1) return []
      return inOneRead(() => streamPage(stream, fromRevision, limit))
    },
    readAll: (afterCount, limit) =>
      newest.after(afterCount, limit, dataVersion()) ?? inOneRead(() => allPage(afterCount, limit)),
    head: () => newest.head(dataVersion()) ?? positionOf(inOneRead(headOfLog).position),

    readSnapshot(stream) {
      const row = selectSnapshot.get(stream)
      if (row === undefined) return undefined
      const snapshot = row['stream'] === stream ? snapshotOf(row) : undefined
      if (snapshot !== undefined) return snapshot
      const what = `${file}: the snapshot of ${stream} (revision ${String(row['revision'])}) is not what was written`
      throw new EventStoreDamaged(`${what}. It is only a copy: write another over it, or delete that row of snapshots.`)
    },

    writeSnapshot(stream, snapshot) {
      const { schemaVersion, revision, eventId, state } = snapshot
      replaceSnapshot.run(stream, schemaVersion, revision, eventId, state, snapshotChecksum(stream, snapshot))
    },

    dataVersion,
    close: () => database.close(),
  }
}

function named([, stream, revision]: EventRow): string {
  return `event ${String(revision)} of ${String(stream)}`
}
