import { describe, expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '../mongodb/testing/databases.ts'
import { memoryViewStore } from '../view-store/testing/memory-view-store.ts'
import { mongodbViewStore } from '../view-store/mongodb-view-store.ts'
import type { Collection, Query, ViewStore } from '../view-store/view-store.ts'
import { readAnalytics } from './analytics.ts'
import { listProducts } from './catalogue.ts'
import { customerIdsBeginningWith } from './customers.ts'
import { amountOf, listOrders, newestOrders, type OrderListQuery, orderIdsOfCustomer } from './orders.ts'
import { cursorOf } from './page-cursor.ts'
import {
  dueForExpiry,
  openCaptures,
  openDeliveries,
  orderIdOfPayment,
  placedAhead,
  preOrdersPaid,
  receiptsUnfinished,
  toCallFor,
  toPoll,
  toPollFirst,
  toReinstate,
  watchesToEnd,
} from './payments.ts'
import { reservationsToEnd } from './reservations.ts'
import { projectionRunner } from './runner.ts'
import { shopProjections } from './shop-projections.ts'
import { shopLog } from './testing/shop-log.ts'
import { countToDeliver, listToDeliver, readUndelivered } from './to-deliver.ts'
import { type Views, viewReader } from './view-reader.ts'
import { paymentMethods } from '../domain/payment-methods.ts'

type Asked = Pick<Query, 'equals' | 'anyOf' | 'beginsWith' | 'range' | 'sort' | 'after'>

/** What a view was asked, and how its indexes serve that. */
interface Question {
  readonly collection: Collection
  readonly query: Asked
}

const projections = shopProjections({ timeZone: 'UTC' })
const now = '2026-03-01T00:00:00.000Z'

async function viewsOf(store: ViewStore): Promise<Views> {
  const clock = { now: () => 0, sleep: async () => undefined }
  await projectionRunner({ log: shopLog().log, store, projections, clock }).runOnce()
  return viewReader({ store, projections, now: () => 0 })
}

/** What the views are asked while this is done. */
async function questionsOf(work: (views: Views) => Promise<unknown>): Promise<Question[]> {
  const questions: Question[] = []
  const store = memoryViewStore()
  const views = await viewsOf(store)
  const watching = {
    ...store,
    async find(collection: Collection, query: Query) {
      questions.push({ collection, query })
      return store.find(collection, query)
    },
    async findFields(collection: Collection, query: Query, fields: readonly string[]) {
      questions.push({ collection, query })
      return store.findFields(collection, query, fields)
    },
    async findPage(collection: Collection, query: Query, countMax: number) {
      questions.push({ collection, query })
      return store.findPage(collection, query, countMax)
    },
    async count(collection: Collection, query: Asked, limit: number) {
      questions.push({ collection, query })
      return store.count(collection, query, limit)
    },
    async findIds(collection: Collection, query: Asked, limit: number) {
      questions.push({ collection, query })
      return store.findIds(collection, query, limit)
    },
  }
  await work({ ...views, store: watching })
  return questions
}

function prefixesOf(index: readonly string[]): string[][] {
  return index.map((_, at) => index.slice(0, at + 1))
}

/** Fields of which exactly one value is asked for. */
function fixedIn({ equals = {}, anyOf }: Asked): string[] {
  return [...Object.keys(equals), ...(anyOf?.values.length === 1 ? [anyOf.field] : [])]
}

/**
 * In order: an index begins with all that is fixed and goes on with what is sorted by, so a page is read from where it begins. Looked up: an index
 * begins with some of what is fixed and goes on with what else is asked for, so only what fits is read, and sorted.
 */
function servedBy({ collection, query }: Question): 'in order' | 'looked up' | 'not' {
  const { beginsWith, anyOf, range, sort } = query
  const fixed = fixedIn(query)
  const sought = [beginsWith, anyOf, range].flatMap((condition) => condition?.field ?? [])
  const isRareAsked = (field: string) => [...fixed, ...sought].includes(field)
  // Every store finds documents by the beginnings of their ids.
  const indexes = [['id'], ...collection.indexes].filter((index) =>
    index.every((field) => !collection.rare?.includes(field) || isRareAsked(field)),
  )
  const field = sort?.field
  const wanted = [...new Set([...fixed.filter((name) => name !== field), ...(field === undefined ? [] : [field])])]
  const isInOrder = indexes.some((index) =>
    // Ids come last in every index, and only there.
    (field === undefined ? [index] : prefixesOf(index)).some(
      (prefix) =>
        prefix.length === wanted.length &&
        prefix.every((name) => wanted.includes(name)) &&
        (field === undefined || prefix.at(-1) === field),
    ),
  )
  const others = sought.filter((name) => !fixed.includes(name) && name !== field)
  if (isInOrder && others.length === 0) return 'in order'
  const isLookedUp = indexes.some((index) =>
    prefixesOf(index).some(
      (prefix) => sought.includes(prefix.at(-1) ?? '') && prefix.slice(0, -1).every((name) => fixed.includes(name)),
    ),
  )
  return isLookedUp ? 'looked up' : 'not'
}

function described({ collection, query }: Question): string {
  const { beginsWith, anyOf, range, sort } = query
  const parts = [
    ...fixedIn(query).map((field) => `${field} =`),
    ...(anyOf && anyOf.values.length > 1 ? [`${anyOf.field} in`] : []),
    ...(beginsWith ? [`${beginsWith.field} begins`] : []),
    ...(range ? [`${range.field} between`] : []),
    `by ${sort?.field ?? 'id'}`,
  ]
  return `${collection.name.split('@')[0]}: ${parts.join(', ')}`
}

const sorts = (['createdAt', 'totalCents'] as const).flatMap((sort) =>
  (['asc', 'desc'] as const).flatMap((direction) => {
    const start = sort === 'createdAt' ? { order: sort, value: now } : { order: 'amount', value: amountOf(5, now) }
    const cursor = cursorOf(`${start.order} ${direction}`, { value: start.value, id: 'x' })
    return [
      { sort, direction, limit: 50 },
      { sort, direction, limit: 50, cursor },
    ]
  }),
)

const orders: [string, Partial<OrderListQuery>][] = [
  ['nothing', {}],
  ['a status', { status: 'failed' }],
  ['a method', { method: 'upi' }],
  ['whether a person is needed', { attention: 'any' }],
  ['whether it was deleted', { deleted: true }],
  ...paymentMethods.map((method): [string, Partial<OrderListQuery>] => [`the word ${method}`, { search: method }]),
  ['a day', { search: '2026-01-01', searchedDay: { from: '2026-01-01', to: '2026-01-02' } }],
  ['a range of dates', { createdFrom: '2026', createdBefore: '2027' }],
  ['a range of dates among those of one status', { createdFrom: '2026', status: 'failed' }],
  ['a range of dates among the deleted', { createdBefore: '2026', deleted: true }],
  ['why a person is needed', { attention: 'short' }],
  ['a beginning of a number or an id', { search: 'ab' }],
  ['a person', { search: 'ash@', customerIds: ['ash'] }],
  ['a hundred people', { search: 'ash@', customerIds: Array.from({ length: 100 }, (_, at) => `customer-${at}`) }],
  ['an amount, or a beginning', { search: '25.40' }],
  ['a word among those of one status', { search: 'ab', status: 'failed' }],
  ['a word among the deleted', { search: 'ab', deleted: true }],
]
const others: [string, (views: Views) => Promise<unknown>][] = [
  ['orders of a person', (views) => orderIdsOfCustomer(views, 'ash')],
  ['orders to expire', (views) => dueForExpiry(views, now, 5)],
  ['orders placed ahead', (views) => placedAhead(views, { now, endsAfter: now, limit: 5 })],
  ['orders to call for', (views) => toCallFor(views, 5)],
  ['orders to deliver', (views) => listToDeliver(views, { limit: 5 })],
  ['how many are to deliver', countToDeliver],
  ['what is paid and not handed over', readUndelivered],
  ['orders to bring back', (views) => toReinstate(views, 5)],
  ['pre-orders', (views) => preOrdersPaid(views, 5)],
  ['open deliveries', (views) => openDeliveries(views, 5)],
  ['open captures', (views) => openCaptures(views, 5)],
  ['payments to ask about', (views) => toPoll(views, 'open', { afterOrderId: 'order-1', limit: 5 })],
  ['payments somebody waits for', (views) => toPollFirst(views, now, 5)],
  ['watches to end', (views) => watchesToEnd(views, now, { after: { watchUntil: now, orderId: 'order-1' }, limit: 5 })],
  ['receipts to finish', (views) => Array.fromAsync(receiptsUnfinished(views, now))],
  ['reservations to end', (views) => Array.fromAsync(reservationsToEnd(views, now))],
  ['the newest orders', (views) => newestOrders(views, 5)],
  ['months', (views) => readAnalytics(views)],
  ['all products', (views) => listProducts(views, { activeOnly: false })],
  ['products on sale', (views) => listProducts(views, { activeOnly: true })],
  ['people', (views) => customerIdsBeginningWith(views, 'ash')],
  ['the order of a payment', (views) => orderIdOfPayment(views, 'payment-1')],
]

const listed = (filter: Partial<OrderListQuery>) => async (views: Views) => {
  for (const sort of sorts) await listOrders(views, { ...filter, ...sort })
}
const asked = [...orders.map(([name, filter]) => [`orders by ${name}`, listed(filter)] as const), ...others]

/** Beginnings, people, and a range of what the order is not by, are looked up: they have no one order. */
function mayBeSorted({ query: { beginsWith, anyOf, range, sort } }: Question): boolean {
  return beginsWith !== undefined || anyOf !== undefined || (range !== undefined && range.field !== sort?.field)
}

describe('the indexes of the views', () => {
  it.for(asked)('are made for %s, in each order that can be asked for', async ([, work]) => {
    const questions = await questionsOf(work)
    expect(questions.length).toBeGreaterThan(0)
    for (const question of questions) {
      const served = [described(question), servedBy(question)]
      if (!mayBeSorted(question)) expect(served).toEqual([described(question), 'in order'])
      else expect(served).not.toEqual([described(question), 'not'])
    }
  })

  it('are over one list of terms at most, since MongoDB makes no others', () => {
    const wide = projections.flatMap(({ name, fields, indexes }) =>
      indexes
        .filter((index) => index.filter((field) => fields[field] === 'terms').length > 1)
        .map((index) => [name, index]),
    )
    expect(wide).toEqual([])
  })
})

const address = process.env['MONGODB_URL']

describe.skipIf(address === undefined)('the indexes of the views in MongoDB (needs MONGODB_URL)', () => {
  it('are taken by the server for all that is asked', { timeout: 120_000 }, async ({ skip }) => {
    const database = testDatabase(address ?? '')
    const store = mongodbViewStore({ url: database.url })
    onTestFinished(() => database.drop())
    onTestFinished(() => store.close())
    const views = await viewsOf(store)
    const tried = { collection: await views.collection('orders'), query: { limit: 1 } }
    const plan = await store.explainFind(tried.collection, tried.query).catch((error: unknown) => error)
    if (plan instanceof Error) skip(`this server does not tell how it answers: ${plan.message}`)
    for (const [, work] of asked) {
      for (const question of await questionsOf(work)) {
        const steps = (await store.explainFind(question.collection, { limit: 50, ...question.query })).join(', ')
        expect([described(question), steps]).not.toEqual([described(question), expect.stringContaining('COLLSCAN')])
        if (mayBeSorted(question)) continue
        expect([described(question), steps]).not.toEqual([
          described(question),
          expect.stringMatching(/SORT\b(?!_MERGE)/),
        ])
      }
    }
  })
})
