import { LRUCache } from 'lru-cache'
import { ProviderAway } from './payment-provider.ts'

interface Options {
  readonly now: () => number
  readonly freshMs: number
  /** Largest age of a value while the provider is away. */
  readonly staleMs: number
  readonly max: number
}

/** Caches values by key for a while; concurrent callers share one request. */
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
