import { afterEach, expect, it, vi } from 'vitest'
import { Refusal } from '../domain/refusal.ts'
import { inProcessJobQueue } from '../engines/job-queue/in-process-job-queue.ts'
import type { Job } from '../engines/job-queue/job-queue.ts'
import { seededRandom, testClock } from '../ports/testing/clock.ts'
import { jobFor, type Policy } from './policy.ts'
import { Sweep } from './sweep.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const stop of stops.splice(0)) await stop()
})

function policyOf(name: string, changes: Partial<Policy> = {}): Policy {
  return {
    name,
    concurrency: 1,
    timeoutMs: 1_000,
    due: async () => [jobFor(name, {}, 1)],
    run: async () => undefined,
    ...changes,
  }
}

/** A policy that counts how often it looks for jobs. */
function lookedAt(find: () => Promise<Job[]> | Job[]) {
  const seen = { looks: 0 }
  const due = async (): Promise<Job[]> => {
    seen.looks += 1
    return find()
  }
  return { seen, policy: policyOf('looked-at', { due }) }
}

const fails = (): never => {
  throw new Error('played')
}

function sweepOver(...policies: Policy[]) {
  const troubles: string[] = []
  const failed: Job[] = []
  const queue = inProcessJobQueue({ onFailed: (job) => failed.push(job) })
  const clock = testClock()
  const sweep = new Sweep({
    policies,
    queue,
    clock,
    random: seededRandom(1),
    onTrouble: (_error, what) => troubles.push(what),
  })
  stops.push(
    async () => sweep.stop(),
    async () => queue.close(1_000),
  )
  return { sweep, queue, clock, troubles, failed }
}

it('the sweep runs due jobs, each with its own caller', async () => {
  const { promise: ran, resolve } = Promise.withResolvers<{ job: Job; actor: string }>()
  const { sweep } = sweepOver(policyOf('tidy', { run: async (job, { actor }) => resolve({ job, actor }) }))
  sweep.start()
  expect(await ran).toMatchObject({ job: { id: 'tidy:1', type: 'tidy' }, actor: 'system' })
})

it('the sweep returns jobs that could not be queued to their policy', async () => {
  const lost: string[] = []
  const policy = policyOf('tidy', { onNotQueued: (jobs) => void lost.push(...jobs.map(({ id }) => id)) })
  const { sweep, queue, troubles } = sweepOver(policy)
  await queue.close(0)
  await sweep.sweepOnce()
  expect({ lost, troubles }).toEqual({ lost: ['tidy:1'], troubles: ['tidy'] })
})

it('the sweep continues with the other policies when one fails, and reports it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const done: string[] = []
  const { sweep, troubles } = sweepOver(
    policyOf('blind', { due: async () => fails() }),
    policyOf('tidy', { run: async ({ id }) => void done.push(id) }),
  )
  sweep.start()
  await expect.poll(() => done).toEqual(['tidy:1'])
  expect(troubles).toEqual(['blind'])
})

it('the sweep treats a refusal as done, since the view was behind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  let runs = 0
  const { sweep, failed } = sweepOver(
    policyOf('tidy', {
      run: async () => {
        runs += 1
        throw new Refusal('order/not-pending', 'It is done.')
      },
    }),
  )
  sweep.start()
  await expect.poll(() => runs).toBe(1)
  await sweep.stop()
  expect([runs, failed.length]).toEqual([1, 0])
})

it('the sweep retries a failed job after 10 s and runs the others meanwhile', async () => {
  const ran: string[] = []
  const { sweep, queue, clock, failed } = sweepOver(
    policyOf('broken', {
      run: async ({ type }) => {
        ran.push(type)
        throw new Error('played')
      },
    }),
    policyOf('tidy', { run: async ({ type }) => void ran.push(type) }),
  )
  sweep.start()
  const idle = async () => {
    await expect.poll(async () => queue.counts()).toMatchObject({ waiting: 0, running: 0 })
  }
  await expect.poll(() => ran).toEqual(['broken', 'tidy'])
  await idle()
  await clock.advance(9_999)
  await sweep.sweepOnce()
  await idle()
  expect(ran).toEqual(['broken', 'tidy', 'tidy'])
  await clock.advance(1)
  await sweep.sweepOnce()
  await idle()
  expect(ran.slice(3)).toEqual(['broken', 'tidy'])
  expect(failed.map(({ type }) => type)).toEqual(['broken', 'broken'])
})

it.for([
  ['looks again soon where there is more than it takes up at once', 500, 250],
  ['takes its time where it has found all there is', 499, 1_000],
] as const)('the sweep %s', async ([, found, pauseMs]) => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const { seen, policy } = lookedAt(() => Array.from({ length: found }, (_, index) => jobFor('many', {}, index)))
  const { sweep } = sweepOver(policy)
  sweep.start()
  await vi.advanceTimersByTimeAsync(pauseMs - 1)
  expect(seen.looks).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(seen.looks).toBe(2)
})

it('the sweep goes on two seconds after each failure', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const { seen, policy } = lookedAt(fails)
  const { sweep } = sweepOver(policy)
  sweep.start()
  for (let failed = 1; failed <= 5; failed += 1) {
    expect(seen.looks).toBe(failed)
    await vi.advanceTimersByTimeAsync(1_999)
    expect(seen.looks).toBe(failed)
    await vi.advanceTimersByTimeAsync(1)
  }
})

it('the sweep stops without another pause', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const looks = Promise.withResolvers<undefined>()
  const end = Promise.withResolvers<Job[]>()
  const { policy } = lookedAt(async () => {
    looks.resolve(undefined)
    return end.promise
  })
  const { sweep } = sweepOver(policy)
  sweep.start()
  await looks.promise
  const stopped = sweep.stop()
  end.resolve([])
  // With a stopped clock another pause would never end.
  await stopped
})
