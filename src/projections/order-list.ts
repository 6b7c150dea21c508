import { centsFrom } from '../domain/money.ts'
import type { AttentionReason, OrderStatus } from '../domain/words.ts'
import { type PaymentMethod, paymentMethods } from '../domain/payment-methods.ts'
import type { FieldValue, FoundRow, Query, SortKey } from '../engines/view-store/view-store.ts'
import { CUSTOMERS_FOUND_MAX } from './customers.ts'
import { amountBeginning, COUNTED_MAX, type OrderDocument, type OrderField, ORDERS, ordersOf } from './orders.ts'
import { cursorOf, pageStartOf } from './page-cursor.ts'
import { searchWord } from './search-word.ts'
import type { Views } from './shop-views.ts'

/** `from` is inclusive, `below` exclusive. */
export interface Span {
  readonly from: string | undefined
  readonly below: string | undefined
}

interface OrderFilters {
  readonly attention?: 'any' | AttentionReason
  readonly status?: OrderStatus
  readonly method?: PaymentMethod
  /** Undefined: orders that are not deleted, and deleted ones that need attention. */
  readonly deleted?: boolean
  /** Whether staff have refunded money. */
  readonly refunded?: boolean
  /** Whether more is held than the shop may keep. */
  readonly toPayBack?: boolean
  readonly created?: Span
}

export interface OrderViewQuery extends OrderFilters {
  /** The beginning of an order number or id, or an amount. A method, its coin or a day is a further filter. */
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
  /** How many match, counted up to 10,000; up to 1,000 of a search or of several filters. */
  readonly filtered: number
  readonly filteredIsExact: boolean
  readonly next: string | null
}

/** Matches of a search, or of several filters, that are counted. */
export const MATCHES_MAX = 1_000
/** Orders that a page compares with the filters that its index lacks. */
export const WALKED_MAX = 5_000
const WALKED_AT_ONCE = 1_000

/** More orders match a search than are found, so that a reader of the whole list would miss some. */
export class SearchTooWide extends Error {
  override readonly name = 'SearchTooWide'
  constructor() {
    super('More orders match this search than it finds. Search for more of the word, or choose filters instead.')
  }
}

/** What filters and sorting compare. */
export type ComparedField = Extract<
  OrderField,
  | ('createdAt' | 'amount' | 'status' | 'method' | 'reasons')
  | ('isListed' | 'isDeleted' | 'isRefunded' | 'isToPayBack' | 'needsAttention')
>
interface Check {
  readonly field: ComparedField
  readonly fits: (value: FieldValue | undefined) => boolean
}

function equals(field: ComparedField, wanted: FieldValue): Check {
  return { field, fits: (value) => value === wanted }
}

type Wanted = Required<OrderFilters>
export type OrderFilter = keyof Wanted

/** Filters with an index come first. */
const checks: { readonly [Filter in OrderFilter]: (wanted: Wanted[Filter]) => Check } = {
  attention: (wanted) =>
    wanted === 'any'
      ? equals('needsAttention', true)
      : { field: 'reasons', fits: (reasons) => String(reasons).split(' ').includes(wanted) },
  toPayBack: (wanted) => equals('isToPayBack', wanted),
  status: (wanted) => equals('status', wanted),
  method: (wanted) => equals('method', wanted),
  deleted: (wanted) => equals('isDeleted', wanted),
  refunded: (wanted) => equals('isRefunded', wanted),
  created: (span) => ({ field: 'createdAt', fits: (at) => isWithin(String(at), span) }),
}
const orderFilters = Object.keys(checks) as readonly OrderFilter[]

function isWithin(time: string, { from = '', below }: Span): boolean {
  return time >= from && (below === undefined || time < below)
}

function checksOf<Filter extends OrderFilter>(filter: Filter, wanted: Wanted[Filter] | undefined): Check[] {
  return wanted === undefined ? [] : [checks[filter](wanted)]
}

/** What a filter's index finds: exactly the orders that fit, or others too. */
function indexOf(filter: OrderFilter, { attention, toPayBack, status, method }: OrderFilters) {
  if (filter === 'attention') return { equal: { needsAttention: true }, isExact: attention === 'any' }
  if (filter === 'toPayBack' && toPayBack === true) return { equal: { isToPayBack: true }, isExact: true }
  if (filter === 'status' && status !== undefined) return { equal: { status }, isExact: true }
  return filter === 'method' && method !== undefined ? { equal: { method }, isExact: true } : undefined
}

interface List {
  /** The index to walk, and what its orders are compared with. */
  readonly walked: Query
  readonly left: readonly Check[]
  /** Of a search, whose matches are compared with all filters. */
  readonly lookups: readonly Query[] | undefined
  readonly all: readonly Check[]
  /** More customers may match. */
  readonly isWide: boolean
  readonly sort: 'createdAt' | 'amount'
  readonly direction: 'asc' | 'desc'
  /** Of both, for cursors. */
  readonly order: string
  readonly limit: number
  readonly after: SortKey | undefined
}

interface Matches {
  readonly rows: readonly SortKey[]
  /** Where to continue; undefined if there are no more. */
  readonly end: SortKey | undefined
}

/**
 * A search word leads to a few look-ups (by number, by buyer, by amount, ...), whose first 1,000 orders are filtered and sorted in memory. Without one, the
 * index of the first filter that has one is walked, and up to 5,000 of its orders are compared with the other filters: a page may have fewer than `limit`
 * orders and still a next page. Throws `ViewBehind`, and `CursorInvalid` for a cursor of another list.
 */
export async function listOrders(views: Views, query: OrderViewQuery): Promise<OrderPage> {
  const list = listOf(query)
  const { page, filtered, filteredIsExact } = await countedPage(views, list)
  const { orders, next } = await pageOf(views, list, page)
  return { orders, filtered, filteredIsExact, next }
}

async function countedPage(
  views: Views,
  list: List,
): Promise<{ page: Matches } & Pick<OrderPage, 'filtered' | 'filteredIsExact'>> {
  const { walked, left, lookups, after } = list
  if (lookups) {
    const { found, isWhole } = await search(views, list, lookups)
    return { page: pageIn(found, list), filtered: found.length, filteredIsExact: isWhole }
  }
  if (left.length === 0) {
    const [page, counted] = await Promise.all([walk(views, list), views.count(ORDERS, walked, COUNTED_MAX + 1)])
    return { page, filtered: Math.min(counted, COUNTED_MAX), filteredIsExact: counted <= COUNTED_MAX }
  }
  const first = await walk(views, { ...list, after: undefined, limit: MATCHES_MAX })
  const page = after ? await walk(views, list) : pageIn(first.rows, list, first.end)
  return { page, filtered: first.rows.length, filteredIsExact: !first.end }
}

/** Pages without counts, which would cost a walk each: for readers of the whole list. Throws `SearchTooWide` rather than leave orders out. */
export async function pageOfOrders(views: Views, query: OrderViewQuery): Promise<Pick<OrderPage, 'orders' | 'next'>> {
  const list = listOf(query)
  if (!list.lookups) return pageOf(views, list, await walk(views, list))
  const { found, isWhole } = await search(views, list, list.lookups)
  if (!isWhole) throw new SearchTooWide()
  return pageOf(views, list, pageIn(found, list))
}

function listOf(query: OrderViewQuery): List {
  const { limit, direction = 'desc', cursor } = query
  const sort = query.sort === 'totalCents' ? 'amount' : 'createdAt'
  const order = `${sort} ${direction}`
  const word = searchWord(query.search ?? '')
  const named = filterNamed(word, query)
  return {
    ...walkOf(named ? [query, named] : [query], { sort, direction, isDeleted: query.deleted === true }),
    lookups: word === '' || named ? undefined : lookupsOf(word, query),
    all: [
      equals(query.deleted === true ? 'isDeleted' : 'isListed', true),
      ...orderFilters.flatMap((filter) => checksOf(filter, query[filter])),
    ],
    sort,
    direction,
    order,
    limit,
    isWide: (query.customerIds?.length ?? 0) >= CUSTOMERS_FOUND_MAX,
    after: cursor === undefined ? undefined : pageStartOf(order, cursor),
  }
}

function walkOf(
  filters: readonly OrderFilters[],
  { sort, direction, isDeleted }: Pick<List, 'sort' | 'direction'> & { isDeleted: boolean },
): Pick<List, 'walked' | 'left'> {
  let equal = inList(isDeleted)
  let range: NonNullable<Query['range']> = { field: sort }
  const left: Check[] = []
  // Deleted orders have no index for a filter.
  let isChosen = isDeleted
  let isSpanned = sort !== 'createdAt'
  for (const filter of orderFilters)
    for (const one of filters) {
      if (one[filter] === undefined || (filter === 'deleted' && isDeleted)) continue
      const index = isChosen ? undefined : indexOf(filter, one)
      if (index) {
        equal = { ...equal, ...index.equal }
        isChosen = true
      }
      const isSpan = filter === 'created' && !isSpanned
      if (isSpan) {
        range = { field: sort, ...one.created }
        isSpanned = true
      }
      if (index?.isExact !== true && !isSpan) left.push(...checksOf(filter, one[filter]))
    }
  return { walked: { equal, range, direction, select: fieldsOf(left) }, left }
}

/** `isListed` holds for every order that is not deleted. */
function inList(isDeleted: boolean): Readonly<Record<string, FieldValue>> {
  return isDeleted ? { isDeleted } : { isListed: true }
}

/** Names of the coin in which buyers pay. */
const coinNames: ReadonlySet<string> = new Set(['litecoin', 'ltc'])

/** The filter that a search word sets. */
function filterNamed(word: string, { searchedDay }: OrderViewQuery): OrderFilters | undefined {
  const method = paymentMethods.find((name) => name === (coinNames.has(word) ? 'crypto' : word))
  if (method !== undefined) return { method }
  return searchedDay && { created: searchedDay }
}

function lookupsOf(word: string, { customerIds = [], deleted = false }: OrderViewQuery): Query[] {
  const newest = { range: { field: 'createdAt' }, direction: 'desc' } as const
  const lookups: Query[] = customerIds.map((customerId) => ({ equal: { customerId }, ...newest }))
  if (/^[0-9a-z]{1,8}$/.test(word)) lookups.push({ range: { field: 'number', beginsWith: word } })
  if (/^[0-9a-f]{1,8}(-[0-9a-f-]{0,27})?$/.test(word)) lookups.push({ range: { beginsWith: word } })
  const cents = centsFrom(word.replace(/^\$/, ''))
  if (cents !== undefined)
    lookups.push({ equal: inList(deleted), range: { field: 'amount', beginsWith: amountBeginning(cents) } })
  return lookups
}

/** The orders that the first 1,000 matches of a search leave, sorted. */
async function search(
  views: Views,
  { all, isWide, sort, direction }: List,
  lookups: readonly Query[],
): Promise<{ found: SortKey[]; isWhole: boolean }> {
  const select = [...fieldsOf(all), sort]
  const matches = new Map<string, FoundRow>()
  for (const lookup of lookups) {
    if (matches.size > MATCHES_MAX) break
    for (const row of await views.find(ORDERS, { ...lookup, select }, { limit: MATCHES_MAX + 1 }))
      matches.set(row.id, row)
  }
  const found = [...matches.values()]
    .slice(0, MATCHES_MAX)
    .filter((row) => fits(row, all))
    .map((row): SortKey => ({ id: row.id, value: String(row.selected[all.length]) }))
    .toSorted(inOrder(direction))
  return { found, isWhole: !isWide && matches.size <= MATCHES_MAX }
}

async function walk(views: Views, { walked, left, limit, after }: List): Promise<Matches> {
  const size = left.length === 0 ? limit + 1 : WALKED_AT_ONCE
  const rows: SortKey[] = []
  let end = after
  for (let count = 0; count < WALKED_MAX && rows.length <= limit; count += size) {
    const page = await views.find(ORDERS, walked, { limit: size, after: end })
    rows.push(...page.filter((row) => fits(row, left)))
    end = page.length < size ? undefined : page.at(-1)
    if (!end) break
  }
  return rows.length > limit ? { rows: rows.slice(0, limit), end: rows[limit - 1] } : { rows, end }
}

/** A page of these sorted rows; `end`: where they end, if there are more. */
function pageIn(rows: readonly SortKey[], { after, direction, limit }: List, end?: SortKey): Matches {
  const compare = inOrder(direction)
  const later = after ? rows.filter((row) => compare(row, after) > 0) : rows
  const shown = later.slice(0, limit)
  return { rows: shown, end: later.length > limit ? shown.at(-1) : end }
}

async function pageOf(
  views: Views,
  { order }: List,
  { rows, end }: Matches,
): Promise<Pick<OrderPage, 'orders' | 'next'>> {
  const next = end ? cursorOf(order, { value: String(end.value), id: end.id }) : null
  return { orders: await ordersOf(views, rows), next }
}

function fieldsOf(wanted: readonly Check[]): ComparedField[] {
  return wanted.map(({ field }) => field)
}

/** The row begins with the fields of the checks. */
function fits({ selected }: FoundRow, wanted: readonly Check[]): boolean {
  return wanted.every((check, at) => check.fits(selected[at]))
}

function inOrder(direction: List['direction']): (one: SortKey, other: SortKey) => number {
  return direction === 'asc' ? compared : (one, other) => compared(other, one)
}

function compared(one: SortKey, other: SortKey): number {
  if (one.value !== other.value) return one.value < other.value ? -1 : 1
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}
