import type { Caller } from '../shop/command-context.ts'
import type { Job } from '../engines/job-queue/job-queue.ts'

/** One kind of background work. `due` finds candidates in the views; `run` reads the stream that decides, so that a repeated or outdated job changes nothing. */
export interface Policy {
  /** Also the type of its jobs. */
  readonly name: string
  readonly concurrency: number
  readonly timeoutMs: number
  /** A few times `CANDIDATES_MAX` jobs at most; more are found by the next sweep. */
  due(nowMs: number): Promise<Job[]>
  /** These could not be queued, so the next `due` must return them again. */
  onNotQueued?(jobs: readonly Job[]): void
  run(job: Job, caller: Caller): Promise<void>
}

/** Candidates of one query in one sweep. */
export const CANDIDATES_MAX = 500

/** The id derives from what the job does, so that queueing it twice is harmless. */
export function jobFor(policy: string, data: Job['data'], ...key: (string | number)[]): Job {
  return { id: [policy, ...key].join(':'), type: policy, data }
}

export function jobText(job: Job, name: string): string {
  const value = job.data[name]
  if (typeof value !== 'string') throw new TypeError(`job ${job.id} has no text ${name}`)
  return value
}

export function jobNumber(job: Job, name: string): number {
  const value = job.data[name]
  if (typeof value !== 'number') throw new TypeError(`job ${job.id} has no number ${name}`)
  return value
}

/** In the views' time format. */
export function textOfMs(ms: number): string {
  return new Date(ms).toISOString()
}
