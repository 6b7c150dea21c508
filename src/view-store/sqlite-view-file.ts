import { AsyncLocalStorage } from 'node:async_hooks'
import { DatabaseSync } from 'node:sqlite'
import type { StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepFilePrivate, makePrivateFile } from '../sqlite/private-file.ts'
import { ViewStoreAway } from './view-store.ts'

/** The file is damaged, of a newer shop, or not ours at all. The message is one line and says what to do. */
export class ViewFileUnusable extends Error {
  override readonly name = 'ViewFileUnusable'
}

/** Gives the prepared statement of this text. */
export type Sql = (text: string) => StatementSync

/** One SQLite file: who may write when, what is repeated, and what its errors mean. */
export interface ViewFile {
  /** Inside a batch it sees what the batch wrote; outside only what is committed, without waiting. */
  read<T>(work: (sql: Sql) => T): Promise<T>
  /** One transaction of its own, after the running batch, or a part of the batch that it is called from. */
  write<T>(work: (sql: Sql) => T): Promise<T>
  /** A transaction of its own for what sorts a whole table: in a file without a name, so in little memory. Never for what names people. */
  sort(work: (sql: Sql) => void): Promise<void>
  /** Everything that `work` awaits is one transaction. Other writers wait, so that a rollback takes nothing of theirs. */
  batch<T>(work: () => Promise<T>): Promise<T>
  /** Whether this is called from a batch. */
  isInBatch(): boolean
  /** Empties the write-ahead log, the last place where deleted bytes can be found; where it cannot now, a later commit does. */
  wipe(): Promise<void>
  /** The same after the next commit, unless somebody is reading just then; if so after one of the next. */
  wipeSoon(): void
  close(): Promise<void>
}

interface Connection {
  readonly database: DatabaseSync
  readonly sql: Sql
}

interface Connections {
  readonly writer: Connection
  readonly reader: Connection
}

interface Batch {
  readonly writer: Connection
  state: 'running' | 'done' | 'failed'
  failure: unknown
}

const APPLICATION_ID = 0x43535657
/** What an older one holds is built again. */
const FORMAT = 3
/** Named by the format: an older shop that still runs beside this one finds nothing to write to. */
export const COLLECTIONS = `"collections of format ${FORMAT}"`
export const MARKS = `"marks of format ${FORMAT}"`

/** SQLite blocks the whole process while it waits for another one's lock, so that is short and the rest is waited asynchronously. */
const BLOCKED_MS_MAX = 10
const RETRY_MS = 5
const RETRY_JITTER_MS = 20
const WAITING_WRITES_MAX = 1_000
const STATEMENTS_MAX = 256
/** Whatever another connection commits empties it, and the system keeps the file's pages anyway. */
const CACHE_KIB = 4_096
/** As much again is taken to sort a table. */
const WRITER_CACHE_KIB = 8_192
/** A document touches a page of each of its indexes, mostly one that nobody else touches just then, and each is written whole. */
const PAGE_BYTES = 4_096
const LOG_BYTES_KEPT = 64 * 1024 * 1024
/** Rarely, since a page that is written ten times is then brought into the file once. */
const CHECKPOINT_PAGES = 8_000

const SQLITE = { BUSY: 5, LOCKED: 6, NOMEM: 7, READONLY: 8, IOERR: 10, CORRUPT: 11, FULL: 13, CANTOPEN: 14, NOTADB: 26 }
const AWAY = new Set([
  SQLITE.BUSY,
  SQLITE.LOCKED,
  SQLITE.NOMEM,
  SQLITE.READONLY,
  SQLITE.IOERR,
  SQLITE.FULL,
  SQLITE.CANTOPEN,
])

export function sqliteViewFile(file: string, { waitMs, batchMs }: { waitMs: number; batchMs: number }): ViewFile {
  const batches = new AsyncLocalStorage<Batch>()
  let connecting: Promise<Connections> | undefined
  let lastTurn: Promise<unknown> = Promise.resolve()
  let waitingWrites = 0
  // Whoever was killed here may not have come to it.
  let isWipeDue = true
  let isClosed = false

  function connected(): Promise<Connections> {
    if (isClosed) return Promise.reject(new Error(`The view store ${file} is closed`))
    connecting ??= patiently(() => connect(file)).catch((error: unknown) => {
      connecting = undefined
      throw error
    })
    return connecting
  }

  async function patiently<T>(attempt: () => T): Promise<T> {
    const deadline = performance.now() + waitMs
    for (;;) {
      try {
        return attempt()
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw explained(error, file)
      }
      await sleep(RETRY_MS + Math.random() * RETRY_JITTER_MS)
    }
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waitingWrites >= WAITING_WRITES_MAX) throw new ViewStoreAway(`Too many writes wait for ${file}`)
    waitingWrites += 1
    const turn = lastTurn.then(work).finally(() => (waitingWrites -= 1))
    lastTurn = turn.catch(() => undefined)
    return turn
  }

  function runningBatch(): Batch | undefined {
    const batch = batches.getStore()
    // What such a call would write belongs to things that were taken back, e.g. a mark behind its documents.
    if (batch?.state === 'failed') throw new ViewStoreAway('The batch that this call belongs to was rolled back')
    return batch?.state === 'running' ? batch : undefined
  }

  function withinBatch<T>(batch: Batch, work: (sql: Sql) => T): T {
    // SQLite may have rolled back by itself: whatever came now would be committed alone.
    if (batch.failure !== undefined) throw batch.failure
    try {
      return work(batch.writer.sql)
    } catch (error) {
      batch.failure = explained(error, file)
      throw batch.failure
    }
  }

  async function inTime<T>(work: Promise<T>): Promise<T> {
    const tooLate = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      tooLate.reject(new ViewStoreAway(`A batch took longer than ${batchMs} ms and was rolled back`))
    }, batchMs)
    try {
      return await Promise.race([work, tooLate.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async function committed<T>(writer: Connection, work: (sql: Sql) => T): Promise<T> {
    const result = await patiently(() => atomically(writer, () => work(writer.sql)))
    await wipeIfDue(writer)
    return result
  }

  async function wipeIfDue({ sql }: Connection): Promise<void> {
    if (isWipeDue) isWipeDue = !(await patiently(() => isLogEmptied(sql)))
  }

  return {
    async read(work) {
      const batch = runningBatch()
      if (batch) return withinBatch(batch, work)
      const { reader } = await connected()
      return patiently(() => work(reader.sql))
    },

    async write(work) {
      const batch = runningBatch()
      if (batch) return withinBatch(batch, work)
      return inTurn(async () => committed((await connected()).writer, work))
    },

    async sort(work) {
      if (runningBatch()) throw new Error('What sorts a whole table cannot be a part of a batch')
      await inTurn(async () => {
        const { writer } = await connected()
        writer.database.exec('PRAGMA temp_store = FILE')
        try {
          await committed(writer, work)
        } finally {
          writer.database.exec('PRAGMA temp_store = MEMORY')
        }
      })
    },

    async batch(work) {
      if (runningBatch()) return work()
      return inTurn(async () => {
        const { writer } = await connected()
        await patiently(() => writer.database.exec('BEGIN IMMEDIATE'))
        const batch: Batch = { writer, state: 'running', failure: undefined }
        try {
          const result = await inTime(batches.run(batch, work))
          withinBatch(batch, () => writer.database.exec('COMMIT'))
          batch.state = 'done'
          return result
        } catch (error) {
          batch.state = 'failed'
          if (writer.database.isTransaction) writer.database.exec('ROLLBACK')
          throw error
        } finally {
          await wipeIfDue(writer)
        }
      })
    },

    isInBatch: () => runningBatch() !== undefined,

    async wipe() {
      isWipeDue = true
      await inTurn(async () => {
        const { writer } = await connected()
        await patiently(() => {
          if (!isLogEmptied(writer.sql)) throw new LogInUse()
        })
        isWipeDue = false
      })
    },

    wipeSoon() {
      isWipeDue = true
    },

    async close() {
      if (isClosed) return
      isClosed = true
      await inTurn(async () => {
        const connections = await connecting?.catch(() => undefined)
        connections?.reader.database.close()
        connections?.writer.database.close()
      })
    },
  }
}

class LogInUse extends Error {}

/** Text that was stored as JSON and is none any more, though SQLite found nothing wrong. */
class UnreadableJson extends Error {}

export function storedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UnreadableJson('A stored document is not JSON', { cause: error })
  }
}

/** A commit that fails leaves nothing open, so that it can be repeated. */
function atomically<T>({ database }: Connection, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Views name people. */
function makePrivately(file: string): void {
  try {
    makePrivateFile(file)
    keepFilePrivate(file)
  } catch (error) {
    throw new ViewStoreAway(`The view file ${error instanceof Error ? error.message : file}`, { cause: error })
  }
}

function connect(file: string): Connections {
  makePrivately(file)
  const writer = connection(file, WRITER_CACHE_KIB)
  try {
    const isNew = isUnprepared(file, writer)
    if (isNew) writer.database.exec(`PRAGMA page_size = ${PAGE_BYTES}`)
    // The log is written in order and read only as far as it is whole, so what a power cut takes is its end:
    // a mark, committed after its documents, is never there without them. That holds without a flush at each commit.
    writer.database.exec('PRAGMA journal_mode = WAL')
    if (isNew) prepareFile(writer)
    const reader = connection(file, CACHE_KIB)
    reader.database.exec('PRAGMA query_only = ON')
    return { writer, reader }
  } catch (error) {
    writer.database.close()
    throw error
  }
}

function connection(file: string, cacheKib: number): Connection {
  const database = new DatabaseSync(file, { timeout: BLOCKED_MS_MAX })
  try {
    // What is sorted must not reach a temporary file unless it is known to name nobody, and what is deleted must not stay in this one.
    database.exec(`
      PRAGMA synchronous = NORMAL;
      PRAGMA secure_delete = ON;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -${cacheKib};
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
      PRAGMA journal_size_limit = ${LOG_BYTES_KEPT};
    `)
  } catch (error) {
    database.close()
    throw error
  }
  const statements = new Map<string, StatementSync>()
  return {
    database,
    sql(text) {
      const known = statements.get(text)
      if (known) return known
      if (statements.size >= STATEMENTS_MAX) statements.clear()
      const statement = database.prepare(text)
      statements.set(text, statement)
      return statement
    },
  }
}

/** Changes nothing in the file, which may be somebody else's. Says whether it is still to be made ready. */
function isUnprepared(file: string, { database, sql }: Connection): boolean {
  database.exec('BEGIN')
  try {
    const applicationId = sql('PRAGMA application_id').get()?.['application_id']
    const format = Number(sql('PRAGMA user_version').get()?.['user_version'])
    if (applicationId === 0 && format === 0 && !sql('SELECT 1 FROM sqlite_schema LIMIT 1').get()) return true
    if (applicationId !== APPLICATION_ID) {
      throw new ViewFileUnusable(
        `${file} does not hold this shop's views and is left alone: move it away and start again, views are built again from the log`,
      )
    }
    if (format > FORMAT) {
      throw new ViewFileUnusable(
        `${file} was written by a newer version of the shop: start that version, or stop the shop and ${remedy(file)}`,
      )
    }
    return format < FORMAT
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK')
  }
}

function prepareFile(writer: Connection): void {
  const { database, sql } = writer
  atomically(writer, () => {
    // Another process may have done it since.
    if (sql('PRAGMA user_version').get()?.['user_version'] === FORMAT) return
    for (const { name } of sql(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all())
      database.exec(`DROP TABLE "${String(name)}"`)
    database.exec(`
      CREATE TABLE ${COLLECTIONS} (name TEXT PRIMARY KEY, fields TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE ${MARKS} (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
      PRAGMA application_id = ${APPLICATION_ID};
      PRAGMA user_version = ${FORMAT};
    `)
  })
}

function isLogEmptied(sql: Sql): boolean {
  return sql('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0
}

function remedy(file: string): string {
  return `remove it (with ${file}-wal and ${file}-shm), views are built again from the log`
}

function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  // The higher bits only tell details.
  return error.errcode & 0xff
}

function isBusy(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === SQLITE.BUSY || code === SQLITE.LOCKED || error instanceof LogInUse
}

function explained(error: unknown, file: string): unknown {
  const code = sqliteCode(error)
  const isDamaged = code === SQLITE.CORRUPT || code === SQLITE.NOTADB
  if (isDamaged || error instanceof UnreadableJson) {
    return new ViewFileUnusable(`${file} is damaged: stop the shop and ${remedy(file)}`, { cause: error })
  }
  if (error instanceof LogInUse) return new ViewStoreAway(`Another process keeps ${file} from being wiped`)
  if (error instanceof Error && code !== undefined && AWAY.has(code)) {
    return new ViewStoreAway(`The view file ${file} cannot be used now: ${error.message}`, { cause: error })
  }
  return error
}
