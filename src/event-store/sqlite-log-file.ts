import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { FileNotPrivate, keepFilePrivate, makePrivateFile } from '../sqlite/private-file.ts'
import { EventStoreAway, EventStoreDamaged } from './event-store.ts'
import { EMPTY_LOG, headChecksum } from './sqlite-rows.ts'

const SCHEMA_VERSION = 1
/** 'CSev': says that a file is this shop's log. */
const APPLICATION_ID = 0x43_53_65_76
const BUSY_MS = 15
const OPENING_BUSY_MS = 5_000
const OPENING_ATTEMPTS_MAX = 20
const CHECK_FOLDER = 'Check that the folder exists, may be written by this user, and has room.'
const WAL_BYTES_KEPT = 67_108_864

const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_CONSTRAINT = 19
const SQLITE_NOTADB = 26
/** NOMEM, READONLY, IOERR, FULL, CANTOPEN: what the machine refuses. */
const REFUSED_BY_THE_MACHINE = new Set([7, 8, 10, SQLITE_FULL, 14])

// `heads` says twice what `events` and its index say, so that a lost page is noticed, not read as the end of a stream.
// The row of stream '' is the head of the whole log.
const SCHEMA = `
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    version INTEGER NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (stream, revision)
  ) STRICT;
  CREATE TABLE heads (
    stream TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    position INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE snapshots (
    stream TEXT PRIMARY KEY,
    schema_version INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    state TEXT NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
  INSERT INTO heads VALUES ('', ${EMPTY_LOG.revision}, ${EMPTY_LOG.position}, 0, ${headChecksum(EMPTY_LOG)});
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`

export type OpenDatabase = (file: string) => DatabaseSync

/**
 * Opens the log's file, makes it where there is none, and hands it to `prepare`. Throws one line when the file cannot be this log.
 */
export function openLogFile<T>(
  file: string,
  prepare: (database: DatabaseSync) => T,
  open: OpenDatabase = (file) => new DatabaseSync(file),
): T {
  refuseHalf(file)
  let database: DatabaseSync | undefined
  try {
    makePrivateFile(file)
    database = open(file)
    // Blocking is harmless before the first request.
    database.exec(`PRAGMA busy_timeout = ${OPENING_BUSY_MS}`)
    makeReady(file, database)
    keepFilePrivate(file)
    database.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA fullfsync = ON;
      PRAGMA checkpoint_fullfsync = ON;
      PRAGMA cell_size_check = ON;
      PRAGMA journal_size_limit = ${WAL_BYTES_KEPT};
      PRAGMA busy_timeout = ${BUSY_MS};
    `)
    return prepare(database)
  } catch (error) {
    database?.close()
    if (error instanceof FileNotPrivate)
      throw new Error(`${file} cannot be opened as the event log: ${error.message}. ${CHECK_FOLDER}`, { cause: error })
    if (sqliteCode(error) === undefined) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${file} cannot be opened as the event log: ${reason}. ${wayOut(error)}`, { cause: error })
  }
}

/** SQLite's primary result code, or undefined when SQLite did not say this. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

export const isBusy = (error: unknown): boolean => [SQLITE_BUSY, SQLITE_LOCKED].includes(sqliteCode(error) ?? 0)

export const isFull = (error: unknown): boolean => sqliteCode(error) === SQLITE_FULL

/** A broken page, or what only a broken page can lead to. */
export function isCorrupt(error: unknown): boolean {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE') return true
  return [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CONSTRAINT].includes(sqliteCode(error) ?? 0)
}

export function isRefusedByTheMachine(error: unknown): boolean {
  return REFUSED_BY_THE_MACHINE.has(sqliteCode(error) ?? 0)
}

/** SQLite would take a write-ahead log without its file for rubbish and remove it, and with it the newest events. Looked at first: it is made last. */
function refuseHalf(file: string): void {
  if (sizeOf(`${file}-wal`) === 0 || sizeOf(file) > 0) return
  throw new EventStoreDamaged(
    `${file} is missing or empty, but ${file}-wal is not: keep that one, and put back the file that it belongs to, or the newest backup of both.`,
  )
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function makeReady(file: string, database: DatabaseSync): void {
  refuseOthers(file, database)
  switchToWriteAheadLog(file, database)
  if (pragma(database, 'user_version') === SCHEMA_VERSION) return
  database.exec('BEGIN IMMEDIATE')
  // Another process may have made it since.
  if (isEmpty(database)) database.exec(SCHEMA)
  database.exec('COMMIT')
  refuseOthers(file, database)
}

function refuseOthers(file: string, database: DatabaseSync): void {
  // Asked first: another process may be making the file right now.
  if (isEmpty(database)) return
  if (pragma(database, 'application_id') !== APPLICATION_ID) {
    throw new Error(`${file} is not this shop's event log. Point DATA_DIR at another folder, or move the file away.`)
  }
  const version = pragma(database, 'user_version')
  if (version !== SCHEMA_VERSION) {
    const versions = `its version is ${String(version)}, this release has ${SCHEMA_VERSION}`
    throw new Error(`${file} was written by another release of the shop: ${versions}. Start that release again.`)
  }
}

function isEmpty(database: DatabaseSync): boolean {
  return pragma(database, 'schema_version') === 0
}

function switchToWriteAheadLog(file: string, database: DatabaseSync): void {
  for (let attempt = 1; ; attempt++) {
    try {
      const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode']
      if (mode !== 'wal') throw new EventStoreAway(`${file} is on a disk without shared memory. Use a local disk.`)
      return
    } catch (error) {
      // SQLite does not wait here when two processes make the same new file.
      if (!isBusy(error) || attempt === OPENING_ATTEMPTS_MAX) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS)
    }
  }
}

function pragma(database: DatabaseSync, name: string): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name]
}

function wayOut(error: unknown): string {
  if (isBusy(error)) return 'Another process holds it: stop that one, then start again.'
  if (isRefusedByTheMachine(error)) return CHECK_FOLDER
  return 'Restore the newest backup, or point DATA_DIR at another folder if this file is not the log.'
}
