import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { SqliteErrors } from './errors.ts'
import { CommitUncertain, isLocked, isFull, LogInUse, ValueDamaged } from './errors.ts'
import { keepFilePrivate } from './private-file.ts'

/** Returns the prepared statement of this text. */
export type Sql = (text: string) => StatementSync

export interface Connection {
  readonly database: DatabaseSync
  readonly sql: Sql
}

export interface SqliteOptions {
  /** Stored in the file's header, to recognize a file of another program or port. */
  readonly applicationId: number
  /** Also stored in the header, as `user_version`. */
  readonly format: number
  /** Brings a file of format `from` (0: a new file) to `format`, in one transaction. */
  readonly prepare: (database: DatabaseSync, from: number) => void
  /** Completes the sentence '... is not ...': 'the event log of this shop'. */
  readonly name: string
  /** What to do about a damaged file, one line. */
  readonly remedy: string
  readonly errors: SqliteErrors
  /** See `FileWords`. */
  readonly hasFixedTables: boolean
  /** FULL: a completed write survives a power loss. NORMAL: the newest writes may be lost. OFF: the file may be lost. */
  readonly synchronous: 'FULL' | 'NORMAL' | 'OFF'
  /** Overwrites deleted data; `wipe` removes the rest. */
  readonly secureDelete?: boolean
  /** Checks all pages when the file is opened; for a small file. */
  readonly integrityCheck?: boolean
  /** Sorts in temporary files instead of memory. Their bytes are not wiped: never for personal data. */
  readonly sortsInFiles?: boolean
  /** Page cache of each connection; SQLite's own default is 2,000. */
  readonly cacheKib?: number
  /** Pages in the write-ahead log before a checkpoint; SQLite's own default is 1,000. */
  readonly checkpointPages?: number
  /** In memory; with `sortsInFiles`, the cache overflows to an unnamed file, which is deleted with the connection. */
  readonly isTemporary?: boolean | undefined
  /** Never creates the file, even if it was deleted. */
  readonly mustExist?: boolean | undefined
  /** Reads a file of this format; creates, changes and migrates none. */
  readonly isReadOnly?: boolean | undefined
  /** Opens the connection; for tests that fill the disk. */
  readonly open?: (file: string) => DatabaseSync
}

const STATEMENTS_MAX = 256
const LOG_BYTES_KEPT = 67_108_864

/**
 * Opens or creates the file and migrates it to its format. A file that is not ours is left unchanged. Nothing here waits for a lock, since
 * SQLite would block the thread: see `untilUnlocked`.
 */
export function connect(file: string, options: SqliteOptions): Connection {
  if (options.isTemporary) return connectTemporary(options)
  if (!options.mustExist) refuseLogWithoutFile(file, options)
  if (options.isReadOnly) return connectToRead(file, options)
  const connection = openConfigured(file, options)
  const { database, sql } = connection
  try {
    const format = inRead(connection, () => formatOf(file, sql, options))
    // After the check, so that another program's file keeps its mode.
    keepFilePrivate(file)
    if (valueOf(sql, 'journal_mode = WAL', 'journal_mode') !== 'wal')
      throw options.errors.away(`${file} must be on a local disk: this one cannot keep its write-ahead log`)
    if (options.integrityCheck && format > 0 && valueOf(sql, 'integrity_check(1)', 'integrity_check') !== 'ok')
      throw new ValueDamaged('integrity_check found a broken page')
    if (format < options.format) migrate(file, connection, options)
    return connection
  } catch (error) {
    database.close()
    throw error
  }
}

function connectTemporary(options: SqliteOptions): Connection {
  const name = options.sortsInFiles ? '' : ':memory:'
  const connection = openConfigured(name, options)
  connection.database.exec('PRAGMA journal_mode = MEMORY')
  migrate(name, connection, options)
  return connection
}

function connectToRead(file: string, options: SqliteOptions): Connection {
  if (!options.mustExist && sizeOf(file) === 0) throw options.errors.damaged(`${file} is missing or empty`)
  const connection = openConfigured(file, options)
  try {
    const format = inRead(connection, () => formatOf(file, connection.sql, options))
    if (format === options.format) return connection
    throw options.errors.damaged(
      `${file} was written by an older version of the shop, or never: start this one once, which brings it up`,
    )
  } catch (error) {
    connection.database.close()
    throw error
  }
}

/** All rows, each as an array: half the cost of objects. */
export function arraysOf<Row>(sql: Sql, text: string, ...values: readonly SQLInputValue[]): Row[] {
  const statement = sql(text)
  statement.setReturnArrays(true)
  return statement.all(...values) as unknown as Row[]
}

/** Runs `work` in a transaction, rolled back on failure. */
export function inTransaction<T>({ database }: Connection, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    commit(database)
    return result
  } catch (error) {
    // After some errors SQLite has rolled back already.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Runs `work` on one snapshot. */
export function inRead<T>({ database, sql }: Connection, work: () => T): T {
  if (database.isTransaction) return work()
  sql('BEGIN').run()
  try {
    return work()
  } finally {
    if (database.isTransaction) sql('COMMIT').run()
  }
}

/** Rewrites the file: SQLite leaves copies of deleted rows that it has moved. */
export function vacuum({ database }: Connection): void {
  database.exec('VACUUM')
}

/** After `vacuum`, no deleted byte is left. Throws `LogInUse` while another connection reads the write-ahead log. */
export function truncateLog({ sql }: Connection): void {
  if (valueOf(sql, 'wal_checkpoint(TRUNCATE)', 'busy') !== 0) throw new LogInUse()
}

/** SQLite would delete a write-ahead log without its file, and the newest writes. Looks for the log first, since SQLite creates it last. */
function refuseLogWithoutFile(file: string, { errors }: SqliteOptions): void {
  if (sizeOf(`${file}-wal`) === 0 || sizeOf(file) > 0) return
  const wayOut = 'keep that one, and put back the file that it belongs to, or the newest backup of both'
  throw errors.damaged(`${file} is missing or empty, but ${file}-wal is not: ${wayOut}`)
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function openConfigured(file: string, options: SqliteOptions): Connection {
  const path = options.mustExist && !options.isReadOnly ? existingFileUrl(file) : file
  const database = options.open?.(file) ?? new DatabaseSync(path, { readOnly: options.isReadOnly ?? false })
  try {
    configure(database, options)
  } catch (error) {
    database.close()
    throw error
  }
  return { database, sql: statementsOf(database) }
}

function existingFileUrl(file: string): URL {
  const url = pathToFileURL(file)
  url.search = '?mode=rw'
  return url
}

function configure(
  database: DatabaseSync,
  { synchronous, secureDelete, sortsInFiles, cacheKib, checkpointPages }: SqliteOptions,
): void {
  database.exec(`
    PRAGMA synchronous = ${synchronous};
    PRAGMA fullfsync = ${synchronous === 'FULL'};
    PRAGMA checkpoint_fullfsync = ${synchronous === 'FULL'};
    PRAGMA secure_delete = ${secureDelete ?? false};
    PRAGMA temp_store = ${sortsInFiles ? 'FILE' : 'MEMORY'};
    PRAGMA cell_size_check = ON;
    PRAGMA journal_size_limit = ${LOG_BYTES_KEPT};
    ${cacheKib === undefined ? '' : `PRAGMA cache_size = -${cacheKib};`}
    ${checkpointPages === undefined ? '' : `PRAGMA wal_autocheckpoint = ${checkpointPages};`}
  `)
}

function statementsOf(database: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>()
  return (text) => {
    const known = statements.get(text)
    if (known) return known
    if (statements.size >= STATEMENTS_MAX) statements.clear()
    const statement = database.prepare(text)
    statements.set(text, statement)
    return statement
  }
}

/** 0 for a new file. */
function formatOf(file: string, sql: Sql, options: SqliteOptions): number {
  const applicationId = valueOf(sql, 'application_id')
  const format = Number(valueOf(sql, 'user_version'))
  if (applicationId === 0 && format === 0 && !sql('SELECT 1 FROM sqlite_schema LIMIT 1').get()) return 0
  if (applicationId !== options.applicationId) {
    const wayOut = 'point DATA_DIR at another folder, or move the file away'
    throw options.errors.damaged(`${file} is not ${options.name} and was left as it is: ${wayOut}`)
  }
  if (format > options.format)
    throw options.errors.damaged(`${file} was written by a newer version of the shop: start that version`)
  if (format < 1) throw new ValueDamaged(`its format is ${format}`)
  return format
}

function migrate(file: string, connection: Connection, options: SqliteOptions): void {
  const { database, sql } = connection
  inTransaction(connection, () => {
    // Another process may have migrated the file since.
    const from = formatOf(file, sql, options)
    if (from === options.format) return
    options.prepare(database, from)
    database.exec(`PRAGMA application_id = ${options.applicationId}; PRAGMA user_version = ${options.format}`)
  })
}

function commit(database: DatabaseSync): void {
  try {
    database.exec('COMMIT')
  } catch (error) {
    // On a full disk or a lock nothing was committed; after any other error the commit may count after a crash.
    if (isFull(error) || isLocked(error)) throw error
    throw new CommitUncertain('the disk did not say whether the commit was written', { cause: error })
  }
}

function valueOf(sql: Sql, pragma: string, column = pragma): unknown {
  return sql(`PRAGMA ${pragma}`).get()?.[column]
}
