import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ShopEvent } from '../domain/events.ts'
import type { EventLog, RecordedEvent } from '../event-store/event-log.ts'
import { type ViewStore, ViewStoreAway } from '../view-store/view-store.ts'
import { analyticsProjection } from '../projections/analytics.ts'
import { answeringBuild, askRebuild, buildsOf, checkpointOf, currentBuild } from './builds.ts'
import type { Opened } from './fold.ts'
import type { Projection } from '../projections/projection.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import { cleanFold, storedBody } from '../projections/testing/clean-fold.ts'
import { salesHistories, shopHistories } from '../projections/testing/histories.ts'
import { sealedBuyer, type ShopLog, shopLog } from '../projections/testing/shop-log.ts'
import { sizeOf } from '../testing/tier.ts'
import { now, type Walker, walker, walkToEnd } from './testing/walker.ts'
import { type Wiped, wipedAtAnyTime } from './testing/wiped-views.ts'

const timeZone = 'Asia/Kolkata'
const LOG_MAX = 1_000
const DAMAGED = 'order-1'

const actions = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ does: fc.constant('walk' as const), who: fc.nat(1), steps: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('fail' as const), who: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('crash' as const), who: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('wipe' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('rebuild' as const), which: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('lose' as const), writes: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('grow' as const), by: fc.integer({ min: 1, max: 12 }) }) },
)
export const schedules = fc.record({
  pageSizes: fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 })),
  documentsTogether: fc.integer({ min: 1, max: 12 }),
  // Views are built while less than the whole log is there, or else their pages are never folded together.
  visibleFirst: fc.nat(30),
  actions: fc.array(actions, { maxLength: 60, size: 'max' }),
})
type Schedule = typeof schedules extends fc.Arbitrary<infer Value> ? Value : never

describe('views under crashes and races', () => {
  it('count each customer with a completed order once, wherever two projectors stop and go on and whenever all is wiped or the newest writes are lost', async () => {
    await fc.assert(
      fc.asyncProperty(salesHistories, schedules, async (history, schedule) => {
        await expectCleanViews(history, schedule, [analyticsProjection({ timeZone })])
      }),
      { numRuns: sizeOf({ fast: 100, deep: 400, night: 1_000 }) },
    )
  })

  it('are what a clean fold of the log makes, wherever two projectors stop and go on and whenever all is wiped or the newest writes are lost', async () => {
    await fc.assert(
      fc.asyncProperty(shopHistories, schedules, async (history, schedule) => {
        await expectCleanViews(history, schedule, shopProjections({ timeZone }))
      }),
      { numRuns: sizeOf({ fast: 25, deep: 100, night: 250 }) },
    )
  })

  it('are rebuilt while they answer, and go on to answer no less, wherever two projectors stop and go on', async () => {
    await fc.assert(
      fc.asyncProperty(salesHistories, schedules, async (history, schedule) => {
        const actions = schedule.actions.filter(({ does }) => does !== 'wipe' && does !== 'lose')
        await expectCleanViews(history, { ...schedule, actions }, [analyticsProjection({ timeZone })])
      }),
      { numRuns: sizeOf({ fast: 100, deep: 400, night: 1_000 }) },
    )
  })
})

export async function expectCleanViews(
  history: readonly ShopEvent[],
  { pageSizes, documentsTogether, visibleFirst, actions }: Schedule,
  projections: readonly Projection[],
  { store, wipe, lose }: Wiped = wipedAtAnyTime(projections),
): Promise<void> {
  const shop = shopLog()
  const opened = await recordWithBuyers(shop, history)
  let visible = visibleFirst
  const log = shownUpTo(shop.log, () => visible)
  const fresh = (who: number): Walker =>
    walker({ log, store, projections, pageSize: pageSizes[who] ?? 1, documentsTogether })
  const walkers = [fresh(0), fresh(1)] as [Walker, Walker]
  const answered = new Map<Projection, string>()
  // Of two that begin a first build at once one may serve for a moment.
  const staysWhole = actions.every(({ does }) => does !== 'wipe' && does !== 'lose')
  if (staysWhole) await walkToEnd(fresh(0))

  /** Who has read a view once reads it from then on, and no less of it. */
  async function expectNoWayBack(): Promise<void> {
    for (const projection of projections) {
      const answering = await answeringBuild(store, projection)
      const before = answered.get(projection)
      if (before === undefined && !answering) continue
      const position = answering && (await checkpointOf(store, answering.build.collection))
      expect(position ?? 'no build answers').toBe([before ?? '', position ?? ''].toSorted().at(-1))
      answered.set(projection, position ?? '')
    }
  }

  for (const action of actions) {
    if (action.does === 'grow') visible += action.by
    else if (action.does === 'rebuild') await rebuild(store, projections[action.which % projections.length])
    else if (action.does === 'wipe') await wipe()
    else if (action.does === 'lose') lose(action.writes)
    else if (action.does === 'crash') walkers[action.who] = fresh(action.who)
    else if (action.does === 'fail') await walkers[action.who]?.step(new ViewStoreAway('away for a moment'))
    else for (let step = 0; step < action.steps; step += 1) await walkers[action.who]?.step()
    if (staysWhole) await expectNoWayBack()
  }
  visible = LOG_MAX
  // One that was paused wakes up long after another one has done all the work.
  await walkToEnd(fresh(0))
  await walkToEnd(walkers[0])
  await walkToEnd(walkers[1])
  // A document that one process gave up last is repaired by the next one that runs.
  await walkToEnd(fresh(1))

  const events = await log.readAll({ after: '', limit: LOG_MAX })
  for (const projection of projections) {
    expect((await buildsOf(store, projection))?.beside?.isFormer ?? true).toBe(true)
    const expected = cleanFold(projection, events, opened)
    const { bodies, living } = await stored(store, projection, [...expected.keys()])
    expect(bodies).toEqual(
      new Map(
        [...expected].map(([id, { body: folded, isBroken }]) => {
          const body = storedBody(projection, folded)
          return [id, isBroken ? { body, isBroken } : { body }]
        }),
      ),
    )
    expect(living).toBe([...expected.values()].filter(({ body }) => body !== undefined).length)
  }
}

async function rebuild(store: ViewStore, projection: Projection | undefined): Promise<void> {
  if (projection) await askRebuild(store, projection, now())
}

async function stored(store: ViewStore, projection: Projection, ids: readonly string[]) {
  const { collection } = await currentBuild(store, projection)
  const documents = await store.load(collection, ids)
  const bodies = new Map(
    ids.map((id) => {
      const document = documents.get(id)
      return [id, document?.broken ? { body: document.body, isBroken: true } : { body: document?.body }]
    }),
  )
  return { bodies, living: await store.count(collection, { where: [] }, LOG_MAX) }
}

/** Of one order, the buyer cannot be opened and some events cannot be read. */
async function recordWithBuyers(shop: ShopLog, history: readonly ShopEvent[]): Promise<Opened> {
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
  const opened = new Map<string, NonNullable<ReturnType<Opened['get']>>>()
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
