import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Connection, Sql, SqliteOptions } from './connection.ts'
import { connect, connectReader, emptyLog, inRead, inTransaction } from './connection.ts'
import { explained, isBusy, LogInUse } from './errors.ts'

/** One SQLite file, for any number of processes of one machine. Opened by the first call; after a failure, by the next. */
export interface SqliteFile {
  /** Opens the file synchronously, which may block on another process's lock, and runs `work` outside of a transaction. */
  openNow<T>(work: (connection: Connection) => T): T
  /** Reads one committed snapshot without waiting for writers. `work` may be repeated. */
  read<T>(work: (sql: Sql) => T): Promise<T>
  /** One transaction, in turn. `work` may be repeated. */
  write<T>(work: (sql: Sql) => T): Promise<T>
  /** In turn with the writes, but outside of a transaction. `work` may be repeated. */
  alone<T>(work: (connection: Connection) => T): Promise<T>
  /** Resolves once deleted bytes are in none of the files. After a failure, later commits try again. Only with `secureDelete`. */
  wipe(): Promise<void>
  /** Completes earlier calls, refuses later ones. */
  close(): Promise<void>
}

interface Connections {
  readonly writer: Connection
  readonly reader: Connection
}

interface Question {
  /** Throws when another process holds the file. */
  readonly ask: (sql: Sql) => void
  readonly reject: (error: unknown) => void
}

const WAIT_MS = 5_000
const RETRY_MS = 5
const RETRY_JITTER_MS = 20
const WRITES_WAITING_MAX = 1_000

// oxlint-disable-next-line max-lines-per-function -- short calls that share one pair of connections and one wipe that is due
export function sqliteFile(file: string, options: SqliteOptions): SqliteFile {
  const { errors, waitMs = WAIT_MS } = options
  const underway = new Set<Promise<unknown>>()
  const inTurn = turns(() => errors.away(`Too many writes wait for ${file}`))
  let connections: Connections | undefined
  // A killed process may have deleted without wiping.
  let isWipeDue = options.secureDelete === true && options.isReadOnly !== true
  let closing: Promise<void> | undefined

  const explain = (error: unknown): unknown => explained(error, { file, ...options })
  const deadline = (): number => performance.now() + waitMs

  function connected(): Connections {
    if (connections) return connections
    connections = openedConnections(file, options)
    tryToWipe(connections.writer)
    return connections
  }

  function tryToWipe({ sql }: Connection): void {
    if (!isWipeDue) return
    try {
      isWipeDue = !emptyLog(sql)
    } catch {
      // The write is committed; the next one tries again, and `wipe` throws what is wrong.
    }
  }

  async function patiently<T>(attempt: (connections: Connections) => T, giveUpAt: number): Promise<T> {
    for (;;) {
      try {
        return attempt(connected())
      } catch (error) {
        if (!isBusy(error) || performance.now() >= giveUpAt) throw explain(error)
      }
      await sleep(retryMs())
    }
  }

  const sharedRead = sharedReads({
    untilDone,
    answer: (work) => patiently(({ reader }) => inRead(reader, () => work(reader.sql)), deadline()),
    explain,
  })

  function refuseIfClosed(): void {
    if (closing) throw errors.away(`${file} is closed`)
  }

  async function untilDone<T>(work: () => Promise<T>): Promise<T> {
    refuseIfClosed()
    const running = work()
    underway.add(running)
    try {
      return await running
    } finally {
      underway.delete(running)
    }
  }

  async function written<T>(attempt: (writer: Connection) => T): Promise<T> {
    // The time in the queue counts, so that the last of many does not wait for the sum of all.
    const giveUpAt = deadline()
    return untilDone(() => inTurn(() => patiently(({ writer }) => attempt(writer), giveUpAt)))
  }

  async function close(): Promise<void> {
    await Promise.allSettled(underway)
    closeBoth(connections)
  }

  return {
    openNow(work) {
      try {
        return blocking(() => work(connected().writer), deadline())
      } catch (error) {
        closeBoth(connections)
        connections = undefined
        throw explain(error)
      }
    },

    async read(work) {
      // No other connection can change it in between.
      if (options.isTemporary) return untilDone(async () => work(connected().reader.sql))
      refuseIfClosed()
      return sharedRead(work)
    },

    write: (work) =>
      written((writer) => {
        const result = inTransaction(writer, () => work(writer.sql))
        tryToWipe(writer)
        return result
      }),

    alone: (work) => written(work),

    wipe: () =>
      written(({ sql }) => {
        isWipeDue = true
        if (!emptyLog(sql)) throw new LogInUse()
        isWipeDue = false
      }),

    close: () => (closing ??= close()),
  }
}

/** Reads of one turn of the event loop share a transaction, which costs more than most reads. */
function sharedReads({
  untilDone,
  answer,
  explain,
}: {
  untilDone: (work: () => Promise<void>) => Promise<void>
  answer: (work: (sql: Sql) => void) => Promise<void>
  explain: (error: unknown) => unknown
}): SqliteFile['read'] {
  let questions: Question[] = []

  async function answerAll(): Promise<void> {
    await endOfTurn()
    const asked = questions
    questions = []
    try {
      await answer((sql) => asked.forEach(({ ask }) => ask(sql)))
    } catch (error) {
      asked.forEach(({ reject }) => reject(error))
    }
  }

  return async (work) =>
    new Promise((resolve, reject) => {
      if (questions.length === 0) void untilDone(answerAll)
      questions.push({
        ask(sql) {
          try {
            resolve(work(sql))
          } catch (error) {
            if (isBusy(error)) throw error
            reject(explain(error))
          }
        },
        reject,
      })
    })
}

/** Runs one piece of work after the other. */
function turns(tooMany: () => Error): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (work) => {
    if (waiting >= WRITES_WAITING_MAX) throw tooMany()
    waiting += 1
    const turn = last.then(work).finally(() => (waiting -= 1))
    last = turn.catch(() => undefined)
    return turn
  }
}

function blocking<T>(attempt: () => T, giveUpAt: number): T {
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs())
  }
}

function openedConnections(file: string, options: SqliteOptions): Connections {
  const writer = connect(file, options)
  try {
    return { writer, reader: options.hasReader ? connectReader(file, options) : writer }
  } catch (error) {
    writer.database.close()
    throw error
  }
}

function closeBoth(connections: Connections | undefined): void {
  if (!connections) return
  const { writer, reader } = connections
  if (reader !== writer) reader.database.close()
  writer.database.close()
}

function retryMs(): number {
  return RETRY_MS + Math.random() * RETRY_JITTER_MS
}
