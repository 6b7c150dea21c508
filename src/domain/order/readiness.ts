import type { DeliveryMode } from '../words.ts'
import type { OrderEvent } from './events.ts'
import { evolve } from './evolve.ts'
import { Refusal } from '../refusal.ts'
import {
  heldSerial,
  holdsStock,
  isDeliveryUnknown,
  isToBeDelivered,
  type Order,
  type PlacedOrder,
  readinessOf,
  stageOf,
} from './order-state.ts'

/** If these events make the order ready, adds how it is delivered; `instant` also completes it. */
export function readied(
  order: PlacedOrder,
  events: OrderEvent[],
  { deliveryMode, at }: { deliveryMode: DeliveryMode; at: string },
): OrderEvent[] {
  const after = evolvedBy(order, events)
  const isReady = stageOf(after).kind === 'waiting' && isToBeDelivered(after) && holdsStock(after)
  if (readinessOf(order) || !isReady) return events
  if (deliveryMode === 'instant') return [...events, ...completed(after, at)]
  return [...events, { type: 'OrderReady', data: { orderId: order.placed.orderId, deliveryMode, at } }]
}

export function completed(order: PlacedOrder, at: string): OrderEvent[] {
  const { orderId, customerId, quantityM, totalCents } = order.placed
  const serial = heldSerial(order) ?? null
  const { paymentMethod } = order
  const data = { orderId, serial, customerId, quantityM, totalCents, paymentMethod, at }
  return [{ type: 'OrderCompleted', data }]
}

/** Staff are asked before its coins are released: while it is in their list, they may have given them and not marked it. */
export function mayBeGiven(order: PlacedOrder): boolean {
  return isDeliveryUnknown(order) || readinessOf(order)?.deliveryMode === 'staff'
}

export function assertCoinsGivenKnown(order: PlacedOrder, coinsGiven: boolean | null): void {
  if (mayBeGiven(order) && coinsGiven === null)
    throw new Refusal(
      'order/coins-given-unknown',
      'The coins of this order may have been given. Say whether they were.',
    )
}

export function evolvedBy(order: PlacedOrder, events: readonly OrderEvent[]): PlacedOrder {
  return events.reduce<Order>(evolve, order) as PlacedOrder
}
