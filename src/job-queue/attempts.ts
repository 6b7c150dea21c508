import type { Job } from './job-queue.ts'

/** The handler may still run, but its result is ignored. */
export class JobTimedOut extends Error {
  override readonly name = 'JobTimedOut'
  constructor({ type, id }: Job, timeoutMs: number) {
    super(`${type} ${id} took longer than ${timeoutMs} ms`)
  }
}

/** Exponential backoff with jitter over the upper half, so that each pause is at least as long as the one before. */
export function pauseMs(
  attempts: number,
  { backoffMs, backoffMsMax, random }: { backoffMs: number; backoffMsMax: number; random: () => number },
): number {
  return Math.min(backoffMs * 2 ** (attempts - 1), backoffMsMax) * (0.5 + random() / 2)
}
