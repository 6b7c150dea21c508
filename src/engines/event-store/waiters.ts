import type { EventStore, Position } from './event-store.ts'

type Wait = Parameters<EventStore['waitForEvents']>[0]

/** Readers that wait for the log to grow. */
export interface Waiters {
  /** Resolves on a `wake` with a later position, on abort, or on timeout. */
  wait(wait: Wait): Promise<void>
  wake(head: Position): void
  wakeAll(): void
}

/** Calls `onSome` when the first reader starts to wait, and `onNone` when the last one stops waiting. */
export function waiters(onSome: () => void = () => undefined, onNone: () => void = () => undefined): Waiters {
  const waiting = new Map<() => void, Position>()
  return {
    async wait({ after, timeoutMs, signal }) {
      if (signal.aborted) return
      await new Promise<void>((resolve) => {
        const stop = (): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', stop)
          waiting.delete(stop)
          if (waiting.size === 0) onNone()
          resolve()
        }
        const timer = setTimeout(stop, timeoutMs)
        signal.addEventListener('abort', stop)
        waiting.set(stop, after)
        if (waiting.size === 1) onSome()
      })
    },
    wake(head) {
      for (const [stop, after] of waiting) if (after < head) stop()
    },
    wakeAll() {
      for (const stop of waiting.keys()) stop()
    },
  }
}
