import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { RequestError } from '../http/errors.ts'

/** A rate limit: actions per period. */
interface RateLimit {
  /** Counts one action, or one that costs as much as several, or throws `request/too-many` with the time to wait. */
  consume(key: string, points?: number): Promise<void>
  /** Counts actions that have happened and cannot be refused. */
  add(key: string, count: number): Promise<void>
  /** The present count, as far as is known. */
  count(key: string): Promise<number>
  /** Seconds until the count is 0 again, as far as is known. */
  secondsLeft(key: string): Promise<number>
  /** Resets the count. */
  reset(key: string): Promise<void>
}

/** Counted permits, each held until it is released, such as an unpaid order's. */
export interface Permits {
  /**
   * Takes one permit of every key, or none: returns the first key whose `max` are taken, or how many millions each key held before, in the order of
   * the keys.
   */
  take(
    keys: readonly PermitKey[],
    quantityM: number,
  ): Promise<{ readonly permit: Permit; readonly heldM: readonly number[] } | { readonly full: string }>
  /** Releases the permit that is bound to this order; an unknown order changes nothing. */
  releaseFor(orderId: string): void
}

export interface PermitKey {
  readonly key: string
  readonly max: number
}

export interface Permit {
  /** Binds it to this order, for `releaseFor`. */
  bindTo(orderId: string): void
  release(): void
}

/** Store of rate limits and permits. Counts may be lost, and no request waits for an unavailable store. */
export interface LimitStore {
  rateLimit(options: { name: string; max: number; windowS: number }): RateLimit
  /** A permit is released after `heldMs` at the latest. */
  permits(options: { heldMs: number }): Permits
}

/** In this process only; a restart resets it. */
export function memoryLimitStore(): LimitStore {
  return {
    rateLimit: ({ name, max, windowS }) =>
      rateLimitBy(new RateLimiterMemory({ keyPrefix: name, points: max, duration: windowS })),
    permits: memoryPermits,
  }
}

export function rateLimitBy(limiter: RateLimiterAbstract): RateLimit {
  return {
    async consume(key, points) {
      try {
        await limiter.consume(key, points)
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
    async secondsLeft(key) {
      return Math.ceil(((await limiter.get(key))?.msBeforeNext ?? 0) / 1_000)
    },
    async reset(key) {
      await limiter.delete(key)
    },
  }
}

/** Permits kept; beyond it the oldest is released, which only lets a caller hold more. */
const REMEMBERED_MAX = 50_000

/** Those of one process, at once. */
interface HeldPermits extends Pick<Permits, 'releaseFor'> {
  take(...asked: Parameters<Permits['take']>): Awaited<ReturnType<Permits['take']>>
}

export function memoryPermits(): Permits {
  const permits = heldPermits()
  return { ...permits, take: async (...asked) => permits.take(...asked) }
}

export function heldPermits(): HeldPermits {
  const held = new Map<string, () => void>()
  const sums = new Map<string, { readonly permits: number; readonly quantityM: number }>()

  const add = (key: string, { permits, quantityM }: { permits: number; quantityM: number }): void => {
    const sum = sumOf(key)
    const after = { permits: sum.permits + permits, quantityM: sum.quantityM + quantityM }
    if (after.permits > 0) sums.set(key, after)
    else sums.delete(key)
  }
  const sumOf = (key: string) => sums.get(key) ?? { permits: 0, quantityM: 0 }
  const releaseFor = (orderId: string): void => {
    const release = held.get(orderId)
    held.delete(orderId)
    release?.()
  }

  return {
    take(keys, quantityM) {
      const full = keys.find(({ key, max }) => sumOf(key).permits >= max)
      if (full) return { full: full.key }
      const heldM = keys.map(({ key }) => sumOf(key).quantityM)
      for (const { key } of keys) add(key, { permits: 1, quantityM })
      const release = (): void => {
        for (const { key } of keys) add(key, { permits: -1, quantityM: -quantityM })
      }
      return {
        permit: {
          bindTo(orderId) {
            held.set(orderId, release)
            const [oldest] = held.keys()
            if (held.size > REMEMBERED_MAX && oldest !== undefined) releaseFor(oldest)
          },
          release,
        },
        heldM,
      }
    },
    releaseFor,
  }
}
