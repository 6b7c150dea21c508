import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { RequestError } from '../errors.ts'

/** How often somebody may do something within a time. */
export interface Tries {
  /** Takes one, or throws `request/too-many` with when there will be one. */
  take(key: string): Promise<void>
  /** What was taken is forgotten. */
  forget(key: string): Promise<void>
}

/** Something that is held until it is given back, such as an unpaid order. */
export interface Places {
  /** Takes one place of every key, or none at all; answers with the first key that has no more than `max`. */
  take(keys: readonly PlaceKey[]): Promise<{ readonly place: TakenPlace } | { readonly full: string }>
  /** Whoever holds this name gives it back. A name that nobody holds changes nothing. */
  end(name: string): void
}

export interface PlaceKey {
  readonly key: string
  readonly max: number
}

export interface TakenPlace {
  /** It is given back by this name from now on. */
  keep(name: string): void
  giveBack(): void
}

/** Where tries and places are counted. Counters may be lost, and nothing ever waits for them to come back. */
export interface LimitStore {
  tries(options: { name: string; max: number; windowS: number }): Tries
  /** A place that nobody gives back is free again after `heldMs`, or earlier. */
  places(options: { heldMs: number }): Places
}

/** In this process alone; a restart forgets. */
export function memoryLimitStore(): LimitStore {
  return {
    tries: ({ name, max, windowS }) =>
      triesBy(new RateLimiterMemory({ keyPrefix: name, points: max, duration: windowS })),
    places: memoryPlaces,
  }
}

export function triesBy(limiter: RateLimiterAbstract): Tries {
  return {
    async take(key) {
      try {
        await limiter.consume(key)
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error
        throw new RequestError('request/too-many', 'Too many tries. Please wait a little.', {
          retryAfterS: Math.max(1, Math.ceil(error.msBeforeNext / 1000)),
        })
      }
    },
    async forget(key) {
      await limiter.delete(key)
    },
  }
}

/** Names remembered; beyond it the oldest is forgotten, which only lets somebody hold more. */
const REMEMBERED_MAX = 50_000

export function memoryPlaces(): Places {
  const held = new Map<string, readonly PlaceKey[]>()
  const counts = new Map<string, number>()

  const add = (key: string, difference: number): void => {
    const count = (counts.get(key) ?? 0) + difference
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }
  const giveBack = (keys: readonly PlaceKey[]): void => {
    for (const { key } of keys) add(key, -1)
  }
  const end = (name: string): void => {
    const keys = held.get(name)
    if (!keys) return
    held.delete(name)
    giveBack(keys)
  }

  return {
    async take(keys) {
      const full = keys.find(({ key, max }) => (counts.get(key) ?? 0) >= max)
      if (full) return { full: full.key }
      for (const { key } of keys) add(key, 1)
      return {
        place: {
          keep(name) {
            held.set(name, keys)
            const [oldest] = held.keys()
            if (held.size > REMEMBERED_MAX && oldest !== undefined) end(oldest)
          },
          giveBack: () => giveBack(keys),
        },
      }
    },
    end,
  }
}
