import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { RequestError } from '../http/errors.ts'

/** A rate limit: actions per period. */
interface Tries {
  /** Counts one action, or throws `request/too-many` with the time to wait. */
  take(key: string): Promise<void>
  /** Counts actions that have happened and cannot be refused. */
  add(key: string, count: number): Promise<void>
  /** The present count, as far as is known. */
  count(key: string): Promise<number>
  /** Resets the count. */
  forget(key: string): Promise<void>
}

/** A place that is held until it is given back, such as an unpaid order's. */
export interface Places {
  /**
   * Takes one place of every key, or none at all; answers with the first key that has no more than `max`, or with how many millions each key held
   * before, in the order of the keys.
   */
  take(
    keys: readonly PlaceKey[],
    quantityM: number,
  ): Promise<{ readonly place: TakenPlace; readonly heldM: readonly number[] } | { readonly full: string }>
  /** Gives back the place with this name; an unknown name changes nothing. */
  end(name: string): void
}

export interface PlaceKey {
  readonly key: string
  readonly max: number
}

export interface TakenPlace {
  /** Renames it for `giveBack`. */
  keep(name: string): void
  giveBack(): void
}

/** Store of rate limits and places. Counts may be lost, and no request waits for an unavailable store. */
export interface LimitStore {
  tries(options: { name: string; max: number; windowS: number }): Tries
  /** A place is released after `heldMs` at the latest. */
  places(options: { heldMs: number }): Places
}

/** In this process only; a restart resets it. */
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
    async add(key, count) {
      await limiter.penalty(key, count)
    },
    async count(key) {
      return (await limiter.get(key))?.consumedPoints ?? 0
    },
    async forget(key) {
      await limiter.delete(key)
    },
  }
}

/** Names kept; beyond it the oldest is dropped, which only lets a caller hold more. */
const REMEMBERED_MAX = 50_000

export function memoryPlaces(): Places {
  const held = new Map<string, () => void>()
  const sums = new Map<string, { readonly places: number; readonly quantityM: number }>()

  const add = (key: string, { places, quantityM }: { places: number; quantityM: number }): void => {
    const sum = sumOf(key)
    const after = { places: sum.places + places, quantityM: sum.quantityM + quantityM }
    if (after.places > 0) sums.set(key, after)
    else sums.delete(key)
  }
  const sumOf = (key: string) => sums.get(key) ?? { places: 0, quantityM: 0 }
  const end = (name: string): void => {
    const giveBack = held.get(name)
    held.delete(name)
    giveBack?.()
  }

  return {
    async take(keys, quantityM) {
      const full = keys.find(({ key, max }) => sumOf(key).places >= max)
      if (full) return { full: full.key }
      const heldM = keys.map(({ key }) => sumOf(key).quantityM)
      for (const { key } of keys) add(key, { places: 1, quantityM })
      const giveBack = (): void => {
        for (const { key } of keys) add(key, { places: -1, quantityM: -quantityM })
      }
      return {
        place: {
          keep(name) {
            held.set(name, giveBack)
            const [oldest] = held.keys()
            if (held.size > REMEMBERED_MAX && oldest !== undefined) end(oldest)
          },
          giveBack,
        },
        heldM,
      }
    },
    end,
  }
}
