import { inProcessJobQueue } from '../in-process-job-queue.ts'
import type { InProcessJobQueueOptions } from '../in-process-job-queue.ts'
import type { JobQueue } from '../job-queue.ts'

export type JobQueueOptions = Pick<InProcessJobQueueOptions, 'attemptsMax' | 'queuedMax' | 'backoffMs' | 'onFailed'>

export interface JobQueueEngine {
  readonly name: string
  /** Why it cannot be tried here. */
  readonly missing?: string
  /** A new, empty queue of its own. */
  open(options: JobQueueOptions): JobQueue
}

/** Every engine that keeps the job queue's promises. A new one is one more entry. */
export const jobQueues: readonly JobQueueEngine[] = [
  { name: 'in process', open: inProcessJobQueue },
  {
    name: 'bullmq',
    missing: process.env['REDIS_URL'] ? 'the engine is not part of this release' : 'REDIS_URL is not set',
    open() {
      throw new Error('There is no such engine')
    },
  },
]
