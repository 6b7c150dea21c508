import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ProviderAway } from './payment-provider.ts'

/** The shop itself held the call back: no sign of the provider's health. */
export class NotAsked extends ProviderAway {}

/** Shares of the calls, the most urgent first. Webhooks come in bursts, so looks are counted over ten seconds. */
const shares = {
  payments: { calls: 2, seconds: 1 },
  looks: { calls: 50, seconds: 10 },
  rates: { calls: 1, seconds: 1 },
  checks: { calls: 4, seconds: 1 },
} as const
type Share = keyof typeof shares
/** Of all kinds together: what providers allow. */
const ALL_PER_SECOND = 6
/** Calls may wait for about ten seconds. */
const WAITING_SECONDS = 10
/** Networks whose last turn is remembered. */
const NETWORKS_MAX = 1_000

/**
 * Kinds of calls, the most urgent first, and their shares, so that none takes all calls: taking approved money and the tokens for it, an order's first
 * payment, its further ones; a look that a webhook or a waiting buyer asks for; figures for visitors; polls.
 */
const shareOf = {
  captures: 'payments',
  payments: 'payments',
  replacements: 'payments',
  looks: 'looks',
  rates: 'rates',
  checks: 'checks',
} as const satisfies Record<string, Share>
export type CallKind = keyof typeof shareOf
const kinds = Object.keys(shareOf)

/** Buyers wait for these. */
export function isPayment(kind: CallKind): boolean {
  return shareOf[kind] === 'payments'
}

/** Of opening a payment. */
export function kindOf({ isFirst }: { readonly isFirst: boolean }): CallKind {
  return isFirst ? 'payments' : 'replacements'
}

/** Resolves when a call may begin; rejects with `NotAsked` when too many wait. `network`: the widest one of the caller that it is for. */
export type Pace = (kind: CallKind, network?: string) => Promise<void>

interface WaitingCall {
  readonly urgency: number
  readonly network: string
  readonly begin: () => void
  readonly reject: (error: NotAsked) => void
}

interface Line {
  readonly name: Share
  readonly share: RateLimiterAbstract
  readonly waiting: WaitingCall[]
  readonly waitingMax: number
  /** The number of each network's last turn. */
  readonly lastTurns: LRUCache<string, number>
  turns: number
}

/**
 * Paces calls to one provider, in this process or, if the limiters share a store, in all processes together. Networks take turns, and the one whose calls
 * fill the waiting line gives up the last of them for another's. Once it is stopping, no poll begins, and waiting polls are rejected.
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
  const lines = (Object.keys(shares) as Share[]).map((name): Line => {
    const { calls: points, seconds } = shares[name]
    const lastTurns = new LRUCache<string, number>({ max: NETWORKS_MAX })
    const waitingMax = (points / seconds) * WAITING_SECONDS
    return { name, share: limiter(name, points, seconds), waiting: [], waitingMax, lastTurns, turns: 0 }
  })
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
    for (const line of lines) {
      if (line.waiting.length === 0) continue
      const ms = await msUntilFree(line.share)
      if (ms === 0) {
        hasTurn = false
        beginNext(line)
        return
      }
      waitMs = Math.min(waitMs || ms, ms)
    }
    await Promise.race([sleep(waitMs), newCall.promise])
  }

  async function serveAll(): Promise<void> {
    isServing = true
    try {
      while (lines.some(({ waiting }) => waiting.length > 0)) await serve()
    } catch {
      for (const call of lines.flatMap(({ waiting }) => waiting.splice(0)))
        call.reject(new NotAsked('the pace of calls to the payment provider is not known'))
    } finally {
      isServing = false
    }
  }

  stopping?.addEventListener('abort', () => {
    for (const { name, waiting } of lines)
      if (name === 'checks') for (const call of waiting.splice(0)) call.reject(new NotAsked('the shop is stopping'))
  })

  return async (kind, network = '') => {
    if (kind === 'checks' && stopping?.aborted) throw new NotAsked('the shop is stopping')
    const line = lines.find(({ name }) => name === shareOf[kind])
    if (!line) return
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>()
    const call = { urgency: kinds.indexOf(kind), network, begin, reject }
    line.waiting.push(call)
    if (line.waiting.length > line.waitingMax) rejectLast(line.waiting)
    // More urgent calls of its network may keep it waiting for ever.
    const timer = setTimeout(() => rejectCall(line.waiting, call), WAITING_SECONDS * 1_000)
    newCall.resolve()
    newCall = Promise.withResolvers()
    if (!isServing) void serveAll()
    await promise.finally(() => clearTimeout(timer))
  }
}

/** Captures go first: strangers cannot cause many. Then networks take turns, each with its most urgent call. */
function beginNext(line: Line): void {
  const { waiting, lastTurns } = line
  const lastTurn = ({ network }: WaitingCall): number => lastTurns.get(network) ?? 0
  const next = firstBy(
    waiting,
    (one, other) =>
      captureLast(one) - captureLast(other) || lastTurn(one) - lastTurn(other) || one.urgency - other.urgency,
  )
  if (!next) return
  waiting.splice(waiting.indexOf(next), 1)
  line.turns += 1
  lastTurns.set(next.network, line.turns)
  next.begin()
}

function captureLast({ urgency }: WaitingCall): number {
  return urgency === kinds.indexOf('captures') ? 0 : 1
}

/** Rejects the newest of the least urgent calls of the network that has most calls waiting. */
function rejectLast(waiting: WaitingCall[]): void {
  const counts = Map.groupBy(waiting, ({ network }) => network)
  const countOf = ({ network }: WaitingCall): number => counts.get(network)?.length ?? 0
  const newestFirst = waiting.toReversed()
  const last = firstBy(newestFirst, (one, other) => countOf(other) - countOf(one) || other.urgency - one.urgency)
  if (last) rejectCall(waiting, last)
}

function rejectCall(waiting: WaitingCall[], call: WaitingCall): void {
  const index = waiting.indexOf(call)
  if (index >= 0) waiting.splice(index, 1)
  call.reject(new NotAsked('too many calls to the payment provider are waiting'))
}

function firstBy<Item>(items: readonly Item[], compare: (one: Item, other: Item) => number): Item | undefined {
  return items.reduce<Item | undefined>((first, item) => (first && compare(first, item) <= 0 ? first : item), undefined)
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
