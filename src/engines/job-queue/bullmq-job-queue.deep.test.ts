import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { expect, it, onTestFinished, vi } from 'vitest'
import { describeUnless } from '../../testing/describe-unless.ts'
import { endChild } from '../../ports/testing/end-child.ts'
import type { OwnServer } from '../../ports/testing/own-server.ts'
import { bullmqJobQueue, type BullmqJobQueueOptions } from './bullmq-job-queue.ts'
import { type Job, type JobQueue, JobQueueAway } from './job-queue.ts'
import { redisMissing, redisServer } from '../redis/testing/redis-server.ts'

const WORKER = fileURLToPath(new URL('testing/worker-process.ts', import.meta.url))
const PATIENCE = { timeout: 25_000, interval: 20 }
const TEST_MS = 60_000
const LOCK_MS = 1_000
const LONGER_THAN_A_TEST_MS = 10 * TEST_MS

describeUnless(redisMissing, 'bullmq and a Redis of its own', () => {
  vi.setConfig({ testTimeout: TEST_MS })
  it('a Redis that is away is reported in one line, and work continues when it is back', async () => {
    const redis = await server()
    await redis.kill()
    const { queue, troubles } = open(redis)
    const done = working(queue)
    for (const id of ['a', 'b']) {
      const refused = await queue.add([job(id)]).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(JobQueueAway)
      expect(String(refused)).not.toContain('\n')
    }
    await expect(queue.counts()).rejects.toThrow(JobQueueAway)
    expect(troubles).toHaveLength(1)
    expect(troubles[0]).toMatch(/^JobQueueAway: the job queue's Redis is away: .*ECONNREFUSED/)
    await redis.start()
    await expect.poll(() => added(queue, 'a'), PATIENCE).toBe(true)
    await expect.poll(() => done, PATIENCE).toEqual(['a'])
  })

  it('does not wait for a Redis that hangs, and goes on when it answers again', async () => {
    const redis = await server()
    const { queue } = open(redis)
    const done = working(queue)
    await queue.add([job('before')])
    await expect.poll(() => done, PATIENCE).toEqual(['before'])
    redis.pause()
    for (let tries = 0; tries < 3; tries += 1) await expect(queue.add([job('after')])).rejects.toThrow(JobQueueAway)
    await expect(queue.counts()).rejects.toThrow(JobQueueAway)
    redis.resume()
    await expect.poll(() => added(queue, 'after'), PATIENCE).toBe(true)
    await expect.poll(async () => idle(queue), PATIENCE).toBe(true)
    expect(done).toContain('after')
  })

  it('all work can be queued again after Redis was wiped', async () => {
    const redis = await server()
    const { queue } = open(redis)
    const { begun, release } = held(queue, 'a')
    const work = ['a', 'b', 'c'].map((id) => job(id))
    await queue.add(work)
    await expect.poll(() => begun, PATIENCE).toEqual(['a'])
    await (await client(redis)).flushall()
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, failed: 0 })
    await queue.add(work)
    release()
    await expect.poll(async () => idle(queue), PATIENCE).toBe(true)
    expect(begun.slice(1).sort()).toEqual(['a', 'b', 'c'])
  })

  it.each(['kill', 'pause'] as const)(
    'a queue closes once its own jobs have ended while Redis is away: %s',
    async (end) => {
      const redis = await server()
      const { queue } = open(redis)
      const { begun, ended, release } = held(queue, 'a')
      await queue.add([job('a')])
      await expect.poll(() => begun, PATIENCE).toEqual(['a'])
      await redis[end]()
      const closing = queue.close(LONGER_THAN_A_TEST_MS)
      expect(ended).toEqual([])
      release()
      await closing
      expect(ended).toEqual(['a'])
    },
  )

  it('keeps the shops that share a Redis apart', async () => {
    const redis = await server()
    const [one, other] = [open(redis, { prefix: 'one' }), open(redis, { prefix: 'other' })]
    const done = working(other.queue)
    await one.queue.add([job('a'), job('b')])
    await other.queue.add([job('a')])
    await expect.poll(() => done, PATIENCE).toEqual(['a'])
    expect(await one.queue.counts()).toEqual({ waiting: 2, running: 0, failed: 0 })
  })

  it('counts for a process that neither adds nor works', async () => {
    const redis = await server()
    const [adding, watching] = [open(redis), open(redis)]
    await adding.queue.add([job('a'), { ...job('b'), type: 'expire' }])
    expect(await watching.queue.counts()).toEqual({ waiting: 2, running: 0, failed: 0 })
    await (await client(redis)).flushall()
    await adding.queue.add([job('a')])
    expect(await open(redis).queue.counts()).toEqual({ waiting: 1, running: 0, failed: 0 })
  })

  it('leaves no text of a failure in Redis', async () => {
    const redis = await server()
    const { queue } = open(redis)
    queue.work('deliver', failing, { concurrency: 1, timeoutMs: TEST_MS })
    await queue.add([job('a')])
    await expect.poll(async () => (await queue.counts()).failed, PATIENCE).toBe(1)
    await expect.poll(async () => idle(queue), PATIENCE).toBe(true)
    const own = await client(redis)
    const keys = await own.keys('shop:*')
    expect(keys).not.toContain('shop:deliver:id-a')
    expect(JSON.stringify(await own.xrange('shop:deliver:events', '-', '+'))).not.toContain('buyer@')
  })

  it('lets each job be run by one of two processes, and takes the job of a killed one again', async () => {
    const redis = await server()
    const workers = [spawned(redis), spawned(redis)]
    const { queue } = open(redis)
    const ids: string[] = []
    const add = async (count: number) => {
      const more = Array.from({ length: count }, (_, index) => `order:${ids.length + index}`)
      ids.push(...more)
      await queue.add(more.map((id) => job(id)))
    }
    const bothWork = async () => {
      await add(1)
      return workers.every(({ output }) => output.length > 0)
    }
    await expect.poll(bothWork, PATIENCE).toBe(true)
    await add(400)
    await expect.poll(async () => idle(queue), PATIENCE).toBe(true)
    const ran = () => workers.flatMap(({ output }) => output).toSorted()
    await expect.poll(ran, PATIENCE).toEqual(ids.toSorted())

    await queue.add([job('hang')])
    const whoHangs = () => workers.findIndex(({ output }) => output.includes('hang'))
    await expect.poll(whoHangs, PATIENCE).not.toBe(-1)
    const [hanging, other] = whoHangs() === 0 ? workers : workers.toReversed()
    hanging?.child.kill('SIGKILL')
    const again = async () => {
      await added(queue, 'hang')
      return other?.output.includes('hang')
    }
    await expect.poll(again, PATIENCE).toBe(true)
  })
})

async function server(settings?: readonly string[]): Promise<OwnServer> {
  const redis = await redisServer(settings)
  onTestFinished(async () => redis.remove())
  return redis
}

function open({ url }: OwnServer, options: Partial<BullmqJobQueueOptions> = {}) {
  const troubles: string[] = []
  const queue = bullmqJobQueue({
    url,
    prefix: 'shop',
    lockMs: LOCK_MS,
    onTrouble: (error) => troubles.push(`${error.name}: ${error.message}`),
    ...options,
  })
  onTestFinished(async () => queue.close(0))
  return { queue, troubles }
}

async function client({ url }: OwnServer): Promise<Redis> {
  const redis = new Redis(url)
  onTestFinished(async () => redis.disconnect())
  return redis
}

/** A process that works; its lines. */
function spawned({ url }: OwnServer) {
  const child = spawn(process.execPath, [WORKER, url, 'shop', `${LOCK_MS}`, 'hang'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => endChild(child, 'SIGKILL'))
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => output.push(line))
  return { child, output }
}

function working(queue: JobQueue): string[] {
  const done: string[] = []
  queue.work('deliver', async ({ id }) => void done.push(id), { concurrency: 1, timeoutMs: TEST_MS })
  return done
}

/** Works on one job after the other, and holds this one until it is released. */
function held(queue: JobQueue, heldId: string) {
  const gate = Promise.withResolvers<undefined>()
  const [begun, ended]: [string[], string[]] = [[], []]
  const handler = async ({ id }: Job): Promise<void> => {
    begun.push(id)
    if (id === heldId) await gate.promise
    ended.push(id)
  }
  queue.work('deliver', handler, { concurrency: 1, timeoutMs: TEST_MS })
  return { begun, ended, release: () => gate.resolve(undefined) }
}

async function failing(): Promise<void> {
  throw new Error('buyer@example.test')
}

async function added(queue: JobQueue, id: string): Promise<boolean> {
  return queue.add([job(id)]).then(
    () => true,
    () => false,
  )
}

async function idle(queue: JobQueue): Promise<boolean> {
  const { waiting, running } = await queue.counts()
  return waiting + running === 0
}

function job(id: string): Job {
  return { id, type: 'deliver', data: { orderId: id, attempt: randomUUID() } }
}
