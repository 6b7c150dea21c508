import { TryAgain } from '../../ports/try-again.ts'

/** A job may run twice or be lost: the sweep finds the work again. */
export interface Job {
  /** Derived from the work, so that the same work is not queued twice at once. */
  readonly id: string
  readonly type: string
  /** Plain JSON. Ids only: never personal data. */
  readonly data: Readonly<Record<string, string | number | boolean | null>>
}

export interface JobCounts {
  readonly waiting: number
  readonly running: number
  readonly failed: number
  /** Waiting jobs of types that no worker of this release takes; undefined if there are none. */
  readonly unknown?: number | undefined
  /** For how long jobs have waited without one being taken; undefined if none has. */
  readonly untakenMs?: number | undefined
}

/** Limit of waiting and running jobs of all types; concurrent `add` calls may exceed it by what they add. */
export const QUEUED_MAX = 10_000

/**
 * Promised: a queued job runs once, if a worker of its type runs; an id is not queued again while its job waits or runs. Deliberately not: order,
 * durability, exactly once, retries of failed jobs.
 */
export interface JobQueue {
  /** Queues the jobs that are not queued yet. A full queue drops the rest: the next sweep finds them. */
  add(jobs: readonly Job[]): Promise<void>

  /** Runs jobs of this type, at most `concurrency` at once, each for at most `timeoutMs`. A job whose handler throws fails and leaves the queue. */
  work(type: string, handler: (job: Job) => Promise<void>, options: { concurrency: number; timeoutMs: number }): void

  /** Jobs of all processes, and those that failed in this process since its start. */
  counts(): Promise<JobCounts>

  /** Starts no more jobs and waits at most `graceMs` for running ones. Waiting jobs are dropped, or left to other processes on the queue. */
  close(graceMs: number): Promise<void>
}

/** A queue in a server, which may be there and not work. */
export interface ServerQueue extends JobQueue {
  /** The oldest waiting job of each type, as the last `add` or `counts` found it: a type without one has none waiting. */
  readonly oldest: ReadonlyMap<string, string>
}

/** The engine cannot be reached or is closed; nothing was queued. */
export class JobQueueAway extends TryAgain {
  override readonly name = 'JobQueueAway'
  readonly code = 'job-queue-away'
}
