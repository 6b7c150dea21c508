import { LRUCache } from 'lru-cache'
import type { Clock, Random } from '../ports/clock-and-random.ts'
import { systemCaller } from '../shop/command-context.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Job, JobQueue } from '../engines/job-queue/job-queue.ts'
import { CANDIDATES_MAX, type Policy } from './policy.ts'

/** Pause between two sweeps. */
const SWEEP_MS = 1_000
/** Pause after a sweep that reached `CANDIDATES_MAX`: more is due. */
const SWEEP_AGAIN_MS = 250
/** Pause after a sweep that failed. Constant, so that work resumes soon after an engine is back. */
const RETRY_MS = 2_000
/** Pause before a failed job is queued again, unless its policy tracks its jobs itself. */
const FAILED_MS = 10_000
/** Failed jobs that are remembered; forgetting one only runs it sooner. */
const FAILED_MAX = 10_000

interface SweepOptions {
  readonly policies: readonly Policy[]
  readonly queue: JobQueue
  readonly clock: Clock
  readonly random: Random
  readonly onTrouble: (error: unknown, what: string) => void
}

/** Queues all due work again and again, so that a wiped queue loses nothing. */
export class Sweep {
  private readonly options: SweepOptions
  private readonly failedAt = new LRUCache<string, number>({ max: FAILED_MAX })
  private isStopping = false
  private running: Promise<void> = Promise.resolve()
  private wake: () => void = () => undefined

  constructor(options: SweepOptions) {
    this.options = options
  }

  start(): void {
    const { policies, queue } = this.options
    for (const policy of policies) {
      const { name, concurrency, timeoutMs } = policy
      queue.work(name, async (job) => this.run(policy, job), { concurrency, timeoutMs })
    }
    this.running = this.sweepAll()
  }

  async stop(): Promise<void> {
    this.isStopping = true
    this.wake()
    await this.running
  }

  /** One sweep over all policies; a failed one does not stop the others. */
  async sweepOnce(): Promise<{ isComplete: boolean; hasMore: boolean }> {
    const { policies, queue, clock, onTrouble } = this.options
    let isComplete = true
    let hasMore = false
    for (const policy of policies) {
      // A stop also closes the queue.
      if (this.isStopping) break
      let jobs: readonly Job[] = []
      try {
        jobs = await policy.due(clock.now())
        if (jobs.length >= CANDIDATES_MAX) hasMore = true
        await queue.add(jobs.filter(({ id }) => !this.hasJustFailed(id)))
      } catch (error) {
        isComplete = false
        policy.onNotQueued?.(jobs)
        if (!this.isStopping) onTrouble(error, policy.name)
      }
    }
    return { isComplete, hasMore }
  }

  private async run(policy: Policy, job: Job): Promise<void> {
    try {
      await policy.run(job, systemCaller(this.options.random))
    } catch (error) {
      // The view was behind: the rules refuse an outdated job.
      if (error instanceof Refusal) return
      if (policy.onNotQueued === undefined) this.failedAt.set(job.id, this.options.clock.now())
      throw error
    }
  }

  private hasJustFailed(id: string): boolean {
    const at = this.failedAt.get(id)
    if (at === undefined) return false
    // A clock that was set back must not prolong the pause.
    if (Math.abs(this.options.clock.now() - at) < FAILED_MS) return true
    this.failedAt.delete(id)
    return false
  }

  private async sweepAll(): Promise<void> {
    while (!this.isStopping) {
      const { isComplete, hasMore } = await this.sweepOnce()
      if (!isComplete) await this.pause(RETRY_MS)
      else await this.pause(hasMore ? SWEEP_AGAIN_MS : SWEEP_MS)
    }
  }

  private async pause(ms: number): Promise<void> {
    if (this.isStopping) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
