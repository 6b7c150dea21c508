import { describe, expect, it } from 'vitest'
import { inProcessJobQueue } from './in-process-job-queue.ts'
import type { Job } from './job-queue.ts'

const TIMEOUT_MS = 10_000

describe('pauses between attempts', () => {
  it.for([
    { drawn: 0, pauses: [500, 1_000, 2_000, 3_000, 3_000] },
    { drawn: 0.5, pauses: [750, 1_500, 3_000, 4_500, 4_500] },
    { drawn: 1 - 2 ** -53, pauses: [1_000, 2_000, 4_000, 6_000, 6_000] },
  ])('grow up to a bound, by what is drawn ($drawn)', async ({ drawn, pauses }) => {
    const time = manualTime()
    const options = { attemptsMax: 6, backoffMs: 1_000, backoffMsMax: 6_000 }
    const queue = inProcessJobQueue({ ...options, random: () => drawn, after: time.after })
    const startedAt: number[] = []
    queue.work('deliver', async () => fail(startedAt.push(time.now())), { concurrency: 1, timeoutMs: TIMEOUT_MS })
    await queue.add([job('a')])
    await time.pass(60_000)
    const waited = startedAt.slice(1).map((at, index) => Math.round(at - (startedAt[index] ?? 0)))
    expect(waited).toEqual(pauses)
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, failed: 1 })
  })
})

describe('closing', () => {
  it('leaves no timer behind of jobs that are done or paused when it closes', async () => {
    const time = manualTime()
    const queue = inProcessJobQueue({ after: time.after })
    queue.work('deliver', async () => undefined, { concurrency: 1, timeoutMs: TIMEOUT_MS })
    queue.work('expire', async () => fail(1), { concurrency: 1, timeoutMs: TIMEOUT_MS })
    await queue.add([job('a'), { ...job('b'), type: 'expire' }])
    await time.pass(0)
    expect(time.timers()).toBe(1)
    await queue.close(TIMEOUT_MS)
    expect(time.timers()).toBe(0)
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, failed: 0 })
  })

  it('leaves no timer behind of a job that fails while it closes', async () => {
    const time = manualTime()
    const queue = inProcessJobQueue({ after: time.after })
    const failure = Promise.withResolvers<never>()
    queue.work('deliver', () => failure.promise, { concurrency: 1, timeoutMs: TIMEOUT_MS })
    await queue.add([job('a')])
    await time.pass(0)
    const closed = queue.close(TIMEOUT_MS)
    failure.reject(new Error('Too late'))
    await closed
    expect(time.timers()).toBe(0)
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, failed: 0 })
  })
})

it('lets a process end, though jobs wait for their time', async () => {
  const before = keptAlive()
  const queue = inProcessJobQueue({ backoffMs: 3_600_000, backoffMsMax: 3_600_000 })
  queue.work('deliver', () => new Promise(() => undefined), { concurrency: 1, timeoutMs: 3_600_000 })
  queue.work('expire', () => Promise.reject(new Error('Later')), { concurrency: 1, timeoutMs: 3_600_000 })
  await queue.add([job('a'), job('b'), { ...job('c'), type: 'expire' }])
  await settled()
  expect(keptAlive()).toBe(before)
  await queue.close(0)
})

/** Timers without which this process could end. */
function keptAlive(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
}

function job(id: string): Job {
  return { id, type: 'deliver', data: {} }
}

function fail(attempt: number): never {
  throw new Error(`Attempt ${attempt} failed`)
}

/** Time that passes only when it is told to. */
function manualTime() {
  const timers = new Set<{ at: number; run: () => void }>()
  let now = 0
  return {
    now: () => now,
    timers: () => timers.size,
    after: (ms: number, run: () => void) => {
      const timer = { at: now + ms, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async pass(ms: number): Promise<void> {
      const until = now + ms
      await settled()
      for (;;) {
        const next = [...timers].filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0]
        if (!next) break
        timers.delete(next)
        now = next.at
        next.run()
        await settled()
      }
      now = until
    },
  }
}

/** Everything that needs no timer has happened. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
