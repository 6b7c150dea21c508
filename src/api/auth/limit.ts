import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RequestError } from '../http/errors.ts'

/** Makes a limit's counter, in this process or in Redis. Counts may be lost; no request waits for a store that is away. */
export type LimiterFor = (options: { keyPrefix: string; points: number; duration: number }) => RateLimiterAbstract

export const memoryLimiter: LimiterFor = (options) => new RateLimiterMemory(options)

/** Factors of the limit for a caller's wider networks, which more callers share. */
const NETWORK_FACTORS = [1, 4, 16] as const
/** No points go back to a window that ends this soon: a late return would start the next one below 0. */
const SEAM_MS = 1_000

export interface Taken {
  /** Each key's count before this one. */
  readonly before: readonly number[]
  readonly giveBack: () => Promise<void>
}

/** Limits points per time window, by key or by all networks of a caller, narrowest first. A window of 0 s never ends. Without `limiterFor`, limits nothing. */
export class Limit {
  private readonly tiers: readonly RateLimiterAbstract[]

  constructor(
    limiterFor: LimiterFor | undefined,
    { name, max, windowS }: { name: string; max: number; windowS: number },
  ) {
    const keyPrefixOf = (tier: number): string => (tier === 0 ? name : `${name}-${tier}`)
    this.tiers = NETWORK_FACTORS.flatMap(
      (factor, tier) => limiterFor?.({ keyPrefix: keyPrefixOf(tier), points: max * factor, duration: windowS }) ?? [],
    )
  }

  /** Counts for all keys. If one is full, counts for none and returns the seconds to wait. */
  async take(keys: readonly string[], points = 1): Promise<Taken | number> {
    const counted = await Promise.all(
      this.by(keys).map(async ([limiter, key]) => {
        const counts = await limiter.consume(key, points).catch(countsOf)
        return { limiter, key, counts, endsAt: counts.msBeforeNext < 0 ? Infinity : Date.now() + counts.msBeforeNext }
      }),
    )
    const giveBack = async () => {
      for (const { limiter, key, endsAt } of counted) {
        if (Date.now() > endsAt - SEAM_MS) continue
        const { consumedPoints } = await limiter.reward(key, points)
        // Below 0 if Redis went away in between: this process then counts from 0.
        if (consumedPoints <= 0) await limiter.delete(key)
      }
    }
    const full = counted.filter(({ limiter, counts }) => counts.consumedPoints > limiter.points)
    if (full.length === 0) return { before: counted.map(({ counts }) => counts.consumedPoints - points), giveBack }
    await giveBack()
    return secondsOf(full.map(({ counts }) => counts.msBeforeNext))
  }

  /** Like `take`, but throws `request/too-many` with the time to wait. */
  async consume(keys: readonly string[], points = 1): Promise<void> {
    const retryAfterS = await this.take(keys, points)
    if (typeof retryAfterS === 'number')
      throw new RequestError('request/too-many', 'Too many tries. Please wait a little.', { retryAfterS })
  }

  /** Counts what has already happened, without a limit. */
  async add(keys: readonly string[], points: number): Promise<void> {
    for (const [limiter, key] of this.by(keys)) await limiter.penalty(key, points)
  }

  /** Seconds until a point is free; 0 if one is. */
  async secondsFull(keys: readonly string[]): Promise<number> {
    const counts = await Promise.all(
      this.by(keys).map(async ([limiter, key]) => {
        const known = await limiter.get(key)
        return known && known.consumedPoints >= limiter.points ? known.msBeforeNext : 0
      }),
    )
    return Math.ceil(Math.max(0, ...counts) / 1_000)
  }

  /** Resets the narrowest network only. */
  async reset([key]: readonly string[]): Promise<void> {
    if (key !== undefined) await this.tiers[0]?.delete(key)
  }

  private by(keys: readonly string[]): (readonly [RateLimiterAbstract, string])[] {
    return this.tiers.flatMap((limiter, tier) => {
      const key = keys[tier]
      return key === undefined ? [] : [[limiter, key] as const]
    })
  }
}

/** A rejected call has been counted, too. */
function countsOf(refusal: unknown): RateLimiterRes {
  if (refusal instanceof RateLimiterRes) return refusal
  throw refusal
}

function secondsOf(ms: readonly number[]): number {
  return Math.max(1, Math.ceil(Math.max(...ms) / 1_000))
}
