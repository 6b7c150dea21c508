import { Worker } from 'node:worker_threads'
import type { Config } from '../config.ts'
import { EventStoreAway } from '../engines/event-store/event-store.ts'
import { type FoldPast, OutOfMemory, type PastViews, type Reached } from '../projections/past-views.ts'
import type { Views } from '../projections/shop-views.ts'
import { ViewStoreAway } from '../engines/view-store/view-store.ts'

/** The thread's input. */
export interface PastStart {
  readonly config: Config
  readonly beforeMs: number
}

/** A message to the thread. */
export interface ToPast {
  readonly id: number
  readonly ask: keyof Views
  readonly given: readonly unknown[]
}

/** An error as a message: a structured clone keeps neither its class nor its code. */
export interface SentError {
  readonly code: string | undefined
  readonly message: string
}

/** A message from the thread. */
export type FromPast =
  | { readonly kind: 'reached'; readonly reached: Reached }
  | ({ readonly kind: 'folded' } & Pick<PastViews, 'reached' | 'openM'>)
  | { readonly kind: 'not folded'; readonly error: SentError }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SentError }

const ENTRY = new URL('run-past.ts', import.meta.url)
/** A million events fit in 160 MB, not in 96. */
const HEAP_MB_MAX = 512

/** Folds the log in a separate thread, which then serves the views until it is closed. */
export function pastFolder(config: Config, entry = ENTRY, heapMbMax = HEAP_MB_MAX): FoldPast {
  return async ({ beforeMs, signal, onProgress }) => {
    signal.throwIfAborted()
    const workerData: PastStart = { config, beforeMs }
    const worker = new Worker(entry, {
      name: 'past',
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    })
    const asked = new Map<number, PromiseWithResolvers<unknown>>()
    const folded = Promise.withResolvers<Pick<PastViews, 'reached' | 'openM'>>()
    let asks = 0
    let thrown: Error | undefined
    let isEnded = false

    worker.on('message', (message: FromPast) => {
      switch (message.kind) {
        case 'reached':
          return onProgress(message.reached)
        case 'folded':
          return folded.resolve(message)
        case 'not folded':
          return folded.reject(receivedError(message.error))
        case 'answer':
          return takeAsked(message.id)?.resolve(message.value)
        case 'failed':
          return takeAsked(message.id)?.reject(receivedError(message.error))
      }
    })
    worker.on('error', (error: Error) => {
      const isOutOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      thrown = isOutOfMemory ? new OutOfMemory(`the thread needs more than ${heapMbMax} MB`) : error
    })
    worker.once('exit', () => {
      isEnded = true
      folded.reject(thrown ?? (signal.reason as Error | undefined) ?? closed())
      for (const { reject } of asked.values()) reject(thrown ?? closed())
      asked.clear()
    })

    function takeAsked(id: number): PromiseWithResolvers<unknown> | undefined {
      const answer = asked.get(id)
      asked.delete(id)
      return answer
    }

    async function ask<Name extends keyof Views>(name: Name, ...given: Parameters<Views[Name]>): Promise<unknown> {
      if (isEnded) throw thrown ?? closed()
      const answer = Promise.withResolvers<unknown>()
      const id = (asks += 1)
      asked.set(id, answer)
      worker.postMessage({ id, ask: name, given } satisfies ToPast)
      return answer.promise
    }

    const stop = (): void => void worker.terminate()
    signal.addEventListener('abort', stop, { once: true })
    const { reached, openM } = await folded.promise.finally(() => signal.removeEventListener('abort', stop))
    return {
      reached,
      openM,
      async close() {
        await worker.terminate()
      },
      views: {
        load: async (...given) => ask('load', ...given) as ReturnType<Views['load']>,
        find: async (...given) => ask('find', ...given) as ReturnType<Views['find']>,
        count: async (...given) => ask('count', ...given) as ReturnType<Views['count']>,
        broken: async (...given) => ask('broken', ...given) as ReturnType<Views['broken']>,
        position: async () => reached.position,
        waitFor: async () => true,
      },
    }
  }
}

function receivedError({ code, message }: SentError): Error {
  if (code === 'event-store-away') return new EventStoreAway(message)
  return code === 'view-store-away' ? new ViewStoreAway(message) : new Error(message)
}

function closed(): Error {
  return new ViewStoreAway('the views of the past are closed')
}
