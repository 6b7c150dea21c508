import { inTime } from '../../ports/in-time.ts'
import type { Job } from './job-queue.ts'

/** The handler may still run, but its result is ignored. */
class JobTimedOut extends Error {
  override readonly name = 'JobTimedOut'
  constructor({ type, id }: Job, timeoutMs: number) {
    super(`${type} ${id} took longer than ${timeoutMs} ms`)
  }
}

const LATE = Symbol('late')

/** Rejects with the handler's error or with `JobTimedOut`. */
export async function runInTime(
  job: Job,
  handler: (job: Job) => Promise<void>,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<void> {
  if ((await inTime(handler(job), timeoutMs, LATE)) === LATE) throw new JobTimedOut(job, timeoutMs)
}
