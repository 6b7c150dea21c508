import { type Job as QueuedJob, Queue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTime } from '../../ports/in-time.ts'
import { type Job, type JobCounts, JobQueueAway, QUEUED_MAX, type ServerQueue } from './job-queue.ts'
import { redisConnections } from '../redis/connections.ts'
import { isAboutConnection, redisTrouble } from '../redis/trouble.ts'
import { runInTime } from './run-in-time.ts'

export interface BullmqJobQueueOptions {
  readonly url: string
  /** Prefix of every key, so that several shops can share a server. */
  readonly prefix: string
  /** A job fails if its worker does not renew the lock within this time. */
  readonly lockMs?: number
  /** Called for every job that failed in this process. */
  readonly onFailed?: (job: Job, error: unknown) => void
  /** Redis is away (once per outage), or a worker reported an error. The queue recovers by itself. */
  readonly onTrouble?: (error: Error) => void
}

/** Timeout of a call to Redis. */
const CALL_MS = 5_000
/** Length of BullMQ's event stream, which the shop does not read. */
const QUEUE_EVENTS_MAX = 100
const RETRY_MS = 1_000
/** Jobs per command to Redis. */
const ADD_BATCH_MAX = 500
const LATE = Symbol('late')

/**
 * Jobs in Redis, shared by all processes of the shop. While Redis is away, calls fail with `JobQueueAway` and workers wait.
 * On close, waiting jobs are left to other processes.
 */
// oxlint-disable-next-line max-lines-per-function -- the port's short methods over one set of workers
export function bullmqJobQueue({
  url,
  prefix,
  lockMs = 15_000,
  onFailed,
  onTrouble = () => undefined,
}: BullmqJobQueueOptions): ServerQueue {
  const connections = redisConnections({
    url,
    onAway: (error) =>
      onTrouble(new JobQueueAway(`the job queue's Redis is away: ${redisTrouble(error)}`, { cause: error })),
  })
  const call = callsTo(connections, prefix)
  const workers = new Map<string, Worker>()
  const underway = new Set<Promise<void>>()
  const known: KnownTypes = {
    prefix,
    types: new Set(),
    oldest: new Map(),
    isOurs: (type) => workers.size === 0 || workers.has(type),
    onTrouble: (text) => onTrouble(new Error(text)),
  }
  let failed = 0
  let isClosing = false
  let closing: Promise<void> | undefined

  function reportFailed(job: Job, error: unknown): void {
    failed += 1
    onFailed?.(job, error)
  }

  /** Never rejects: BullMQ would store the error's text in Redis. */
  async function run(...given: Parameters<typeof runInTime>): Promise<void> {
    const running = runInTime(...given).catch((error: unknown) => reportFailed(given[0], error))
    underway.add(running)
    await running
    underway.delete(running)
  }

  async function finish(graceMs: number): Promise<void> {
    const closed = Promise.allSettled([...workers.values()].map(async (worker) => worker.close()))
    // A worker cannot close while Redis is away: then wait only for the jobs that run here.
    const isAway = call(async (_, client) => client.ping()).then(
      () => false,
      () => true,
    )
    const ended = isAway.then(async (away) => (away ? Promise.allSettled(underway) : closed))
    await inTime(Promise.race([closed, ended]), graceMs, undefined)
    connections.end()
  }

  return {
    async add(jobs) {
      if (isClosing) throw new JobQueueAway('The job queue is closed')
      if (jobs.length === 0) return
      await call(async (queueOf, client) => {
        await client.sadd(typesKey(known), [...new Set(jobs.map(({ type }) => type))])
        const { waiting, running } = await countAll(queueOf, client, known)
        const room = QUEUED_MAX - waiting - running
        const fitting = jobs.length <= room ? jobs : await findNew(jobs, Math.max(0, room), queueOf)
        await addAll(fitting, queueOf)
      })
    },

    work(type, handler, { concurrency, timeoutMs }) {
      known.types.add(type)
      const worker = new PacedWorker(
        encodeURIComponent(type),
        async (queued) => run(jobOf(queued), handler, { timeoutMs }),
        {
          connection: connections.forWork(),
          prefix,
          concurrency,
          lockDuration: lockMs,
          stalledInterval: lockMs,
          maxStalledCount: 0,
          runRetryDelay: RETRY_MS,
          // A user without the right to INFO would have it repeated without end.
          skipVersionCheck: true,
        },
      )
      worker.on('failed', (queued, error) => {
        // `run` never rejects: a worker has died.
        if (queued) reportFailed(jobOf(queued), error)
      })
      worker.on('error', (error) => {
        // The connections report their own errors, once per outage.
        if (!isClosing && !isAboutConnection(error)) onTrouble(error)
      })
      workers.set(type, worker)
    },

    oldest: known.oldest,

    async counts() {
      return { ...(await call((queueOf, client) => countAll(queueOf, client, known))), failed }
    },

    async close(graceMs) {
      isClosing = true
      closing ??= finish(graceMs)
      await closing
    },
  }
}

type QueueOf = (type: string) => Queue

/** Job types that any process has queued, and the oldest waiting job of each, if any. */
interface KnownTypes {
  readonly prefix: string
  readonly types: Set<string>
  readonly oldest: Map<string, string>
  /** Whether a worker of this release takes such jobs. */
  readonly isOurs: (type: string) => boolean
  readonly onTrouble: (text: string) => void
}

const typesKey = ({ prefix }: KnownTypes): string => `${prefix}:types`

/** BullMQ takes the next job without a pause after the server refused to give one. */
class PacedWorker extends Worker {
  protected override async moveToActive(...given: Parameters<Worker['moveToActive']>) {
    try {
      return await super.moveToActive(...given)
    } catch (error) {
      await sleep(RETRY_MS)
      throw error
    }
  }
}

/** Makes calls that reject with `JobQueueAway` if Redis does not answer in time. */
function callsTo({ calls: client, causeOf }: ReturnType<typeof redisConnections>, prefix: string) {
  const queues = new Map<string, Queue>()
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
  return async function call<Result>(ask: (queueOf: QueueOf, client: Redis) => Promise<Result>): Promise<Result> {
    const answer = await inTime(ask(queueOf, client), CALL_MS, LATE).catch((error: unknown) => {
      throw new JobQueueAway(`the job queue's Redis does not work: ${redisTrouble(causeOf(error))}`)
    })
    if (answer === LATE) throw new JobQueueAway(`the job queue's Redis does not answer within ${CALL_MS} ms`)
    return answer
  }
}

/** Counts jobs of all types that any process has queued, notes the oldest waiting one of each, and resumes what was paused. */
async function countAll(queueOf: QueueOf, client: Redis, known: KnownTypes): Promise<Omit<JobCounts, 'failed'>> {
  for (const type of await client.smembers(typesKey(known))) known.types.add(type)
  const types = [...known.types]
  const counts = await Promise.all(
    types.map(async (type) => {
      const count = await countsOf(queueOf(type))
      const isOurs = known.isOurs(type)
      if (count.waiting > 0 && isOurs) await lookAtWaiting(queueOf, client, { ...known, type })
      else known.oldest.delete(type)
      if (count.waiting > 0 && !isOurs)
        known.onTrouble(`jobs of the type ${type} wait, which no worker of this release takes: they are left alone`)
      return { ...count, isOurs }
    }),
  )
  const ours = counts.filter(({ isOurs }) => isOurs)
  const sum = (some: typeof counts, which: 'waiting' | 'running'): number =>
    some.reduce((total, one) => total + one[which], 0)
  const unknown = sum(counts, 'waiting') - sum(ours, 'waiting')
  return { waiting: sum(ours, 'waiting'), running: sum(ours, 'running'), unknown: unknown || undefined }
}

async function lookAtWaiting(
  queueOf: QueueOf,
  client: Redis,
  { prefix, oldest, onTrouble, type }: KnownTypes & { readonly type: string },
): Promise<void> {
  const key = `${prefix}:${encodeURIComponent(type)}`
  const [id, isPaused] = await Promise.all([client.lindex(`${key}:wait`, -1), client.hexists(`${key}:meta`, 'paused')])
  if (id === null) oldest.delete(type)
  else oldest.set(type, id)
  if (isPaused === 0) return
  await queueOf(type).resume()
  onTrouble('its queue was paused, perhaps in a dashboard: it is resumed')
}

async function countsOf(queue: Queue): Promise<{ waiting: number; running: number }> {
  const { wait = 0, active = 0 } = await queue.getJobCounts('wait', 'active')
  return { waiting: wait, running: active }
}

/** A kept job would block its id from being queued again. */
const removeWhenDone = { removeOnComplete: true, removeOnFail: true, stackTraceLimit: 0 }

async function addAll(jobs: readonly Job[], queueOf: QueueOf): Promise<void> {
  for (const [type, some] of Map.groupBy(jobs, ({ type }) => type))
    for (let from = 0; from < some.length; from += ADD_BATCH_MAX)
      await queueOf(type).addBulk(
        some.slice(from, from + ADD_BATCH_MAX).map(({ id, data }) => ({
          name: type,
          data,
          opts: { ...removeWhenDone, jobId: queuedId(id) },
        })),
      )
}

/** The first `max` of these that are not queued yet. */
async function findNew(jobs: readonly Job[], max: number, queueOf: QueueOf): Promise<Job[]> {
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
