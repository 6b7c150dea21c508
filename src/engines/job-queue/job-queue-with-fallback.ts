import { inProcessJobQueue, type InProcessJobQueueOptions } from './in-process-job-queue.ts'
import { type Job, type JobQueue, QUEUED_MAX, type ServerQueue } from './job-queue.ts'

/** A server that takes no job for this long does not work, even if it answers. */
const UNTAKEN_MS = 20_000
/** A call that failed after this time met a silent server: the next calls fail at once, so that a sweep of many policies goes on. */
const SLOW_MS = 1_000
const RETRY_MS = 2_000
/** Refused work is due again after a sweep, or after the next poll. */
const REFUSED_MS = 60_000

interface FallbackOptions extends InProcessJobQueueOptions {
  /** Whether this process is the one that runs jobs while the server does not: providers limit how often they are asked. */
  readonly mayRun: () => Promise<boolean>
  readonly now?: () => number
}

/** One type of jobs, as this process sees it. */
interface Flow {
  /** When the server last took a job, or had none. */
  movedAt: number
  oldest: string | undefined
  /** When it refused the last jobs; undefined once it has accepted some. */
  refusedAt: number | undefined
  /** Given to the server and perhaps not taken, with the time. */
  readonly jobs: Map<string, { readonly job: Job; readonly at: number }>
}

/**
 * Jobs go by the server. Those of a type of which it has taken none for 20 s run in this process, as without a server, until it takes one again. The server is
 * still given them all, so a job may run twice.
 */
// oxlint-disable-next-line max-lines-per-function -- the port's short methods over one state
export function jobQueueWithFallback(
  server: ServerQueue,
  { mayRun, onFailed, now = () => performance.now() }: FallbackOptions,
): JobQueue {
  const own = inProcessJobQueue(onFailed ? { onFailed } : {})
  const flows = new Map<string, Flow>()
  let silence: { readonly error: unknown; readonly at: number } | undefined

  function flowOf(type: string): Flow {
    const flow = flows.get(type) ?? { movedAt: now(), oldest: undefined, refusedAt: undefined, jobs: new Map() }
    flows.set(type, flow)
    return flow
  }

  function isRefused({ refusedAt }: Flow): boolean {
    return refusedAt !== undefined && now() - refusedAt < REFUSED_MS
  }

  /** What was given `before` has been taken if none waits. */
  function look(type: string, before = now()): void {
    const flow = flowOf(type)
    const oldest = server.oldest.get(type)
    const hasMoved = oldest === undefined || (flow.oldest !== undefined && flow.oldest !== oldest)
    flow.oldest = oldest
    if (!hasMoved || isRefused(flow)) return
    flow.movedAt = now()
    if (oldest !== undefined) return
    for (const [id, { at }] of flow.jobs) if (at < before) flow.jobs.delete(id)
  }

  /** Returns why the server did not accept them; undefined if it did. */
  async function give(jobs: readonly Job[]): Promise<unknown> {
    const begunAt = now()
    if (silence !== undefined && begunAt - silence.at < RETRY_MS) return silence.error
    silence = undefined
    try {
      await server.add(jobs)
      return undefined
    } catch (error) {
      if (now() - begunAt >= SLOW_MS) silence = { error, at: now() }
      return error
    }
  }

  return {
    async add(jobs) {
      for (const [type, some] of Map.groupBy(jobs, ({ type }) => type)) {
        const flow = flowOf(type)
        const at = now()
        for (const job of some) if (flow.jobs.size < QUEUED_MAX) flow.jobs.set(job.id, { job, at })
        const error = await give(some)
        flow.refusedAt = error === undefined ? undefined : now()
        if (error === undefined) look(type, at)
        const isUntaken = now() - flow.movedAt >= UNTAKEN_MS
        if (isUntaken && (await mayRun().catch(() => false))) {
          await own.add([...flow.jobs.values()].map(({ job }) => job))
          flow.jobs.clear()
        } else if (error !== undefined) throw error
      }
    },

    work(type, handler, options) {
      const taken = async (job: Job): Promise<void> => {
        flowOf(type).jobs.delete(job.id)
        await handler(job)
      }
      server.work(type, taken, options)
      own.work(type, handler, options)
    },

    async counts() {
      const [counts, here] = [await server.counts(), await own.counts()]
      for (const type of new Set([...flows.keys(), ...server.oldest.keys()])) look(type)
      const stuck = [...flows.values()].filter((flow) => flow.oldest !== undefined || isRefused(flow))
      return {
        ...counts,
        waiting: counts.waiting + here.waiting,
        running: counts.running + here.running,
        failed: counts.failed + here.failed,
        untakenMs: stuck.length > 0 ? now() - Math.min(...stuck.map(({ movedAt }) => movedAt)) : undefined,
      }
    },

    async close(graceMs) {
      await Promise.all([server.close(graceMs), own.close(graceMs)])
    },
  }
}
