import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { analyticsOf, readRevenue } from '../projections/analytics.ts'
import type { Reached } from '../projections/past-views.ts'
import { parseConfig } from '../config.ts'
import { EventStoreAway, NO_EVENTS } from '../engines/event-store/event-store.ts'
import { categories } from '../domain/stream-names.ts'
import { eventstoredbEventStore } from '../engines/event-store/eventstoredb-event-store.ts'
import { eventstoredbDouble } from '../engines/event-store/testing/eventstoredb-double.ts'
import { someEvents } from '../engines/event-store/testing/some-events.ts'
import { pastFolder } from './start-past.ts'
import { running } from './testing/running.ts'
import { complete, during, order } from '../testing/shop-folder.ts'
import { testFolder } from '../ports/testing/test-folder.ts'

const nothing = (): void => undefined
const asked = (changes: { beforeMs?: number; signal?: AbortSignal; onProgress?: (now: Reached) => void } = {}) => ({
  beforeMs: Date.now() + 60_000,
  signal: new AbortController().signal,
  onProgress: nothing,
  ...changes,
})

it('views of the past are folded and read in a thread beside a running shop, until they are closed', async () => {
  const folder = testFolder()
  await during(folder, async (shop) => {
    await complete(shop, await order(shop, 'ash@example.com'))
    await order(shop, 'misty@example.com')
    const reached: Reached[] = []
    const fold = pastFolder(parseConfig({ DATA_DIR: folder }))
    const past = await fold(asked({ onProgress: (now) => reached.push(now) }))
    expect(await analyticsOf(past.views)()).toMatchObject({ orders: 2, revenueCents: 5, customers: 1 })
    expect(past.reached.position).toBe(await shop.engines.log.head())
    expect(past.openM).toBe(1)
    expect(reached.length).toBeGreaterThan(0)
    expect(await readRevenue(past.views)).toMatchObject({ byDay: [{ completed: 1 }], byMethod: [{ completed: 1 }] })
    await past.close()
    await expect(analyticsOf(past.views)()).rejects.toThrow('closed')
  })
})

it('an aborted request ends the thread of the past', async () => {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const channel = new BroadcastChannel('past beats')
  channel.addEventListener('message', () => Atomics.add(beats, 0, 1))
  const isAlive = async (): Promise<boolean> => {
    const before = Atomics.load(beats, 0)
    await pause(300)
    return Atomics.load(beats, 0) > before
  }
  const beating = "const beats = new BroadcastChannel('past beats'); setInterval(() => beats.postMessage(1), 5)"
  const controller = new AbortController()
  const folded = pastFolder(parseConfig({}), running(beating))(asked({ signal: controller.signal }))
  await expect.poll(isAlive, { timeout: 20_000 }).toBe(true)
  controller.abort(new Error('gone'))
  await expect(folded).rejects.toThrow('gone')
  await expect.poll(isAlive, { timeout: 20_000 }).toBe(false)
  channel.close()
})

it('views of the past that cannot be folded give the reason', async () => {
  for (const [code, says] of [
    ["throw new Error('no log')", 'no log'],
    ['process.exit()', 'the views of the past are closed'],
  ] as const)
    await expect(pastFolder(parseConfig({}), running(code))(asked())).rejects.toThrow(says)
})

it('views of the past report a log that is away', async () => {
  const server = await eventstoredbDouble()
  const store = eventstoredbEventStore({ url: server.url, categories })
  await store.append('settings-shop', NO_EVENTS, someEvents(1))
  const fold = pastFolder(parseConfig({ EVENTSTOREDB_URL: server.url }))
  await Promise.all([store.close(), server.stop()])
  await expect(fold(asked())).rejects.toBeInstanceOf(EventStoreAway)
})

it('views of the past report that their thread needs too much memory', async () => {
  const fold = pastFolder(
    parseConfig({}),
    running('const all = []; for (;;) all.push(Array(10_000).fill(all.length))'),
    32,
  )
  await expect(fold(asked())).rejects.toMatchObject({ name: 'OutOfMemory' })
})
