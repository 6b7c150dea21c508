import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placed } from '../domain/testing/order-samples.ts'
import type { RecordedEvent } from '../event-store/event-log.ts'
import { testDatabase } from '../mongodb/testing/databases.ts'
import { memoryViewStore } from '../view-store/testing/memory-view-store.ts'
import { mongodbViewStore } from '../view-store/mongodb-view-store.ts'
import { ViewStoreAway } from '../view-store/view-store.ts'
import { currentBuild, dropForeignViews, isToBeCopied } from './builds.ts'
import { customersProjection } from './customers.ts'
import type { Projection } from './projection.ts'
import { cleanFold } from './testing/clean-fold.ts'
import { samples } from './testing/samples.ts'
import { sealedBuyer, type ShopLog, shopLog } from './testing/shop-log.ts'
import { calls, copier, stepped, type Walker, walker, walkToEnd } from './testing/walker.ts'
import { type Wiped, wipedAtAnyTime } from './testing/wiped-views.ts'
import { viewReader } from './view-reader.ts'

const customers: Projection = customersProjection
const newer: Projection = { ...customers, version: customers.version + 1 }
const ours: readonly Projection[] = [customers]
const PEOPLE = ['ash', 'brock', 'misty', 'oak']
/** So that a copy has two pages, and one that is empty. */
const COPIED_AT_ONCE = 2
const LOG_MAX = 1_000
/** More calls than a copy, or the beginning of a build and its first page, consist of. */
const CALLS_OF_A_COPY = 34
const CALLS_OF_A_BUILD = 40
/** Up to where the first page of a copy is written. */
const CALLS_OF_A_BEGINNING = 12
const ROUNDS_OF_REST = 3
const mongodbUrl = process.env['MONGODB_URL']

interface Scene extends Wiped {
  readonly shop: ShopLog
  readonly erased: Set<string>
}

function scene(views: Wiped = wipedAtAnyTime(ours)): Scene {
  return { ...views, shop: shopLog(), erased: new Set() }
}

/** Whoever writes to what another one has dropped is refused, as in SQLite, where it comes back in MongoDB. */
function sternScene(): Scene {
  return scene({ store: memoryViewStore(), wipe: async () => undefined })
}

async function order({ shop }: Scene, customerId: string, orderId = `of-${customerId}`): Promise<void> {
  const personal = { customerEmail: `${customerId}@example.org`, discordUsername: orderId, marketIds: [] }
  const sealed = await sealedBuyer(shop.vault, { customerId, orderId, personal })
  await shop.record(placed({ orderId, customerId, personal: sealed }))
}

async function erase({ shop, erased }: Scene, customerId: string): Promise<void> {
  erased.add(customerId)
  await shop.record({ ...samples.CustomerErased, data: { ...samples.CustomerErased.data, customerId } })
  await shop.vault.deleteCustomers([customerId])
}

function projector({ shop, store }: Scene, { projections = ours, pageSize = 2, pagesTogether = 1 } = {}): Walker {
  return walker({ log: shop.log, store, projections, pageSize, pagesTogether })
}

function copies({ store }: Scene, { projection = customers, signal = new AbortController().signal } = {}): Walker {
  return copier({ store, projection, pageSize: COPIED_AT_ONCE, signal })
}

/** Somebody who finds that the views are made from another log than his. */
function stranger({ shop, store }: Scene): Walker {
  let moment = 1_000_000_000_000
  return stepped((held) => async () => {
    const log = { id: 'another', head: () => shop.log.head(), now: () => (moment += 1) }
    await dropForeignViews(held(store), log)
    return false
  })
}

/** Everybody who lives comes to his end, and so does who begins now. */
async function rest(set: Scene, ...living: readonly Walker[]): Promise<void> {
  const all = [...living, projector(set), copies(set)]
  for (let round = 0; round < ROUNDS_OF_REST; round += 1) for (const each of all) await walkToEnd(each)
}

/** Readers get what a view holds that is built in this moment. */
async function expectFresh({ shop, store }: Scene, where: object, projections = ours): Promise<void> {
  const collection = await viewReader({ store, projections, now: () => 0 }).collection('customers')
  const documents = await store.find(collection, { limit: LOG_MAX })
  const events = (await shop.log.readAll({ after: '', limit: LOG_MAX })) as RecordedEvent[]
  const fresh = [...cleanFold(customers, events, await shop.log.openPersonal(events))]
  const view = Object.fromEntries(fresh.flatMap(([id, { body }]) => (body === undefined ? [] : [[id, body]])))
  expect({ ...where, view: Object.fromEntries(documents.map(({ id, body }) => [id, body])) }).toEqual({
    ...where,
    view,
  })
}

/** And there is nothing else: no other collection, and nobody who is still to be wiped out of this one. */
async function expectClean(set: Scene, where: object): Promise<void> {
  await expectFresh(set, where)
  const build = await currentBuild(set.store, customers)
  const found = { isUnwiped: await isToBeCopied(set.store, build), collections: await set.store.collections() }
  expect({ ...where, ...found }).toEqual({ ...where, isUnwiped: false, collections: [build.collection.name] })
}

/** All of them have ordered, and one was taken out: the view is to be copied. */
async function beforeACopy(set: Scene): Promise<Walker> {
  for (const person of PEOPLE) await order(set, person)
  const living = projector(set)
  await walkToEnd(living)
  await erase(set, 'brock')
  await walkToEnd(living)
  return living
}

describe.for<[string, () => Scene]>([
  ['comes back when it is written to', scene],
  ['is refused when it is written to', sternScene],
])('a view that is copied where what was dropped %s', ([, begin]) => {
  it.for(['goes on', 'dies'])(
    'holds everybody but who was erased, wherever one copier stops, another begins, and the first one %s',
    async (becomes) => {
      for (let stopped = 0; stopped < CALLS_OF_A_COPY; stopped += 1)
        for (let begun = 0; begun < CALLS_OF_A_COPY; begun += 1) {
          const set = begin()
          const living = await beforeACopy(set)
          const [first, second] = [copies(set), copies(set)]
          await calls(stopped)(first)
          await erase(set, 'ash')
          await order(set, 'misty', 'another')
          await walkToEnd(living)
          await calls(begun)(second)
          await expectFresh(set, { stopped, begun })
          await rest(set, ...(becomes === 'dies' ? [] : [first]), second, living)
          await expectClean(set, { stopped, begun })
        }
    },
  )

  it('holds everybody but who was erased, wherever two begin to copy at the same moment', async () => {
    for (let begun = 0; begun < CALLS_OF_A_BEGINNING; begun += 1)
      for (let other = 0; other < CALLS_OF_A_BEGINNING; other += 1)
        for (let stopped = 0; stopped < CALLS_OF_A_BEGINNING; stopped += 1) {
          const set = begin()
          const living = await beforeACopy(set)
          const [first, second] = [copies(set), copies(set)]
          await calls(begun)(first)
          await calls(other)(second)
          await calls(stopped)(first)
          await erase(set, 'ash')
          await walkToEnd(living)
          await rest(set, second, first, living)
          await expectClean(set, { begun, other, stopped })
        }
  })

  it('holds nobody who was erased after a copy was given up', async () => {
    for (let stopped = 0; stopped < CALLS_OF_A_COPY; stopped += 1) {
      const set = begin()
      const living = await beforeACopy(set)
      const stopping = new AbortController()
      const first = copies(set, { signal: stopping.signal })
      await calls(stopped)(first)
      stopping.abort()
      await calls(CALLS_OF_A_COPY)(first)
      await erase(set, 'ash')
      await rest(set, living)
      await expectClean(set, { stopped })
    }
  })
})

/** A copy has that of what it was made from. */
async function birthOf({ store }: Scene): Promise<string | undefined> {
  const { collection } = await currentBuild(store, customers)
  return collection.name.split('@')[2]?.slice(0, 13)
}

describe('a view that is copied', () => {
  it.for(['copier', 'projector'])(
    'is built again where it was wiped meanwhile, wherever another projector stood when the %s went on',
    async (alive) => {
      for (let stopped = 0; stopped < CALLS_OF_A_COPY; stopped += 1)
        for (let begun = 0; begun < CALLS_OF_A_BUILD; begun += 1) {
          const set = scene()
          const living = await beforeACopy(set)
          const [first, anew] = [copies(set), projector(set)]
          await calls(stopped)(first)
          await erase(set, 'ash')
          await set.wipe()
          await calls(begun)(anew)
          await rest(set, alive === 'copier' ? first : living, anew)
          await expectClean(set, { stopped, begun })
        }
    },
  )

  it('is given up with its copy by who finds it made from another log, wherever both stand', async () => {
    for (let stopped = 0; stopped < CALLS_OF_A_COPY; stopped += 1)
      for (let begun = 0; begun < CALLS_OF_A_BEGINNING; begun += 1) {
        const set = scene()
        const living = await beforeACopy(set)
        const before = await birthOf(set)
        const [first, other] = [copies(set), stranger(set)]
        await calls(begun)(other)
        await calls(stopped)(first)
        await walkToEnd(other)
        await rest(set, first, living)
        await expectClean(set, { stopped, begun })
        expect(await birthOf(set)).not.toBe(before)
      }
  })

  it('goes on being served while a newer version is built, whenever that one cleans up', async () => {
    for (let stopped = 0; stopped < CALLS_OF_A_COPY; stopped += 1)
      for (let begun = 0; begun < CALLS_OF_A_COPY; begun += 1) {
        const set = scene()
        const living = await beforeACopy(set)
        const before = await birthOf(set)
        const [first, cleaner] = [copies(set), copies(set, { projection: newer })]
        await calls(1)(projector(set, { projections: [newer] }))
        await calls(begun)(cleaner)
        await calls(stopped)(first)
        await walkToEnd(cleaner)
        await rest(set, first, living)
        await expectFresh(set, { stopped, begun })
        expect(await birthOf(set)).toBe(before)
      }
  })

  it('leaves nothing behind where a newer version takes over meanwhile', async () => {
    for (let stopped = 0; stopped < CALLS_OF_A_COPY; stopped += 1)
      for (let begun = 0; begun < CALLS_OF_A_BUILD; begun += 1) {
        const set = scene()
        const living = await beforeACopy(set)
        const [first, next] = [copies(set), projector(set, { projections: [newer] })]
        const cleaner = copies(set, { projection: newer })
        await calls(stopped)(first)
        await calls(begun)(next)
        for (const each of [first, living, next, cleaner, next, cleaner]) await walkToEnd(each)
        await expectFresh(set, { stopped, begun }, [newer])
        const { collection } = await currentBuild(set.store, newer)
        expect(await set.store.collections()).toEqual([collection.name])
      }
  })
})

/** Two projectors, then two copiers. */
const WALKERS = 4
const actions = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      does: fc.constant('walk' as const),
      who: fc.nat(WALKERS - 1),
      steps: fc.integer({ min: 1, max: 12 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('finish' as const), who: fc.nat(WALKERS - 1) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('fail' as const), who: fc.nat(WALKERS - 1) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('stop' as const), who: fc.nat(WALKERS - 1) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('crash' as const), who: fc.nat(WALKERS - 1) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('wipe' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('order' as const), person: fc.nat(PEOPLE.length) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('erase' as const), person: fc.nat(PEOPLE.length) }) },
)
const schedules = fc.record({
  pageSize: fc.integer({ min: 1, max: 7 }),
  pagesTogether: fc.integer({ min: 1, max: 3 }),
  actions: fc.array(actions, { maxLength: 60, size: 'max' }),
})
type Schedule = typeof schedules extends fc.Arbitrary<infer Value> ? Value : never

async function expectCleanAfter({ actions: acts, ...pages }: Schedule, set: Scene): Promise<void> {
  let orders = 0
  const begun = (who: number) => {
    const stopping = new AbortController()
    return { stopping, one: who < 2 ? projector(set, pages) : copies(set, stopping) }
  }
  const walkers = Array.from({ length: WALKERS }, (_, who) => begun(who))

  async function happen(act: Schedule['actions'][number]): Promise<void> {
    if (act.does === 'wipe') return set.wipe()
    if ('person' in act) {
      const person = PEOPLE[act.person] ?? 'newcomer'
      if (set.erased.has(person)) return
      if (act.does === 'erase') return erase(set, person)
      return order(set, person, `order-${(orders += 1)}`)
    }
    const { one, stopping } = walkers[act.who] ?? begun(act.who)
    if (act.does === 'fail') await one.step(new ViewStoreAway('away for a moment'))
    if (act.does === 'walk') for (let step = 0; step < act.steps; step += 1) await one.step()
    if (act.does === 'stop') stopping.abort()
    if (act.does === 'stop' || act.does === 'finish') await calls(CALLS_OF_A_BUILD)(one)
    if (act.does === 'stop' || act.does === 'crash') walkers[act.who] = begun(act.who)
  }

  for (const person of PEOPLE) await order(set, person)
  for (const act of acts) await happen(act)
  await rest(set, ...walkers.map(({ one }) => one))
  await expectClean(set, {})
}

describe('a view of people under erasures, copies and crashes', () => {
  it('is what one that is built now would be, and all there is, whenever everything is wiped', async () => {
    await fc.assert(
      fc.asyncProperty(schedules, async (schedule) => expectCleanAfter(schedule, scene())),
      { numRuns: 400 },
    )
  })

  it('is so too where what was dropped does not come back', async () => {
    await fc.assert(
      fc.asyncProperty(schedules, async (schedule) => expectCleanAfter(schedule, sternScene())),
      { numRuns: 400 },
    )
  })

  it.skipIf(mongodbUrl === undefined)('is so in MongoDB (needs MONGODB_URL)', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(schedules, async (schedule) => {
        const database = testDatabase(mongodbUrl ?? '')
        const store = mongodbViewStore({ url: database.url })
        try {
          await expectCleanAfter(schedule, scene({ store, wipe: () => database.drop() }))
        } finally {
          await store.close()
          await database.drop()
        }
      }),
      { numRuns: 20 },
    )
  })
})
