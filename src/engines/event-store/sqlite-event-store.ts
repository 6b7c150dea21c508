import { groupCommit } from '../sqlite/group-commit.ts'
import type { Sql } from '../sqlite/connection.ts'
import { sqliteFile } from '../sqlite/sqlite-file.ts'
import type { AppendResult, EventStore, Position } from './event-store.ts'
import { EventStoreAway } from './event-store.ts'
import { checkAppend, checkStream, countOf, positionOf } from './limits.ts'
import type { LogFileOptions } from './sqlite-log-file.ts'
import { logFileOptions } from './sqlite-log-file.ts'
import { headOfLog, logPage, streamPage } from './sqlite-log-reads.ts'
import type { LogTables } from './sqlite-log-reads.ts'
import type { Append, Appended } from './sqlite-log-writes.ts'
import { appendTogether } from './sqlite-log-writes.ts'
import { waiters } from './waiters.ts'
import type { Waiters } from './waiters.ts'

const APPENDS_PER_COMMIT_MAX = 512
const BYTES_PER_COMMIT_MAX = 4_194_304
const LOOK_EVERY_MS = 20

export interface SqliteEventStoreOptions extends LogFileOptions {
  readonly now?: () => number
}

interface SizedAppend extends Append {
  readonly bytes: number
}

/** The log in one file, shared by all processes of a machine. Calls reject with a one-line error if it is not this shop's log. */
export function sqliteEventStore(
  path: string,
  { now = Date.now, ...options }: SqliteEventStoreOptions = {},
): EventStore {
  const file = sqliteFile(path, logFileOptions(options))
  const logIn = (sql: Sql): LogTables => ({ file: path, sql })
  const waiting = waitersForLog(head)
  const appends = groupCommit<SizedAppend, AppendResult>({
    commit,
    itemsMax: APPENDS_PER_COMMIT_MAX,
    bytesOf: ({ bytes }) => bytes,
    bytesMax: BYTES_PER_COMMIT_MAX,
  })
  let closing: Promise<void> | undefined

  async function commit(take: () => readonly SizedAppend[]): Promise<Appended['outcomes']> {
    const { outcomes, head } = await file.write((sql) => appendTogether(logIn(sql), take(), now))
    waiting.wake(positionOf(head))
    return outcomes
  }

  async function head(): Promise<Position> {
    return file.read((sql) => positionOf(headOfLog(logIn(sql)).position))
  }

  function checkOpen(): void {
    if (closing !== undefined) throw new EventStoreAway(`${path} is closed`)
  }

  async function close(): Promise<void> {
    await appends.done()
    await file.close()
    waiting.wakeAll()
  }

  return {
    async append(stream, expectedRevision, events) {
      checkOpen()
      const bytes = checkAppend(stream, events)
      return appends.add({ stream, expectedRevision, events: [...events], bytes })
    },

    async readStream(stream, { fromRevision, limit }) {
      checkOpen()
      checkStream(stream)
      return file.read((sql) => streamPage(logIn(sql), stream, fromRevision, limit))
    },

    async readAll({ after, limit }) {
      checkOpen()
      const count = countOf(after)
      return file.read((sql) => logPage(logIn(sql), count, limit))
    },

    async head() {
      checkOpen()
      return head()
    },

    async waitForEvents(wait) {
      checkOpen()
      countOf(wait.after)
      await waiting.wait(wait)
    },

    async identity() {
      checkOpen()
      return file.read((sql) => String(sql('SELECT id FROM identity').get()?.['id']))
    },

    close: () => (closing ??= close()),
  }
}

/** Polls the head while readers wait, since SQLite does not announce other processes' commits. */
function waitersForLog(head: () => Promise<Position>): Waiters {
  let poll: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    try {
      waiting.wake(await head())
    } catch {
      // The waiters' next read throws the error.
      waiting.wakeAll()
    }
  }

  const waiting = waiters(
    () => (poll = setInterval(() => void look(), LOOK_EVERY_MS).unref()),
    () => clearInterval(poll),
  )
  return {
    ...waiting,
    async wait(wait) {
      const waited = waiting.wait(wait)
      // Look only after joining the waiters, to miss no commit in between.
      void look()
      await waited
    },
  }
}
