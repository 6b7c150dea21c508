import { type OrderEvent, orderEvents } from '../domain/order/events.ts'
import type { RecordedEvent } from '../log/event-log.ts'
import type { LogEvent } from './projection.ts'

/** Views that only some events of an order change; `orders` folds all. */
type OtherView = 'analytics' | 'customers' | 'payments' | 'reservations'

const changes = {
  OrderPlaced: ['analytics', 'customers', 'reservations'],
  PaymentReceived: ['payments'],
  RefundRecorded: ['analytics', 'reservations'],
  ReceiptUnusable: ['payments'],
  OrderApproved: ['reservations'],
  PreOrderReserved: ['reservations'],
  OrderCompleted: ['analytics', 'reservations'],
  OrderExpired: ['reservations'],
  OrderCancelled: ['reservations'],
  OrderReinstated: ['reservations'],
  OrderDeleted: ['analytics', 'reservations'],
} as const satisfies Partial<Record<OrderEvent['type'], readonly OtherView[]>>

type TypeFor<View extends OtherView> = {
  [Type in keyof typeof changes]: View extends (typeof changes)[Type][number] ? Type : never
}[keyof typeof changes]

/** The events of an order that change this view. */
export function orderTypesFor<View extends OtherView>(view: View): readonly TypeFor<View>[] {
  const all = Object.entries<readonly OtherView[]>(changes)
  return all.flatMap(([type, views]) => (views.includes(view) ? [type as TypeFor<View>] : []))
}

export function isOrderEvent(event: LogEvent): event is RecordedEvent<OrderEvent> {
  return Object.hasOwn(orderEvents, event.type)
}
