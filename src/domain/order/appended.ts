import type { AttentionReason, DeliveryMode, OrderEvent } from './events.ts'
import { evolve } from './evolve.ts'
import { heldSerial, type Order, type PlacedOrder, readinessOf } from './order-state.ts'

/** If these events make the order ready, adds how it is delivered; `instant` also completes it. */
export function readied(
  order: PlacedOrder,
  events: OrderEvent[],
  { deliveryMode, at }: { deliveryMode: DeliveryMode; at: string },
): OrderEvent[] {
  const after = evolvedBy(order, events)
  if (readinessOf(order) || !readinessOf(after)) return events
  if (deliveryMode === 'instant') return [...events, completed(after, at)]
  return [...events, { type: 'OrderReady', data: { orderId: order.placed.orderId, deliveryMode, at } }]
}

export function completed(order: PlacedOrder, at: string): OrderEvent {
  const { orderId, customerId, quantityM, totalCents } = order.placed
  const serial = heldSerial(order) ?? null
  return { type: 'OrderCompleted', data: { orderId, serial, customerId, quantityM, totalCents, at } }
}

export function attention(order: PlacedOrder, reasons: AttentionReason[], at: string): OrderEvent {
  return { type: 'OrderNeedsAttention', data: { orderId: order.placed.orderId, reasons, refusedReceipt: null, at } }
}

/** While it is in the staff's list, they may have given the coins without marking it yet. */
export function mayBeGivenUnmarked(order: PlacedOrder): boolean {
  return readinessOf(order)?.deliveryMode === 'staff'
}

export function evolvedBy(order: PlacedOrder, events: readonly OrderEvent[]): PlacedOrder {
  return events.reduce<Order>(evolve, order) as PlacedOrder
}
