import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Folded } from './api/as-of/past-views.ts'
import { parseConfig } from './config.ts'
import { EventStoreAway } from './event-store/event-store.ts'
import { revenueReader } from './start-revenue.ts'
import { complete, newFolder, order, removeFolder, runIn } from './testing/shop-folder.ts'

/** A thread that runs this. */
function running(code: string): URL {
  const prelude = "import { parentPort as port } from 'node:worker_threads'\n"
  return new URL(`data:text/javascript,${encodeURIComponent(prelude + code)}`)
}

const waiting = (): AbortSignal => new AbortController().signal

describe('the revenue', () => {
  let folder: string
  beforeEach(() => {
    folder = newFolder()
  })
  afterEach(() => removeFolder(folder))

  it('is added up in a thread, beside a shop that runs', async () => {
    const shop = await runIn(folder)
    try {
      await complete(shop, await order(shop, 'ash@example.com'))
      await order(shop, 'misty@example.com')
      const reached: Folded[] = []
      const { byDay, byMethod } = await revenueReader(parseConfig({ DATA_DIR: folder }))({
        signal: waiting(),
        onProgress: (now) => reached.push(now),
      })
      expect(reached.length).toBeGreaterThan(0)
      expect(byDay).toMatchObject([{ completed: 1, revenueCents: 5 }])
      expect(byMethod).toMatchObject([{ completed: 1, revenueCents: 5 }])
    } finally {
      await shop.stop()
    }
  })

  it('is added up once for all who wait at the same time, and again for later readers', async () => {
    const adding = "port.postMessage({ kind: 'added', rows: { byDay: [Math.random()], byMethod: [] } })"
    const read = revenueReader(parseConfig({}), running(adding))
    const [one, another] = await Promise.all([read({ signal: waiting() }), read({ signal: waiting() })])
    expect(another).toEqual(one)
    expect(await read({ signal: waiting() })).not.toEqual(one)
  })

  it('tells all who wait how far it is', async () => {
    const reached = { events: 7, position: '7', recordedAt: 1 }
    const adding = `port.postMessage({ kind: 'reached', reached: ${JSON.stringify(reached)} })
      port.postMessage({ kind: 'added', rows: { byDay: [], byMethod: [] } })`
    const read = revenueReader(parseConfig({}), running(adding))
    const told: Folded[] = []
    const caller = () => ({ signal: waiting(), onProgress: (now: Folded) => told.push(now) })
    await Promise.all([read(caller()), read(caller())])
    expect(told).toEqual([reached, reached])
  })

  it('is stopped when its last reader leaves, and no sooner', async () => {
    const beats = new Int32Array(new SharedArrayBuffer(4))
    const channel = new BroadcastChannel('beats')
    channel.addEventListener('message', () => Atomics.add(beats, 0, 1))
    const read = revenueReader(
      parseConfig({}),
      running("const beats = new BroadcastChannel('beats'); setInterval(() => beats.postMessage(1), 5)"),
    )
    const [first, second] = [new AbortController(), new AbortController()]
    const answers = [first, second].map(async ({ signal }) => read({ signal }).catch((error: unknown) => error))
    const count = (): number => Atomics.load(beats, 0)
    const isAlive = async (): Promise<boolean> => {
      const before = count()
      await pause(300)
      return count() > before
    }
    await expect.poll(isAlive, { timeout: 20_000 }).toBe(true)
    first.abort()
    // A thread that is ending may still send a few.
    const [few, before] = [100, count()]
    await expect.poll(() => count() - before, { timeout: 20_000 }).toBeGreaterThan(few)
    second.abort()
    await Promise.all(answers)
    await expect.poll(isAlive, { timeout: 20_000 }).toBe(false)
    channel.close()
  })

  it('says that the log is away', async () => {
    const read = revenueReader(parseConfig({ EVENTSTOREDB_URL: 'esdb://127.0.0.1:1?tls=false' }))
    await expect(read({ signal: waiting() })).rejects.toBeInstanceOf(EventStoreAway)
  })

  it('fails for all who wait when it cannot be added up, and is tried again', async () => {
    const read = revenueReader(parseConfig({}), running("throw new Error('no log')"))
    for (let tries = 0; tries < 2; tries += 1)
      await expect(Promise.all([read({ signal: waiting() }), read({ signal: waiting() })])).rejects.toThrow('no log')
  })
})
