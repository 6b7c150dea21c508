import { TryAgain } from '../../ports/try-again.ts'

/** Work that may run twice and may be lost: the sweep finds it again. */
export interface Job {
  /** Derived from the work, so that it is not queued twice at once. */
  readonly id: string
  readonly type: string
  /** Plain JSON. Ids only: never personal data. */
  readonly data: Readonly<Record<string, string | number | boolean | null>>
}

/** Jobs that wait or run, of all types; processes that add at the same time may exceed it by what they add. */
export const QUEUED_MAX = 10_000

/**
 * Promised: a queued job is run once, while a worker of its type runs; an id is not queued again while it waits or runs. Deliberately not: order,
 * durability, exactly once, and repeating what failed.
 */
export interface JobQueue {
  /** Queues the jobs that are not queued yet. A full queue drops the rest: the next sweep finds them. */
  add(jobs: readonly Job[]): Promise<void>

  /** Runs jobs of this type, at most `concurrency` at once, each for at most `timeoutMs`. A job whose handler throws has failed, and leaves the queue. */
  work(type: string, handler: (job: Job) => Promise<void>, options: { concurrency: number; timeoutMs: number }): void

  /** Jobs that wait or run, and jobs that failed in this process since its start. */
  counts(): Promise<{ waiting: number; running: number; failed: number }>

  /** Starts no new job and waits at most `graceMs` for running ones. Waiting jobs are dropped, or left to other processes where the queue is shared. */
  close(graceMs: number): Promise<void>
}

/** The engine cannot be reached or is closed; nothing was queued. */
export class JobQueueAway extends TryAgain {
  override readonly name = 'JobQueueAway'
  readonly code = 'job-queue-away'
}
