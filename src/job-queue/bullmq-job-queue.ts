import { type Job as QueuedJob, type JobsOptions, Queue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { type Job, type JobQueue, JobQueueAway } from './job-queue.ts'
import { JobTimedOut, pauseMs } from './attempts.ts'
import { lineOf, redisConnections } from './redis-connections.ts'

export interface BullmqJobQueueOptions {
  readonly url: string
  /** Of every key, so that several shops may share a server. */
  readonly prefix: string
  readonly attemptsMax?: number
  /** Jobs that wait or run, of all types; processes that add at the same time may exceed it by what they add. */
  readonly queuedMax?: number
  /** Pause before the second attempt; doubled before each further one, up to `backoffMsMax`. */
  readonly backoffMs?: number
  readonly backoffMsMax?: number
  /** From 0 to below 1. */
  readonly random?: () => number
  /** A job whose worker has not renewed its lock for this long is taken by another one. */
  readonly lockMs?: number
  /** Called for every failed attempt in this process. */
  readonly onFailed?: (job: Job, error: unknown, attempt: { attempts: number; isGivenUp: boolean }) => void
  /** Redis is away (once per outage) or misconfigured, or a worker reported an error. The queue recovers by itself. */
  readonly onTrouble?: (error: Error) => void
}

/** A call that Redis does not answer within this fails. */
const CALL_MS = 5_000
/** BullMQ's own event stream, which the shop does not read. */
const QUEUE_EVENTS_MAX = 100
const RETRY_MS = 1_000
/** Jobs per command to Redis. */
const ADDED_AT_ONCE = 500

/**
 * Jobs in Redis, shared by all processes of the shop. Calls fail with `JobQueueAway` while Redis is away; workers wait for it and continue.
 * Jobs that wait at closing are left to other processes.
 */
// oxlint-disable-next-line max-lines-per-function -- the port's short methods over one set of workers
export function bullmqJobQueue({
  url,
  prefix,
  attemptsMax = 5,
  queuedMax = 10_000,
  backoffMs = 1_000,
  backoffMsMax = 60_000,
  random = Math.random,
  lockMs = 15_000,
  onFailed,
  onTrouble = () => undefined,
}: BullmqJobQueueOptions): JobQueue {
  const connections = redisConnections({ url, onTrouble })
  const call = callsTo(connections, prefix)
  const workers = new Map<string, Worker>()
  const underway = new Set<Promise<void>>()
  const known: KnownTypes = { key: `${prefix}:types`, types: new Set() }
  let givenUp = 0
  let isClosing = false
  let closing: Promise<void> | undefined

  const jobOptions: JobsOptions = {
    attempts: attemptsMax,
    backoff: { type: 'growing' },
    // A kept job would block its id from being queued again.
    removeOnComplete: true,
    removeOnFail: true,
    stackTraceLimit: 0,
  }

  async function run(...given: Parameters<typeof attempt>): Promise<void> {
    const running = attempt(...given)
    underway.add(running)
    try {
      await running
    } finally {
      underway.delete(running)
    }
  }

  async function attempt(queued: QueuedJob, handler: (job: Job) => Promise<void>, timeoutMs: number): Promise<void> {
    const job = jobOf(queued)
    const timedOut = Promise.withResolvers<never>()
    const timer = setTimeout(() => timedOut.reject(new JobTimedOut(job, timeoutMs)), timeoutMs)
    try {
      await Promise.race([handler(job), timedOut.promise])
    } catch (error) {
      const attempts = queued.attemptsMade + 1
      reportFailed(job, error, { attempts, isGivenUp: attempts >= attemptsMax })
      throw new AttemptFailed()
    } finally {
      clearTimeout(timer)
    }
  }

  function reportFailed(job: Job, error: unknown, attempt: { attempts: number; isGivenUp: boolean }): void {
    if (attempt.isGivenUp) givenUp += 1
    onFailed?.(job, error, attempt)
  }

  async function finish(graceMs: number): Promise<void> {
    const graceOver = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => graceOver.resolve(undefined), graceMs)
    const closed = Promise.allSettled([...workers.values()].map(async (worker) => worker.close()))
    // A worker cannot close without Redis, which finds its jobs again: then only what runs here is waited for.
    const isAway = call(async (_, client) => client.ping()).then(
      () => false,
      () => true,
    )
    const ended = isAway.then(async (away) => (away ? Promise.allSettled(underway) : closed))
    await Promise.race([closed, ended, graceOver.promise])
    clearTimeout(timer)
    connections.end()
  }

  return {
    async add(jobs) {
      if (isClosing) throw new JobQueueAway('The job queue is closed')
      if (jobs.length === 0) return
      await call(async (queueOf, client) => {
        await client.sadd(known.key, [...new Set(jobs.map(({ type }) => type))])
        const { waiting, running } = await countAll(queueOf, client, known)
        const room = queuedMax - waiting - running
        const fitting = jobs.length <= room ? jobs : await newOnes(jobs, Math.max(0, room), queueOf)
        await addAll(fitting, queueOf, jobOptions)
      })
    },

    work(type, handler, { concurrency, timeoutMs }) {
      if (isClosing) throw new JobQueueAway('The job queue is closed')
      if (workers.has(type)) throw new TypeError(`${type} has a worker already`)
      if (concurrency < 1) throw new RangeError(`${type} needs a concurrency of at least 1`)
      known.types.add(type)
      const worker = new Worker(encodeURIComponent(type), async (queued) => run(queued, handler, timeoutMs), {
        connection: connections.forWork(),
        prefix,
        concurrency,
        lockDuration: lockMs,
        stalledInterval: lockMs,
        maxStalledCount: attemptsMax,
        runRetryDelay: RETRY_MS,
        settings: { backoffStrategy: (attempts) => Math.round(pauseMs(attempts, { backoffMs, backoffMsMax, random })) },
      })
      worker.on('failed', (queued, error) => {
        // BullMQ failed it because its workers crashed repeatedly.
        if (queued && !(error instanceof AttemptFailed))
          reportFailed(jobOf(queued), error, { attempts: queued.attemptsStarted, isGivenUp: true })
      })
      worker.on('error', (error) => {
        if (!isClosing && !isAboutConnection(error)) onTrouble(error)
      })
      workers.set(type, worker)
    },

    async counts() {
      return { ...(await call((queueOf, client) => countAll(queueOf, client, known))), failed: givenUp }
    },

    async close(graceMs) {
      isClosing = true
      closing ??= finish(graceMs)
      await closing
    },
  }
}

type QueueOf = (type: string) => Queue

/** Job types that any process has queued, under this key. */
interface KnownTypes {
  readonly key: string
  readonly types: Set<string>
}

/** A call rejects with `JobQueueAway` where Redis does not answer in time. */
function callsTo(connections: ReturnType<typeof redisConnections>, prefix: string) {
  const queues = new Map<string, Queue>()
  return async function call<Result>(ask: (queueOf: QueueOf, client: Redis) => Promise<Result>): Promise<Result> {
    const client = await connections.forCalls()
    const queueOf: QueueOf = (type) => {
      const known = queues.get(type)
      if (known) return known
      const queue = new Queue(encodeURIComponent(type), {
        connection: client,
        prefix,
        skipVersionCheck: true,
        streams: { events: { maxLen: QUEUE_EVENTS_MAX } },
      })
      queue.on('error', () => undefined)
      queues.set(type, queue)
      return queue
    }
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error(`no answer within ${CALL_MS} ms`)), CALL_MS)
    try {
      return await Promise.race([ask(queueOf, client), late.promise])
    } catch (error) {
      throw new JobQueueAway(`the job queue's Redis does not answer: ${lineOf(error)}`)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Over all types that any process has queued. */
async function countAll(
  queueOf: QueueOf,
  client: Redis,
  { key, types }: KnownTypes,
): Promise<{ waiting: number; running: number }> {
  for (const type of await client.smembers(key)) types.add(type)
  const counts = await Promise.all([...types].map(async (type) => countsOf(queueOf(type))))
  const sum = (which: 'waiting' | 'running'): number => counts.reduce((total, one) => total + one[which], 0)
  return { waiting: sum('waiting'), running: sum('running') }
}

/** Without a message: what failed is reported by `onFailed`, and Redis stores no text of it. */
class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed'
}

async function countsOf(queue: Queue): Promise<{ waiting: number; running: number }> {
  const { wait = 0, delayed = 0, active = 0 } = await queue.getJobCounts('wait', 'delayed', 'active')
  return { waiting: wait + delayed, running: active }
}

async function addAll(jobs: readonly Job[], queueOf: QueueOf, options: JobsOptions): Promise<void> {
  for (const [type, some] of Map.groupBy(jobs, ({ type }) => type))
    for (let from = 0; from < some.length; from += ADDED_AT_ONCE)
      await queueOf(type).addBulk(
        some.slice(from, from + ADDED_AT_ONCE).map(({ id, data }) => ({
          name: type,
          data,
          opts: { ...options, jobId: queuedId(id) },
        })),
      )
}

/** The first `max` of these that are not queued yet. */
async function newOnes(jobs: readonly Job[], max: number, queueOf: QueueOf): Promise<Job[]> {
  const found: Job[] = []
  for (const job of jobs) {
    if (found.length >= max) break
    if ((await queueOf(job.type).getJob(queuedId(job.id))) === undefined) found.push(job)
  }
  return found
}

/** BullMQ accepts neither colons nor whole numbers as ids. */
function queuedId(id: string): string {
  return `id-${encodeURIComponent(id)}`
}

function jobOf({ id = '', name, data }: QueuedJob): Job {
  return { id: decodeURIComponent(id.slice('id-'.length)), type: name, data: data as Job['data'] }
}

/** The connections report those themselves, once per outage. */
function isAboutConnection(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : ''
  return (
    /^(E[A-Z]+)$/.test(code) || /connection is closed|max retries|command timed out|socket timeout/i.test(error.message)
  )
}
