import type { KnownOrders } from '../../commands/erase-customer.ts'
import type { OrderListQuery, ToDeliverQuery } from '../contract/order.ts'
import type { PlacedOrder } from '../../domain/order/order-state.ts'
import type { ProductFields } from '../../domain/product/events.ts'
import type { Undelivered } from '../../projections/to-deliver.ts'

/** What the API asks of the projections. */
export interface ShopViews {
  /** This process projects by itself: its lists can show all that it has answered. */
  readonly areLocal: boolean
  /** True once the views hold everything up to `position`; false when `timeoutMs` passed before. */
  waitFor(position: string, timeoutMs: number): Promise<boolean>
  listOrders(query: OrderListQuery): Promise<OrderPage>
  newestOrders(limit: number): Promise<readonly PlacedOrder[]>
  analytics(): Promise<Figures>
  products(): Promise<readonly ListedProduct[]>
  toDeliver(query: ToDeliverQuery): Promise<ToDeliverPage>
  undelivered(): Promise<Undelivered>
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
