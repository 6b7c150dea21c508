import type { KnownOrders } from '../../commands/erase-customer.ts'
import type { PlacedOrder } from '../../domain/order/order-state.ts'
import type { ProductFields } from '../../domain/product/events.ts'
import { analyticsOf, readRevenue, type RevenueRows } from '../../projections/analytics.ts'
import { customerIdsBeginningWith } from '../../projections/customers.ts'
import { listProducts } from '../../projections/catalogue.ts'
import { orderIdOfPayment } from '../../projections/due-orders.ts'
import { knownOrders } from '../../projections/known-orders.ts'
import { countPolled, newestOrders } from '../../projections/orders.ts'
import { listUnplaced, type UnplacedPage } from '../../projections/payments.ts'
import { listToDeliver, readUndelivered, type Undelivered } from '../../projections/to-deliver.ts'
import { ViewBehind, type Views } from '../../projections/views.ts'
import type { PageQuery } from '../contract/order.ts'
import { type ListQuery, type OrderPage, pageSize, readOrderList, readOrderPage } from './order-list.ts'

/** The API's questions to the views. */
export interface ShopViews {
  /** This process runs its own projector, so its lists can show every write that it has answered. */
  readonly areLocal: boolean
  /** True once the views hold everything up to `position`; false when `timeoutMs` passed before. */
  waitFor(position: string, timeoutMs: number): Promise<boolean>
  listOrders(query: ListQuery): Promise<OrderPage>
  /** The same page without its counts. */
  pageOfOrders(query: ListQuery): Promise<Pick<OrderPage, 'orders' | 'next'>>
  /** People whose e-mail, chat name or one of whose market ids begins with it. */
  customersNamed(beginning: string): Promise<readonly string[]>
  newestOrders(limit: number): Promise<readonly PlacedOrder[]>
  analytics(): Promise<Figures>
  revenue(): Promise<RevenueRows>
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

/** The views, asked in the terms of the API's queries. `customersNamed`: where these views name nobody. */
export function shopViews({
  views,
  timeZone,
  areLocal,
  customersNamed = async (beginning) => customerIdsBeginningWith(views, beginning),
}: {
  views: Views
  timeZone: string
  areLocal: boolean
  customersNamed?: ShopViews['customersNamed']
}): ShopViews {
  const analytics = analyticsOf(views)
  return {
    customersNamed,
    areLocal,
    waitFor: async (position, timeoutMs) => views.waitFor(position, timeoutMs),

    listOrders: async (query) => readOrderList({ views, customersNamed, timeZone }, query),
    pageOfOrders: async (query) => readOrderPage({ views, customersNamed, timeZone }, query),

    async newestOrders(limit) {
      return (await newestOrders(views, limit)).map(({ order }) => order)
    },

    async toDeliver({ limit, cursor }) {
      const page = await listToDeliver(views, { limit: pageSize(limit), cursor })
      return { ...page, orders: page.orders.map(({ order }) => order) }
    },

    undelivered: async () => readUndelivered(views),
    polledBy: async (provider) => countPolled(views, provider).catch(unlessBehind),
    unplaced: async ({ limit, cursor }) => listUnplaced(views, { limit: pageSize(limit), cursor }),

    async analytics() {
      const { orders, revenueCents, coinsM, customers, months } = await analytics()
      return { orders, revenueCents, quantityM: coinsM, customers, months }
    },

    revenue: async () => readRevenue(views),

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
