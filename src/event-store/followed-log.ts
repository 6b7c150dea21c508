import { setTimeout as pause } from 'node:timers/promises'
import { backOffMs } from '../ports/back-off.ts'
import type { Position } from './event-store.ts'

/** One subscription, until it breaks: then it throws, ends, or says nothing more. */
export interface Subscription<Event> {
  readonly events: AsyncIterable<Event>
  /** Ends it, also where it is iterated now. */
  end(error?: Error): void
}

export interface FollowedLogOptions<Event> {
  /** Events after a position, in the order of the log. */
  readonly subscribe: (after: Position) => Promise<Subscription<Event>>
  /** Newest event of the log; asked while nothing comes. */
  readonly head: () => Promise<Position>
  readonly after: Position
  /** Every event once, in order. */
  readonly onEvent: (event: Event) => void
  readonly onDrop?: () => void
  /** For how long nothing may come before the log is asked whether there is more. */
  readonly quietMs?: number
  readonly againMs?: number
}

const QUIET_MS = 1_000
const AGAIN_MS = 50
const AGAIN_MS_MAX = 2_000

/** Follows the log through errors, ends and silence of its subscriptions; returns what stops it. */
export function followedLog<Event extends { readonly position: Position }>({
  subscribe,
  head,
  after,
  onEvent,
  onDrop,
  quietMs = QUIET_MS,
  againMs = AGAIN_MS,
}: FollowedLogOptions<Event>): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let current: Subscription<Event> | undefined
  let reached = after
  /** Events in a row of which a subscription was dropped before it brought any. */
  let drops = 0
  let quietAt: Position | undefined
  let isAsking = false
  const timer = setInterval(() => void look(), quietMs).unref()
  const following = follow()

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await take(await subscribe(reached))
      } catch {
        // An error, an end and silence are one thing: the next subscription goes on from what was reached.
      }
      if (stopping.signal.aborted) return
      onDrop?.()
      drops += 1
      const againInMs = backOffMs(drops, { from: againMs, max: AGAIN_MS_MAX }, Math.random)
      await pause(againInMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
  }

  async function take(subscription: Subscription<Event>): Promise<void> {
    current = subscription
    quietAt = undefined
    try {
      if (stopping.signal.aborted) return
      for await (const event of subscription.events) {
        if (event.position <= reached) continue
        reached = event.position
        drops = 0
        onEvent(event)
      }
    } finally {
      current = undefined
      subscription.end()
    }
  }

  /** Twice in a row the log had more than the subscription brought: it is silent. */
  async function look(): Promise<void> {
    if (!current || isAsking) return
    const [asked, at] = [current, reached]
    isAsking = true
    const newest = await head().catch(() => undefined)
    isAsking = false
    if (newest === undefined || newest <= reached || at !== reached) quietAt = undefined
    else if (quietAt !== at) quietAt = at
    else if (current === asked) asked.end(new Error('the subscription is silent'))
  }

  return {
    async stop() {
      stopping.abort()
      clearInterval(timer)
      current?.end(new Error('stopped'))
      await following
    },
  }
}
