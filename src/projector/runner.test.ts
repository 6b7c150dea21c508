import { expect, it } from 'vitest'
import { placed } from '../domain/testing/order-samples.ts'
import type { EventLog } from '../log/event-log.ts'
import { EventStoreAway } from '../engines/event-store/event-store.ts'
import { customerIdsBeginningWith, customersProjection } from '../projections/customers.ts'
import { ordersOf, ordersProjection } from '../projections/orders.ts'
import type { Projection } from '../projections/projection.ts'
import { samples } from '../projections/testing/samples.ts'
import { VaultAway } from '../engines/vault/vault.ts'
import { sealedBuyer, shopLog } from '../projections/testing/shop-log.ts'
import { ViewBehind } from '../projections/shop-views.ts'
import { failingEngine } from '../engines/testing/interposed.ts'
import { temporaryViewStore } from '../engines/view-store/sqlite-view-store.ts'
import { type ViewStore, ViewStoreAway } from '../engines/view-store/view-store.ts'
import { changeEntry, entryOf } from './registry.ts'
import { beginSet, projectionRunner, type Runner, type RunnerOptions } from './runner.ts'
import { tally, type TallyDocument } from './testing/tally.ts'
import { viewReader } from './view-reader.ts'

const SHAPE = 'shape'
const MINUTE_MS = 60_000

function fixture(projections: readonly Projection[] = [tally()]) {
  const shop = shopLog()
  const store = temporaryViewStore()
  let now = 0
  const clock = { now: () => now, sleep: async (ms: number) => void (now += ms) }
  const shaped = { log: shop.log, logId: 'log', shape: SHAPE, projections, owner: 'process' }
  // A second apart, so that each look is a fresh one.
  const views = viewReader({ store, shape: SHAPE, projections, now: () => (now += 1_001) })
  return {
    ...shop,
    store,
    views,
    clock,
    pass: (ms: number) => (now += ms),
    runner: (options: Partial<RunnerOptions> = {}): Runner => projectionRunner({ ...shaped, store, clock, ...options }),
    rebuild: async () => beginSet(store, { ...shaped, beside: true }),
    entry: async () => entryOf(store, SHAPE),
    async tallied(): Promise<number | undefined> {
      return ((await views.load('tally', ['stock-main'])).get('stock-main')?.body as TallyDocument | undefined)?.events
    },
  }
}

type Fixture = ReturnType<typeof fixture>

async function runToEnd(runner: Runner): Promise<void> {
  while (await runner.runOnce());
}

async function withBuyer(shop: Fixture, names: { orderId: string; customerId: string }) {
  const personal = { customerEmail: `${names.customerId}@example.org`, discordUsername: 'ash', marketIds: [] }
  return placed({ ...names, personal: await sealedBuyer(shop.vault, { ...names, personal }) })
}

it('an event that cannot be folded breaks its own document there; the others go on', async () => {
  const shop = fixture([ordersProjection])
  await shop.record(placed({ orderId: 'a' }), placed({ orderId: 'b' }))
  await shop.recordRaw('order-a', { type: 'OrderTeleported', data: {} })
  await shop.record(
    { type: 'PaymentMethodChosen', data: { orderId: 'a', paymentMethod: 'upi', at: placed().data.at } },
    { type: 'PaymentMethodChosen', data: { orderId: 'b', paymentMethod: 'upi', at: placed().data.at } },
  )
  await runToEnd(shop.runner())
  const [a, b] = await ordersOf(shop.views, [{ id: 'a' }, { id: 'b' }])
  expect([a?.method, b?.method]).toEqual([null, 'upi'])
  const documents = await shop.views.load('orders', ['a'])
  const reason = 'OrderTeleported cannot be read: no such event type in this release'
  expect(await shop.views.broken('orders')).toEqual([{ id: 'a', position: documents.get('a')?.position, reason }])
})

it.for<[string, Error, (wrap: <Port extends object>(port: Port) => Port, shop: Fixture) => Partial<RunnerOptions>]>([
  [
    'the vault',
    new VaultAway('no vault'),
    (wrap, { log }) => ({ log: { ...log, openPersonal: async (events) => wrap(log).openPersonal(events) } }),
  ],
  ['the log', new EventStoreAway('no log'), (wrap, { log }) => ({ log: wrap(log) })],
  ['the view store', new ViewStoreAway('no views'), (wrap, { store }) => ({ store: wrap<ViewStore>(store) })],
])(
  'an engine that is away %s is waited for, is named once it is known, and breaks nothing',
  async ([, error, options]) => {
    const shop = fixture([ordersProjection, customersProjection])
    const engine = failingEngine()
    const troubles: unknown[] = []
    let recovered = 0
    const runner = shop.runner({
      ...options((port) => engine.wrap(port), shop),
      onTrouble: (trouble) => troubles.push(trouble),
      onRecovered: () => (recovered += 1),
    })
    await runToEnd(runner)
    await shop.record(await withBuyer(shop, { orderId: 'a', customerId: 'ash' }))
    engine.fail(error)
    await runToEnd(runner)
    expect(new Set(troubles)).toEqual(new Set([error]))
    engine.fail(undefined)
    shop.pass(MINUTE_MS)
    await runToEnd(runner)
    expect(recovered).toBe(1)
    expect(await customerIdsBeginningWith(shop.views, 'ash')).toEqual(['ash'])
    for (const name of ['orders', 'customers']) expect(await shop.views.broken(name)).toEqual([])
  },
)

it('a new set is read only once it has reached the head at which it was begun', async () => {
  const shop = fixture()
  await shop.record(samples.StockSet, samples.StockReserved, samples.StockReleased)
  const runner = shop.runner({ pageSize: 2 })
  await runner.runOnce()
  await expect(shop.tallied()).rejects.toThrow(ViewBehind)
  await runner.runOnce()
  expect(await shop.tallied()).toBe(3)
})

it('the views of an empty log can be read at once', async () => {
  const shop = fixture()
  await shop.runner().runOnce()
  expect(await shop.tallied()).toBeUndefined()
})

it('the former set is dropped a minute after its successor serves', async () => {
  const shop = fixture()
  await shop.record(samples.StockSet)
  const runner = shop.runner()
  await runToEnd(runner)
  const { serving: former } = await shop.entry()
  const serving = await shop.rebuild()
  for (const [ms, entry] of [
    [1_001, { serving, former }],
    [50_000, { serving, former }],
    [MINUTE_MS, { serving }],
  ] as const) {
    shop.pass(ms)
    await runToEnd(runner)
    expect(await shop.entry()).toEqual(entry)
  }
})

it('a set of another log is not continued', async () => {
  const shop = fixture()
  await shop.record(samples.StockSet)
  await runToEnd(shop.runner({ logId: 'another' }))
  const { serving } = await shop.entry()
  await runToEnd(shop.runner())
  expect((await shop.entry()).serving).not.toBe(serving)
  expect(await shop.store.found()).toEqual([(await shop.entry()).serving])
})

it('a lost registry starts a new set, and the sets that it named are dropped', async () => {
  const shop = fixture()
  await shop.record(samples.StockSet)
  const runner = shop.runner()
  await runToEnd(runner)
  const { serving } = await shop.entry()
  const before = (await shop.store.texts.read('registry')) ?? ''
  await shop.store.texts.replace('registry', { from: before, to: 'damaged' })
  shop.pass(10 * MINUTE_MS)
  await runToEnd(runner)
  shop.pass(10 * MINUTE_MS)
  await runToEnd(runner)
  expect(await shop.tallied()).toBe(1)
  expect((await shop.entry()).serving).not.toBe(serving)
  expect(await shop.store.found()).toEqual([(await shop.entry()).serving])
})

it('views that are wiped under a running projector are never read as empty, and are built again', async () => {
  const shop = fixture()
  await shop.record(samples.StockSet, samples.StockReserved)
  const runner = shop.runner()
  await runToEnd(runner)
  expect(await shop.tallied()).toBe(2)
  await shop.store.drop((await shop.entry()).serving ?? '')
  await expect(shop.tallied()).rejects.toThrow(ViewBehind)
  shop.pass(1_001)
  await runToEnd(runner)
  expect(await shop.tallied()).toBe(2)
})

it('a set that another runner registered and did not create is awaited, then begun again', async () => {
  const shop = fixture()
  await shop.record(samples.StockSet)
  await changeEntry(shop.store, SHAPE, () => ({ building: 'abc' }))
  const runner = shop.runner()
  for (const ms of [0, 10_000, 19_000]) {
    shop.pass(ms)
    await runToEnd(runner)
    expect(await shop.entry()).toEqual({ building: 'abc' })
  }
  shop.pass(2_000)
  await runToEnd(runner)
  expect(await shop.tallied()).toBe(1)
})

it('the other one of two projectors follows what the first folds, and takes over when that has stopped', async () => {
  const shop = fixture()
  const [first, other] = [shop.runner({ owner: 'first' }), shop.runner({ owner: 'other' })]
  await runToEnd(first)
  for (let second = 0; second < 10; second += 1) {
    await shop.record(samples.StockSet)
    shop.pass(1_001)
    expect(await other.runOnce()).toBe(false)
    await runToEnd(first)
  }
  expect(other.position()).not.toBe('')
  shop.pass(1_001)
  await runToEnd(other)
  expect(other.position()).toBe(await shop.log.head())
  await shop.record(samples.StockSet)
  const stopped = new AbortController()
  stopped.abort()
  await first.run(stopped.signal)
  shop.pass(1_001)
  await runToEnd(other)
  expect(await shop.tallied()).toBe(11)
})

it('two releases fold their own sets, and an abandoned set is dropped after ten minutes', async () => {
  const shop = fixture()
  await shop.record(samples.StockSet)
  const [older, newer] = [shop.runner({ shape: 'older' }), shop.runner()]
  for (let minute = 0; minute < 15; minute += 1) {
    shop.pass(MINUTE_MS)
    await runToEnd(older)
    await runToEnd(newer)
  }
  expect((await entryOf(shop.store, 'older')).serving).toBeDefined()
  for (let minute = 0; minute < 9; minute += 1) {
    shop.pass(MINUTE_MS)
    await runToEnd(newer)
  }
  expect(await shop.store.found()).toHaveLength(2)
  for (let minute = 0; minute < 3; minute += 1) {
    shop.pass(MINUTE_MS)
    await runToEnd(newer)
  }
  expect(await entryOf(shop.store, 'older')).toEqual({})
  expect(await shop.store.found()).toEqual([(await shop.entry()).serving])
})

it('a person who was erased is in no set: those that are not folded up to the erasure within a minute are dropped, and what nobody names at once', async () => {
  const shop = fixture([customersProjection])
  await shop.record(await withBuyer(shop, { orderId: 'a', customerId: 'ash' }))
  const runner = shop.runner()
  await runToEnd(runner)
  await shop.store.create('abc', { shape: 'x', logId: 'log', beginHead: '' }, [customersProjection])
  await changeEntry(shop.store, 'stuck', () => ({ building: 'def' }))
  await shop.store.create('def', { shape: 'stuck', logId: 'log', beginHead: '' }, [customersProjection])
  await shop.record({ type: 'CustomerErased', data: { ...samples.CustomerErased.data, customerId: 'ash' } })
  shop.pass(10_001)
  await runToEnd(runner)
  expect(await shop.store.found()).not.toContain('abc')
  expect(await shop.store.found()).toContain('def')
  shop.pass(MINUTE_MS)
  await runToEnd(runner)
  const { serving } = await shop.entry()
  expect(await shop.store.found()).toEqual([serving])
  expect(await customerIdsBeginningWith(shop.views, 'ash')).toEqual([])
})

it('waiting for a position is over the moment the views are there, or at its time-out', async () => {
  const shop = fixture()
  const runner = shop.runner()
  await runToEnd(runner)
  await shop.record(samples.StockSet)
  const head = await shop.log.head()
  expect(await runner.waitFor(head, 10)).toBe(false)
  const waiting = runner.waitFor(head, 60_000)
  await runToEnd(runner)
  expect(await waiting).toBe(true)
  expect(await shop.views.waitFor(head, 0)).toBe(true)
  expect(await shop.views.waitFor(`${head}9`, 0)).toBe(false)
})

it('a reader is not answered from below a position that it was answered from', async () => {
  const shop = fixture()
  await shop.record(samples.StockSet, samples.StockReserved)
  await runToEnd(shop.runner())
  expect(await shop.tallied()).toBe(2)
  // As after a file was cut back: a set that has not come so far.
  const shaped = { shape: SHAPE, logId: 'log', projections: [tally()], log: shop.log, beside: true }
  const behind = (await beginSet(shop.store, shaped)) ?? ''
  await changeEntry(shop.store, SHAPE, () => ({ serving: behind }))
  await expect(shop.tallied()).rejects.toThrow(ViewBehind)
  await runToEnd(shop.runner())
  expect(await shop.tallied()).toBe(2)
})

it('a projector follows the log until it is stopped', async () => {
  const shop = fixture()
  const log: EventLog = shop.log
  const runner = projectionRunner({
    log,
    logId: 'log',
    shape: SHAPE,
    store: shop.store,
    projections: [tally()],
    clock: { now: () => performance.now(), sleep: async (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
  })
  const running = runner.run()
  for (const event of [samples.StockSet, samples.StockReserved]) {
    await shop.record(event)
    expect(await runner.waitFor(await log.head(), 5_000)).toBe(true)
  }
  await runner.stop()
  await running
})
