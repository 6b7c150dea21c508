import type { Config } from './config.ts'
import { type HistoryThread, startHistoryThread } from './history-thread.ts'
import type { RevenueRows } from './history/revenue.ts'

/** What the thread is started with. */
export interface RevenueStart {
  readonly config: Config
}

interface Run {
  readonly thread: HistoryThread
  readonly rows: Promise<RevenueRows>
  callers: number
}

const ENTRY = new URL('run-revenue.ts', import.meta.url)
/** It keeps a little of every order. */
const HEAP_MB_MAX = 1_024

/** Adds up the log in one worker thread at a time: concurrent callers share its answer, and it is terminated when the last of them aborts. */
export function revenueReader(config: Config, entry = ENTRY): (signal: AbortSignal) => Promise<RevenueRows> {
  let run: Run | undefined

  function begin(): Run {
    const workerData: RevenueStart = { config }
    const thread = startHistoryThread(entry, { name: 'revenue', workerData, heapMbMax: HEAP_MB_MAX })
    const { promise, resolve, reject } = Promise.withResolvers<RevenueRows>()
    thread.worker.once('message', resolve)
    thread.ended.then(reject, reject)
    const begun = { thread, rows: promise, callers: 0 }
    const over = () => {
      if (run === begun) run = undefined
    }
    promise.then(over, over)
    return begun
  }

  return async (signal) => {
    signal.throwIfAborted()
    const mine = (run ??= begin())
    mine.callers += 1
    const left = Promise.withResolvers<never>()
    const leave = (): void => left.reject(signal.reason as Error)
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([mine.rows, left.promise])
    } finally {
      signal.removeEventListener('abort', leave)
      mine.callers -= 1
      if (mine.callers === 0) {
        if (run === mine) run = undefined
        await mine.thread.stop()
      }
    }
  }
}
