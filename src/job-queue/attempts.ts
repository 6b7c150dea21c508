import type { Job } from './job-queue.ts'

/** What it does after that time is nobody's any more. */
export class JobTimedOut extends Error {
  override readonly name = 'JobTimedOut'
  constructor({ type, id }: Job, timeoutMs: number) {
    super(`${type} ${id} took longer than ${timeoutMs} ms`)
  }
}

/** Pause after that many attempts: at least half of what it may be, so that pauses grow whatever is drawn. */
export function pauseMs(
  attempts: number,
  { backoffMs, backoffMsMax, random }: { backoffMs: number; backoffMsMax: number; random: () => number },
): number {
  return Math.min(backoffMs * 2 ** (attempts - 1), backoffMsMax) * (0.5 + random() / 2)
}
