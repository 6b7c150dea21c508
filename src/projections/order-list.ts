import { centsFrom } from '../domain/money.ts'
import type { AttentionReason, OrderStatus } from '../domain/words.ts'
import { type PaymentMethod, paymentMethods } from '../domain/payment-methods.ts'
import {
  type Condition,
  FIND_MAX,
  type FoundRow,
  is,
  SCAN_MAX,
  type SortKey,
  type Query,
} from '../engines/view-store/view-store.ts'
import { CUSTOMERS_FOUND_MAX } from './customers.ts'
import {
  amountBeginning,
  COUNTED_MAX,
  filterFields,
  type OrderDocument,
  type OrderField,
  ORDERS,
  ordersOf,
} from './orders.ts'
import { cursorOf, pageStartOf } from './page-cursor.ts'
import { searchWord } from './search-word.ts'
import type { Views } from './shop-views.ts'

/** `from` is inclusive, `below` exclusive. */
export interface Span {
  readonly from: string | undefined
  readonly below: string | undefined
}

interface OrderFilters {
  readonly status?: OrderStatus
  readonly method?: PaymentMethod
  readonly attention?: 'any' | AttentionReason
  /** Undefined: orders that are not deleted, and deleted ones that need attention. */
  readonly deleted?: boolean
  /** Whether staff have refunded money. */
  readonly refunded?: boolean
  readonly created?: Span
}

export interface OrderViewQuery extends OrderFilters {
  /** The beginning of an order number or id; a method, its coin, or an amount. */
  readonly search?: string
  /** The day that `search` names. */
  readonly searchedDay?: Span
  /** Customers with an e-mail, chat name or market id that begins with `search`, at most 100. */
  readonly customerIds?: readonly string[]
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

type Sort = NonNullable<Query['sort']>

/** The combined results of a list's queries, each order once. */
interface Merged {
  readonly rows: readonly FoundRow[]
  /** The queries that found anything, or stopped scanning. */
  readonly fruitful: readonly Query[]
  /** The next page's cursor; undefined on the last page. */
  readonly end: SortKey | undefined
}

/**
 * A search word leads to a few queries (by number, by buyer, by amount, ...); an order that any of them finds is listed. A page scans a bounded number of
 * orders per query, so it may have fewer than `limit` orders and still a next page. Throws `ViewBehind`, and `CursorInvalid` for a cursor of another
 * list.
 */
export async function listOrders(views: Views, query: OrderViewQuery): Promise<OrderPage> {
  const { orders, next, ...listing } = await listingOf(views, query)
  const { filtered, filteredIsExact } = await countOf(views, listing)
  // More customers may match.
  const areAllPeople = (query.customerIds?.length ?? 0) < CUSTOMERS_FOUND_MAX
  return { orders, filtered, filteredIsExact: filteredIsExact && areAllPeople, next }
}

/** Pages without counts, which would cost a scan each: for readers of the whole list. */
export async function pageOfOrders(views: Views, query: OrderViewQuery): Promise<Pick<OrderPage, 'orders' | 'next'>> {
  const { orders, next } = await listingOf(views, query)
  return { orders, next }
}

async function listingOf(views: Views, query: OrderViewQuery) {
  const { limit, direction = 'desc' } = query
  const sort = { field: query.sort === 'totalCents' ? 'amount' : 'createdAt', direction } as const
  const order = `${sort.field} ${direction}`
  const after = query.cursor === undefined ? undefined : pageStartOf(order, query.cursor)
  // `isListed` holds for every order that is not deleted, and has indexes.
  const listed = query.deleted === true ? is('isDeleted', true) : is('isListed', true)
  const filters = orderFilters.flatMap((filter) => conditionsOf(filter, query[filter]))
  const queries = await Promise.all(
    lookups(query).map(async (lookup) =>
      queryFor(views, { sort, listed, conditions: lookup ? [lookup, ...filters] : filters }),
    ),
  )

  const page = await merge(views, queries, { limit: limit + 1, after })
  const { rows, end } = page
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : end
  return {
    queries,
    firstPage: after ? undefined : page,
    orders: await ordersOf(views, shown),
    next: last ? cursorOf(order, { value: String(last.value), id: last.id }) : null,
  }
}

/** Names of the coin in which buyers pay. */
const coinNames: ReadonlySet<string> = new Set(['litecoin', 'ltc'])

/** A condition for each meaning of a search word; undefined without one. */
function lookups({ search = '', customerIds = [], searchedDay }: OrderViewQuery): (Condition | undefined)[] {
  const word = searchWord(search)
  if (word === '') return [undefined]
  const meanings: Condition[] = []
  if (/^[0-9a-z]{1,8}$/.test(word)) meanings.push({ field: 'number', beginsWith: word })
  if (/^[0-9a-f]{1,8}(-[0-9a-f-]{0,27})?$/.test(word)) meanings.push({ field: 'id', beginsWith: word })
  if (customerIds.length > 0) meanings.push({ field: 'customerId', anyOf: customerIds })
  const paidIn = coinNames.has(word) ? 'crypto' : word
  if (paymentMethods.some((method) => method === paidIn)) meanings.push(is('method', paidIn))
  const cents = centsFrom(word.replace(/^\$/, ''))
  if (cents !== undefined) meanings.push({ field: 'amount', beginsWith: amountBeginning(cents) })
  if (searchedDay) meanings.push({ field: 'createdAt', ...searchedDay })
  return meanings
}

type Wanted = Required<OrderFilters>
export type OrderFilter = keyof Wanted

type OrderCondition = Condition & { readonly field: OrderField }
type FilterConditions = { readonly [Filter in OrderFilter]: (wanted: Wanted[Filter]) => OrderCondition[] }

/** The conditions of each filter. */
const filterConditions = {
  attention: (wanted) => [is('needsAttention', true), ...(wanted === 'any' ? [] : [is('reasons', wanted)])],
  status: (wanted) => [is('status', wanted)],
  method: (wanted) => [is('method', wanted)],
  // Deleted orders have a list of their own.
  deleted: (wanted) => (wanted ? [] : [is('isDeleted', false)]),
  refunded: (wanted) => [is('isRefunded', wanted)],
  created: (span) => [{ field: 'createdAt', ...span }],
} satisfies FilterConditions
/** The fields that the filters read. */
export type FilteredField = ReturnType<(typeof filterConditions)[OrderFilter]>[number]['field']
const orderFilters = Object.keys(filterConditions) as readonly OrderFilter[]

function conditionsOf<Filter extends OrderFilter>(filter: Filter, wanted: Wanted[Filter] | undefined): Condition[] {
  const conditions: FilterConditions = filterConditions
  return wanted === undefined ? [] : conditions[filter](wanted)
}

/** Collects and sorts a few matches; with many, scans the list in its order and filters. */
async function queryFor(
  views: Views,
  { sort, listed, conditions }: { sort: Sort; listed: Condition; conditions: readonly Condition[] },
): Promise<Query> {
  const without = (chosen: readonly Condition[]) => [listed, ...conditions].filter((one) => !chosen.includes(one))
  const narrow = narrowest({ sort, listed, conditions })
  if (narrow && (await views.count(ORDERS, { where: narrow }, SCAN_MAX + 1)) <= SCAN_MAX)
    return { where: narrow, filter: without(narrow), sort }
  // The list of deleted orders has no index for a filter.
  const filter = listed.field === 'isListed' ? conditions.find(({ field }) => indexedFilters.has(field)) : undefined
  const range = conditions.find(({ field }) => field === sort.field)
  const walked = [listed, filter, range].filter((condition) => condition !== undefined)
  return { where: walked, filter: without(walked), sort }
}

const indexedFilters: ReadonlySet<string> = new Set(filterFields)
/** Each has an index of its own. */
const narrowFields: ReadonlySet<string> = new Set(['id', 'number', 'customerId'])
/** Each follows `isListed` in an index. */
const sortFields: ReadonlySet<string> = new Set(['createdAt', 'amount'])

function narrowest({
  sort,
  listed,
  conditions,
}: {
  sort: Sort
  listed: Condition
  conditions: readonly Condition[]
}): Condition[] | undefined {
  const byItself = conditions.find(({ field }) => narrowFields.has(field))
  if (byItself) return [byItself]
  const range = conditions.find(({ field }) => sortFields.has(field) && field !== sort.field)
  return range && [listed, range]
}

/** Merges the results of several queries, each order once, up to where all of them have scanned. */
async function merge(
  views: Views,
  queries: readonly Query[],
  page: { limit: number; after?: SortKey | undefined },
): Promise<Merged> {
  const sign = queries[0]?.sort?.direction === 'asc' ? 1 : -1
  const compare = (a: SortKey, b: SortKey): number =>
    sign * (compareText(String(a.value), String(b.value)) || compareText(a.id, b.id))
  const pages = await Promise.all(queries.map(async (query) => views.find(ORDERS, query, page)))
  const ends = pages.flatMap(({ rows, scannedTo }) => (rows.length === page.limit ? rows.slice(-1) : (scannedTo ?? [])))
  const end = ends.toSorted(compare)[0]
  const distinct = new Map(pages.flatMap(({ rows }) => rows).map((row) => [row.id, row]))
  const rows = [...distinct.values()].filter((row) => !end || compare(row, end) <= 0).toSorted(compare)
  const fruitful = queries.filter((_, at) => pages[at]?.rows[0] ?? pages[at]?.scannedTo)
  return { rows, fruitful, end }
}

async function countOf(
  views: Views,
  { queries, firstPage }: { queries: readonly Query[]; firstPage: Merged | undefined },
): Promise<Pick<OrderPage, 'filtered' | 'filteredIsExact'>> {
  const [first, ...others] = firstPage?.fruitful ?? queries
  if (!first) return { filtered: 0, filteredIsExact: true }
  if (others.length > 0) {
    const isWhole = firstPage && !firstPage.end
    const { rows, end } = isWhole ? firstPage : await merge(views, queries, { limit: FIND_MAX })
    return { filtered: rows.length, filteredIsExact: !end }
  }
  const filtered = await views.count(ORDERS, first, COUNTED_MAX + 1)
  if (filtered > COUNTED_MAX) return { filtered: COUNTED_MAX, filteredIsExact: false }
  if (!first.filter?.length) return { filtered, filteredIsExact: true }
  const scanned = await views.count(ORDERS, { where: first.where }, SCAN_MAX + 1)
  return { filtered, filteredIsExact: scanned <= SCAN_MAX }
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
