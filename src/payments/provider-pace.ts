import { setTimeout as sleep } from 'node:timers/promises'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ProviderAway } from './payment-provider.ts'

/** The shop itself held the call back: no sign of the provider's health. */
export class NotAsked extends ProviderAway {}

/**
 * The most urgent first: opening and capturing a payment, a look that a webhook or a waiting buyer asks for, figures for visitors, polls. Each has a share,
 * so that none takes all calls. Webhooks come in bursts, so looks are counted over ten seconds.
 */
const shares = {
  payments: { calls: 2, seconds: 1 },
  looks: { calls: 50, seconds: 10 },
  rates: { calls: 1, seconds: 1 },
  checks: { calls: 4, seconds: 1 },
} as const
/** Of all kinds together: what providers allow. */
const ALL_PER_SECOND = 6
/** Calls may wait for about ten seconds. */
const WAITING_SECONDS = 10

export type CallKind = keyof typeof shares
const kinds = Object.keys(shares) as readonly CallKind[]

/** Resolves when a call may begin; rejects with `NotAsked` when too many wait. */
export type Pace = (kind: CallKind) => Promise<void>

/**
 * Paces calls to one provider, in this process or, if the limiters share a store, in all processes together. Once it is stopping, no poll begins, and
 * waiting polls are rejected.
 */
export function providerPace(
  provider: string,
  limiterFor: (options: { keyPrefix: string; points: number; duration: number }) => RateLimiterAbstract = (options) =>
    new RateLimiterMemory(options),
  stopping?: AbortSignal,
): Pace {
  const limiter = (kind: string, points: number, duration: number): RateLimiterAbstract =>
    limiterFor({ keyPrefix: `provider-${provider}-${kind}`, points, duration })
  const all = limiter('all', ALL_PER_SECOND, 1)
  const lines = kinds.map((kind) => ({
    kind,
    share: limiter(kind, shares[kind].calls, shares[kind].seconds),
    calls: [] as PromiseWithResolvers<void>[],
  }))
  let isServing = false
  let hasTurn = false
  let newCall = Promise.withResolvers<void>()

  async function serve(): Promise<void> {
    // Taken before a call is picked, so that the most urgent gets it; kept if none may begin yet.
    const pauseMs = hasTurn ? 0 : await msUntilFree(all)
    hasTurn = pauseMs === 0
    if (!hasTurn) {
      await sleep(pauseMs)
      return
    }
    let waitMs = 0
    for (const { share, calls } of lines) {
      if (calls.length === 0) continue
      const ms = await msUntilFree(share)
      if (ms === 0) {
        hasTurn = false
        calls.shift()?.resolve()
        return
      }
      waitMs = Math.min(waitMs || ms, ms)
    }
    await Promise.race([sleep(waitMs), newCall.promise])
  }

  async function serveAll(): Promise<void> {
    isServing = true
    try {
      while (lines.some(({ calls }) => calls.length > 0)) await serve()
    } catch {
      for (const call of lines.flatMap(({ calls }) => calls.splice(0)))
        call.reject(new NotAsked('the pace of calls to the payment provider is not known'))
    } finally {
      isServing = false
    }
  }

  stopping?.addEventListener('abort', () => {
    for (const { kind, calls } of lines)
      if (kind === 'checks') for (const call of calls.splice(0)) call.reject(new NotAsked('the shop is stopping'))
  })

  return async (kind) => {
    if (kind === 'checks' && stopping?.aborted) throw new NotAsked('the shop is stopping')
    const calls = lines.find((line) => line.kind === kind)?.calls ?? []
    const { calls: most, seconds } = shares[kind]
    if (calls.length >= (most / seconds) * WAITING_SECONDS)
      throw new NotAsked('too many calls to the payment provider are waiting')
    const call = Promise.withResolvers<void>()
    calls.push(call)
    newCall.resolve()
    newCall = Promise.withResolvers()
    if (!isServing) void serveAll()
    await call.promise
  }
}

/** 0 if a call may begin now; the call is then counted. */
async function msUntilFree(limiter: RateLimiterAbstract): Promise<number> {
  try {
    await limiter.consume('calls')
    return 0
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.max(1, error.msBeforeNext)
    throw error
  }
}

export const unpaced: Pace = async () => undefined
