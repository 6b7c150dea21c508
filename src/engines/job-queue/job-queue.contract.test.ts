import { afterEach, expect, it } from 'vitest'
import { describeEach } from '../../testing/describe-unless.ts'
import { JobQueueAway, QUEUED_MAX } from './job-queue.ts'
import type { Job, JobQueue } from './job-queue.ts'
import type { InProcessJobQueueOptions } from './in-process-job-queue.ts'
import { type JobQueueEngine, ownJobQueues } from './testing/job-queues.ts'

const LONG_MS = 20_000
const ONE_AT_A_TIME = { concurrency: 1, timeoutMs: LONG_MS }

export function jobQueueContract(engine: JobQueueEngine): void {
  const opened: JobQueue[] = []

  afterEach(async () => {
    for (const queue of opened.splice(0)) await queue.close(0)
  })

  function open(options: InProcessJobQueueOptions = {}): JobQueue {
    const queue = engine.open(options)
    opened.push(queue)
    return queue
  }

  it('a job runs once, with its data', async () => {
    const queue = open()
    const done: Job[] = []
    queue.work('deliver', async (job) => void done.push(job), ONE_AT_A_TIME)
    const data = { orderId: 'one', attempt: 1, isLate: false, reason: null }
    await queue.add([{ id: 'deliver-one', type: 'deliver', data }])
    await atRest(queue)
    expect(done).toMatchObject([{ id: 'deliver-one', type: 'deliver', data }])
  })

  it('a job waits until its type has a worker', async () => {
    const queue = open()
    await queue.add([job('a')])
    expect(await queue.counts()).toEqual({ waiting: 1, running: 0, failed: 0 })
    const { done, handler } = recorder()
    queue.work('deliver', handler, ONE_AT_A_TIME)
    await atRest(queue)
    expect(done).toEqual(['a'])
  })

  it('the same work is not queued again while it waits or runs', async () => {
    const queue = open()
    await queue.add([job('a'), job('a')])
    await queue.add([job('a'), job('b')])
    expect((await queue.counts()).waiting).toBe(2)
    const gate = gated()
    queue.work('deliver', gate.handler, { concurrency: 5, timeoutMs: LONG_MS })
    await gate.started(2)
    await queue.add([job('a')])
    expect(await queue.counts()).toEqual({ waiting: 0, running: 2, failed: 0 })
    gate.open()
    await atRest(queue)
    expect(gate.runs()).toBe(2)
  })

  it('a failed job is reported, and can be queued again', async () => {
    const failures: string[] = []
    const queue = open({ onFailed: ({ id }, error) => failures.push(`${id} ${String(error)}`) })
    const { done, handler } = recorder({ failures: 1 })
    queue.work('deliver', handler, ONE_AT_A_TIME)
    for (const _ of ['fails', 'done', 'done again']) {
      await queue.add([job('a')])
      await atRest(queue)
      expect((await queue.counts()).failed).toBe(1)
    }
    expect(done).toEqual(['a', 'a'])
    expect(failures).toEqual(['a Error: Not yet'])
  })

  it('jobs of a type run at most as many at once as their limit', async () => {
    const queue = open()
    const gate = gated()
    queue.work('deliver', gate.handler, { concurrency: 3, timeoutMs: LONG_MS })
    await queue.add(Array.from({ length: 10 }, (_, index) => job(`${index}`)))
    await gate.started(3)
    expect(await queue.counts()).toEqual({ waiting: 7, running: 3, failed: 0 })
    gate.open()
    await atRest(queue)
    expect(gate.runs()).toBe(10)
    expect(gate.mostAtOnce()).toBe(3)
  })

  it('one type of work does not wait for another', async () => {
    const queue = open()
    const gate = gated()
    const { done, handler } = recorder()
    queue.work('deliver', gate.handler, ONE_AT_A_TIME)
    queue.work('expire', handler, ONE_AT_A_TIME)
    await queue.add([job('a'), job('b'), { ...job('c'), type: 'expire' }])
    await expect.poll(() => done).toEqual(['c'])
    gate.open()
  })

  it.for(['success', 'failure'])('a job that hangs loses its slot, and its late %s is ignored', async (end) => {
    const failures: string[] = []
    const queue = open({ onFailed: (job, error) => failures.push(`${job.id} ${String(error)}`) })
    const late = Promise.withResolvers<undefined>()
    const ended = Promise.withResolvers<undefined>()
    const { done, handler } = recorder()
    const hangs = async (job: Job): Promise<void> => {
      if (job.id !== 'hanging') return handler(job)
      try {
        await late.promise
      } finally {
        ended.resolve(undefined)
      }
    }
    queue.work('deliver', hangs, { concurrency: 1, timeoutMs: 50 })
    await queue.add([job('hanging')])
    await atRest(queue)
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, failed: 1 })
    if (end === 'success') late.resolve(undefined)
    else late.reject(new Error('Too late'))
    await ended.promise
    await queue.add([job('b')])
    await atRest(queue)
    expect(done).toEqual(['b'])
    expect(failures).toHaveLength(1)
    expect(failures[0]).toMatch(/^hanging JobTimedOut: .*longer than 50 ms/)
  })

  it('a full queue drops further jobs', async () => {
    const queue = open()
    for (let from = 0; from <= QUEUED_MAX; from += 400)
      await queue.add(Array.from({ length: 400 }, (_, index) => job(`${from + index}`)))
    expect((await queue.counts()).waiting).toBe(QUEUED_MAX)
  })

  it('closing completes a running job and starts no other', async () => {
    const queue = open()
    const gate = gated()
    queue.work('deliver', gate.handler, ONE_AT_A_TIME)
    await queue.add([job('a'), job('b')])
    await gate.started(1)
    let isClosed = false
    const closed = queue.close(LONG_MS).then(() => (isClosed = true))
    await expect(queue.add([job('d')])).rejects.toThrow(JobQueueAway)
    expect(isClosed).toBe(false)
    expect(await queue.counts()).toMatchObject({ running: 1, failed: 0 })
    gate.open()
    await closed
    expect(gate.ended()).toBe(1)
    expect(gate.runs()).toBe(1)
  })

  it('closing does not wait longer than its grace', async () => {
    const queue = open()
    const gate = gated()
    queue.work('deliver', gate.handler, ONE_AT_A_TIME)
    await queue.add([job('a')])
    await gate.started(1)
    await queue.close(20)
    expect(gate.ended()).toBe(0)
    await queue.close(20)
    gate.open()
  })
}

function job(id: string): Job {
  return { id, type: 'deliver', data: { orderId: id } }
}

async function atRest(queue: JobQueue): Promise<void> {
  await expect
    .poll(async () => queue.counts(), { timeout: LONG_MS, interval: 2 })
    .toMatchObject({ waiting: 0, running: 0 })
}

/** Fails so many times, then records its jobs. */
function recorder({ failures = 0 } = {}): { done: string[]; handler: (job: Job) => Promise<void> } {
  const done: string[] = []
  let left = failures
  return {
    done,
    handler: async ({ id }) => {
      left -= 1
      if (left >= 0) throw new Error('Not yet')
      done.push(id)
    },
  }
}

/** Lets jobs begin, but none end before it is opened. */
function gated() {
  const gate = Promise.withResolvers<undefined>()
  let [runs, running, mostAtOnce, ended] = [0, 0, 0, 0]
  return {
    handler: async (_job: Job): Promise<void> => {
      runs += 1
      running += 1
      mostAtOnce = Math.max(mostAtOnce, running)
      await gate.promise
      running -= 1
      ended += 1
    },
    open: () => gate.resolve(undefined),
    async started(count: number): Promise<void> {
      await expect.poll(() => runs, { timeout: LONG_MS, interval: 2 }).toBe(count)
    },
    runs: () => runs,
    ended: () => ended,
    mostAtOnce: () => mostAtOnce,
  }
}

describeEach(ownJobQueues, 'job queue contract', jobQueueContract)
