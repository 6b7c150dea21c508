import { constants, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { OutOfMemory } from './api/as-of/past-views.ts'
import { EventStoreAway } from './event-store/event-store.ts'
import { TryAgain } from './ports/try-again.ts'
import { ViewStoreAway } from './view-store/view-store.ts'

const SAID_EVERY_MS = 100

export interface HistoryThread {
  readonly worker: Worker
  /** Why it has ended; undefined where it was stopped. */
  readonly ended: Promise<Error | undefined>
  stop(): Promise<void>
}

/** Starts a thread that reads the log beside a shop that sells. */
export function startHistoryThread(
  entry: URL,
  { name, workerData, heapMbMax }: { name: string; workerData: unknown; heapMbMax: number },
): HistoryThread {
  const worker = new Worker(entry, { name, workerData, resourceLimits: { maxOldGenerationSizeMb: heapMbMax } })
  let isStopped = false
  let thrown: Error | undefined
  worker.on('error', (error: Error) => (thrown = reasonOf(error, { name, heapMbMax })))
  const ended = new Promise<Error | undefined>((resolve) =>
    worker.once('exit', () => resolve(isStopped ? undefined : (thrown ?? new Error(`the thread '${name}' has ended`)))),
  )
  return {
    worker,
    ended,
    async stop() {
      isStopped = true
      await worker.terminate()
    },
  }
}

function reasonOf(error: Error, { name, heapMbMax }: { name: string; heapMbMax: number }): Error {
  const isOutOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isOutOfMemory ? new OutOfMemory(`the thread '${name}' needs more than ${heapMbMax} MB`) : receivedError(error)
}

/** Passes on what changes fast. */
export function seldom<T>(say: (value: T) => void): (value: T) => void {
  let saidAt = 0
  return (value) => {
    if (performance.now() - saidAt < SAID_EVERY_MS) return
    saidAt = performance.now()
    say(value)
  }
}

/** An error as a message to another thread: a structured clone keeps neither its class nor its code. */
export function sentError(error: unknown): unknown {
  return error instanceof TryAgain ? { code: error.code, message: error.message } : error
}

/** The error that another thread sent or ended with: a port's has its class again. */
export function receivedError(sent: unknown): Error {
  const { code, message } = (sent ?? {}) as { code?: unknown; message?: string }
  if (code === 'event-store-away') return new EventStoreAway(message, { cause: sent })
  if (code === 'view-store-away') return new ViewStoreAway(message, { cause: sent })
  return sent instanceof Error ? sent : new Error(message)
}

/** For the thread itself: whoever sells comes first. Elsewhere a priority is that of the whole process. */
export function yieldToBuyers(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)
}
