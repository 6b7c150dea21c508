import { setTimeout as pause } from 'node:timers/promises'
import { backOffMs } from '../../ports/back-off.ts'

/** One subscription, until it throws or ends. */
export interface Subscription<Event> {
  readonly events: AsyncIterable<Event>
  /** Ends it, also where it is iterated now. */
  end(): void
}

const AGAIN = { from: 50, max: 2_000 }

/** Listens to one subscription after the other, until it is stopped. They only wake readers: what they miss, those find by reading on. */
export function followedLog<Event>({
  subscribe,
  onEvent,
  onDrop,
}: {
  readonly subscribe: () => Promise<Subscription<Event>>
  readonly onEvent: (event: Event) => void
  readonly onDrop: () => void
}): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  let current: Subscription<Event> | undefined
  const following = follow()

  async function follow(): Promise<void> {
    /** In a row, none of which brought an event. */
    for (let drops = 1; !signal.aborted; drops += 1) {
      try {
        current = await subscribe()
        if (signal.aborted) break
        for await (const event of current.events) {
          drops = 1
          onEvent(event)
        }
      } catch {
        // An error and an end are one thing: another subscription begins.
      } finally {
        current?.end()
        current = undefined
      }
      if (signal.aborted) break
      onDrop()
      await pause(backOffMs(drops, AGAIN, Math.random), undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  return {
    async stop() {
      stopping.abort()
      current?.end()
      await following
    },
  }
}
