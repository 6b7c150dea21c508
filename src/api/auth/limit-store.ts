import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { RequestError } from '../http/errors.ts'

/** How often somebody may do something within a time. */
interface Tries {
  /** Takes one, or throws `request/too-many` with when there will be one. */
  take(key: string): Promise<void>
  /** Counts what has happened and cannot be refused. */
  add(key: string, count: number): Promise<void>
  /** How many were taken or added, as far as is known. */
  count(key: string): Promise<number>
  /** What was taken is forgotten. */
  forget(key: string): Promise<void>
}

/** Something that is held until it is given back, such as an unpaid order. */
export interface Places {
  /**
   * Takes one place of every key, or none at all; answers with the first key that has no more than `max`, or with how many millions each key held
   * before, in the order of the keys.
   */
  take(
    keys: readonly PlaceKey[],
    quantityM: number,
  ): Promise<{ readonly place: TakenPlace; readonly heldM: readonly number[] } | { readonly full: string }>
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

/** Names remembered; beyond it the oldest is forgotten, which only lets somebody hold more. */
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
