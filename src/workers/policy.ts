import type { Caller } from '../shop/shop.ts'
import type { Job } from '../job-queue/job-queue.ts'

/**
 * What must happen when something is so. It keeps no state: `due` finds candidates in the views, and `run` asks the stream that decides, so that
 * doing it twice, or for nothing, changes nothing.
 */
export interface Policy {
  /** Also the type of its jobs. */
  readonly name: string
  readonly concurrency: number
  readonly timeoutMs: number
  /** A few times `CANDIDATES_MAX` jobs at most; more are found by the next sweep. */
  due(nowMs: number): Promise<Job[]>
  /** These could not be queued: the next `due` finds them again, as if they had not been found. */
  notQueued?(jobs: readonly Job[]): void
  run(job: Job, caller: Caller): Promise<void>
}

/** How much one sweep takes up for one policy. */
export const CANDIDATES_MAX = 500

/** One job: its id derives from what it does. */
export function jobFor(policy: string, data: Job['data'], ...key: (string | number)[]): Job {
  return { id: [policy, ...key].join(':'), type: policy, data }
}

/** A text that a job was queued with. */
export function textOf(job: Job, name: string): string {
  const value = job.data[name]
  if (typeof value !== 'string') throw new TypeError(`job ${job.id} has no text ${name}`)
  return value
}

export function numberOf(job: Job, name: string): number {
  const value = job.data[name]
  if (typeof value !== 'number') throw new TypeError(`job ${job.id} has no number ${name}`)
  return value
}
