import type { PlacedOrder } from '../../domain/order/order-state.ts'
import { countOrders } from '../../projections/analytics.ts'
import { customerIdsBeginningWith } from '../../projections/customers.ts'
import { dayAfter, startOfDay } from '../../projections/calendar.ts'
import { listOrders, type OrderListQuery as ViewQuery, pageOfOrders, type Span } from '../../projections/order-list.ts'
import type { Views } from '../../projections/views.ts'
import type { OrderListQuery } from '../contract/order-list.ts'
import { wrongField } from '../http/errors.ts'

const NO_DATE = 'There is no such date'
const LIMIT_DEFAULT = 50

export interface OrderPage {
  readonly orders: readonly PlacedOrder[]
  readonly total: number
  readonly filtered: number
  readonly filteredIsExact: boolean
  readonly next: string | null
}

/** Of one moment. */
export type ListQuery = Omit<OrderListQuery, 'asOf'>

interface Asked {
  readonly views: Views
  /** Those that name people: views of the past name none. */
  readonly people: Views
  readonly timeZone: string
}

/** A page of the list, asked for in the terms of the API's query. */
export async function readOrderList(asked: Asked, query: ListQuery): Promise<OrderPage> {
  const { views } = asked
  const [page, total] = await Promise.all([
    viewQueryOf(asked, query).then(async (found) => listOrders(views, found)),
    countOrders(views),
  ])
  return { ...page, orders: page.orders.map(({ order }) => order), total }
}

/** The same page without its counts. */
export async function readOrderPage(asked: Asked, query: ListQuery): Promise<Pick<OrderPage, 'orders' | 'next'>> {
  const { orders, next } = await pageOfOrders(asked.views, await viewQueryOf(asked, query))
  return { orders: orders.map(({ order }) => order), next }
}

async function viewQueryOf({ people, timeZone }: Omit<Asked, 'views'>, query: ListQuery): Promise<ViewQuery> {
  const { search, paymentMethod, sort, cursor, status, attention, direction, from, to, limit, ...flags } = query
  const { deleted, refunded, ...rest } = flags
  const customerIds = search === undefined ? [] : await customerIdsBeginningWith(people, search)
  return {
    ...(search !== undefined && { search, customerIds, ...dayNamed(search.trim(), timeZone) }),
    ...(status !== undefined && { status }),
    ...(paymentMethod !== undefined && { method: paymentMethod }),
    ...(attention !== undefined && { attention }),
    ...(deleted !== undefined && { deleted: deleted === 'true' }),
    ...(refunded !== undefined && { refunded: refunded === 'true' }),
    ...datesOf({ from, to }, timeZone),
    ...(direction !== undefined && { direction }),
    ...(cursor !== undefined && { cursor }),
    sort: sort === 'totalAmount' ? 'totalCents' : 'createdAt',
    limit: pageSize(limit),
    // A filter of the API that is not handed on does not compile.
    ...(rest satisfies Record<string, never>),
  }
}

export function pageSize(limit: string | undefined): number {
  return limit === undefined ? LIMIT_DEFAULT : Number(limit)
}

/** A day means all of it, in the shop's time zone; a moment is exact. */
function datesOf({ from, to }: Pick<OrderListQuery, 'from' | 'to'>, timeZone: string): { created?: Span } {
  if (from === undefined && to === undefined) return {}
  const last = to !== undefined && isDay(to) ? dayAfterOf(to) : to
  return {
    created: {
      from: from === undefined ? undefined : momentOf('from', from, timeZone),
      below: last === undefined ? undefined : momentOf('to', last, timeZone),
    },
  }
}

function dayNamed(word: string, timeZone: string): { searchedDay?: Span } {
  const from = isDay(word) ? startOfDay(word, timeZone) : undefined
  const below = from && startOfDay(dayAfter(word), timeZone)
  return from === undefined || below === undefined ? {} : { searchedDay: { from, below } }
}

function momentOf(path: string, text: string, timeZone: string): string {
  const moment = isDay(text) ? startOfDay(text, timeZone) : isoOf(text)
  if (moment !== undefined) return moment
  throw wrongField(path, NO_DATE)
}

function dayAfterOf(day: string): string {
  if (Number.isNaN(Date.parse(day))) throw wrongField('to', NO_DATE)
  return dayAfter(day)
}

function isoOf(text: string): string | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

function isDay(text: string): boolean {
  return text.length === 'yyyy-mm-dd'.length
}
