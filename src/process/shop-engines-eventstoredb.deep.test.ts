import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { ConfigError, parseConfig } from '../config.ts'
import { type Engines, headsOf, openShopEngines } from './shop-engines.ts'
import { NO_EVENTS, START, type StoredEvent } from '../engines/event-store/event-store.ts'
import { categories, STOCK_STREAM } from '../domain/stream-names.ts'
import { someEvents } from '../engines/event-store/testing/some-events.ts'
import { eventstoredbEventStore } from '../engines/event-store/eventstoredb-event-store.ts'
import type { EventStoreDBDouble } from '../engines/event-store/testing/eventstoredb-double.ts'
import { doubleOfTest } from '../engines/event-store/testing/eventstoredb-server.ts'
import { nameLog, raiseKnownHead } from '../shop/log-head.ts'
import { complete, during, order } from '../testing/shop-folder.ts'
import { testFolder } from '../ports/testing/test-folder.ts'

let folder: string

beforeEach(() => {
  folder = testFolder()
})

const startDouble = async (): Promise<EventStoreDBDouble> => doubleOfTest({ file: join(testFolder(), 'log') })

/** With the log in this server, or in the folder. */
async function withEngines<Result>(
  double: Pick<EventStoreDBDouble, 'url'> | undefined,
  use: (engines: Engines) => Promise<Result>,
): Promise<Result> {
  const engines = await openShopEngines(parseConfig({ DATA_DIR: folder, EVENTSTOREDB_URL: double?.url }))
  try {
    return await use(engines)
  } finally {
    await engines.close()
  }
}

async function eventsIn({ store }: Engines): Promise<StoredEvent[]> {
  return store.readAll({ after: START, limit: 1_000 })
}

async function copyTo(double: EventStoreDBDouble, events: readonly StoredEvent[]): Promise<string> {
  const store = eventstoredbEventStore({ url: double.url, categories })
  for (const event of events) await store.append(event.stream, event.revision - 1, [event])
  const id = await store.identity()
  await store.close()
  return id
}

/** Further than any log here reaches. */
const LATER = '00000000000099999999'

const setsOf = async ({ views }: Engines): Promise<number> => (await views.found()).length

it('a shop opens only on the log that its vault names, and uses no views or marks of copies', async () => {
  await during(folder, async (shop) => complete(shop, await order(shop, 'anna@example.test')))
  const events = await withEngines(undefined, eventsIn)
  const [here, there] = [await startDouble(), await startDouble()]
  const ids = [await copyTo(here, events), await copyTo(there, events)]
  await expect(withEngines(here, eventsIn)).rejects.toThrow(/^the log at EVENTSTOREDB_URL is not the log that .*names/)

  await withEngines(undefined, async ({ vault }) => nameLog(vault, ids[0] ?? ''))
  await withEngines(here, async (engines) => {
    expect(await setsOf(engines)).toBe(0)
    expect((await eventsIn(engines)).map(({ id }) => id)).toEqual(events.map(({ id }) => id))
    await engines.views.create('a1', { shape: 'shape', logId: engines.logId, beginHead: START }, [])
    await raiseKnownHead(engines.vault, LATER)
    await nameLog(engines.vault, ids[1] ?? '')
  })
  await withEngines(there, async (engines) => {
    expect(await setsOf(engines)).toBe(0)
    expect((await headsOf(engines)).knownHead).toBe(START)
    await raiseKnownHead(engines.vault, LATER)
  })
  await expect(withEngines(there, eventsIn)).rejects.toThrow(/EVENTSTOREDB_URL ends at position \d+, but .* 99999999/)
})

it('a shop does not start with an empty server if its vault has been in use', async () => {
  await during(folder, async () => undefined)
  const double = await startDouble()
  await expect(withEngines(double, eventsIn)).rejects.toThrow(
    /^the log at EVENTSTOREDB_URL is missing or empty, but .*vault.sqlite is of a shop/,
  )
})

it('a shop does not start with a log of another vault', async () => {
  const double = await startDouble()
  await withEngines(double, async ({ store }) => expect(await store.head()).not.toBe(START))
  folder = testFolder()
  await expect(withEngines(double, eventsIn)).rejects.toThrow(/nobody can read .* the log at EVENTSTOREDB_URL/)
})

it('a shop does not start with a server in memory', async () => {
  const double = await doubleOfTest()
  const starting = withEngines(double, eventsIn)
  await expect(starting).rejects.toThrow(ConfigError)
  await expect(starting).rejects.toThrow(/runs with MemDb and keeps nothing on disk/)
})

it('a shop does not start with a server whose clock is off', async () => {
  const double = await startDouble()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 })
  try {
    await expect(withEngines(double, eventsIn)).rejects.toThrow(/clock .* ms apart: set both by a time server/)
  } finally {
    vi.useRealTimers()
  }
})

it('a new shop on a server that others use receives few of their events', async () => {
  const double = await startDouble()
  for (let count = 0; count < 10; count += 1)
    await double.log().append(`others-${count}`, 'no_stream', Array.from({ length: 4_000 }, foreign))
  await withEngines({ url: double.url.replace('?', '/mine?') }, async (engines) => {
    expect((await eventsIn(engines)).map(({ type }) => type)).toEqual(['ShopOpened'])
  })
  expect(double.counts.events).toBeLessThan(5_000)
})

it('a start on a server that hides events of the stock refuses, and names the setting', async () => {
  const double = await startDouble()
  const said = /stock-main has \$maxCount on the server, which hides its events/
  await withEngines(double, async ({ store }) => store.append(STOCK_STREAM, NO_EVENTS, someEvents(3)))
  await double.log().setMetadata(STOCK_STREAM, { $maxCount: 1 })
  await expect(withEngines(double, eventsIn)).rejects.toThrow(said)
  await double.log().setMetadata(STOCK_STREAM, {})
  await withEngines(double, async (engines) => expect(await eventsIn(engines)).toHaveLength(4))
})

function foreign() {
  return { id: randomUUID(), type: 'Foreign', contentType: '', data: Buffer.from('{}'), metadata: Buffer.alloc(0) }
}
