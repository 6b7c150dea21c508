import type { RecordedEvent } from '../event-store/event-log.ts'
import { isOpen, type PlacedOrder } from '../domain/order/order-state.ts'
import { isOrderEvent, orderAfter, orderIdOf } from '../projections/order-events.ts'
import { orderFrom, type StoredOrder, storedOrder } from '../projections/stored-order.ts'

/** After so many more orders, ended ones are packed as JSON text, which takes a quarter of the memory. */
const RECENT_MORE = 5_000

export interface OrderStates {
  /** The state of the event's order after the event; undefined for events of no order. */
  see(event: RecordedEvent): PlacedOrder | undefined
  /** Frees its memory; later events of the order are ignored. */
  forget(orderId: string): void
}

/** The state of each order, event by event, without personal data. */
export function orderStates(): OrderStates {
  const recent = new Map<string, PlacedOrder>()
  const ended = new Map<string, string>()

  function stateOf(orderId: string): PlacedOrder | undefined {
    const known = recent.get(orderId)
    if (known) return known
    const text = ended.get(orderId)
    return text === undefined ? undefined : orderFrom(JSON.parse(text) as StoredOrder)
  }

  let packAt = RECENT_MORE

  function pack(): void {
    for (const [orderId, order] of recent) {
      if (isOpen(order)) continue
      ended.set(orderId, JSON.stringify(storedOrder(order)))
      recent.delete(orderId)
    }
    packAt = recent.size + RECENT_MORE
  }

  return {
    see(event) {
      const orderId = orderIdOf(event)
      if (orderId === undefined || !isOrderEvent(event)) return undefined
      const before = stateOf(orderId)
      const after = orderAfter(before, event)
      if (!after) return undefined
      recent.set(orderId, before ? after : { ...after, placed: { ...after.placed, personal: '' } })
      if (recent.size > packAt) pack()
      return after
    },

    forget(orderId) {
      recent.delete(orderId)
      ended.delete(orderId)
    },
  }
}
