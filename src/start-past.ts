import type { FoldPast, Folded, RevenueRows } from './api/as-of/past-views.ts'
import type { Config } from './config.ts'
import { receivedError, startHistoryThread } from './history-thread.ts'
import { ViewStoreAway, type Collection, type ViewStore } from './view-store/view-store.ts'

/** What the thread is started with. */
export interface PastStart {
  readonly config: Config
  readonly beforeMs: number
}

/** What it can be asked. */
export interface PastAnswers extends Pick<ViewStore, 'load' | 'find' | 'count' | 'countBroken'> {
  revenue(): Promise<RevenueRows>
}

/** What it is sent. */
export interface ToPast {
  readonly id: number
  readonly ask: keyof PastAnswers
  readonly given: readonly unknown[]
}

/** What it sends. */
export type FromPast =
  | { readonly kind: 'reached'; readonly reached: Folded }
  | {
      readonly kind: 'folded'
      readonly reached: Folded
      readonly openM: number
      readonly collections: ReadonlyMap<string, Collection>
    }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: unknown }

const ENTRY = new URL('run-past.ts', import.meta.url)
/** A million events fit in 160; 96 are too few. */
const HEAP_MB_MAX = 512

/** Folds the log in a thread of its own, which then answers from the views until it is closed. */
export function pastFolder(config: Config, entry = ENTRY, heapMbMax = HEAP_MB_MAX): FoldPast {
  return async ({ beforeMs, signal, onProgress }) => {
    signal.throwIfAborted()
    const workerData: PastStart = { config, beforeMs }
    const thread = startHistoryThread(entry, { name: 'past', workerData, heapMbMax })
    const asked = new Map<number, PromiseWithResolvers<unknown>>()
    let asks = 0
    let isEnded = false
    const folded = Promise.withResolvers<Extract<FromPast, { kind: 'folded' }>>()

    thread.worker.on('message', (message: FromPast) => {
      switch (message.kind) {
        case 'reached':
          return onProgress(message.reached)
        case 'folded':
          return folded.resolve(message)
        case 'answer':
        case 'failed': {
          const answer = asked.get(message.id)
          asked.delete(message.id)
          if (message.kind === 'answer') answer?.resolve(message.value)
          else answer?.reject(receivedError(message.error))
        }
      }
    })
    void rejectOnceEnded()

    async function rejectOnceEnded(): Promise<void> {
      const error = await thread.ended
      isEnded = true
      folded.reject(error ?? (signal.reason as Error))
      for (const { reject } of asked.values()) reject(closed())
      asked.clear()
    }

    async function ask<Name extends keyof PastAnswers>(
      name: Name,
      ...given: Parameters<PastAnswers[Name]>
    ): Promise<Awaited<ReturnType<PastAnswers[Name]>>> {
      if (isEnded) throw closed()
      const answer = Promise.withResolvers<unknown>()
      const id = (asks += 1)
      asked.set(id, answer)
      thread.worker.postMessage({ id, ask: name, given } satisfies ToPast)
      return answer.promise as Promise<Awaited<ReturnType<PastAnswers[Name]>>>
    }

    const stop = (): void => void thread.stop()
    signal.addEventListener('abort', stop, { once: true })
    const { reached, openM, collections } = await folded.promise.finally(() =>
      signal.removeEventListener('abort', stop),
    )
    return {
      reached,
      openM,
      ended: thread.ended,
      close: async () => thread.stop(),
      revenue: async () => ask('revenue'),
      views: {
        store: {
          load: async (...given) => ask('load', ...given),
          find: async (...given) => ask('find', ...given),
          count: async (...given) => ask('count', ...given),
          countBroken: async (...given) => ask('countBroken', ...given),
        },
        async collection(name) {
          const collection = collections.get(name)
          if (!collection) throw new TypeError(`no view '${name}' is folded of the past`)
          return collection
        },
        isStanding: async () => true,
        waitFor: async () => true,
      },
    }
  }
}

function closed(): Error {
  return new ViewStoreAway('the views of the past are closed')
}
