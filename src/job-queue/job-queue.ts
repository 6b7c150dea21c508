import { TryAgain } from '../ports/try-again.ts'

/** A piece of work that may be done twice, and may be lost: the sweep finds it again. */
export interface Job {
  /** Derived from what the job does, so that the same work is queued once at a time. */
  readonly id: string
  readonly type: string
  /** Plain JSON. Ids only: never personal data. */
  readonly data: Readonly<Record<string, string | number | boolean | null>>
}

/**
 * Promised: a job that is queued is tried, at most `attemptsMax` times with growing pauses, while a worker of its type runs; the same id is
 * not queued twice while it waits or runs. Deliberately not: order, durability, exactly once.
 */
export interface JobQueue {
  /** Queues what is not yet queued. When the queue is full, answers without queueing (the sweep comes again). */
  add(jobs: readonly Job[]): Promise<void>

  /** Runs jobs of this type, at most `concurrency` at once, each for at most `timeoutMs`. A handler that throws is tried again. */
  work(type: string, handler: (job: Job) => Promise<void>, options: { concurrency: number; timeoutMs: number }): void

  /** Jobs that wait or run, and jobs given up since the start. */
  counts(): Promise<{ waiting: number; running: number; failed: number }>

  /** Starts no new job, waits at most `graceMs` for running ones. What waits is given up, or left to other processes where the queue is shared. */
  close(graceMs: number): Promise<void>
}

/** Jobs cannot be queued now: the engine cannot be reached, or was closed. The sweep finds them again. */
export class JobQueueAway extends TryAgain {
  override readonly name = 'JobQueueAway'
  readonly code = 'job-queue-away'
}
