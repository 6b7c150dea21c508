import { setFlagsFromString } from 'node:v8'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { parseConfig } from '../config.ts'
import { START } from '../engines/event-store/event-store.ts'
import { type ProjectorThread, type ProjectorThreadOptions, startProjectorThread } from './start-projector.ts'
import type { RunningShop } from './run-shop.ts'
import { running } from './testing/running.ts'
import { order, runIn } from '../testing/shop-folder.ts'
import { testFolder } from '../ports/testing/test-folder.ts'

/** Long enough for a thread to be started a few times. */
const LONG_MS = 20_000
/** The thread looks by itself after a while all the same. */
const BEFORE_IT_LOOKS_MS = 4_000

let folder: string

beforeEach(() => {
  folder = testFolder()
})

async function shopWithoutProjector(): Promise<RunningShop> {
  const shop = await runIn(folder, { ROLES: 'api,worker' })
  onTestFinished(async () => expect(await shop.stop()).toEqual([]))
  return shop
}

function projector(options: Partial<ProjectorThreadOptions> = {}): ProjectorThread {
  const thread = startProjectorThread({
    config: parseConfig({ DATA_DIR: folder }),
    onTrouble: () => undefined,
    onCrashed: () => undefined,
    ...options,
  })
  onTestFinished(() => thread.stop())
  return thread
}

/** The real one, which dies of being told this. */
function dyingOf(kind: string): URL {
  return running(`port.on('message', (message) => { if (message.kind === '${kind}') throw new Error('of ${kind}') })
    import('${new URL('run-projector.ts', import.meta.url).href}')`)
}

it('the projector folds an event as soon as it is notified', async () => {
  const shop = await shopWithoutProjector()
  const thread = projector()
  expect(await thread.waitFor(await shop.engines.log.head(), LONG_MS)).toBe(true)
  expect(thread.trouble()).toBeUndefined()
  for (const buyer of ['anna', 'otto']) {
    await order(shop, `${buyer}@example.test`)
    const head = await shop.engines.log.head()
    thread.notifyAppended(head)
    expect(await thread.waitFor(head, BEFORE_IT_LOOKS_MS)).toBe(true)
    expect(thread.position()).toBe(head)
  }
})

it('a projector that dies is restarted, and continues', async () => {
  const shop = await shopWithoutProjector()
  const deaths: string[] = []
  const thread = projector({ entry: dyingOf('appended'), onCrashed: ({ error }) => deaths.push(String(error)) })
  expect(await thread.waitFor(await shop.engines.log.head(), LONG_MS)).toBe(true)
  thread.notifyAppended(await shop.engines.log.head())
  await expect.poll(() => thread.trouble()).toBe('has crashed and is restarted')
  await order(shop, 'anna@example.test')
  expect(await thread.waitFor(await shop.engines.log.head(), LONG_MS)).toBe(true)
  expect(thread.trouble()).toBeUndefined()
  expect(deaths).toEqual(['Error: of appended'])
})

it('a projector without memory left is restarted', { timeout: 60_000 }, async () => {
  const died = Promise.withResolvers<unknown>()
  const entry = running(`const kept = []; for (;;) kept.push(new Array(1_000_000).fill(Math.random()))`)
  projector({ entry, onCrashed: ({ error }) => died.resolve(error) })
  expect(await died.promise).toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' })
})

it('the projector has its own limit of the young heap', { timeout: 60_000 }, async () => {
  const told = Promise.withResolvers<number>()
  const entry = running(`
      import { getHeapSpaceStatistics } from 'node:v8'
      let kept = []
      for (let index = 0; index < 3_000_000; index += 1) {
        kept.push({ index, list: [index] })
        if (kept.length > 100_000) kept = []
      }
      const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
      port.postMessage({ kind: 'trouble', text: String(young.space_size) })`)
  // As on the command line.
  setFlagsFromString('--min-semi-space-size=16')
  setFlagsFromString('--max-semi-space-size=16')
  projector({ entry, onTrouble: (text) => told.resolve(Number(text)) })
  expect(await told.promise).toBeLessThan(40 * 1_048_576)
})

it('a projector that dies repeatedly is restarted later each time', async () => {
  const pauses: number[] = []
  const thirdDeath = Promise.withResolvers<void>()
  projector({
    entry: running('process.exit(1)'),
    onCrashed: ({ againInMs }) => {
      pauses.push(againInMs)
      if (pauses.length === 3) thirdDeath.resolve()
    },
  })
  await thirdDeath.promise
  expect(pauses).toEqual([100, 200, 400])
})

it('readers wait until the projector reports their position', async () => {
  const entry = running(`port.on('message', ({ head }) => port.postMessage({ kind: 'moved', position: head }))`)
  const thread = projector({ entry, stopMs: 50 })
  expect(thread.position()).toBe(START)
  expect(thread.trouble()).toBe('is starting')
  expect(await thread.waitFor('1', 1)).toBe(false)
  const waiting = thread.waitFor('1', LONG_MS)
  thread.notifyAppended('1')
  expect(await waiting).toBe(true)
})

it('the projector reports why the views are not updated', async () => {
  const told = Promise.withResolvers<unknown>()
  const trouble = { kind: 'trouble', text: 'Error: no disk' }
  projector({ entry: running(`port.postMessage(${JSON.stringify(trouble)})`), onTrouble: told.resolve })
  expect(await told.promise).toBe('Error: no disk')
})

it.each([
  ['does not listen', `setInterval(() => undefined, 1_000)`],
  ['is busy for ever', `for (;;);`],
])('a stop ends a projector that %s', async (_, code) => {
  const thread = projector({ entry: running(code), stopMs: 50 })
  await thread.stop()
})

it('a stop does not wait for the restart of the projector', async () => {
  const died = Promise.withResolvers<void>()
  const thread = projector({ entry: running('process.exit(1)'), onCrashed: () => died.resolve() })
  await died.promise
  await thread.stop()
})
