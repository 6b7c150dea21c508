import type { KnownOrders } from '../../commands/erase-customer.ts'
import type { PlacedOrder } from '../../domain/order/order-state.ts'
import type { ProductFields } from '../../domain/product/events.ts'
import { countOrders, readAnalytics } from '../../projections/analytics.ts'
import { dayAfter, startOfDay } from '../../projections/calendar.ts'
import { listProducts } from '../../projections/catalogue.ts'
import { customerIdsBeginningWith } from '../../projections/customers.ts'
import { orderIdOfPayment } from '../../projections/due-orders.ts'
import { knownOrders } from '../../projections/known-orders.ts'
import { listOrders, type Span } from '../../projections/order-list.ts'
import { countPolled, newestOrders, orderInView } from '../../projections/orders.ts'
import { listUnplaced, type UnplacedPage } from '../../projections/payments.ts'
import { listToDeliver, readUndelivered, type Undelivered } from '../../projections/to-deliver.ts'
import { ViewBehind, type Views } from '../../projections/views.ts'
import type { OrderListQuery, PageQuery } from '../contract/order.ts'
import { RequestError } from '../http/errors.ts'

const LIMIT_DEFAULT = 50

/** The API's questions to the views. */
export interface ShopViews {
  /** This process runs its own projector, so its lists can show every write that it has answered. */
  readonly areLocal: boolean
  /** True once the views hold everything up to `position`; false when `timeoutMs` passed before. */
  waitFor(position: string, timeoutMs: number): Promise<boolean>
  listOrders(query: OrderListQuery): Promise<OrderPage>
  newestOrders(limit: number): Promise<readonly PlacedOrder[]>
  /** One order, and whether this is all that became of it up to `position`; undefined where the view does not have it. */
  order(orderId: string, position: string): Promise<{ order: PlacedOrder; isUpTo: boolean } | undefined>
  analytics(): Promise<Figures>
  products(): Promise<readonly ListedProduct[]>
  toDeliver(query: PageQuery): Promise<ToDeliverPage>
  undelivered(): Promise<Undelivered>
  /** How many orders have payments that this provider is asked about; undefined while the view is being built. */
  polledBy(provider: string): Promise<number | undefined>
  /** Money whose order is not in the log. */
  unplaced(query: PageQuery): Promise<UnplacedPage>
  /** The order that a provider's payment id belongs to. */
  orderOfPayment(paymentId: string): Promise<string | undefined>
  /** For erasing. */
  readonly knownOrders: KnownOrders
}

export interface OrderPage {
  readonly orders: readonly PlacedOrder[]
  readonly total: number
  readonly filtered: number
  readonly filteredIsExact: boolean
  readonly next: string | null
}

export interface ToDeliverPage {
  readonly orders: readonly PlacedOrder[]
  readonly total: number
  readonly next: string | null
}

export interface Figures {
  readonly revenueCents: number
  readonly orders: number
  readonly quantityM: number
  readonly customers: number
  /** Oldest first. */
  readonly months: readonly { readonly month: string; readonly revenueCents: number }[]
}

export interface ListedProduct {
  readonly productId: string
  readonly fields: ProductFields
  readonly createdAt: string
  readonly updatedAt: string
}

/** The views, asked in the terms of the API's queries. */
export function shopViews({
  views,
  timeZone,
  areLocal,
}: {
  views: Views
  timeZone: string
  areLocal: boolean
}): ShopViews {
  return {
    areLocal,
    waitFor: async (position, timeoutMs) => views.waitFor(position, timeoutMs),

    async listOrders(query) {
      const { search, paymentMethod, sort, cursor, status, attention, direction, from, to, limit, ...flags } = query
      const { deleted, refunded, ...rest } = flags
      const [customerIds, total] = await Promise.all([
        search === undefined ? [] : customerIdsBeginningWith(views, search),
        countOrders(views),
      ])
      const page = await listOrders(views, {
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
      })
      return { ...page, orders: page.orders.map(({ order }) => order), total }
    },

    async newestOrders(limit) {
      return (await newestOrders(views, limit)).map(({ order }) => order)
    },

    order: async (orderId, position) => orderInView(views, orderId, position),

    async toDeliver({ limit, cursor }) {
      const page = await listToDeliver(views, { limit: pageSize(limit), cursor })
      return { ...page, orders: page.orders.map(({ order }) => order) }
    },

    undelivered: async () => readUndelivered(views),
    polledBy: async (provider) => countPolled(views, provider).catch(unlessBehind),
    unplaced: async ({ limit, cursor }) => listUnplaced(views, { limit: pageSize(limit), cursor }),

    async analytics() {
      const { orders, revenueCents, coinsM, customers, months } = await readAnalytics(views)
      return { orders, revenueCents, quantityM: coinsM, customers, months }
    },

    async products() {
      const products = await listProducts(views, { activeOnly: false })
      return products.map(({ createdAt, updatedAt, productId, ...fields }) => ({
        productId,
        fields,
        createdAt,
        updatedAt,
      }))
    },

    orderOfPayment: async (paymentId) => orderIdOfPayment(views, paymentId),
    knownOrders: knownOrders(views),
  }
}

function unlessBehind(error: unknown): undefined {
  if (!(error instanceof ViewBehind)) throw error
}

function pageSize(limit: string | undefined): number {
  return limit === undefined ? LIMIT_DEFAULT : Number(limit)
}

/** A day means all of it, in the shop's time zone; a moment is exact. */
function datesOf(
  { from, to }: Pick<OrderListQuery, 'from' | 'to'>,
  timeZone: string,
): { createdFrom?: string; createdBefore?: string } {
  return {
    ...(from !== undefined && { createdFrom: momentOf('from', from, timeZone) }),
    ...(to !== undefined && {
      createdBefore: isDay(to) ? momentOf('to', dayAfterOf(to), timeZone) : momentOf('to', to, timeZone),
    }),
  }
}

function dayNamed(word: string, timeZone: string): { searchedDay?: Span } {
  const from = isDay(word) ? startOfDay(word, timeZone) : undefined
  const to = from && startOfDay(dayAfter(word), timeZone)
  return from === undefined || to === undefined ? {} : { searchedDay: { from, to } }
}

function momentOf(path: string, text: string, timeZone: string): string {
  const moment = isDay(text) ? startOfDay(text, timeZone) : isoOf(text)
  if (moment !== undefined) return moment
  throw noSuchDate(path)
}

function dayAfterOf(day: string): string {
  if (Number.isNaN(Date.parse(day))) throw noSuchDate('to')
  return dayAfter(day)
}

function isoOf(text: string): string | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

function isDay(text: string): boolean {
  return text.length === 'yyyy-mm-dd'.length
}

function noSuchDate(path: string): RequestError {
  const message = 'There is no such date'
  return new RequestError('request/invalid', `${path}: ${message}`, { details: { errors: [{ path, message }] } })
}
