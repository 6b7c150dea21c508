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
  /** Rejects later calls. */
  close(): Promise<void>
}

export function sqliteFile(file: string, options: SqliteOptions): SqliteFile {
  let connection: Connection | undefined
  let isClosed = false

  function using<T>(work: (connection: Connection) => T): T {
    try {
      return work((connection ??= connect(file, options)))
    } catch (error) {
      throw toPortError(error, { file, ...options })
    }
  }

  function refuseIfClosed(): void {
    if (isClosed) throw options.errors.away(`${file} is closed`)
  }

  function disconnect(): void {
    connection?.database.close()
    connection = undefined
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
      return using((open) => inRead(open, () => work(open.sql)))
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
      disconnect()
    },
  }
}
