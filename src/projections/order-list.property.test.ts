import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { minute, placed } from '../domain/testing/order-samples.ts'
import type { OpenLife } from '../domain/order/order-state.ts'
import { sqliteViewStore, temporaryViewStore } from '../engines/view-store/sqlite-view-store.ts'
import { put } from '../engines/view-store/testing/put.ts'
import type { Query, ViewStore } from '../engines/view-store/view-store.ts'
import {
  type ComparedField,
  listOrders,
  MATCHES_MAX,
  type OrderFilter,
  type OrderPage,
  type OrderViewQuery,
  pageOfOrders,
  SearchTooWide,
  WALKED_MAX,
} from './order-list.ts'
import { amountOf, filterFields, type OrderDocument, orderIdsOfCustomer, ordersProjection } from './orders.ts'
import { CursorInvalid, cursorOf } from './page-cursor.ts'
import type { Projection } from './projection.ts'
import { entryOf } from '../projector/registry.ts'
import { projectionRunner } from '../projector/runner.ts'
import { testFolder } from '../ports/testing/test-folder.ts'
import { shopLog } from './testing/shop-log.ts'
import { shownAfter } from '../projector/testing/shown-orders.ts'
import { storedOrder } from './stored-order.ts'
import type { Views } from './shop-views.ts'
import { viewReader } from '../projector/view-reader.ts'

const blank = [...shownAfter(placed()).values()][0] as OrderDocument
const PAGES_MAX = 500
const SHAPE = 'shape'

/** A view that holds these orders and nothing else. */
async function viewOf(store: ViewStore, documents: readonly OrderDocument[]): Promise<Views> {
  const projections: Projection[] = [ordersProjection]
  const clock = { now: () => 0, sleep: async () => undefined }
  await projectionRunner({ log: shopLog().log, logId: 'log', store, shape: SHAPE, projections, clock }).runOnce()
  const views = viewReader({ store, shape: SHAPE, projections, now: () => 0 })
  const written = documents.map((fields) => ({
    id: fields.orderId,
    position: '1',
    fields: { ...fields, reasons: fields.reasons.join(' ') },
    body: bodyOf(fields),
  }))
  await put(store, (await entryOf(store, SHAPE)).serving ?? '', [{ collection: ordersProjection, documents: written }])
  return views
}

const lives = {
  pending: blank.order.life as OpenLife,
  completed: { kind: 'completed', at: minute(1) },
  failed: { kind: 'ended', as: 'expired', at: minute(1), lateMoney: 'reinstates' },
} as const

/** The stored body of an order with this document. */
function bodyOf(document: OrderDocument) {
  const { orderId, number: orderNumber, customerId, createdAt: at, status, method: paymentMethod, isDeleted } = document
  const placed = { ...blank.order.placed, orderId, orderNumber, customerId, at, totalCents: centsOf(document) }
  const attention = document.reasons.map((reason) => ({ reason, since: at }))
  const life = isDeleted ? ({ kind: 'deleted', at, before: lives[status] } as const) : lives[status]
  return { order: storedOrder({ ...blank.order, placed, life, paymentMethod, attention }) }
}

const placedAt = (createdAt: string, totalCents: number) => ({ createdAt, amount: amountOf(totalCents, createdAt) })
const centsOf = ({ amount }: OrderDocument): number => Number(amount.split(' ')[0])

const ids = fc.constantFrom('00', '0a', '0b', 'a0', 'ab', 'b0', 'b1', 'ba', 'bb', 'c0', 'c1', 'ca')
const days = fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03')
const reasons = fc.subarray(['short', 'over', 'reversed'] as const)
/** Follows from other fields of a document. */
type DerivedField = 'createdAt' | 'amount' | 'needsAttention' | 'isListed'
const documents: fc.Arbitrary<OrderDocument> = fc
  .record({
    orderId: ids,
    number: fc.constantFrom('0a', 'ab', 'b1', '11'),
    customerId: fc.constantFrom('ash', 'misty'),
    method: fc.constantFrom('paypal', 'upi', null),
    totalCents: fc.constantFrom(100, 200),
    day: days,
    time: fc.constantFrom('T00:00:00.000Z', 'T23:59:59.999Z'),
    status: fc.constantFrom('pending', 'completed', 'failed'),
    isDeleted: fc.boolean(),
    isRefunded: fc.boolean(),
    isToPayBack: fc.boolean(),
    reasons,
  } as const satisfies Record<Exclude<ComparedField, DerivedField>, unknown> & Record<string, unknown>)
  .map(({ totalCents, day, time, ...fields }) => ({
    ...blank,
    ...fields,
    ...placedAt(`${day}${time}`, totalCents),
    needsAttention: fields.reasons.length > 0,
    isListed: !fields.isDeleted || fields.reasons.length > 0,
  }))
const dayOfJanuary = (day: number): string => `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`
const searchedDay = { from: dayOfJanuary(2), below: dayOfJanuary(3) }
const queries = fc
  .record(
    {
      search: fc.constantFrom('0', '0a', 'b', 'upi', '1', '2.00', '$1', '2026-01-02', 'nothing', ' ', 'AB'),
      customerIds: fc.constantFrom([], ['ash'], ['ash', 'misty']),
      status: fc.constantFrom('pending', 'completed'),
      method: fc.constantFrom('paypal', 'upi'),
      attention: fc.constantFrom('any', 'short', 'over'),
      deleted: fc.boolean(),
      refunded: fc.boolean(),
      toPayBack: fc.boolean(),
      created: fc.record({ from: fc.option(days, { nil: undefined }), below: fc.option(days, { nil: undefined }) }),
      sort: fc.constantFrom('createdAt', 'totalCents'),
      direction: fc.constantFrom('asc', 'desc'),
      limit: fc.integer({ min: 1, max: 5 }),
    } as const satisfies Record<Exclude<keyof OrderViewQuery, 'cursor' | 'searchedDay'>, unknown>,
    { requiredKeys: ['limit'], noNullPrototype: true },
  )
  .map((query): OrderViewQuery => (query.search === '2026-01-02' ? { ...query, searchedDay } : query))

const fitting: { readonly [Filter in OrderFilter]: (order: OrderDocument, wanted: OrderViewQuery[Filter]) => boolean } =
  {
    status: ({ status }, wanted) => wanted === undefined || status === wanted,
    method: ({ method }, wanted) => wanted === undefined || method === wanted,
    attention: ({ needsAttention, reasons }, wanted) =>
      wanted === undefined || (wanted === 'any' ? needsAttention : reasons.includes(wanted)),
    toPayBack: ({ isToPayBack }, wanted) => wanted === undefined || isToPayBack === wanted,
    refunded: ({ isRefunded }, wanted) => wanted === undefined || isRefunded === wanted,
    deleted: ({ isDeleted, isListed }, wanted) => (wanted === undefined ? isListed : isDeleted === wanted),
    created: ({ createdAt }, { from = '', below = '9' } = { from: '', below: '9' }) =>
      createdAt >= from && createdAt < below,
  }

function fits(order: OrderDocument, query: OrderViewQuery): boolean {
  const filters = Object.keys(fitting) as OrderFilter[]
  return filters.every((filter) => fitsOne(order, filter, query[filter])) && isFound(order, query)
}

function fitsOne<Filter extends OrderFilter>(order: OrderDocument, filter: Filter, wanted: OrderViewQuery[Filter]) {
  return fitting[filter](order, wanted)
}

function isFound(order: OrderDocument, { search = '', customerIds = [] }: OrderViewQuery): boolean {
  const word = search.trim().toLowerCase()
  if (word === 'upi') return order.method === word
  if (word === '2026-01-02') return order.createdAt.startsWith(word)
  if (word === '' || order.number.startsWith(word) || order.orderId.startsWith(word)) return true
  if (customerIds.includes(order.customerId)) return true
  return centsOf(order) === { '1': 100, '2.00': 200, $1: 100 }[word]
}

function sorted(
  orders: readonly OrderDocument[],
  { sort = 'createdAt', direction = 'desc' }: OrderViewQuery,
): string[] {
  const keyOf = (order: OrderDocument) =>
    [...(sort === 'createdAt' ? [] : [centsOf(order)]), order.createdAt, order.orderId].join()
  const ascending = orders.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).map(({ orderId }) => orderId)
  return direction === 'asc' ? ascending : ascending.reverse()
}

function idsOf({ orders }: Pick<OrderPage, 'orders'>): string[] {
  return orders.map(({ orderId }) => orderId)
}

function blanks(count: number): OrderDocument[] {
  return Array.from({ length: count }, (_, index) => ({ ...blank, orderId: `order-${index}` }))
}

/** Every page, one after another. */
async function allPages(views: Views, query: OrderViewQuery) {
  const pages = [await listOrders(views, query)]
  for (let page = pages[0]; page?.next; page = pages.at(-1)) {
    if (pages.length > PAGES_MAX) throw new Error('a list without an end')
    pages.push(await listOrders(views, { ...query, cursor: page.next }))
  }
  return pages
}

// view-store.property.test.ts shows that all engines find the same.
it('the list has each matching order once and in order, page by page', async () => {
  const orders = fc.uniqueArray(documents, { selector: ({ orderId }) => orderId, maxLength: 12, size: 'max' })
  await fc.assert(
    fc.asyncProperty(orders, queries, async (documents, query) => {
      const views = await viewOf(temporaryViewStore(), documents)
      const expected = documents.filter((order) => fits(order, query))
      const pages = await allPages(views, query)
      expect(pages.flatMap(idsOf)).toEqual(sorted(expected, query))
      for (const page of pages) {
        expect(page.orders.length).toBeLessThanOrEqual(query.limit)
        expect(page).toMatchObject({ filtered: expected.length, filteredIsExact: true })
      }
    }),
    { numRuns: 500 },
  )
})

it('with several filters a page walks a limited number of orders, and says so', async () => {
  const apart = WALKED_MAX + 49
  const many = Array.from({ length: 2 * apart + 1 }, (_, index): OrderDocument => {
    const orderId = `order-${String(index).padStart(5, '0')}`
    const method = index % apart === 0 ? 'upi' : 'paypal'
    return { ...blank, orderId, status: 'failed', method, ...placedAt(blank.createdAt, index) }
  })
  const views = await viewOf(temporaryViewStore(), many)
  const query = { status: 'failed', method: 'upi', sort: 'totalCents', direction: 'asc', limit: 2 } as const
  const pages = await allPages(views, query)
  expect(pages.map(({ orders }) => orders.map(centsOf))).toEqual([[0], [apart], [2 * apart]])
  expect(pages.map(({ filteredIsExact }) => filteredIsExact)).toEqual([false, false, false])
  expect(pages[0]).toMatchObject({ filtered: 1 })
})

it('a page reads only the orders that it shows', async () => {
  const many = blanks(300).map((order, index): OrderDocument => ({ ...order, method: index % 2 ? 'upi' : 'paypal' }))
  const views = await viewOf(temporaryViewStore(), many)
  const read: string[] = []
  const watched: Views = {
    ...views,
    async load(view, orderIds) {
      read.push(...orderIds)
      return views.load(view, orderIds)
    },
  }
  const page = await listOrders(watched, { status: blank.status, method: 'upi', limit: 10 })
  expect(page).toMatchObject({ filtered: 150, filteredIsExact: true })
  expect(page.orders.map(({ orderId }) => orderId)).toEqual(read)
  expect(read).toHaveLength(10)
})

it('a range of dates sorted by total has each order, with any filter, and counts a thousand', async () => {
  const many = Array.from({ length: 6_000 }, (_, index): OrderDocument => {
    const orderId = `order-${String(index).padStart(5, '0')}`
    const createdAt = new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString()
    return { ...blank, orderId, status: 'failed', ...placedAt(createdAt, index < 5_900 ? 100 : 200) }
  })
  const views = await viewOf(temporaryViewStore(), many)
  const created = { from: many[3_000]?.createdAt, below: undefined }
  const expected = many.slice(3_000).map(({ orderId }) => orderId)
  for (const filter of [{}, { status: 'failed' }, { deleted: false }] as const) {
    const query = { ...filter, created, sort: 'totalCents', direction: 'desc', limit: 1_000 } as const
    const pages = await allPages(views, query)
    expect(pages.flatMap(idsOf)).toEqual(expected.toReversed())
    for (const page of pages) expect(page).toMatchObject({ filtered: MATCHES_MAX, filteredIsExact: false })
  }
})

it('of a search a thousand orders are compared and sorted, and it says that there may be more', async () => {
  const many = blanks(MATCHES_MAX + 1).map((order, index) => ({ ...order, ...placedAt(blank.createdAt, index) }))
  const query = { search: blank.number, sort: 'totalCents', direction: 'asc', limit: 100 } as const
  const whole = await viewOf(temporaryViewStore(), many.slice(0, MATCHES_MAX))
  const pages = await allPages(whole, query)
  expect(pages.flatMap(({ orders }) => orders.map(centsOf))).toEqual(many.slice(0, MATCHES_MAX).map(centsOf))
  expect(pages[0]).toMatchObject({ filtered: MATCHES_MAX, filteredIsExact: true })
  const beyond = await viewOf(temporaryViewStore(), many)
  expect(await allPages(beyond, query)).toHaveLength(MATCHES_MAX / query.limit)
  expect(await listOrders(beyond, query)).toMatchObject({ filtered: MATCHES_MAX, filteredIsExact: false })
  // A file of them would lack some.
  await expect(pageOfOrders(beyond, query)).rejects.toThrow(SearchTooWide)
  expect((await pageOfOrders(whole, query)).orders).toHaveLength(query.limit)
})

it('each single filter with each sort is read from an index in order', async () => {
  const store = sqliteViewStore(join(testFolder(), 'views'))
  onTestFinished(() => store.close())
  const asked: Query[] = []
  const views = await viewOf(store, [])
  const watched: Views = {
    ...views,
    async find(view, query, page) {
      asked.push(query)
      return views.find(view, query, page)
    },
  }
  const indexed: Record<(typeof filterFields)[number], Partial<OrderViewQuery>> = {
    status: { status: 'failed' },
    method: { method: 'upi' },
    needsAttention: { attention: 'any' },
    isToPayBack: { toPayBack: true },
  }
  const filters: [string, Partial<OrderViewQuery>][] = [
    ['isListed', {}],
    ['isDeleted', { deleted: true }],
    ...filterFields.map((field): [string, Partial<OrderViewQuery>] => [`isListed ${field}`, indexed[field]]),
    ['isListed method', { search: 'upi' }],
  ]
  for (const [, filter] of filters)
    for (const sort of ['createdAt', 'totalCents'] as const) await listOrders(watched, { ...filter, sort, limit: 50 })
  await listOrders(watched, { created: { from: '2026', below: undefined }, status: 'failed', limit: 50 })
  const expected = filters.flatMap(([fields]) => ['createdAt', 'amount'].map((sort) => `${fields} ${sort}`))
  const source = { set: (await entryOf(store, SHAPE)).serving ?? '', collection: ordersProjection }
  const plans = await Promise.all(asked.map(async (query) => store.explain(source, query)))
  for (const [at, fields] of [...expected, 'isListed status createdAt'].entries()) {
    expect(plans[at]?.join('; ')).toContain(`INDEX orders by ${fields} id `)
    expect(plans[at]?.join('; ')).not.toContain('TEMP B-TREE')
  }
})

it('matching orders are counted exactly up to ten thousand', async () => {
  const exact = await viewOf(temporaryViewStore(), blanks(10_000))
  expect(await listOrders(exact, { limit: 1 })).toMatchObject({ filtered: 10_000, filteredIsExact: true })
  const beyond = await viewOf(temporaryViewStore(), blanks(10_001))
  expect(await listOrders(beyond, { limit: 1 })).toMatchObject({ filtered: 10_000, filteredIsExact: false })
})

it('a search that matches the maximum of customers says that there may be more', async () => {
  // The order matches by number and by customer, and is found once.
  const views = await viewOf(temporaryViewStore(), [{ ...blank, number: 'ash00001' }])
  const others = Array.from({ length: 98 }, (_, at) => `another-${at}`)
  const exactWith = async (filter: Pick<OrderViewQuery, 'customerIds' | 'status'>) =>
    (await listOrders(views, { search: 'ash', ...filter, limit: 1 })).filteredIsExact
  const few = [blank.customerId, ...others]
  const many = [...few, 'misty']
  expect(await exactWith({ customerIds: few })).toBe(true)
  expect(await exactWith({ customerIds: few, status: 'pending' })).toBe(true)
  expect(await exactWith({ customerIds: many })).toBe(false)
  expect(await exactWith({ customerIds: many, status: 'pending' })).toBe(false)
  expect(await listOrders(views, { search: 'ash', customerIds: many, limit: 1 })).toMatchObject({ filtered: 1 })
  await expect(pageOfOrders(views, { search: 'ash', customerIds: many, limit: 1 })).rejects.toThrow(SearchTooWide)
})

it('a cursor that the list has not returned is rejected', async () => {
  const two = [blank, { ...blank, orderId: 'another' }]
  const views = await viewOf(temporaryViewStore(), two)
  const { next } = await listOrders(views, { limit: 1 })
  const cursor = String(next)
  const wrong = [
    'x',
    '.',
    `${cursor}.`,
    `A${cursor}`,
    cursor.slice(0, -1),
    cursorOf('amount desc', { value: '5', id: 'a' }),
    cursorOf('createdAt asc', { value: '5', id: 'a' }),
  ]
  for (const one of wrong) await expect(listOrders(views, { limit: 1, cursor: one })).rejects.toThrow(CursorInvalid)
  await expect(listOrders(views, { limit: 1, direction: 'asc', cursor })).rejects.toThrow(CursorInvalid)
  expect((await listOrders(views, { limit: 1, cursor })).orders).toHaveLength(1)
})

it('all orders of a customer are found, deleted ones too', async () => {
  const views = await viewOf(temporaryViewStore(), [
    { ...blank, orderId: 'a' },
    { ...blank, orderId: 'b', isListed: false, isDeleted: true },
    { ...blank, orderId: 'c', customerId: 'another' },
  ])
  expect(await orderIdsOfCustomer(views, 'customer-1')).toEqual(['a', 'b'])
})
