import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { StatementSync } from 'node:sqlite'
import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises'
import { FileNotPrivate, keepFilePrivate, makePrivateFile } from '../sqlite/private-file.ts'
import { VaultAway, VaultDamaged } from './vault.ts'

/** Gives the prepared statement of this text. */
export type Sql = (text: string) => StatementSync

/** The vault's SQLite file: how it is opened, what is repeated, and what its errors mean. */
export interface VaultFile {
  /** Sees one committed moment, of this process or another, and waits for no writer. */
  read<T>(work: (sql: Sql) => T): Promise<T>
  /** One transaction, on disk when answered. `work` may be repeated. */
  write<T>(work: (sql: Sql) => T): Promise<T>
  /** Empties the write-ahead log, the last place where deleted bytes can be found. */
  wipe(): Promise<void>
  /** Answers the calls that were made before, refuses later ones. */
  close(): Promise<void>
}

interface Connection {
  readonly database: DatabaseSync
  readonly sql: Sql
}

interface Question {
  /** Answers it, and may be repeated. Throws when the file is held by another process. */
  readonly ask: (sql: Sql) => void
  readonly reject: (error: unknown) => void
}

const APPLICATION_ID = 0x43535654
const FORMAT = 3

/** SQLite blocks the whole process while it waits for a lock of another one, so that is short; the rest is waited asynchronously. */
const BLOCKED_MS_MAX = 10
const RETRY_MS = 5
const RETRY_JITTER_MS = 20
const WAITING_WRITES_MAX = 1_000

const SQLITE = {
  ERROR: 1,
  BUSY: 5,
  LOCKED: 6,
  NOMEM: 7,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  CONSTRAINT: 19,
  NOTADB: 26,
}
const { BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN } = SQLITE
const AWAY = new Set([BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN])
/** The first and the third cannot come from these statements, unless the file is not as they left it. */
const DAMAGED = new Set([SQLITE.ERROR, SQLITE.CORRUPT, SQLITE.CONSTRAINT, SQLITE.NOTADB])

// A customer's row is written once and then only overwritten by one of the same length, never deleted: SQLite moves rows between pages
// when it makes room or merges, and leaves copies of them where they were. So the one place of a key is known, and can be wiped.
const SCHEMA = `
  CREATE TABLE customers (
    number INTEGER PRIMARY KEY,
    customer_id TEXT NOT NULL,
    email_hmac TEXT NOT NULL,
    is_attached INTEGER NOT NULL,
    key BLOB NOT NULL,
    is_erased INTEGER NOT NULL,
    checksum TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX customers_by_id ON customers (customer_id);
  CREATE UNIQUE INDEX customers_by_email ON customers (email_hmac) WHERE is_attached = 1;
  CREATE TABLE secrets (
    name TEXT PRIMARY KEY, value BLOB NOT NULL, checksum TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE passwords (
    admin_id TEXT PRIMARY KEY, password_id TEXT NOT NULL, hash TEXT NOT NULL, checksum TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = 1;
`

/** Erasing that is under way. What it names is random, so that nothing of it has to be wiped. */
const SECOND_FORMAT = `
  CREATE TABLE erasures (
    customer_id TEXT PRIMARY KEY, erasure_id TEXT NOT NULL, at INTEGER NOT NULL, is_decided INTEGER NOT NULL, checksum TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 2;
`

/** Small texts by name. */
const THIRD_FORMAT = `
  CREATE TABLE marks (
    name TEXT PRIMARY KEY, value TEXT NOT NULL, checksum TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${FORMAT};
`

export function sqliteVaultFile(file: string, { waitMs }: { waitMs: number }): VaultFile {
  const underway = new Set<Promise<unknown>>()
  let connecting: Promise<Connection> | undefined
  let lastTurn: Promise<unknown> = Promise.resolve()
  let waitingWrites = 0
  let questions: Question[] = []
  let isClosed = false

  function connected(): Promise<Connection> {
    connecting ??= patiently(() => connect(file), deadline()).catch((error: unknown) => {
      connecting = undefined
      throw error
    })
    return connecting
  }

  function closed(): VaultAway {
    return new VaultAway(`The vault ${file} is closed`)
  }

  function deadline(): number {
    return performance.now() + waitMs
  }

  async function patiently<T>(attempt: () => T, deadline: number): Promise<T> {
    for (;;) {
      try {
        return attempt()
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw explained(error, file)
      }
      await sleep(RETRY_MS + Math.random() * RETRY_JITTER_MS)
    }
  }

  /** Questions that came in together share one transaction: to begin and end one costs more than to look at a row. */
  async function answerQuestions(): Promise<void> {
    await endOfTurn()
    const asked = questions
    questions = []
    try {
      const connection = await connected()
      const askAll = (sql: Sql): void => asked.forEach(({ ask }) => ask(sql))
      await patiently(() => inTransaction('BEGIN', connection, askAll), deadline())
    } catch (error) {
      asked.forEach(({ reject }) => reject(error))
    }
  }

  async function underwayUntilDone<T>(work: () => Promise<T>): Promise<T> {
    if (isClosed) throw closed()
    const running = work()
    underway.add(running)
    try {
      return await running
    } finally {
      underway.delete(running)
    }
  }

  async function inTurn<T>(attempt: (connection: Connection) => T): Promise<T> {
    if (waitingWrites >= WAITING_WRITES_MAX) throw new VaultAway(`Too many writes wait for ${file}`)
    waitingWrites += 1
    // Waiting for one's turn counts, or else a locked file would hold the last one for the sum of all.
    const giveUpAt = deadline()
    const turn = lastTurn
      .then(async () => {
        const connection = await connected()
        return patiently(() => attempt(connection), giveUpAt)
      })
      .finally(() => (waitingWrites -= 1))
    lastTurn = turn.catch(() => undefined)
    return turn
  }

  return {
    async read<T>(work: (sql: Sql) => T) {
      if (isClosed) throw closed()
      return new Promise<T>((resolve, reject) => {
        if (questions.length === 0) void underwayUntilDone(answerQuestions)
        questions.push({
          ask(sql) {
            try {
              resolve(work(sql))
            } catch (error) {
              if (isBusy(error)) throw error
              reject(explained(error, file))
            }
          },
          reject,
        })
      })
    },

    write(work) {
      return underwayUntilDone(() => inTurn((connection) => inTransaction('BEGIN IMMEDIATE', connection, work)))
    },

    wipe() {
      return underwayUntilDone(() =>
        inTurn(({ sql }) => {
          if (sql('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] !== 0) throw new LogInUse()
        }),
      )
    },

    async close() {
      isClosed = true
      await Promise.allSettled(underway)
      const connection = await connecting?.catch(() => undefined)
      connecting = undefined
      connection?.database.close()
    },
  }
}

class LogInUse extends Error {}

/** What was read is not what was written. */
export class RowDamaged extends Error {}

/** A commit that fails leaves nothing open, so that it can be repeated. */
function inTransaction<T>(begin: string, { database, sql }: Connection, work: (sql: Sql) => T): T {
  sql(begin).run()
  try {
    const result = work(sql)
    sql('COMMIT').run()
    return result
  } catch (error) {
    if (database.isTransaction) sql('ROLLBACK').run()
    throw error
  }
}

function connect(file: string): Connection {
  refuseHalf(file)
  makePrivateFile(file)
  const database = new DatabaseSync(file, { timeout: BLOCKED_MS_MAX })
  try {
    database.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA fullfsync = ON;
      PRAGMA checkpoint_fullfsync = ON;
      PRAGMA secure_delete = ON;
      PRAGMA temp_store = MEMORY;
      PRAGMA cell_size_check = ON;
    `)
    const connection = { database, sql: statementsOf(database) }
    const format = inTransaction('BEGIN', connection, (sql) => formatOf(file, sql))
    keepFilePrivate(file)
    if (database.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'] !== 'wal') {
      throw new VaultAway(`The vault ${file} must be on a local disk: this one cannot keep its write-ahead log`)
    }
    // Finds what is broken between rows. Each row says for itself that it is whole, when it is read.
    if (format > 0 && database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] !== 'ok') throw damaged(file)
    if (format < FORMAT) inTransaction('BEGIN IMMEDIATE', connection, (sql) => bringUp(file, database, sql))
    return connection
  } catch (error) {
    database.close()
    throw error
  }
}

/** SQLite would take a log without its file for rubbish and remove it. The log is looked at first: whoever makes a vault makes it last. */
function refuseHalf(file: string): void {
  if (sizeOf(`${file}-wal`) > 0 && sizeOf(file) === 0) {
    throw new VaultDamaged(
      `${file} is missing or empty, but ${file}-wal is not: keep that one, and put back the file that it belongs to, or a backup of the vault`,
    )
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** For the handful of statements that this folder knows; they are never made from input. */
function statementsOf(database: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>()
  return (text) => {
    const statement = statements.get(text) ?? database.prepare(text)
    statements.set(text, statement)
    return statement
  }
}

/** 0 for a new file. Changes nothing in it, since it may be somebody else's. */
function formatOf(file: string, sql: Sql): number {
  const applicationId = sql('PRAGMA application_id').get()?.['application_id']
  const format = Number(sql('PRAGMA user_version').get()?.['user_version'])
  if (applicationId === 0 && format === 0 && !sql('SELECT 1 FROM sqlite_schema LIMIT 1').get()) return 0
  if (applicationId !== APPLICATION_ID) {
    throw new VaultDamaged(
      `${file} is not a vault of this shop and was left as it is: set DATA_DIR to the folder where its vault is`,
    )
  }
  if (format > FORMAT) {
    throw new VaultDamaged(`${file} was written by a newer version of the shop: start that version`)
  }
  if (format < 1) throw damaged(file)
  return format
}

/** Another process may have done it since. */
function bringUp(file: string, database: DatabaseSync, sql: Sql): void {
  const format = formatOf(file, sql)
  if (format === 0) database.exec(SCHEMA)
  if (format < 2) database.exec(SECOND_FORMAT)
  if (format < FORMAT) database.exec(THIRD_FORMAT)
}

function damaged(file: string, cause?: unknown): VaultDamaged {
  const wayOut = 'stop the shop, keep this file safe (its keys are nowhere else) and restore a backup of the vault'
  return new VaultDamaged(`${file} is damaged: ${wayOut}`, { cause })
}

/** SQLite's primary result code; the higher bits only tell details. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

function isBusy(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === BUSY || code === LOCKED || error instanceof LogInUse
}

function explained(error: unknown, file: string): unknown {
  if (error instanceof LogInUse) {
    return new VaultAway(`Another process reads ${file}, so what was deleted is not wiped yet`)
  }
  if (error instanceof FileNotPrivate) return new VaultAway(`The vault ${error.message}`, { cause: error })
  if (error instanceof RowDamaged) return damaged(file, error)
  const code = sqliteCode(error)
  if (!(error instanceof Error) || code === undefined) return error
  if (DAMAGED.has(code)) return damaged(file, error)
  return AWAY.has(code)
    ? new VaultAway(`The vault ${file} cannot be used now: ${error.message}`, { cause: error })
    : error
}
