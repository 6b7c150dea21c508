import { LRUCache } from 'lru-cache'
import { ProviderAway } from './payment-provider.ts'

interface Options {
  readonly now: () => number
  readonly freshMs: number
  /** While it cannot be asked for, an answer serves until it is so old. */
  readonly staleMs: number
  readonly max: number
}

/** What is asked for by key, once in a while; concurrent callers share one question. */
export function remembered<Value>(
  { now, freshMs, staleMs, max }: Options,
  ask: (key: string) => Promise<Value>,
): (key: string) => Promise<Value> {
  const answers = new LRUCache<string, { readonly value: Value; readonly at: number }>({
    max,
    ttl: freshMs,
    ttlResolution: 0,
    perf: { now },
    noDeleteOnFetchRejection: true,
    fetchMethod: async (key) => ({ value: await ask(key), at: now() }),
  })
  return async (key) => {
    const old = answers.peek(key, { allowStale: true })
    try {
      return (await answers.forceFetch(key)).value
    } catch (error) {
      if (old && now() - old.at < staleMs && error instanceof ProviderAway) return old.value
      throw error
    }
  }
}
