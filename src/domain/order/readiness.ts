import type { DeliveryMode } from '../words.ts'
import type { OrderEvent, OrderEventData } from './events.ts'
import { evolve } from './evolve.ts'
import { Refusal } from '../refusal.ts'
import {
  heldSerial,
  holdsStock,
  isDeliveryUnknown,
  openRefund,
  type OrderState,
  type PlacedOrder,
  readinessOf,
  stageOf,
} from './order-state.ts'
import { isToBeDelivered } from './standing.ts'

/** If these events make the order ready, adds OrderReady, or for `instant` OrderCompleted. */
export function withReadiness(
  order: PlacedOrder,
  events: OrderEvent[],
  { deliveryMode, at }: { deliveryMode: DeliveryMode; at: string },
  after = evolveAll(order, events),
): OrderEvent[] {
  const isReady = stageOf(after).kind === 'waiting' && isToBeDelivered(after) && holdsStock(after)
  if (readinessOf(order) || !isReady || openRefund(after)) return events
  if (deliveryMode === 'instant') return [...events, ...complete(after, at)]
  return [...events, { type: 'OrderReady', data: { orderId: order.placed.orderId, deliveryMode, at } }]
}

export function complete(
  order: PlacedOrder,
  at: string,
  noted: Pick<OrderEventData<'OrderCompleted'>, 'note' | 'isNoteShown'> = {},
): OrderEvent[] {
  const { orderId, customerId, quantityM, totalCents } = order.placed
  const serial = heldSerial(order) ?? null
  const { paymentMethod } = order
  const data = { orderId, serial, customerId, quantityM, totalCents, paymentMethod, ...noted, at }
  return [{ type: 'OrderCompleted', data }]
}

/** While an order is in the staff list, its coins may have been given but not marked: ask staff before releasing them. */
export function coinsMayBeGiven(order: PlacedOrder): boolean {
  return isDeliveryUnknown(order) || readinessOf(order)?.deliveryMode === 'staff'
}

export function assertCoinsGivenKnown(order: PlacedOrder, coinsGiven: boolean | null): void {
  if (coinsMayBeGiven(order) && coinsGiven === null)
    throw new Refusal(
      'order/coins-given-unknown',
      'The coins of this order may have been given. Say whether they were.',
    )
}

export function evolveAll(order: PlacedOrder, events: readonly OrderEvent[]): PlacedOrder {
  return events.reduce<OrderState>(evolve, order) as PlacedOrder
}
