import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ShopEvent } from '../domain/events.ts'
import type { EventLog, RecordedEvent } from '../log/event-log.ts'
import { analyticsProjection } from '../projections/analytics.ts'
import type { Projection } from '../projections/projection.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import { ViewBehind } from '../projections/shop-views.ts'
import { cleanFold, storedBody } from './testing/clean-fold.ts'
import { salesHistories, shopHistories } from '../projections/testing/histories.ts'
import { sealedBuyer, type ShopLog, shopLog } from '../projections/testing/shop-log.ts'
import { sizeOf } from '../testing/tier.ts'
import { viewStoreOver } from '../engines/view-store/mongodb-view-store.ts'
import { sqliteViewStore } from '../engines/view-store/sqlite-view-store.ts'
import {
  connectionTo,
  type DocumentServer,
  documentServer,
  type ServerCalls,
} from '../engines/view-store/testing/document-server.ts'
import { type ViewStore, ViewStoreAway } from '../engines/view-store/view-store.ts'
import type { OpenedBuyers } from './fold.ts'
import { entryOf } from './registry.ts'
import { beginSet } from './runner.ts'
import { viewReader } from './view-reader.ts'
import { type Held, now, type Walker, walker, walkToEnd } from './testing/walker.ts'

const timeZone = 'Asia/Kolkata'
const LOG_MAX = 1_000
const DAMAGED = 'order-1'
const SHAPE = 'shape'

/** A store that is wiped, and that loses what it answered last, under the projectors that use it. */
interface Unreliable {
  /** Of one projector; `held` stops it before every call. */
  storeFor(held: Held): ViewStore
  readonly store: ViewStore
  wipe(): void
  /** `areIdle`: no projector is in the middle of a page. Says what becomes of the projectors: they die with it, or meet an error. */
  lose(writes: number, areIdle: boolean): Promise<'died' | 'failed'>
  close(): Promise<void>
}

const actions = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant('walk' as const),
      who: fc.nat(1),
      steps: fc.integer({ min: 1, max: 25 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('fail' as const), who: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('crash' as const), who: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('wipe' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('rebuild' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('lose' as const), writes: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('grow' as const), by: fc.integer({ min: 1, max: 12 }) }) },
)
const schedules = fc.record({
  pageSizes: fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 })),
  visibleFirst: fc.nat(30),
  actions: fc.array(actions, { maxLength: 60, size: 'max' }),
})
type Schedule = typeof schedules extends fc.Arbitrary<infer Value> ? Value : never

describe.for([
  ['the protocol of MongoDB, stopped before every command', inServer],
  ['SQLite, its files cut back by a loss of power', inFiles],
] as const)('views on %s', ([, unreliable]) => {
  const share = unreliable === inFiles ? 0.2 : 1

  it('views equal a clean fold of the log, wherever two projectors pause, and whenever all is wiped or the newest writes are lost', async () => {
    await fc.assert(
      fc.asyncProperty(shopHistories, schedules, async (history, schedule) => {
        await expectCleanViews(unreliable(schedule), history, schedule, shopProjections({ timeZone }))
      }),
      { numRuns: sizeOf({ fast: 25 * share, deep: 150 * share, night: 1_000 * share }) },
    )
  })

  it('a rebuild never makes readers go back, wherever two projectors pause', async () => {
    await fc.assert(
      fc.asyncProperty(salesHistories, schedules, async (history, schedule) => {
        const kept = schedule.actions.filter(({ does }) => does !== 'wipe' && does !== 'lose')
        await expectCleanViews(unreliable({ actions: kept }), history, { ...schedule, actions: kept }, [
          analyticsProjection({ timeZone }),
        ])
      }),
      { numRuns: sizeOf({ fast: 25 * share, deep: 200 * share, night: 2_000 * share }) },
    )
  })
})

function inServer(): Unreliable {
  const server = documentServer()
  return {
    storeFor: (held) => viewStoreOver(connectionTo(answering(held, server))),
    store: viewStoreOver(connectionTo(server.calls)),
    wipe: () => server.wipe(),
    async lose(writes, areIdle) {
      server.lose(writes, areIdle ? 'all' : 'unanswered')
      return 'failed'
    },
    close: async () => undefined,
  }
}

/** Stops before each command, and before the answer to a write, which says that all writes before it are on the disk. */
function answering(held: Held, server: DocumentServer): ServerCalls {
  const calls = held(server.calls)
  const answer = held({ wait: async () => undefined })
  const written =
    <Given extends readonly unknown[], Result>(write: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      const outcome = await Promise.allSettled([write(...given)])
      await answer.wait()
      server.acknowledge()
      const [result] = outcome
      if (result.status === 'rejected') throw result.reason as Error
      return result.value
    }
  return {
    find: async (...given) => calls.find(...given),
    listCollections: async () => calls.listCollections(),
    insertOne: written(async (...given) => calls.insertOne(...given)),
    updateOne: written(async (...given) => calls.updateOne(...given)),
    deleteOne: written(async (...given) => calls.deleteOne(...given)),
    bulkWrite: written(async (...given) => calls.bulkWrite(...given)),
    dropCollection: written(async (...given) => calls.dropCollection(...given)),
  }
}

/** Files as they were after each write, of which a power cut takes each back to one of them by itself. */
function inFiles({ actions }: Pick<Schedule, 'actions'>): Unreliable {
  const isLost = actions.some(({ does }) => does === 'lose')
  const root = mkdtempSync(join(tmpdir(), 'cut-views-'))
  const folder = join(root, 'views')
  const past = new Map<string, Buffer[]>()
  let stores: ViewStore[] = []

  async function noted<T>(written: Promise<T>): Promise<T> {
    return written.finally(noteFiles)
  }

  function opened(): ViewStore {
    const store = sqliteViewStore(folder, { now })
    const noting: ViewStore = {
      ...store,
      texts: {
        read: async (name) => store.texts.read(name),
        replace: async (...given) => noted(store.texts.replace(...given)),
      },
      create: async (...given) => noted(store.create(...given)),
      fold: async (...given) => noted(store.fold(...given)),
      drop: async (...given) => noted(store.drop(...given)),
    }
    stores.push(store)
    return noting
  }

  const databases = (): string[] => {
    try {
      return readdirSync(folder).filter((name) => name.endsWith('.sqlite'))
    } catch {
      return []
    }
  }

  /** By SQLite itself: a file that was opened and closed beside it would lose SQLite's locks. */
  function noteFiles(): void {
    if (!isLost) return
    for (const name of databases()) {
      const copy = join(root, 'copy')
      const database = new DatabaseSync(join(folder, name))
      database.exec(`VACUUM INTO '${copy}'`)
      database.close()
      const bytes = readFileSync(copy)
      rmSync(copy)
      const versions = past.get(name) ?? []
      if (!versions.at(-1)?.equals(bytes)) past.set(name, [...versions, bytes].slice(-30))
    }
  }

  return {
    storeFor: (held) => held(opened()),
    store: opened(),
    wipe: () => rmSync(folder, { recursive: true, force: true }),
    async lose(writes) {
      await Promise.all(stores.map(async (store) => store.close()))
      stores = []
      // What the registry names is found again, or its sets are left over.
      for (const [index, name] of databases().entries()) {
        const versions = past.get(name) ?? []
        const back = name.startsWith('registry') ? 0 : (writes * (index + 1)) % 7
        const bytes = versions.at(-1 - Math.min(back, versions.length - 1))
        if (!bytes) continue
        for (const ending of ['', '-wal', '-shm']) rmSync(join(folder, name) + ending, { force: true })
        writeFileSync(join(folder, name), bytes, { mode: 0o600 })
      }
      return 'died'
    },
    async close() {
      await Promise.all(stores.map(async (store) => store.close()))
      rmSync(root, { recursive: true, force: true })
    },
  }
}

async function expectCleanViews(
  unreliable: Unreliable,
  history: readonly ShopEvent[],
  { pageSizes, visibleFirst, actions }: Schedule,
  projections: readonly Projection[],
): Promise<void> {
  const shop = shopLog()
  const opened = await recordWithBuyers(shop, history)
  let visible = visibleFirst
  const log = shownUpTo(shop.log, () => visible)
  const fresh = (who: number): Walker =>
    walker({
      log,
      shape: SHAPE,
      projections,
      pageSize: pageSizes[who] ?? 1,
      store: (held) => unreliable.storeFor(held),
    })
  let walkers = [fresh(0), fresh(1)] as [Walker, Walker]
  let { store } = unreliable
  let answered = ''
  const views = viewReader({ store, shape: SHAPE, projections, now, sleep: async () => undefined })
  // A set that stays behind an erasure is dropped, and this clock gives it no time to catch up.
  const staysWhole =
    actions.every(({ does }) => does !== 'wipe' && does !== 'lose') &&
    history.every(({ type }) => type !== 'CustomerErased')
  if (staysWhole) await walkToEnd(fresh(0))

  /** Some set serves at any time, and a reader who is answered sees no less than before. */
  async function expectNoWayBack(): Promise<void> {
    expect((await entryOf(store, SHAPE)).serving).toBeDefined()
    const documents = await views.load('analytics', ['totals']).catch((error: unknown) => {
      if (!(error instanceof ViewBehind)) throw error
    })
    const { position } = documents?.get('totals') ?? { position: answered }
    expect(position).toBe([answered, position].toSorted().at(-1))
    answered = position
  }

  for (const action of actions) {
    if (action.does === 'grow') visible += action.by
    else if (action.does === 'rebuild')
      await beginSet(store, { shape: SHAPE, logId: 'log', projections, log, beside: true })
    else if (action.does === 'wipe') unreliable.wipe()
    else if (action.does === 'lose') {
      const areIdle = walkers.every((one) => !one.isOnItsWay())
      if ((await unreliable.lose(action.writes, areIdle)) === 'died') {
        walkers = [fresh(0), fresh(1)]
        store = unreliable.storeFor((port) => port)
      } else for (const one of walkers) if (one.isOnItsWay()) await one.step(new ViewStoreAway('restarted'))
    } else if (action.does === 'crash') walkers[action.who] = fresh(action.who)
    else if (action.does === 'fail') await walkers[action.who]?.step(new ViewStoreAway('away for a moment'))
    else for (let step = 0; step < action.steps; step += 1) await walkers[action.who]?.step()
    if (staysWhole) await expectNoWayBack()
  }
  visible = LOG_MAX
  // One that was paused wakes up long after another one has done all the work.
  await walkToEnd(fresh(0))
  await walkToEnd(walkers[0])
  await walkToEnd(walkers[1])
  await walkToEnd(fresh(1))

  const events = await log.readAll({ after: '', limit: LOG_MAX })
  const { serving, ...others } = await entryOf(store, SHAPE)
  expect(others).toEqual({})
  expect(await store.found()).toEqual([serving])
  const set = serving ?? ''
  expect((await store.stateOf(set))?.checkpoint ?? 'gone').toBe(events.at(-1)?.position ?? '')
  for (const projection of projections) {
    const expected = cleanFold(projection, events, opened)
    const documents = await store.load({ set, collection: projection }, [...expected.keys()])
    const stored = new Map(
      [...expected.keys()].map((id) => {
        const document = documents.get(id)
        return [id, document?.broken ? { body: document.body, isBroken: true } : { body: document?.body }]
      }),
    )
    expect(stored).toEqual(
      new Map(
        [...expected].map(([id, { body: folded, isBroken }]) => {
          const body = storedBody(projection, folded)
          return [id, isBroken ? { body, isBroken } : { body }]
        }),
      ),
    )
  }
  await unreliable.close()
}

/** Of one order, the buyer cannot be opened and some events cannot be read. */
async function recordWithBuyers(shop: ShopLog, history: readonly ShopEvent[]): Promise<OpenedBuyers> {
  for (const event of history) {
    if (event.type === 'PaymentStarted' && event.data.orderId === DAMAGED) {
      await shop.recordRaw(`order-${DAMAGED}`, { type: 'OrderTeleported', data: {} })
      continue
    }
    if (event.type !== 'OrderPlaced' || event.data.orderId === DAMAGED) {
      await shop.record(event)
      continue
    }
    const { customerId, orderId } = event.data
    const personal = { customerEmail: `${customerId}@Example.org`, discordUsername: `Chat ${orderId}`, marketIds: [] }
    const sealed = await sealedBuyer(shop.vault, { customerId, orderId, personal })
    await shop.record({ ...event, data: { ...event.data, personal: sealed } })
  }
  const opened = new Map<string, NonNullable<ReturnType<OpenedBuyers['get']>>>()
  for (const event of (await shop.log.readAll({ after: '', limit: LOG_MAX })) as RecordedEvent[])
    if (event.type === 'OrderPlaced')
      for (const [id, buyer] of await shop.log
        .openPersonal([event])
        .catch(() => [[event.id, new Error('sealed')]] as const))
        opened.set(id, buyer)
  return opened
}

/** A log that grows while it is read. */
function shownUpTo(log: EventLog, visible: () => number): EventLog {
  return {
    ...log,
    async readAll(page) {
      const events = await log.readAll(page)
      return events.filter(({ position }) => Number(position) <= visible())
    },
    async head() {
      const events = await log.readAll({ after: '', limit: LOG_MAX })
      return events.findLast(({ position }) => Number(position) <= visible())?.position ?? ''
    },
  }
}
