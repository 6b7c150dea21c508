import { afterEach, expect, it } from 'vitest'
import { describeEach } from '../testing/describe-unless.ts'
import { JobQueueAway } from './job-queue.ts'
import type { Job, JobQueue } from './job-queue.ts'
import { type JobQueueEngine, type JobQueueOptions, ownJobQueues } from './testing/job-queues.ts'

const LONG_MS = 20_000
const ONE_AT_A_TIME = { concurrency: 1, timeoutMs: LONG_MS }

export function jobQueueContract(engine: JobQueueEngine): void {
  const opened: JobQueue[] = []

  afterEach(async () => {
    for (const queue of opened.splice(0)) await queue.close(0)
  })

  function open(options: JobQueueOptions = {}): JobQueue {
    const queue = engine.open({ attemptsMax: 3, backoffMs: 5, ...options })
    opened.push(queue)
    return queue
  }

  it('does a job once, with what it was given', async () => {
    const queue = open()
    const done: Job[] = []
    queue.work('deliver', async (job) => void done.push(job), ONE_AT_A_TIME)
    const data = { orderId: 'one', attempt: 1, isLate: false, reason: null }
    await queue.add([{ id: 'deliver-one', type: 'deliver', data }])
    await atRest(queue)
    expect(done).toMatchObject([{ id: 'deliver-one', type: 'deliver', data }])
  })

  it('keeps jobs until their type has a worker', async () => {
    const queue = open()
    await queue.add([job('a')])
    expect(await queue.counts()).toEqual({ waiting: 1, running: 0, failed: 0 })
    const { done, handler } = recorder()
    queue.work('deliver', handler, ONE_AT_A_TIME)
    await atRest(queue)
    expect(done).toEqual(['a'])
  })

  it('does not queue the same work again while it waits, or runs', async () => {
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

  it('lets others run while a failed job pauses, and does not queue the failed one again', async () => {
    const queue = open({ backoffMs: LONG_MS })
    const { done, handler } = recorder({ failures: 1 })
    queue.work('deliver', handler, ONE_AT_A_TIME)
    await queue.add([job('a'), job('b')])
    await expect.poll(() => done).toEqual(['b'])
    await expect.poll(async () => queue.counts()).toEqual({ waiting: 1, running: 0, failed: 0 })
    await queue.add([job('a')])
    expect(await queue.counts()).toEqual({ waiting: 1, running: 0, failed: 0 })
    expect(done).toEqual(['b'])
  })

  it('takes the same work again once it is done, or was given up', async () => {
    const queue = open({ attemptsMax: 1 })
    const { done, handler } = recorder({ failures: 1 })
    queue.work('deliver', handler, ONE_AT_A_TIME)
    for (const failed of [1, 1, 1]) {
      await queue.add([job('a')])
      await atRest(queue)
      expect((await queue.counts()).failed).toBe(failed)
    }
    expect(done).toEqual(['a', 'a'])
  })

  it('runs no more jobs of a type at once than it may', async () => {
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

  it('does not let one type of work wait for another', async () => {
    const queue = open()
    const gate = gated()
    const { done, handler } = recorder()
    queue.work('deliver', gate.handler, ONE_AT_A_TIME)
    queue.work('expire', handler, ONE_AT_A_TIME)
    await queue.add([job('a'), job('b'), { ...job('c'), type: 'expire' }])
    await expect.poll(() => done).toEqual(['c'])
    gate.open()
  })

  it('tries again what failed, until it is done', async () => {
    const failures: unknown[] = []
    const queue = open({ onFailed: (job, error, attempt) => failures.push([job.id, String(error), attempt]) })
    const { done, handler } = recorder({ failures: 2 })
    queue.work('deliver', handler, ONE_AT_A_TIME)
    await queue.add([job('a')])
    await atRest(queue)
    expect(done).toEqual(['a'])
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, failed: 0 })
    expect(failures).toEqual([1, 2].map((attempts) => ['a', 'Error: Not yet', { attempts, isGivenUp: false }]))
  })

  it('gives up what keeps failing, and goes on with the rest', async () => {
    const attempts: { attempts: number; isGivenUp: boolean }[] = []
    const queue = open({ attemptsMax: 3, onFailed: (_job, _error, attempt) => attempts.push(attempt) })
    const { done, handler } = recorder({ failures: 3 })
    queue.work('deliver', handler, ONE_AT_A_TIME)
    await queue.add([job('a')])
    await atRest(queue)
    await queue.add([job('b')])
    await atRest(queue)
    expect(done).toEqual(['b'])
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, failed: 1 })
    expect(attempts).toEqual([
      { attempts: 1, isGivenUp: false },
      { attempts: 2, isGivenUp: false },
      { attempts: 3, isGivenUp: true },
    ])
  })

  it('tries again what failed before its first pause', async () => {
    const queue = open()
    let attempts = 0
    const throwing = (): Promise<void> => {
      attempts += 1
      if (attempts === 1) throw new Error('Not yet')
      return Promise.resolve()
    }
    queue.work('deliver', throwing, ONE_AT_A_TIME)
    await queue.add([job('a')])
    await atRest(queue)
    expect(attempts).toBe(2)
  })

  it('takes the slot from a job that hangs, and tries it again', async () => {
    const failures: string[] = []
    const queue = open({ onFailed: (job, error) => failures.push(`${job.id} ${String(error)}`) })
    const late = Promise.withResolvers<undefined>()
    const started: string[] = []
    const hangsOnce = async ({ id }: Job): Promise<void> => {
      started.push(id)
      if (started.length === 1) await late.promise
    }
    queue.work('deliver', hangsOnce, { concurrency: 1, timeoutMs: 50 })
    await queue.add([job('a'), job('b')])
    await atRest(queue)
    expect(started.sort()).toEqual(['a', 'a', 'b'])
    expect(failures).toHaveLength(1)
    expect(failures[0]).toMatch(/^\w JobTimedOut: .*longer than 50 ms/)
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, failed: 0 })
    late.resolve(undefined)
  })

  it.for(['success', 'failure'])('ignores the late %s of a job that was given up', async (end) => {
    const queue = open({ attemptsMax: 1 })
    const late = Promise.withResolvers<undefined>()
    const ended = Promise.withResolvers<undefined>()
    const { done, handler } = recorder()
    const hangsOnce = async (job: Job): Promise<void> => {
      if (job.id !== 'hanging') return handler(job)
      try {
        await late.promise
      } finally {
        ended.resolve(undefined)
      }
    }
    queue.work('deliver', hangsOnce, { concurrency: 1, timeoutMs: 50 })
    await queue.add([job('hanging')])
    await atRest(queue)
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, failed: 1 })
    if (end === 'success') late.resolve(undefined)
    else late.reject(new Error('Too late'))
    await ended.promise
    await queue.add([job('b')])
    await atRest(queue)
    expect(done).toEqual(['b'])
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, failed: 1 })
  })

  it('answers without queueing when it is full, and takes work again when there is room', async () => {
    const queue = open({ queuedMax: 3 })
    await queue.add(['a', 'b', 'c', 'd'].map((id) => job(id)))
    await queue.add([job('e')])
    expect((await queue.counts()).waiting).toBe(3)
    const { done, handler } = recorder()
    queue.work('deliver', handler, ONE_AT_A_TIME)
    await atRest(queue)
    await queue.add([job('e')])
    await atRest(queue)
    expect(done.sort()).toEqual(['a', 'b', 'c', 'e'])
  })

  it('ends a running job before it closes, and starts no other', async () => {
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

  it('does not try again what fails while it closes', async () => {
    const queue = open({ backoffMs: 1 })
    const gate = gated()
    let attempts = 0
    const failing = async (job: Job): Promise<void> => {
      attempts += 1
      await gate.handler(job)
      throw new Error('Not yet')
    }
    queue.work('deliver', failing, ONE_AT_A_TIME)
    await queue.add([job('a')])
    await gate.started(1)
    const closed = queue.close(LONG_MS)
    gate.open()
    await closed
    expect(attempts).toBe(1)
  })

  it('closes without a job that hangs, when the grace is over', async () => {
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

  it('refuses a second worker for a type, and a concurrency of zero', () => {
    const queue = open()
    const { handler } = recorder()
    queue.work('deliver', handler, ONE_AT_A_TIME)
    expect(() => queue.work('deliver', handler, ONE_AT_A_TIME)).toThrow(TypeError)
    expect(() => queue.work('expire', handler, { concurrency: 0, timeoutMs: LONG_MS })).toThrow(RangeError)
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
