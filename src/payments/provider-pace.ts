import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible'
import { ProviderAway } from './payment-provider.ts'

/** The call was held back by the shop itself: it says nothing of the provider. */
export class NotAsked extends ProviderAway {}

/** Each kind of call has its own share, so that checks and rates never hold up a buyer who wants to pay. */
const callsPerSecond = { payments: 2, rates: 1, checks: 3 } as const
/** Calls that may wait, for about ten seconds. */
const WAITING_SECONDS = 10

export type CallKind = keyof typeof callsPerSecond

/** Resolves when a call may begin; rejects with `NotAsked` when too many wait. */
export type Pace = (kind: CallKind) => Promise<void>

/** Paces calls to one provider, in this process or, where the limiters share a store, in all of them together. */
export function providerPace(
  provider: string,
  limiterFor: (options: { keyPrefix: string; points: number; duration: number }) => RateLimiterAbstract = (options) =>
    new RateLimiterMemory(options),
): Pace {
  const queueFor = (kind: CallKind): RateLimiterQueue => {
    const points = callsPerSecond[kind]
    return new RateLimiterQueue(limiterFor({ keyPrefix: `provider-${provider}-${kind}`, points, duration: 1 }), {
      maxQueueSize: points * WAITING_SECONDS,
    })
  }
  const queues = { payments: queueFor('payments'), rates: queueFor('rates'), checks: queueFor('checks') }
  return async (kind) => {
    try {
      await queues[kind].removeTokens(1)
    } catch {
      throw new NotAsked('too many calls to the payment provider are waiting')
    }
  }
}

export const unpaced: Pace = async () => undefined

const PAUSE_MS = 1_000
const PAUSE_MS_MAX = 60_000

/** Backs off while a provider is overloaded or away: the pause doubles with every failure and ends with the first answer. */
export interface BackOff {
  /** Throws `NotAsked` during a pause. */
  assertOver(): void
  /** `askedMs`: the pause that the provider asks for. */
  failed(askedMs?: number): void
  answered(): void
}

export function backOff(now: () => number): BackOff {
  let failures = 0
  let until = 0
  return {
    assertOver() {
      if (now() < until) throw new NotAsked('the payment provider is given a pause after a failure')
    },
    failed(askedMs = 0) {
      // Calls that began before the pause fail together, and count once.
      if (now() < until) return
      const pauseMs = Math.max(PAUSE_MS * 2 ** Math.min(failures, 10), askedMs)
      failures += 1
      until = now() + Math.min(pauseMs, PAUSE_MS_MAX)
    },
    answered() {
      failures = 0
      until = 0
    },
  }
}
