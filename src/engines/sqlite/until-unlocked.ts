import { setTimeout as sleep } from 'node:timers/promises'
import { isLocked, LogInUse } from './errors.ts'

/** Patience with another process's lock: its commits take milliseconds. */
export const BUSY_MS = 5_000
const PAUSE_MS_MAX = 20
/** Pauses grow by this share of the wait. They begin short, since a busy process leaves the lock free for less than a millisecond. */
const PAUSE_GROWTH = 0.05

/**
 * Runs `work` again while another process holds the lock that it needs, until `giveUpAt` (of `performance.now()`). In between, the event loop
 * is free and no transaction is open.
 */
export async function untilUnlocked<T>(
  work: () => T,
  { giveUpAt = performance.now() + BUSY_MS, mayWait = () => true }: { giveUpAt?: number; mayWait?: () => boolean } = {},
): Promise<T> {
  const began = performance.now()
  for (;;) {
    try {
      return work()
    } catch (error) {
      const mayPass = isLocked(error) || error instanceof LogInUse
      const now = performance.now()
      if (!mayPass || now >= giveUpAt || !mayWait()) throw error
      await sleep(pauseMs(now - began))
    }
  }
}

/** The pause before the next try. */
export function pauseMs(waitedMs: number): number {
  return 1 + Math.random() * Math.min(PAUSE_MS_MAX - 1, waitedMs * PAUSE_GROWTH)
}
