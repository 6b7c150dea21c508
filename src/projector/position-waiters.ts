import type { Position } from '../event-store/event-store.ts'

/** Waiting requests; beyond it the answer is an immediate false. */
const WAITING_MAX = 10_000

export interface PositionWaiters {
  wait(position: Position, timeoutMs: number, names?: readonly string[]): Promise<boolean>
  wake(): void
}

/** Requests that wait until the views have reached a position. */
export function positionWaiters(reached: (names?: readonly string[]) => Position): PositionWaiters {
  const waiting = new Set<() => void>()
  return {
    async wait(position, timeoutMs, names) {
      if (reached(names) >= position) return true
      if (waiting.size >= WAITING_MAX) return false
      return new Promise((resolve) => {
        const done = (isThere: boolean): void => {
          clearTimeout(timer)
          waiting.delete(look)
          resolve(isThere)
        }
        const look = (): void => {
          if (reached(names) >= position) done(true)
        }
        const timer = setTimeout(() => done(false), timeoutMs)
        waiting.add(look)
      })
    },
    wake() {
      for (const look of waiting) look()
    },
  }
}
