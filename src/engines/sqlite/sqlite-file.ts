import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { Connection, Sql, SqliteOptions } from './connection.ts'
import { connect, inRead, inTransaction, wipeDeleted } from './connection.ts'
import { toPortError } from './errors.ts'

/**
 * One SQLite file, shared by all processes of a machine. The first call opens it; after a failure, the next call. Commits, and waits for other
 * processes' commits, block this thread.
 */
export interface SqliteFile {
  /** Opens the file and runs `work` outside a transaction. */
  openNow<T>(work: (connection: Connection) => T): T
  /** Reads one committed snapshot without waiting for writers. */
  read<T>(work: (sql: Sql) => T): Promise<T>
  /** Runs `work` in a transaction. */
  write<T>(work: (sql: Sql) => T): Promise<T>
  /** Removes deleted bytes from all files. */
  wipe(): Promise<void>
  /** Completes earlier calls, rejects later ones. */
  close(): Promise<void>
}

interface Question {
  readonly ask: (sql: Sql) => void
  readonly reject: (error: unknown) => void
}

// oxlint-disable-next-line max-lines-per-function -- short calls over one connection
export function sqliteFile(file: string, options: SqliteOptions): SqliteFile {
  let connection: Connection | undefined
  let isClosed = false
  let questions: Question[] = []

  const explain = (error: unknown): unknown => toPortError(error, { file, ...options })

  function using<T>(work: (connection: Connection) => T): T {
    try {
      return work((connection ??= connect(file, options)))
    } catch (error) {
      throw explain(error)
    }
  }

  function refuseIfClosed(): void {
    if (isClosed) throw options.errors.away(`${file} is closed`)
  }

  function disconnect(): void {
    connection?.database.close()
    connection = undefined
  }

  /** Reads of one event-loop turn share a transaction: apart, reading an order over 64 connections takes nearly three times the processor time. */
  function answerAll(): void {
    const asked = questions
    questions = []
    try {
      using((open) => inRead(open, () => asked.forEach(({ ask }) => ask(open.sql))))
    } catch (error) {
      asked.forEach(({ reject }) => reject(error))
    }
  }

  return {
    openNow(work) {
      try {
        return using(work)
      } catch (error) {
        disconnect()
        throw error
      }
    },

    async read(work) {
      refuseIfClosed()
      // No other connection can write to it.
      if (options.isTemporary) return using(({ sql }) => work(sql))
      return new Promise((resolve, reject) => {
        if (questions.length === 0) setImmediate(answerAll)
        questions.push({
          reject,
          ask(sql) {
            try {
              resolve(work(sql))
            } catch (error) {
              reject(explain(error))
            }
          },
        })
      })
    },

    async write(work) {
      refuseIfClosed()
      return using((open) => inTransaction(open, () => work(open.sql)))
    },

    async wipe() {
      refuseIfClosed()
      using(wipeDeleted)
    },

    async close() {
      isClosed = true
      await endOfTurn()
      disconnect()
    },
  }
}
