import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { placed } from '../domain/testing/order-samples.ts'
import type { EventLog } from '../event-store/event-log.ts'
import { EventStoreAway } from '../event-store/event-store.ts'
import { memoryViewStore } from '../view-store/testing/memory-view-store.ts'
import { type ViewStore, ViewStoreAway } from '../view-store/view-store.ts'
import { customerIdsBeginningWith, customersProjection } from '../projections/customers.ts'
import { ordersOf, ordersProjection } from '../projections/orders.ts'
import type { Projection } from '../projections/projection.ts'
import { projectionRunner, type Runner, type RunnerOptions } from './runner.ts'
import { samples } from '../projections/testing/samples.ts'
import { sealedBuyer, shopLog, VaultAway } from '../projections/testing/shop-log.ts'
import { tally, type TallyDocument } from './testing/tally.ts'
import { wipedAtAnyTime } from './testing/wiped-views.ts'
import { ViewBehind } from '../projections/views.ts'
import { viewReader } from '../projector/view-reader.ts'

function fixture() {
  const shop = shopLog()
  const store = memoryViewStore()
  let now = 0
  const clock = { now: () => now, sleep: async (ms: number) => void (now += ms) }
  const runner = (projections: readonly Projection[], options: Partial<RunnerOptions> = {}): Runner =>
    projectionRunner({ log: shop.log, store, projections, clock, ...options })
  // A second apart, so that each look is a fresh one.
  const views = (...projections: readonly Projection[]) => viewReader({ store, projections, now: () => (now += 1_001) })
  const tallied = async (...projections: readonly Projection[]): Promise<number | undefined> => {
    const collection = await views(...projections).collection('tally')
    const body = (await store.load(collection, ['stock-main'])).get('stock-main')?.body
    return (body as TallyDocument | undefined)?.events
  }
  const order = async (orderId: string) => {
    const reader = views(ordersProjection)
    return (await ordersOf(reader, await reader.collection('orders'), [{ id: orderId }]))[0]
  }
  const builds = async (): Promise<string[]> => (await store.collections()).map(({ name }) => numbered(name))
  return { ...shop, store, clock, runner, views, tallied, order, builds, pass: (ms: number) => (now += ms) }
}

/** Pages are folded together for a second, which never passes. */
function holdTheSecond(): void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

const BIRTH = /@\d{13}$/

/** A build's name without the moment of its birth. */
function numbered(collection: string): string {
  expect(collection).toMatch(BIRTH)
  return collection.replace(BIRTH, '')
}

async function runToEnd(runner: Runner): Promise<void> {
  while (await runner.runOnce());
}

async function withBuyer(shop: ReturnType<typeof fixture>, names: { orderId: string; customerId: string }) {
  const personal = { customerEmail: `${names.customerId}@example.org`, discordUsername: 'ash', marketIds: [] }
  return placed({ ...names, personal: await sealedBuyer(shop.vault, { ...names, personal }) })
}

/** Fails the calls of these names until it is told to stop. */
function failing<Port extends object>(port: Port, names: readonly (keyof Port)[], error: Error) {
  const state = { isAway: true }
  const proxy = new Proxy(port, {
    get(target, name) {
      const call = Reflect.get(target, name) as (...values: unknown[]) => Promise<unknown>
      if (!names.includes(name as keyof Port)) return call
      return async (...values: unknown[]) => {
        if (state.isAway) throw error
        return call.apply(target, values)
      }
    },
  })
  return { proxy, state }
}

describe('an event that cannot be folded', () => {
  it('breaks its own document there; the others go on', async () => {
    const shop = fixture()
    await shop.record(placed({ orderId: 'a' }), placed({ orderId: 'b' }))
    await shop.recordRaw('order-a', { type: 'OrderTeleported', data: {} })
    await shop.record(
      { type: 'PaymentMethodChosen', data: { orderId: 'a', paymentMethod: 'upi', at: placed().data.at } },
      { type: 'PaymentMethodChosen', data: { orderId: 'b', paymentMethod: 'upi', at: placed().data.at } },
    )
    const runner = shop.runner([ordersProjection])
    await runToEnd(runner)
    const views = shop.views(ordersProjection)
    expect((await shop.order('a'))?.method).toBe(null)
    expect((await shop.order('b'))?.method).toBe('upi')
    const documents = await shop.store.load(await views.collection('orders'), ['a'])
    expect(documents.get('a')?.broken).toEqual({
      position: documents.get('a')?.position,
      reason: 'OrderTeleported cannot be read: no such event type in this release',
    })
    expect(await runner.status()).toMatchObject([{ name: 'orders', broken: 1, trouble: undefined }])
  })

  it('breaks one customer when one sealed buyer is damaged', async () => {
    const shop = fixture()
    await shop.record(await withBuyer(shop, { orderId: 'a', customerId: 'good' }))
    await shop.record(placed({ orderId: 'b', customerId: 'damaged', personal: 'v1.damaged.###' }))
    await shop.record(await withBuyer(shop, { orderId: 'c', customerId: 'fine' }))
    const runner = shop.runner([customersProjection])
    await runToEnd(runner)
    const found = await customerIdsBeginningWith(shop.views(customersProjection), 'ASH')
    expect(found.toSorted()).toEqual(['fine', 'good'])
    expect(await runner.status()).toMatchObject([{ broken: 1, trouble: undefined }])
  })
})

describe('an engine that is away', () => {
  it('makes only the views that need the vault wait for it, and breaks nothing', async () => {
    const shop = fixture()
    await shop.record(await withBuyer(shop, { orderId: 'a', customerId: 'ash' }))
    const { proxy: log, state } = failing<EventLog>(shop.log, ['openPersonal'], new VaultAway('no vault'))
    const runner = shop.runner([ordersProjection, customersProjection], { log })
    await runToEnd(runner)
    expect(await shop.order('a')).toBeDefined()
    expect(await runner.status()).toMatchObject([
      { name: 'orders', trouble: undefined, isServing: true },
      { name: 'customers', trouble: 'VaultAway: no vault', isServing: false, broken: 0 },
    ])
    expect(runner.position(['orders']) > runner.position(['customers'])).toBe(true)

    // A view in front does not wait for one that is held up.
    await shop.record(placed({ orderId: 'b' }))
    await runToEnd(runner)
    expect(await shop.order('b')).toBeDefined()

    state.isAway = false
    shop.pass(60_000)
    await runToEnd(runner)
    expect(await customerIdsBeginningWith(shop.views(customersProjection), 'ash')).toEqual(['ash'])
    expect((await runner.status()).map(({ trouble }) => trouble)).toEqual([undefined, undefined])
  })

  it.for([
    ['the log', 'readAll'],
    ['the log', 'waitForEvents'],
    ['the views', 'write'],
    ['the views', 'load'],
    ['the views', 'open'],
    ['the views', 'collections'],
  ] as const)('does not end the projector: %s, %s', async ([, name]) => {
    const shop = fixture()
    await shop.record(samples.StockSet)
    const awayLog = failing<EventLog>(shop.log, [name as keyof EventLog], new EventStoreAway('no log'))
    const awayStore = failing<ViewStore>(shop.store, [name as keyof ViewStore], new ViewStoreAway('no views'))
    const { promise: troubled, resolve } = Promise.withResolvers<void>()
    let troubles = 0
    const runner = shop.runner([tally(1)], {
      log: awayLog.proxy,
      store: awayStore.proxy,
      onTrouble: () => (troubles += 1) === 5 && resolve(),
    })
    void runner.start()
    onTestFinished(() => runner.stop())
    await troubled
    awayLog.state.isAway = false
    awayStore.state.isAway = false
    await shop.record(samples.StockAdjusted)
    expect(await runner.waitFor(await shop.log.head(), 10_000)).toBe(true)
    expect(await shop.tallied(tally(1))).toBe(2)
  })

  it.for(['head', 'write'] as const)(
    'is tried again after ever longer pauses, five seconds at most: %s',
    async (call) => {
      const shop = fixture()
      await shop.record(samples.StockSet)
      const { proxy: log } = failing<EventLog>(shop.log, [call as keyof EventLog], new EventStoreAway('no log'))
      const { proxy: store } = failing<ViewStore>(shop.store, [call as keyof ViewStore], new ViewStoreAway('no views'))
      const pauses: number[] = []
      const signal = new AbortController()
      const runner = shop.runner([tally(1)], {
        log,
        store,
        clock: {
          now: shop.clock.now,
          async sleep(ms) {
            pauses.push(ms)
            if (pauses.length === 12) signal.abort()
            await shop.clock.sleep(ms)
          },
        },
      })
      await runner.start(signal.signal)
      expect(pauses).toEqual([50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000, 5_000, 5_000])
    },
  )
})

describe('a view', () => {
  it('answers only when it has reached the end that the log had when its build began', async () => {
    const shop = fixture()
    await shop.record(samples.StockSet, samples.StockAdjusted, samples.StockAdjusted)
    const runner = shop.runner([tally(1)], { pageSize: 1 })
    await runner.runOnce()
    await shop.record(samples.StockAdjusted)
    await runner.runOnce()
    await expect(shop.tallied(tally(1))).rejects.toThrow(ViewBehind)
    await runner.runOnce()
    expect(await shop.tallied(tally(1))).toBe(3)
  })

  it('answers at once over an empty log', async () => {
    const shop = fixture()
    await shop.runner([tally(1)]).runOnce()
    expect(await shop.tallied(tally(1))).toBe(undefined)
  })

  it('gets its indexes when it is built, not before', async () => {
    const shop = fixture()
    await shop.record(samples.StockSet, samples.StockAdjusted)
    const opened: number[] = []
    const store: ViewStore = {
      ...shop.store,
      async open(collection) {
        opened.push(collection.indexes.length)
        await shop.store.open(collection)
      },
    }
    const runner = shop.runner([tally(1)], { store, pageSize: 1 })
    await runner.runOnce()
    expect(opened).toEqual([0])
    await runner.runOnce()
    expect(opened).toEqual([0, 1])
  })

  it('is written once for several pages while nothing else is kept up', async () => {
    holdTheSecond()
    const shop = fixture()
    await shop.record(samples.StockSet, samples.StockAdjusted, placed(), samples.StockAdjusted, samples.StockAdjusted)
    const written: number[] = []
    const store: ViewStore = {
      ...shop.store,
      async write(writes) {
        for (const { collection, documents } of writes)
          if (collection.name.startsWith('tally')) written.push(documents.length)
        await shop.store.write(writes)
      },
    }
    const runner = shop.runner([tally(1), ordersProjection], { store, pageSize: 1, documentsTogether: 3 })
    await runner.runOnce()
    await expect(shop.tallied(tally(1))).rejects.toThrow(ViewBehind)
    await runner.runOnce()
    expect(await shop.tallied(tally(1))).toBe(4)
    expect(written).toEqual([2, 1])
    // From here on it serves, and a page does not wait for those behind it.
    await shop.record(samples.StockAdjusted, samples.StockAdjusted)
    await runner.runOnce()
    expect(await shop.tallied(tally(1))).toBe(5)
  })

  it('is written as far as the log could be read', async () => {
    holdTheSecond()
    const shop = fixture()
    await shop.record(samples.StockSet, samples.StockAdjusted, samples.StockAdjusted)
    let reads = 0
    const log: EventLog = {
      ...shop.log,
      async readAll(page) {
        reads += 1
        if (reads === 3) throw new EventStoreAway('no log')
        return shop.log.readAll(page)
      },
    }
    const runner = shop.runner([tally(1), ordersProjection], { log, pageSize: 1, documentsTogether: 10 })
    await runner.runOnce()
    const [, second] = await shop.log.readAll({ after: '', limit: 2 })
    expect(runner.position()).toBe(second?.position)
    await runToEnd(runner)
    expect(await shop.tallied(tally(1))).toBe(3)
  })

  it('reports the progress of its build', async () => {
    const shop = fixture()
    await shop.record(samples.StockSet, samples.StockAdjusted)
    const target = await shop.log.head()
    const progress: unknown[] = []
    const runner = shop.runner([tally(1)], { pageSize: 1, onProgress: (news) => progress.push(news) })
    await runToEnd(runner)
    const [{ name: collection } = { name: '' }] = await shop.store.collections()
    expect(await shop.builds()).toEqual(['tally@1000001'])
    expect(progress).toEqual([
      { collection, position: expect.any(String) as string, target },
      { collection, position: target, target },
    ])
  })

  it('is built anew when the configuration that it depends on is another one', async () => {
    const shop = fixture()
    await shop.record(samples.StockSet)
    await runToEnd(shop.runner([tally(1, { variant: 'Asia/Kolkata' })]))
    const counting = tally(1, { variant: 'Europe/Berlin', evolve: () => ({ events: 100 }) })
    await runToEnd(shop.runner([counting]))
    expect(await shop.tallied(counting)).toBe(100)
    expect(await shop.builds()).toEqual(['tally@1000002'])
  })
})

describe('a new version of a view', () => {
  const old = tally(1)
  const twice = tally(2, { evolve: ({ body }) => ({ events: (body?.events ?? 0) + 2 }) })

  it('is built beside the old one, which serves and is kept up until the new one takes over', async () => {
    const shop = fixture()
    await shop.record(samples.StockSet, samples.StockAdjusted, samples.StockAdjusted)
    await runToEnd(shop.runner([old]))
    const both = shop.runner([old, twice], { pageSize: 1 })
    await both.runOnce()
    await shop.record(samples.StockAdjusted)
    await both.runOnce()
    expect(await shop.tallied(old, twice)).toBe(4)
    expect(await both.waitFor(await shop.log.head(), 0)).toBe(true)
    await runToEnd(both)
    expect(await shop.tallied(old, twice)).toBe(8)
    expect(await shop.builds()).toEqual(['tally@1000001', 'tally@2000001'])
  })

  it('keeps the way back to the one before, and drops the one before that', async () => {
    const shop = fixture()
    await shop.record(samples.StockSet)
    for (const version of [1, 2, 3]) await runToEnd(shop.runner([tally(version)]))
    expect(await shop.builds()).toEqual(['tally@2000001', 'tally@3000001'])
    // Back to the release before: it answers at once, goes on where it stood, and so does the newer one afterwards.
    await shop.record(samples.StockAdjusted)
    const back = shop.runner([tally(2)])
    await back.runOnce()
    expect(await shop.tallied(tally(2))).toBe(2)
    expect(await shop.builds()).toEqual(['tally@2000001', 'tally@3000001'])
    await runToEnd(shop.runner([tally(3)]))
    expect(await shop.tallied(tally(3))).toBe(2)
  })

  it('keeps the way back to a release that named its collections by their number alone', async () => {
    const shop = fixture()
    await shop.record(samples.StockSet)
    await shop.store.open({ name: 'tally@1000001', fields: {}, indexes: [] })
    await shop.store.marks().set('build:tally@1', '000001:8204711600000')
    await shop.store.marks().set('serving:tally', 'tally@1000001')
    await runToEnd(shop.runner([tally(2)]))
    expect((await shop.store.collections()).map(({ name }) => name)).toEqual([
      'tally@1000001',
      expect.stringMatching(/^tally@2000001@/),
    ])
  })

  it('leaves alone what a newer release is building', async () => {
    const shop = fixture()
    await shop.record(samples.StockSet, samples.StockAdjusted)
    await shop.runner([tally(3)], { pageSize: 1 }).runOnce()
    await runToEnd(shop.runner([tally(2)]))
    expect(await shop.builds()).toEqual(['tally@2000001', 'tally@3000001'])
  })

  it('drops the old one at once where it holds personal data, for good', async () => {
    const shop = fixture()
    await shop.record(samples.StockSet)
    const personal = { isPersonal: true }
    const before = shop.runner([tally(1, personal)])
    await runToEnd(before)
    await runToEnd(shop.runner([tally(2, personal)]))
    expect(await shop.builds()).toEqual(['tally@2000001'])
    // The release before still runs: it does not bring its documents back.
    await shop.record(samples.StockAdjusted)
    await runToEnd(before)
    expect(await shop.builds()).toEqual(['tally@2000001'])
    expect(await before.status()).toMatchObject([{ isServing: false, trouble: undefined }])
    // Gone back to, it is built from the start of the log.
    await runToEnd(shop.runner([tally(1, personal)]))
    expect(await shop.tallied(tally(1, personal))).toBe(2)
    expect(await shop.builds()).toEqual(['tally@1000002'])
  })

  it('is built anew by a projector that finds its build dropped by an older release', async () => {
    const shop = fixture()
    await shop.record(samples.StockSet)
    const personal = { isPersonal: true }
    const newer = shop.runner([tally(2, personal)])
    await runToEnd(newer)
    await runToEnd(shop.runner([tally(1, personal)]))
    await shop.record(samples.StockAdjusted)
    await runToEnd(newer)
    expect(await shop.tallied(tally(2, personal))).toBe(2)
    expect(await shop.builds()).toEqual(['tally@2000002'])
  })
})

describe('views that were wiped under a running projector', () => {
  it('are built again from the start of the log, also where nothing happens any more', async () => {
    const shop = fixture()
    await shop.record(samples.StockSet, samples.StockAdjusted)
    let inner = shop.store
    const store = new Proxy(inner, { get: (_target, name) => Reflect.get(inner, name) as unknown })
    const runner = shop.runner([tally(1)], { store })
    await runToEnd(runner)
    inner = memoryViewStore()
    const views = viewReader({ store, projections: [tally(1)], now: () => shop.pass(1_001), runner })
    await expect(views.collection('tally')).rejects.toThrow(ViewBehind)
    shop.pass(1)
    await runToEnd(runner)
    await runToEnd(runner)
    const collection = await views.collection('tally')
    const body = (await store.load(collection, ['stock-main'])).get('stock-main')?.body
    expect((body as TallyDocument).events).toBe(2)
  })

  it('leave nothing behind that was written late, and go on building', async () => {
    const shop = fixture()
    await shop.record(samples.StockSet)
    const runner = shop.runner([tally(1)])
    await runToEnd(runner)
    const builds = await shop.store.collections()
    for (const name of ['1@8204711600000', '2@8204711600000', '2@8204711600000000001', '3@8204711600000'])
      await shop.store.open({ name: `tally@100000${name}`, fields: {}, indexes: [] })
    await runToEnd(shop.runner([tally(1)]))
    await runToEnd(runner)
    expect(await shop.store.collections()).toEqual(builds)
  })
})

describe('views that went back in time under a running projector', () => {
  it.for([1, 2, 3])('are folded again, also where nothing happens any more: %s writes lost', async (writes) => {
    const shop = fixture()
    const { store, lose } = wipedAtAnyTime([tally(1)])
    await shop.record(samples.StockSet)
    const runner = shop.runner([tally(1)], { store })
    await runToEnd(runner)
    await shop.record(samples.StockAdjusted, samples.StockAdjusted)
    await runToEnd(runner)
    lose(writes)
    await runToEnd(runner)
    await runToEnd(runner)
    const views = viewReader({ store, projections: [tally(1)], now: () => shop.pass(1_001), runner })
    const body = (await store.load(await views.collection('tally'), ['stock-main'])).get('stock-main')?.body
    expect((body as TallyDocument).events).toBe(3)
    expect(runner.position()).toBe(await shop.log.head())
  })

  it.for([1, 2, 3, 4, 5, 6, 7, 8])(
    'are folded again without trouble beside a view that is behind: %s writes lost',
    async (writes) => {
      const shop = fixture()
      const { store, lose } = wipedAtAnyTime([tally(1), ordersProjection])
      await shop.record(samples.StockSet)
      await runToEnd(shop.runner([tally(1), ordersProjection], { store }))
      await shop.record(samples.StockAdjusted, samples.StockAdjusted)
      await runToEnd(shop.runner([tally(1)], { store, pageSize: 1 }))
      const troubles: unknown[] = []
      const runner = shop.runner([tally(1), ordersProjection], {
        store,
        pageSize: 1,
        onTrouble: (trouble) => troubles.push(trouble),
      })
      await runner.runOnce()
      lose(writes)
      await runToEnd(runner)
      await runToEnd(runner)
      expect([troubles, runner.position()]).toEqual([[], await shop.log.head()])
    },
  )

  it('are gone on from where another projector has brought them further', async () => {
    const shop = fixture()
    const folded: number[] = []
    const counted = tally(1, {
      evolve: ({ body }, event) => (folded.push(Number(event.position)), { events: (body?.events ?? 0) + 1 }),
    })
    const [one, other] = [shop.runner([counted]), shop.runner([counted])]
    await shop.record(samples.StockSet)
    await runToEnd(one)
    await runToEnd(other)
    await shop.record(samples.StockAdjusted)
    await runToEnd(other)
    await runToEnd(one)
    expect(folded).toEqual([1, 2])
    expect([one.position(), await shop.tallied(tally(1))]).toEqual([await shop.log.head(), 2])
  })
})

describe('a person who was erased', () => {
  it('is wiped by the projector when it has nothing else to do, tried again while the engine cannot', async () => {
    const shop = fixture()
    await shop.record(await withBuyer(shop, { orderId: 'a', customerId: 'ash' }))
    const { proxy: store, state } = failing<ViewStore>(shop.store, ['wipe'], new ViewStoreAway('in use'))
    const wiped = Promise.withResolvers<void>()
    const watched: ViewStore = { ...shop.store, wipe: async () => store.wipe().then(wiped.resolve) }
    const troubles: unknown[] = []
    const runner = shop.runner([customersProjection], {
      store: watched,
      onTrouble: ({ error }) => {
        troubles.push(error)
        state.isAway = troubles.length < 3
      },
    })
    void runner.start()
    onTestFinished(() => runner.stop())
    await wiped.promise
    expect(troubles).toEqual(Array.from({ length: 3 }, () => new ViewStoreAway('in use')))
    expect(await runner.waitFor(await shop.log.head(), 10_000)).toBe(true)
  })
})

describe('waiting for a position', () => {
  it('is reported the moment it is there', async () => {
    const shop = fixture()
    const runner = shop.runner([tally(1), ordersProjection])
    void runner.start()
    onTestFinished(() => runner.stop())
    await shop.record(samples.StockSet)
    expect(await runner.waitFor(await shop.log.head(), 60_000)).toBe(true)
    expect(await shop.tallied(tally(1))).toBe(1)
  })

  it('is reported by a projector that starts where another has stopped, with nothing to do', async () => {
    const shop = fixture()
    await shop.record(samples.StockSet)
    await runToEnd(shop.runner([tally(1)]))
    const runner = shop.runner([tally(1)])
    const waiting = runner.waitFor(await shop.log.head(), 60_000)
    void runner.start()
    onTestFinished(() => runner.stop())
    expect(await waiting).toBe(true)
  })

  it('is reported when it is not there in time', async () => {
    const shop = fixture()
    await shop.record(samples.StockSet)
    const runner = shop.runner([tally(1)])
    expect(await runner.waitFor(await shop.log.head(), 1)).toBe(false)
  })

  it('waits only for the views that he asks for', async () => {
    const shop = fixture()
    await shop.record(await withBuyer(shop, { orderId: 'a', customerId: 'ash' }))
    const { proxy: log } = failing<EventLog>(shop.log, ['openPersonal'], new VaultAway('no vault'))
    const runner = shop.runner([tally(1), customersProjection], { log })
    await runToEnd(runner)
    const head = await shop.log.head()
    expect(await runner.waitFor(head, 1, ['tally'])).toBe(true)
    expect(await runner.waitFor(head, 1)).toBe(false)
  })

  it('sees it in a process without a projector too', async () => {
    const shop = fixture()
    await shop.record(samples.StockSet)
    const head = await shop.log.head()
    const reader = viewReader({ store: shop.store, projections: [tally(1)], now: () => performance.now() })
    expect(await reader.waitFor(head, 1)).toBe(false)
    const waiting = reader.waitFor(head, 20_000)
    await runToEnd(shop.runner([tally(1)]))
    expect(await waiting).toBe(true)
  })
})

describe('a projector', () => {
  it('follows the log until it is stopped', async () => {
    const shop = fixture()
    const runner = shop.runner([tally(1)])
    const running = runner.start()
    for (const event of [samples.StockSet, samples.StockAdjusted]) {
      await shop.record(event)
      expect(await runner.waitFor(await shop.log.head(), 60_000)).toBe(true)
    }
    await runner.stop()
    await running
    await shop.record(samples.StockAdjusted)
    expect(await shop.tallied(tally(1))).toBe(2)
  })
})
