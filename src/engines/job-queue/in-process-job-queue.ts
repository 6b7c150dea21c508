import pLimit from 'p-limit'
import { inTime } from '../../ports/in-time.ts'
import { type Job, type JobQueue, JobQueueAway, QUEUED_MAX } from './job-queue.ts'
import { runInTime } from './run-in-time.ts'

export interface InProcessJobQueueOptions {
  readonly onFailed?: (job: Job, error: unknown) => void
}

/** Jobs in memory, lost when the process ends. */
export function inProcessJobQueue({ onFailed }: InProcessJobQueueOptions = {}): JobQueue {
  const queued = new Set<string>()
  const waitingByType = new Map<string, Job[]>()
  const workers = new Map<string, (job: Job) => void>()
  const running = new Set<Promise<void>>()
  let failed = 0
  let isClosed = false

  async function run(job: Job, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      failed += 1
      onFailed?.(job, error)
    } finally {
      queued.delete(job.id)
    }
  }

  return {
    async add(jobs) {
      if (isClosed) throw new JobQueueAway('The job queue is closed')
      for (const job of jobs) {
        if (queued.size >= QUEUED_MAX) return
        if (queued.has(job.id)) continue
        queued.add(job.id)
        const begin = workers.get(job.type)
        if (begin) begin(job)
        else waitingByType.set(job.type, [...(waitingByType.get(job.type) ?? []), job])
      }
    },

    work(type, handler, { concurrency, timeoutMs }) {
      const limit = pLimit(concurrency)
      const begin = (job: Job): void => {
        void limit(async () => {
          if (isClosed) return
          const ended = run(job, async () => runInTime(job, handler, { timeoutMs })).finally(() =>
            running.delete(ended),
          )
          running.add(ended)
          await ended
        })
      }
      workers.set(type, begin)
      for (const job of waitingByType.get(type) ?? []) begin(job)
      waitingByType.delete(type)
    },

    async counts() {
      return { waiting: queued.size - running.size, running: running.size, failed }
    },

    async close(graceMs) {
      isClosed = true
      await inTime(Promise.all(running), graceMs, undefined)
    },
  }
}
