import type { Position } from '../engines/event-store/event-store.ts'

/** Further waits return false at once. */
const WAITING_MAX = 10_000

interface PositionWaiters {
  /** True as soon as the position is reached; false after `timeoutMs`. */
  wait(position: Position, timeoutMs: number): Promise<boolean>
  wake(): void
}

/** Waits until the views, or the states in memory, have reached a position. */
export function positionWaiters(reached: () => Position): PositionWaiters {
  const waiting = new Set<() => void>()
  return {
    async wait(position, timeoutMs) {
      if (reached() >= position) return true
      if (waiting.size >= WAITING_MAX) return false
      return new Promise((resolve) => {
        const done = (isReached: boolean): void => {
          clearTimeout(timer)
          waiting.delete(check)
          resolve(isReached)
        }
        const check = (): void => {
          if (reached() >= position) done(true)
        }
        const timer = setTimeout(() => done(false), timeoutMs)
        waiting.add(check)
      })
    },
    wake() {
      for (const check of waiting) check()
    },
  }
}
