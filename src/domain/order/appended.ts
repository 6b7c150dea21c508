import type { AttentionReason, DeliveryMode, OrderEvent } from './events.ts'
import { evolve } from './evolve.ts'
import { Refusal } from '../refusal.ts'
import {
  heldSerial,
  isDeliveryUnknown,
  isMoneyOnItsWay,
  type Order,
  paidCents,
  type PlacedOrder,
  readinessOf,
} from './order-state.ts'

/** If these events make the order ready, adds how it is delivered; `instant` also completes it. */
export function readied(
  order: PlacedOrder,
  events: OrderEvent[],
  { deliveryMode, at }: { deliveryMode: DeliveryMode; at: string },
): OrderEvent[] {
  const after = evolvedBy(order, events)
  if (readinessOf(order) || !readinessOf(after)) return events
  if (deliveryMode === 'instant') return [...events, ...completed(after, at)]
  return [...events, { type: 'OrderReady', data: { orderId: order.placed.orderId, deliveryMode, at } }]
}

export function completed(order: PlacedOrder, at: string): OrderEvent[] {
  const { orderId, customerId, quantityM, totalCents } = order.placed
  const serial = heldSerial(order) ?? null
  const event: OrderEvent = {
    type: 'OrderCompleted',
    data: { orderId, serial, customerId, quantityM, totalCents, paymentMethod: order.paymentMethod, at },
  }
  return isMoneyOnItsWay(order) ? [event, attention(order, ['never-confirmed'], at)] : [event]
}

export function attention(order: PlacedOrder, reasons: AttentionReason[], at: string): OrderEvent {
  return { type: 'OrderNeedsAttention', data: { orderId: order.placed.orderId, reasons, refusedReceipt: null, at } }
}

/** While it is in the staff's list, they may have given the coins without marking it yet. */
export function mayBeGivenUnmarked(order: PlacedOrder): boolean {
  return readinessOf(order)?.deliveryMode === 'staff'
}

/** Staff are asked before its coins are released. */
export function mayBeGiven(order: PlacedOrder): boolean {
  return isDeliveryUnknown(order) || mayBeGivenUnmarked(order)
}

export function assertCoinsGivenKnown(order: PlacedOrder, coinsGiven: boolean | null): void {
  if (mayBeGiven(order) && coinsGiven === null)
    throw new Refusal(
      'order/coins-given-unknown',
      'The coins of this order may have been given. Say whether they were.',
    )
}

/** Why staff must look at an order that ends with this money. */
export function reasonsAtEnd(order: PlacedOrder): AttentionReason[] {
  const reasons: AttentionReason[] = []
  if (paidCents(order) > 0) reasons.push('late-and-short')
  if (isMoneyOnItsWay(order)) reasons.push('never-confirmed')
  return reasons
}

export function evolvedBy(order: PlacedOrder, events: readonly OrderEvent[]): PlacedOrder {
  return events.reduce<Order>(evolve, order) as PlacedOrder
}
