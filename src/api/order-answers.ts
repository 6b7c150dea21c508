import { findPlacedOrder } from '../commands/handle-order.ts'
import { isMethodOn } from '../commands/payment-methods.ts'
import { fold } from '../domain/decider.ts'
import { paymentMethods } from '../domain/order/events.ts'
import { order as orderDecider } from '../domain/order/order.ts'
import type { Order as OrderState, PlacedOrder } from '../domain/order/order-state.ts'
import { Refusal } from '../domain/refusal.ts'
import { keysOf, openSealed, orderStream, type RecordedEvent } from '../event-store/event-log.ts'
import type { OrderEvent as OrderFact } from '../domain/order/events.ts'
import { type TimelineEntry, timelineAfter } from '../projections/order-timeline.ts'
import type { Api } from './api.ts'
import type { Order } from './contract/order.ts'
import { orderView, payableBy } from './order-view.ts'

/** Orders with their buyers opened, by one question to the vault. */
export async function orderViews({ shop }: Pick<Api, 'shop'>, orders: readonly PlacedOrder[]): Promise<Order[]> {
  const customers = orders.map(({ placed }) => placed.customerId)
  const keys = await keysOf(shop.vault, customers)
  return orders.map((order) => orderView(order, openSealed(order.placed, keys)))
}

/** One order with its timeline and what each method would charge, folded from its own stream, which is never behind. */
export async function orderDetail(
  api: Pick<Api, 'shop' | 'methodLimits'>,
  orderId: string,
  { isStaff }: { isStaff: boolean },
): Promise<Order> {
  const events = (await api.shop.log.readStream(orderStream(orderId))) as readonly RecordedEvent<OrderFact>[]
  const order: OrderState = fold(orderDecider, events)
  if (order.kind === 'none' || (order.isDeleted && !isStaff))
    throw new Refusal('order/not-found', `Order ${orderId} could not be found.`)
  const [view, methods] = await Promise.all([orderViews(api, [order]), methodsOf(api, order)])
  let timeline: readonly TimelineEntry[] = []
  for (const event of events) timeline = timelineAfter(timeline, event)
  return { ...(view[0] as Order), methods, events: [...timeline] }
}

async function methodsOf(
  { shop, methodLimits }: Pick<Api, 'shop' | 'methodLimits'>,
  order: PlacedOrder,
): Promise<NonNullable<Order['methods']>> {
  if (order.status !== 'pending' || order.isDeleted) return []
  return Promise.all(
    paymentMethods.map(async (method) => {
      const reason = isMethodOn(shop, method)
        ? await methodLimits.reasonAgainst(order, method)
        : 'Currently unavailable'
      return { method, available: reason === undefined, reason: reason ?? null, ...payableBy(order, method) }
    }),
  )
}

/** An order that a buyer may see. */
export async function visibleOrder({ shop }: Pick<Api, 'shop'>, orderId: string): Promise<PlacedOrder> {
  const { state } = await findPlacedOrder(shop, orderId)
  if (state.isDeleted) throw new Refusal('order/not-found', 'There is no such order.')
  return state
}
