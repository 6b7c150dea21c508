import { JobTimedOut, pauseMs } from './attempts.ts'
import { JobQueueAway } from './job-queue.ts'
import type { Job, JobQueue } from './job-queue.ts'

export interface InProcessJobQueueOptions {
  readonly attemptsMax?: number
  /** Jobs that wait or run. */
  readonly queuedMax?: number
  /** Pause before the second attempt; doubled before each further one, up to `backoffMsMax`. */
  readonly backoffMs?: number
  readonly backoffMsMax?: number
  /** From 0 to below 1. */
  readonly random?: () => number
  /** Calls `run` after `ms`; returns a function that cancels it. */
  readonly after?: (ms: number, run: () => void) => () => void
  /** Called for every failed attempt. */
  readonly onFailed?: (job: Job, error: unknown, attempt: { attempts: number; isGivenUp: boolean }) => void
}

interface Entry {
  readonly job: Job
  attempts: number
  isRunning: boolean
  cancel: () => void
}

interface Worker {
  readonly handler: (job: Job) => Promise<void>
  readonly concurrency: number
  readonly timeoutMs: number
  running: number
}

/** Jobs in memory, lost when the process ends. Waiting jobs do not keep it running. */
// oxlint-disable-next-line max-lines-per-function -- short steps of one job over the same counts and entries
export function inProcessJobQueue({
  attemptsMax = 5,
  queuedMax = 10_000,
  backoffMs = 1_000,
  backoffMsMax = 60_000,
  random = Math.random,
  after = unrefTimer,
  onFailed,
}: InProcessJobQueueOptions = {}): JobQueue {
  const entries = new Map<string, Entry>()
  const due = new Map<string, Set<Entry>>()
  const workers = new Map<string, Worker>()
  const runs = new Set<Promise<void>>()
  let running = 0
  let givenUp = 0
  let closing: Promise<void> | undefined

  function becomeDue(entry: Entry): void {
    const { type } = entry.job
    due.set(type, (due.get(type) ?? new Set()).add(entry))
    startDue(type)
  }

  function startDue(type: string): void {
    const worker = workers.get(type)
    const waiting = due.get(type)
    if (!worker || !waiting || closing) return
    for (const entry of waiting) {
      if (worker.running >= worker.concurrency) return
      waiting.delete(entry)
      const run = attempt(entry, worker).finally(() => runs.delete(run))
      runs.add(run)
    }
  }

  async function attempt(entry: Entry, worker: Worker): Promise<void> {
    running += 1
    worker.running += 1
    entry.isRunning = true
    entry.attempts += 1
    try {
      await inTime(entry.job, worker)
      entries.delete(entry.job.id)
    } catch (error) {
      waitOrGiveUp(entry, error)
    } finally {
      running -= 1
      worker.running -= 1
      startDue(entry.job.type)
    }
  }

  async function inTime(job: Job, { handler, timeoutMs }: Worker): Promise<void> {
    const timedOut = Promise.withResolvers<never>()
    const cancel = after(timeoutMs, () => {
      timedOut.reject(new JobTimedOut(job, timeoutMs))
    })
    try {
      await Promise.race([handler(job), timedOut.promise])
    } finally {
      cancel()
    }
  }

  function waitOrGiveUp(entry: Entry, error: unknown): void {
    const { job, attempts } = entry
    const isGivenUp = attempts >= attemptsMax
    entry.isRunning = false
    if (isGivenUp) givenUp += 1
    if (isGivenUp || closing) entries.delete(job.id)
    else entry.cancel = after(pauseMs(attempts, { backoffMs, backoffMsMax, random }), () => becomeDue(entry))
    onFailed?.(job, error, { attempts, isGivenUp })
  }

  async function finish(graceMs: number): Promise<void> {
    for (const [id, { isRunning, cancel }] of entries) {
      if (isRunning) continue
      cancel()
      entries.delete(id)
    }
    const graceOver = Promise.withResolvers<undefined>()
    const cancel = after(graceMs, () => graceOver.resolve(undefined))
    await Promise.race([Promise.all(runs), graceOver.promise])
    cancel()
  }

  return {
    async add(jobs) {
      if (closing) throw new JobQueueAway('The job queue is closed')
      for (const job of jobs) {
        if (entries.size >= queuedMax) return
        if (entries.has(job.id)) continue
        const entry: Entry = { job, attempts: 0, isRunning: false, cancel: () => undefined }
        entries.set(job.id, entry)
        becomeDue(entry)
      }
    },

    work(type, handler, { concurrency, timeoutMs }) {
      if (closing) throw new JobQueueAway('The job queue is closed')
      if (workers.has(type)) throw new TypeError(`${type} has a worker already`)
      if (concurrency < 1) throw new RangeError(`${type} needs a concurrency of at least 1`)
      workers.set(type, { handler, concurrency, timeoutMs, running: 0 })
      startDue(type)
    },

    async counts() {
      return { waiting: entries.size - running, running, failed: givenUp }
    },

    async close(graceMs) {
      closing ??= Promise.resolve(graceMs).then(finish)
      await closing
    },
  }
}

function unrefTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms).unref()
  return () => clearTimeout(timer)
}
