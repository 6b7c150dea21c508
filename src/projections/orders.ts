import type { AttentionReason } from '../domain/order/events.ts'
import { isDeleted, isToBeDelivered, type PlacedOrder, statusesOf } from '../domain/order/order-state.ts'
import { centsFrom } from '../domain/money.ts'
import { type PaymentMethod, paymentMethods } from '../domain/payment-methods.ts'
import type { Position } from '../event-store/event-store.ts'
import type { FoundFields, Page, Query, ViewDocument } from '../view-store/view-store.ts'
import { CUSTOMERS_FOUND_MAX } from './customers.ts'
import { isOrderEvent, orderAfter, orderIdOf } from './order-events.ts'
import { type OrderWork, workFields, workOf } from './order-work.ts'
import { cursorOf, type PageStart, pageStartOf } from './page-cursor.ts'
import type { Projection } from './projection.ts'
import { orderFrom, type StoredOrder, storedOrder } from './stored-order.ts'
import { all, type Views } from './view-reader.ts'

type OrderStatus = ReturnType<typeof statusesOf>['status']

/** An order as readers and the sweep see it: the domain's own state, and what it can be found by. Who the buyer is stays sealed. */
export interface OrderDocument extends OrderWork {
  readonly order: PlacedOrder
  readonly orderId: string
  /** Lower-case. */
  readonly number: string
  readonly customerId: string
  readonly method: PaymentMethod | null
  /** By total, and where that is the same by date. */
  readonly amount: string
  readonly createdAt: string
  readonly status: OrderStatus
  readonly isDeleted: boolean
  /** Not deleted, or deleted and in need of a person. */
  readonly isListed: boolean
  readonly needsAttention: boolean
  readonly reasons: readonly AttentionReason[]
}

/** What is folded; all else that is shown follows from it. */
interface FoldedOrder {
  readonly order: PlacedOrder
  /** Paid or approved: the position of the event that made it so. */
  readonly payablePosition: Position | undefined
}

type StoredDocument = Pick<FoldedOrder, 'payablePosition'> & { readonly order: StoredOrder }

const bySorts = (...fields: string[]): string[][] => [
  [...fields, 'createdAt'],
  [...fields, 'amount'],
]

/** As many as an amount can have that can be asked for; the dearest order has one less. */
const CENTS_DIGITS = 11

export const ordersProjection: Projection<FoldedOrder> = {
  name: 'orders',
  version: 10,
  fields: {
    ...workFields,
    watched: 'text',
    number: 'text',
    customerId: 'text',
    method: 'text',
    amount: 'text',
    createdAt: 'text',
    status: 'text',
    isDeleted: 'boolean',
    isListed: 'boolean',
    needsAttention: 'boolean',
    reasons: 'terms',
    paymentIds: 'terms',
  },
  rare: ['isDeleted', 'needsAttention', ...Object.keys(workFields)],
  tails: { amount: { behind: CENTS_DIGITS + 1, field: 'createdAt' } },
  indexes: [
    ...Object.keys(workFields).map((field) => [field]),
    ...bySorts('isListed'),
    ...bySorts('isDeleted'),
    ...bySorts('isListed', 'status'),
    ...bySorts('isListed', 'method'),
    ...bySorts('isListed', 'needsAttention'),
    // What follows the first field lets them be counted and sorted from the index alone. Ids have an index of their own, and one more would cost as much again.
    ['customerId', 'createdAt', 'isListed', 'amount'],
    ['number', 'isListed'],
    ['reasons'],
    ['paymentIds'],
  ],

  keys(event) {
    const orderId = orderIdOf(event)
    return orderId === undefined ? [] : [orderId]
  },

  evolve({ body }, event) {
    if (!isOrderEvent(event)) return body
    const order = orderAfter(body?.order, event)
    if (!order) return undefined
    return { order, payablePosition: isToBeDelivered(order) ? (body?.payablePosition ?? event.position) : undefined }
  },

  form: {
    stored: ({ order, payablePosition }): StoredDocument => ({ order: storedOrder(order), payablePosition }),
    folded: (stored) => foldedFrom(stored as StoredDocument),
    fields: (body) => ({ ...shown(body) }),
  },
}

function foldedFrom({ order, payablePosition }: StoredDocument): FoldedOrder {
  return { order: orderFrom(order), payablePosition }
}

function shown({ order, payablePosition }: FoldedOrder): OrderDocument {
  const { placed, attention } = order
  const needsAttention = attention.length > 0
  return {
    order,
    orderId: placed.orderId,
    number: placed.orderNumber.toLowerCase(),
    customerId: placed.customerId,
    method: order.paymentMethod,
    amount: amountOf(placed.totalCents, placed.at),
    createdAt: placed.at,
    status: statusesOf(order).status,
    isDeleted: isDeleted(order),
    isListed: !isDeleted(order) || needsAttention,
    needsAttention,
    reasons: attention.map(({ reason }) => reason),
    ...workOf(order, payablePosition),
  }
}

/** What a stored document tells. */
export function orderIn(stored: unknown): OrderDocument {
  return shown(foldedFrom(stored as StoredDocument))
}

/** Orders of one total stand side by side in an index, the newest last: its pages are written together, where ids would scatter them. */
export function amountOf(totalCents: number, at: string): string {
  return `${String(totalCents).padStart(CENTS_DIGITS, '0')} ${at}`
}

const VIEW = 'orders'

/** Deleted ones are found too. Throws `ViewBehind` like all that follow. */
export async function findOrder(views: Views, orderId: string): Promise<OrderDocument | undefined> {
  const collection = await views.collection(VIEW)
  const document = (await views.store.load(collection, [orderId])).get(orderId)
  // A broken one shows how it was before; whoever has to be sure folds the stream.
  return document?.body === undefined ? undefined : orderIn(document.body)
}

/** How many orders need a person, counted up to 10,000. */
export async function countNeedingAttention(views: Views): Promise<number> {
  const equals = { isListed: true, needsAttention: true }
  return views.store.count(await views.collection(VIEW), { equals }, COUNTED_MAX)
}

/** The newest of the list, as many as asked for. */
export async function newestOrders(views: Views, limit: number): Promise<OrderDocument[]> {
  const collection = await views.collection(VIEW)
  const sort = { field: 'createdAt', direction: 'desc' } as const
  const newest = await views.store.find(collection, { equals: { isListed: true }, sort, limit })
  return newest.map(({ body }) => orderIn(body))
}

/** All orders of a person, deleted ones too. */
export async function orderIdsOfCustomer(views: Views, customerId: string): Promise<string[]> {
  const orderIds: string[] = []
  const found = all(views, await views.collection(VIEW), {
    equals: { customerId },
    sort: { field: 'createdAt', direction: 'asc' },
    bodyIn: orderIn,
  })
  for await (const { id } of found) orderIds.push(id)
  return orderIds
}

/** Inclusive and exclusive. */
export interface Span {
  readonly from: string
  readonly to: string
}

export interface OrderListQuery {
  /** The beginning of an order number or id; or a method, or an amount. */
  readonly search?: string
  /** The day that `search` names, in moments. */
  readonly searchedDay?: Span
  /** People whose e-mail or chat name begins with `search`, at most 100. */
  readonly customerIds?: readonly string[]
  readonly status?: OrderStatus
  readonly method?: PaymentMethod
  readonly attention?: 'any' | AttentionReason
  /** Undefined: those that are not deleted, and deleted ones that need attention. */
  readonly deleted?: boolean
  /** Moments; inclusive and exclusive. */
  readonly createdFrom?: string
  readonly createdBefore?: string
  readonly sort?: 'createdAt' | 'totalCents'
  readonly direction?: 'asc' | 'desc'
  /** 1 to 100. */
  readonly limit: number
  readonly cursor?: string
}

export interface OrderPage {
  readonly orders: readonly OrderDocument[]
  /** How many match, counted up to 10,000. */
  readonly filtered: number
  readonly filteredIsExact: boolean
  readonly next: string | null
}

/** How many documents a page may look at where no index serves the whole question. */
const WALKED_MAX = 2_000
const COUNTED_MAX = 10_000
/** Every date begins with a digit. */
const BEHIND_DATES = ':'

type Conditions = Pick<Query, 'equals' | 'anyOf' | 'beginsWith'>
/** What a list can know of an order that it has not read. */
const knownFields = ['createdAt', 'amount', 'status', 'method', 'needsAttention'] as const
type Known = Pick<OrderDocument, (typeof knownFields)[number]> & Partial<Pick<OrderDocument, 'reasons'>>

interface Found {
  readonly id: string
  readonly known: Known
  /** Undefined: not read. */
  readonly order: OrderDocument | undefined
}

type FoundPage = Omit<Page, 'documents' | 'stoppedAt'> & {
  readonly documents: readonly Found[]
  readonly stoppedAt: PageStart | undefined
}

interface Walked {
  readonly documents: readonly Found[]
  /** Where the next page goes on; undefined when all ways have come to their ends. */
  readonly end: PageStart | undefined
  /** How many each of the ways leads to. */
  readonly counts: readonly number[]
}

interface Filter {
  readonly conditions: Conditions
  /** So of all that fit, and what an index in the order of the list begins with. */
  readonly implied?: NonNullable<Query['equals']>
  /** Only an order that was read tells whether it fits. */
  readonly isOfRead?: true
  fits(order: Known): boolean
}

/** What a search word leads to: an amount, a day, or whatever the conditions say. */
type Lookup = Conditions & { readonly totalCents?: number; readonly created?: Span }

interface Way {
  readonly query: Query
  /** What they are counted by for less. */
  readonly counted?: Conditions
  /** The same way behind a document of the list. */
  from(after: PageStart): Query
}

interface Plan {
  /** Each an indexed lookup; what any of them finds, and all filters let through, is listed. */
  readonly ways: readonly Way[]
  readonly filters: readonly Filter[]
  readonly field: 'createdAt' | 'amount'
  readonly direction: 'asc' | 'desc'
}

/** Throws `CursorInvalid` for a cursor that is not of this list. */
export async function listOrders(views: Views, query: OrderListQuery): Promise<OrderPage> {
  const collection = await views.collection(VIEW)
  const plan = planFor(query)
  const { field, direction } = plan
  const order = `${field} ${direction}`
  const after = query.cursor && pageStartOf(order, query.cursor)
  const walk = async (waysOn: readonly Query[]): Promise<Walked> =>
    merged(plan, await Promise.all(waysOn.map((asked, index) => look(asked, plan.ways[index]?.counted))))
  const fromStart = async () => walk(plan.ways.map((way) => way.query))

  const walked = after ? await walk(plan.ways.map((way) => way.from(after))) : await fromStart()
  const documents = walked.documents.slice(0, query.limit)
  const last = documents.at(-1)
  const next = last && documents.length < walked.documents.length ? placeIn(field, last) : walked.end

  return {
    orders: await read(documents),
    ...(await counted()),
    next: next ? cursorOf(order, next) : null,
  }

  async function look(asked: Query, cheaper: Conditions | undefined): Promise<FoundPage> {
    const countMax = plan.filters.length > 0 ? 0 : COUNTED_MAX + 1
    if (isLookedOver(plan, asked)) {
      const found = await views.store.findFields(collection, asked, knownFields)
      return { documents: found.map(foundUnread), stoppedAt: undefined, count: 0 }
    }
    if (countMax === 0 || !cheaper) return foundPage(await views.store.findPage(collection, asked, countMax))
    const [page, count] = await Promise.all([
      views.store.findPage(collection, asked, 0),
      views.store.count(collection, cheaper, countMax),
    ])
    return foundPage({ ...page, count })
  }

  async function read(found: readonly Found[]): Promise<OrderDocument[]> {
    const unread = found.flatMap(({ id, order }) => (order ? [] : [id]))
    const documents = unread.length > 0 ? await views.store.load(collection, unread) : new Map<string, ViewDocument>()
    return found.flatMap(({ id, order }) => {
      const body = documents.get(id)?.body
      return order ?? (body === undefined ? [] : orderIn(body))
    })
  }

  async function counted(): Promise<Pick<OrderPage, 'filtered' | 'filteredIsExact'>> {
    // More people may be called so.
    const areAll = (query.customerIds?.length ?? 0) < CUSTOMERS_FOUND_MAX
    if (plan.filters.length > 0) {
      const whole = after ? await fromStart() : walked
      return { filtered: whole.documents.length, filteredIsExact: areAll && !whole.end }
    }
    const counts = walked.counts.filter((count) => count > 0)
    const sum = counts.reduce((total, count) => total + count, 0)
    // More than is told anyway.
    if (sum > COUNTED_MAX) return { filtered: COUNTED_MAX, filteredIsExact: false }
    if (counts.length <= 1) return { filtered: sum, filteredIsExact: areAll }
    // One order may be found in two ways, and at least so many are found in one.
    if (!areAll || sum > WALKED_MAX) return { filtered: Math.max(...counts), filteredIsExact: false }
    const found = await Promise.all(plan.ways.map((way) => views.store.findIds(collection, way.query, WALKED_MAX)))
    return { filtered: new Set(found.flat()).size, filteredIsExact: true }
  }
}

/** Of many orders few fit, and only these are worth being read; but where a range is leapt through, a store reads what it finds. */
function isLookedOver({ filters }: Plan, { range, sort }: Query): boolean {
  const isLeapt = range !== undefined && range.field !== sort?.field
  return filters.length > 0 && !isLeapt && !filters.some(({ isOfRead }) => isOfRead)
}

function foundUnread({ id, values: [createdAt, amount, status, method, needsAttention] }: FoundFields): Found {
  const known = { createdAt, amount, status, method: method ?? null, needsAttention } as Known
  return { id, known, order: undefined }
}

function foundPage({ documents, stoppedAt, count }: Page): FoundPage {
  const found = documents.map(({ id, body }): Found => {
    const order = orderIn(body)
    return { id, known: order, order }
  })
  return { documents: found, stoppedAt: stoppedAt as PageStart | undefined, count }
}

function planFor(query: OrderListQuery): Plan {
  const { deleted, direction = 'desc', limit } = query
  const field = query.sort === 'totalCents' ? 'amount' : 'createdAt'
  // Of those that are not deleted all are listed, which there is an index for.
  const base =
    deleted === true ? { isDeleted: true } : { isListed: true, ...(deleted === false && { isDeleted: false }) }
  const filters = filtersOf(query)
  const range = rangeOf(query)
  // The best filter leads the way, unless a search word or the shelf of deleted orders does.
  const search = query.search?.trim().toLowerCase() ?? ''
  const lead = search === '' && deleted === undefined ? filters.shift() : undefined
  // Alone or beside one filter, a range of dates is served in either order; what more is asked would be looked for far.
  const isSearch = search !== ''
  const isRangeServed = field === 'createdAt' || (!isSearch && filters.length === 0)
  if (range && !isRangeServed) filters.push(range)
  const searched = search === '' ? [{}] : waysToFind(search, query)
  const budget = filters.length > 0 ? Math.floor(WALKED_MAX / Math.max(searched.length, 1)) : limit + 1
  const ways = searched.map(({ totalCents, created, ...conditions }): Way => {
    const asked = {
      ...lead?.conditions,
      ...conditions,
      equals: { ...base, ...lead?.implied, ...lead?.conditions.equals, ...conditions.equals },
      limit: budget,
    }
    if (totalCents !== undefined) return wayOfAmount(asked, totalCents, query)
    const span = inBoth(created, isRangeServed ? range?.span : undefined)
    const way: Query = {
      ...asked,
      ...(span && { range: { field: 'createdAt', ...span } }),
      sort: { field, direction },
    }
    const counted = lead?.implied && !range ? { counted: lead.conditions } : {}
    return { query: way, ...counted, from: (after) => ({ ...way, after }) }
  })
  return { ways, filters, field, direction }
}

/** Orders of one total: by their amounts they are in the order of their dates. */
function wayOfAmount(
  asked: Omit<Query, 'sort'>,
  totalCents: number,
  { sort, direction = 'desc', createdFrom = '', createdBefore = BEHIND_DATES }: OrderListQuery,
): Way {
  const query: Query = {
    ...asked,
    range: { field: 'amount', from: amountOf(totalCents, createdFrom), to: amountOf(totalCents, createdBefore) },
    sort: { field: 'amount', direction },
  }
  const amountAt = (value: string): string => (sort === 'totalCents' ? value : amountOf(totalCents, value))
  return { query, from: ({ id, value }) => ({ ...query, after: { id, value: amountAt(value) } }) }
}

/** The fewest first. */
function filtersOf({ attention, status, method }: OrderListQuery): Filter[] {
  const filters: Filter[] = []
  if (attention === 'any')
    filters.push({ conditions: { equals: { needsAttention: true } }, fits: (order) => order.needsAttention })
  else if (attention !== undefined)
    filters.push({
      conditions: { beginsWith: { field: 'reasons', text: attention } },
      implied: { isListed: true, needsAttention: true },
      isOfRead: true,
      fits: ({ reasons = [] }) => reasons.includes(attention),
    })
  if (status !== undefined)
    filters.push({ conditions: { equals: { status } }, fits: (order) => order.status === status })
  if (method !== undefined)
    filters.push({ conditions: { equals: { method } }, fits: (order) => order.method === method })
  return filters
}

function rangeOf({ createdFrom, createdBefore }: OrderListQuery): (Filter & { readonly span: Span }) | undefined {
  if (createdFrom === undefined && createdBefore === undefined) return undefined
  const span = { from: createdFrom ?? '', to: createdBefore ?? BEHIND_DATES }
  return { span, conditions: {}, fits: ({ createdAt }) => createdAt >= span.from && createdAt < span.to }
}

function inBoth(one: Span | undefined, other: Span | undefined): Span | undefined {
  if (!one || !other) return one ?? other
  return { from: one.from > other.from ? one.from : other.from, to: one.to < other.to ? one.to : other.to }
}

function waysToFind(word: string, { customerIds = [], searchedDay }: OrderListQuery): Lookup[] {
  const ways: Lookup[] = []
  if (/^[0-9a-z]{1,8}$/.test(word)) ways.push({ beginsWith: { field: 'number', text: word } })
  if (/^[0-9a-f]{1,8}(-[0-9a-f-]{0,27})?$/.test(word)) ways.push({ beginsWith: { field: 'id', text: word } })
  if (customerIds.length > 0) ways.push({ anyOf: { field: 'customerId', values: customerIds } })
  if (paymentMethods.some((method) => method === word)) ways.push({ equals: { method: word } })
  const cents = centsFrom(word.replace(/^\$/, ''))
  if (cents !== undefined) ways.push({ totalCents: cents })
  if (searchedDay) ways.push({ created: searchedDay })
  return ways
}

/** What several lookups found, in one order and each order once, as far as all of them have looked. */
function merged({ ways, filters, field, direction }: Plan, pages: readonly FoundPage[]): Walked {
  const sign = direction === 'asc' ? 1 : -1
  const compare = (a: PageStart, b: PageStart): number => sign * (compared(a.value, b.value) || compared(a.id, b.id))
  const place = (document: Found): PageStart => placeIn(field, document)
  const ends = pages.flatMap(({ documents, stoppedAt }, index) => {
    const last = documents.at(-1)
    return last && documents.length === ways[index]?.query.limit ? [place(last)] : (stoppedAt ?? [])
  })
  const end = ends.toSorted(compare)[0]
  const distinct = new Map(pages.flatMap(({ documents }) => documents).map((document) => [document.id, document]))
  const documents = [...distinct.values()]
    .filter((document) => !end || compare(place(document), end) <= 0)
    .filter(({ known }) => filters.every((filter) => filter.fits(known)))
    .toSorted((a, b) => compare(place(a), place(b)))
  return { documents, end, counts: pages.map(({ count }) => count) }
}

function placeIn(field: Plan['field'], { known, id }: Found): PageStart {
  return { value: known[field], id }
}

function compared(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
