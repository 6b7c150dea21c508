import { afterEach, expect, it } from 'vitest'
import { inProcessJobQueue } from './in-process-job-queue.ts'
import { type Job, type JobQueue, JobQueueAway, type ServerQueue } from './job-queue.ts'
import { jobQueueWithFallback } from './job-queue-with-fallback.ts'

const opened: JobQueue[] = []
afterEach(async () => {
  for (const queue of opened.splice(0)) await queue.close(1_000)
})

type Mode = 'works' | 'refuses' | 'takes nothing' | 'is silent'

/** A server that works, or not, and a process on it. */
function setUp({ mayRun = true } = {}) {
  const inner = inProcessJobQueue()
  const left = new Map<string, Job>()
  const done: string[] = []
  const now = { mode: 'works' as Mode, ms: 0, mayRun, calls: 0 }
  const oldest = new Map<string, string>()
  const server: ServerQueue = {
    ...inner,
    oldest,
    async add(jobs) {
      now.calls += 1
      if (now.mode === 'is silent') now.ms += 2_000
      if (now.mode === 'refuses' || now.mode === 'is silent') throw new JobQueueAway('it does not work')
      oldest.clear()
      for (const { id, type } of left.values()) if (!oldest.has(type)) oldest.set(type, id)
      for (const job of jobs) left.set(job.id, job)
      if (now.mode === 'takes nothing') return
      await inner.add([...left.values()])
      left.clear()
    },
    work: (type, handler, options) =>
      inner.work(type, async (job) => handler({ ...job, data: { isByServer: true } }), options),
  }
  const queue = jobQueueWithFallback(server, { mayRun: async () => now.mayRun, now: () => now.ms })
  opened.push(queue)
  for (const type of ['poll', 'expire'])
    queue.work(type, async ({ id, data }) => void done.push(data['isByServer'] ? `server ${id}` : id), {
      concurrency: 1,
      timeoutMs: 1_000,
    })
  const add = async (...ids: string[]) =>
    queue.add(ids.map((id) => ({ id, type: id.startsWith('poll') ? 'poll' : 'expire', data: {} }))).then(
      () => 'queued',
      () => 'refused',
    )
  return { queue, now, done, add }
}

it.for(['refuses', 'takes nothing', 'is silent'] as const)(
  'a process does what is due itself once the server %s for 20 s, until it works again',
  async (mode) => {
    const { now, done, add } = setUp()
    await add('poll a')
    await expect.poll(() => done).toEqual(['server poll a'])
    now.mode = mode
    now.ms = 1_000
    await add('poll b')
    now.ms = 19_000
    if (mode !== 'is silent') await add('poll c')
    expect(done).toHaveLength(1)
    now.ms = 21_000
    expect(await add('poll d')).toBe('queued')
    await expect.poll(() => done).toHaveLength(mode === 'is silent' ? 3 : 4)
    expect(done.slice(1)).toEqual(mode === 'is silent' ? ['poll b', 'poll d'] : ['poll b', 'poll c', 'poll d'])
    now.mode = 'works'
    now.ms = 40_000
    await add('poll e')
    now.ms = 41_000
    await add('poll f')
    await expect.poll(() => done.at(-1)).toBe('server poll f')
    now.ms = 41_500
    await add('poll g')
    await expect.poll(() => done.at(-1)).toBe('server poll g')
    expect(done).not.toContain('poll g')
  },
)

it('a server that takes one type of jobs and not another keeps the first', async () => {
  const { now, done, add } = setUp()
  now.mode = 'takes nothing'
  await add('expire a')
  now.ms = 20_000
  await add('expire b', 'poll a')
  await expect.poll(() => done).toEqual(['expire a', 'expire b'])
})

it('a process that may not run what is due gives it back where the server refuses it', async () => {
  const { now, done, add } = setUp({ mayRun: false })
  now.mode = 'refuses'
  expect(await add('poll a')).toBe('refused')
  now.ms = 30_000
  expect(await add('poll a')).toBe('refused')
  now.mayRun = true
  expect(await add('poll a')).toBe('queued')
  await expect.poll(() => done).toEqual(['poll a'])
})

it('a silent server is waited for once in a sweep', async () => {
  const { now, add } = setUp()
  now.mode = 'is silent'
  for (const id of ['poll a', 'expire a', 'poll b', 'expire b']) expect(await add(id)).toBe('refused')
  expect(now.calls).toBe(1)
})

it('counts say for how long jobs have waited without one being taken', async () => {
  const { queue, now, add } = setUp()
  const untakenMs = async () => (await queue.counts()).untakenMs
  await add('poll a')
  expect(await untakenMs()).toBeUndefined()
  now.mode = 'takes nothing'
  await add('poll b')
  now.ms = 31_000
  await add('poll c')
  expect(await untakenMs()).toBe(31_000)
  now.mode = 'works'
  now.ms = 32_000
  await add('poll d')
  await add('poll e')
  expect(await untakenMs()).toBeUndefined()
})
