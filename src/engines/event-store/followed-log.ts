import { setTimeout as pause } from 'node:timers/promises'
import { backOffMs } from '../../ports/back-off.ts'

/** One subscription, until it throws or ends. */
export interface Subscription<Event> {
  readonly events: AsyncIterable<Event>
  /** Ends it, even during an iteration. */
  end(): void
}

const RESUBSCRIBE = { from: 50, max: 2_000 }

export interface FollowedLog {
  /** Replaces a subscription that delivers nothing by a new one. */
  subscribeAgain(): void
  stop(): Promise<void>
}

/** Subscribes again after each drop, until stopped. Events only wake readers, who read the log themselves: a missed one does no harm. */
export function followedLog<Event>({
  subscribe,
  onEvent,
  onDrop,
}: {
  readonly subscribe: () => Promise<Subscription<Event>>
  readonly onEvent: (event: Event) => void
  readonly onDrop: () => void
}): FollowedLog {
  const stopping = new AbortController()
  const { signal } = stopping
  let current: Subscription<Event> | undefined
  const following = follow()

  async function follow(): Promise<void> {
    /** Consecutive drops without an event. */
    for (let drops = 1; !signal.aborted; drops += 1) {
      try {
        current = await subscribe()
        if (signal.aborted) break
        for await (const event of current.events) {
          drops = 1
          onEvent(event)
        }
      } catch {
        // An error is treated as an end: subscribe again.
      } finally {
        current?.end()
        current = undefined
      }
      if (signal.aborted) break
      onDrop()
      await pause(backOffMs(drops, RESUBSCRIBE, Math.random), undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  return {
    subscribeAgain: () => current?.end(),
    async stop() {
      stopping.abort()
      current?.end()
      await following
    },
  }
}
