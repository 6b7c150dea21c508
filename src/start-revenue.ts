import { Worker } from 'node:worker_threads'
import type { Config } from './config.ts'
import type { RevenueRows } from './history/revenue.ts'

/** What the thread is started with. */
export interface RevenueStart {
  readonly config: Config
}

interface Run {
  readonly worker: Worker
  readonly rows: Promise<RevenueRows>
  callers: number
}

const ENTRY = new URL('run-revenue.ts', import.meta.url)
/** It keeps a little of every order. */
const HEAP_MB_MAX = 1_024

/** Adds up the log in a thread of its own, one at a time: whoever asks meanwhile gets the same answer. It ends when nobody waits any more. */
export function revenueReader(config: Config, entry = ENTRY): (signal: AbortSignal) => Promise<RevenueRows> {
  let run: Run | undefined

  function begin(): Run {
    const workerData: RevenueStart = { config }
    const worker = new Worker(entry, {
      name: 'revenue',
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    })
    const { promise, resolve, reject } = Promise.withResolvers<RevenueRows>()
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread that adds up the revenue has ended')))
    const begun = { worker, rows: promise, callers: 0 }
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
        await mine.worker.terminate()
      }
    }
  }
}
