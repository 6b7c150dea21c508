import { setImmediate as endOfTurn } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Connection, Sql, SqliteOptions } from './connection.ts'
import { connect, inRead, inTransaction, truncateLog, vacuum } from './connection.ts'
import { isLocked, toPortError } from './errors.ts'
import { BUSY_MS, pauseMs, untilUnlocked } from './until-unlocked.ts'

/** Patience of reads with a lock. Only recovery after a crash, and programs that lock a file for themselves alone, make reads wait. */
const READ_BUSY_MS = 1_000
/** Patience of a wipe: longer than other connections' reads, far shorter than a backup. */
const WIPE_BUSY_MS = 100

/**
 * One SQLite file, shared by all processes of a machine. The first call opens it; after a failure, the next call. Commits block this thread; waits for
 * other processes' locks do not.
 */
export interface SqliteFile {
  /** Reads one committed snapshot without waiting for writers. */
  read<T>(work: (sql: Sql) => T): Promise<T>
  /** Runs `work` in a transaction; again if another process has the lock. Calls run one at a time, in order. */
  write<T>(work: (sql: Sql) => T): Promise<T>
  /** Removes deleted bytes from all files. */
  wipe(): Promise<void>
  /** Completes earlier calls, but those that wait for another process's lock; rejects later ones. */
  close(): Promise<void>
}

interface Question {
  readonly giveUpAt: number
  readonly ask: (sql: Sql) => void
  readonly reject: (error: unknown) => void
}

// oxlint-disable-next-line max-lines-per-function -- short calls over one connection
export function sqliteFile(file: string, options: SqliteOptions): SqliteFile {
  let connection: Connection | undefined
  let isClosed = false
  let questions: Question[] = []
  const oneByOne = pLimit(1)

  const opened = (): Connection => (connection ??= connect(file, options))
  const explain = (error: unknown): unknown => toPortError(error, { file, ...options })

  function explained<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw explain(error)
    }
  }

  function refuseIfClosed(): void {
    if (isClosed) throw options.errors.away(`${file} is closed`)
  }

  /** Reads of one event-loop turn share a transaction: apart, reading an order over 64 connections takes nearly three times the processor time. */
  function answerAll(waitedMs = 0): void {
    const asked = questions
    questions = []
    try {
      const open = opened()
      inRead(open, () => asked.forEach(({ ask }) => ask(open.sql)))
    } catch (error) {
      const now = performance.now()
      const mayWait = ({ giveUpAt }: Question): boolean => isLocked(error) && !isClosed && now < giveUpAt
      for (const { reject } of asked.filter((question) => !mayWait(question))) reject(explain(error))
      questions = asked.filter(mayWait)
      const pause = pauseMs(waitedMs)
      if (questions.length > 0) setTimeout(answerAll, pause, waitedMs + pause)
    }
  }

  async function change<T>(work: (open: Connection) => T, patienceMs = BUSY_MS): Promise<T> {
    refuseIfClosed()
    const giveUpAt = performance.now() + patienceMs
    const wait = { giveUpAt, mayWait: () => !isClosed }
    return oneByOne(async () => untilUnlocked(() => work(opened()), wait)).catch((error: unknown) => {
      throw explain(error)
    })
  }

  return {
    async read(work) {
      refuseIfClosed()
      // No other connection can write to it.
      if (options.isTemporary) return explained(() => work(opened().sql))
      return new Promise((resolve, reject) => {
        if (questions.length === 0) setImmediate(answerAll)
        questions.push({
          giveUpAt: performance.now() + READ_BUSY_MS,
          reject,
          ask(sql) {
            try {
              resolve(work(sql))
            } catch (error) {
              // A lock prevents the whole snapshot.
              if (isLocked(error)) throw error
              reject(explain(error))
            }
          },
        })
      })
    },

    write: async (work) => change((open) => inTransaction(open, () => work(open.sql))),

    async wipe() {
      await change(vacuum)
      await change(truncateLog, WIPE_BUSY_MS)
    },

    async close() {
      isClosed = true
      await oneByOne(endOfTurn)
      connection?.database.close()
      connection = undefined
    },
  }
}
