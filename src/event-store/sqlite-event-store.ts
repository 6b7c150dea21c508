import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import type { AppendResult, EventStore } from './event-store.ts'
import { EventStoreAway, EventStoreDamaged } from './event-store.ts'
import { checkAppend, checkPage, checkSnapshot, checkStream, countOf } from './limits.ts'
import type { OpenDatabase } from './sqlite-log-file.ts'
import { isBusy, isCorrupt, isRefusedByTheMachine, openLogFile } from './sqlite-log-file.ts'
import type { Append } from './sqlite-log.ts'
import { sqliteLog } from './sqlite-log.ts'
import { waiters } from './waiters.ts'

/** A turn of the event loop takes as long as what is going on in it: microseconds while an append is alone, and while many come in, so long that more come along. */
const GATHERING_TURNS = 6
const APPENDS_PER_COMMIT_MAX = 512
const BYTES_PER_COMMIT_MAX = 4_194_304
const APPENDS_WAITING_MAX = 10_000
const BYTES_WAITING_MAX = 67_108_864
const LOCKED_ATTEMPTS_MAX = 70
const LOCKED_PAUSE_MS_MAX = 100
const LOOK_EVERY_MS = 20

export interface SqliteEventStoreOptions {
  readonly now?: () => number
  /** Gives the connection, so that a test can fill the disk. */
  readonly open?: OpenDatabase
  /** How often a locked file is tried before it counts as away; about five seconds by default. */
  readonly lockedAttemptsMax?: number
}

interface WaitingAppend extends Append {
  readonly bytes: number
  readonly answer: PromiseWithResolvers<AppendResult>
}

interface Question {
  /** Answers it, and may be repeated. Throws when the file is held by another process. */
  readonly ask: () => void
  readonly reject: (error: unknown) => void
}

/** The log in one file, for one or several processes of one machine. Throws one line when the file cannot be this shop's log. */
export function sqliteEventStore(file: string, options: SqliteEventStoreOptions = {}): EventStore {
  const now = options.now ?? Date.now
  const lockedAttemptsMax = options.lockedAttemptsMax ?? LOCKED_ATTEMPTS_MAX
  const log = openLogFile(file, (database) => sqliteLog(file, database, now), options.open)
  const queue: WaitingAppend[] = []
  let bytesWaiting = 0
  let writing: Promise<void> | undefined
  let questions: Question[] = []
  let answering: Promise<void> | undefined
  let closing: Promise<void> | undefined
  let closed = false
  let poll: NodeJS.Timeout | undefined
  let seenVersion: unknown

  const wakeUp = (look: () => void): void => {
    try {
      look()
    } catch {
      // Whoever waited reads next, and is told then what is wrong.
      waiting.wakeAll()
    }
  }
  const look = (): void => waiting.wake(log.head())

  // SQLite tells nobody that another process has written, but says in microseconds whether one has.
  const lookIfOthersWrote = (): void => {
    const version = log.dataVersion()
    if (version === seenVersion) return
    seenVersion = version
    look()
  }
  const startPolling = (): void => {
    poll = setInterval(() => wakeUp(lookIfOthersWrote), LOOK_EVERY_MS).unref()
  }
  const waiting = waiters(startPolling, () => clearInterval(poll))

  const checkOpen = (): void => {
    if (closing !== undefined) throw new EventStoreAway(`${file} is closed`)
  }

  const translated = (error: unknown): unknown => {
    if (closed) return new EventStoreAway(`${file} is closed`)
    if (isBusy(error)) return new EventStoreAway(`${file} is locked by another process`, { cause: error })
    const reason = error instanceof Error ? error.message : String(error)
    if (isRefusedByTheMachine(error)) return new EventStoreAway(`${file} cannot be used: ${reason}`, { cause: error })
    if (!isCorrupt(error)) return error
    return new EventStoreDamaged(`${file}: ${reason}. Stop the shop and restore the newest backup.`, { cause: error })
  }

  // SQLite's own waiting would block the whole process, so it is short and we wait here.
  const whenUnlocked = async <T>(work: () => T): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error) || attempt >= lockedAttemptsMax) throw translated(error)
      }
      await pause(Math.random() * Math.min(attempt * 10, LOCKED_PAUSE_MS_MAX))
    }
  }

  const answerQuestions = async (): Promise<void> => {
    // Whoever asks in this turn of the event loop shares one look at the file.
    await setImmediate()
    const together = questions
    questions = []
    answering = undefined
    try {
      await whenUnlocked(() => log.inOneRead(() => together.forEach(({ ask }) => ask())))
    } catch (error) {
      together.forEach(({ reject }) => reject(error))
    }
  }

  const asked = async <T>(read: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const ask = (): void => {
        try {
          resolve(read())
        } catch (error) {
          if (isBusy(error)) throw error
          reject(translated(error))
        }
      }
      questions.push({ ask, reject })
      answering ??= answerQuestions()
    })

  const takeBatch = (): WaitingAppend[] => {
    let bytes = 0
    let end = 0
    for (const append of queue.slice(0, APPENDS_PER_COMMIT_MAX)) {
      bytes += append.bytes
      if (end > 0 && bytes > BYTES_PER_COMMIT_MAX) break
      end += 1
    }
    return queue.splice(0, end)
  }

  const write = async (): Promise<void> => {
    while (queue.length > 0) {
      // Whatever is appended meanwhile shares one sync of the disk.
      for (let turn = 0; turn < GATHERING_TURNS; turn += 1) await setImmediate()
      const batch = takeBatch()
      try {
        const outcomes = await whenUnlocked(() => log.appendTogether(batch))
        for (const [index, { answer }] of batch.entries()) {
          const outcome = outcomes[index]
          if (outcome === undefined || outcome instanceof Error) answer.reject(outcome)
          else answer.resolve(outcome)
        }
        wakeUp(look)
      } catch (error) {
        for (const { answer } of batch) answer.reject(error)
      }
      for (const { bytes } of batch) bytesWaiting -= bytes
    }
    writing = undefined
  }

  const close = async (): Promise<void> => {
    await Promise.all([writing, answering])
    closed = true
    log.close()
    waiting.wakeAll()
  }

  return {
    async append(stream, expectedRevision, events) {
      checkOpen()
      const bytes = checkAppend(stream, expectedRevision, events)
      if (queue.length >= APPENDS_WAITING_MAX || bytesWaiting + bytes > BYTES_WAITING_MAX) {
        throw new EventStoreAway(`${file} cannot keep up: ${queue.length} appends are waiting`)
      }
      const answer = Promise.withResolvers<AppendResult>()
      queue.push({ stream, expectedRevision, events: [...events], bytes, answer })
      bytesWaiting += bytes
      writing ??= write()
      return answer.promise
    },

    async readStream(stream, { fromRevision, limit }) {
      checkOpen()
      checkStream(stream)
      checkPage({ fromRevision, limit })
      return asked(() => log.readStream(stream, fromRevision, limit))
    },

    async readAll({ after, limit }) {
      checkOpen()
      checkPage({ limit })
      const afterCount = countOf(after)
      return whenUnlocked(() => log.readAll(afterCount, limit))
    },

    async head() {
      checkOpen()
      return whenUnlocked(() => log.head())
    },

    async waitForEvents(wait) {
      checkOpen()
      countOf(wait.after)
      // First in line, then a look: nothing written in between goes unnoticed.
      const waited = waiting.wait(wait)
      wakeUp(look)
      await waited
    },

    async readSnapshot(stream) {
      checkOpen()
      checkStream(stream)
      return whenUnlocked(() => log.readSnapshot(stream))
    },

    async writeSnapshot(stream, snapshot) {
      checkOpen()
      checkSnapshot(stream, snapshot)
      await whenUnlocked(() => log.writeSnapshot(stream, snapshot))
    },

    async close() {
      closing ??= close()
      await closing
    },
  }
}
