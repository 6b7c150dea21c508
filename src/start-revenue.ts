import type { Folded, ReadRevenue, RevenueRows } from './api/as-of/past-views.ts'
import type { Config } from './config.ts'
import { type HistoryThread, startHistoryThread } from './history-thread.ts'

/** What the thread is started with. */
export interface RevenueStart {
  readonly config: Config
}

/** What it sends. */
export type FromRevenue =
  { readonly kind: 'reached'; readonly reached: Folded } | { readonly kind: 'added'; readonly rows: RevenueRows }

interface Run {
  readonly thread: HistoryThread
  readonly rows: Promise<RevenueRows>
  readonly callers: Set<Parameters<ReadRevenue>[0]>
}

const ENTRY = new URL('run-revenue.ts', import.meta.url)
/** It keeps a little of every order. */
const HEAP_MB_MAX = 1_024

/** Adds up the log in one worker thread at a time: concurrent callers share its answer, and it is terminated when the last of them aborts. */
export function revenueReader(config: Config, entry = ENTRY): ReadRevenue {
  let run: Run | undefined

  function begin(): Run {
    const workerData: RevenueStart = { config }
    const thread = startHistoryThread(entry, { name: 'revenue', workerData, heapMbMax: HEAP_MB_MAX })
    const { promise, resolve, reject } = Promise.withResolvers<RevenueRows>()
    const begun: Run = { thread, rows: promise, callers: new Set() }
    thread.worker.on('message', (message: FromRevenue) => {
      if (message.kind === 'added') return resolve(message.rows)
      for (const { onProgress } of begun.callers) onProgress?.(message.reached)
    })
    thread.ended.then(reject, reject)
    const over = () => {
      if (run === begun) run = undefined
    }
    promise.then(over, over)
    return begun
  }

  return async (caller) => {
    const { signal } = caller
    signal.throwIfAborted()
    const mine = (run ??= begin())
    mine.callers.add(caller)
    const left = Promise.withResolvers<never>()
    const leave = (): void => left.reject(signal.reason as Error)
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([mine.rows, left.promise])
    } finally {
      signal.removeEventListener('abort', leave)
      mine.callers.delete(caller)
      if (mine.callers.size === 0) {
        if (run === mine) run = undefined
        await mine.thread.stop()
      }
    }
  }
}
