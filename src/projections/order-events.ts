import { type OrderEvent, orderEvents } from '../domain/order/events.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import { evolve } from '../domain/order/evolve.ts'
import type { RecordedEvent } from '../event-store/event-log.ts'
import { idIn, type LogEvent } from './projection.ts'

/** Views that only some events of an order change; `orders` takes every one. */
type OtherView = 'analytics' | 'customers' | 'payments' | 'reservations'

/** Which of them each event changes. */
const changedViews = {
  OrderPlaced: ['analytics', 'customers', 'reservations'],
  OrderAbandoned: [],
  PaymentMethodChosen: [],
  PaymentRequested: [],
  PaymentStarted: [],
  PaymentSeen: [],
  CaptureRequested: [],
  PaymentReceived: ['payments'],
  PaymentFailed: [],
  PaymentReversed: [],
  PaymentDisputed: [],
  DisputeClosed: [],
  RefundRecorded: ['analytics', 'reservations'],
  PaymentWatchEnded: [],
  OrderApproved: ['reservations'],
  PreOrderReserved: ['reservations'],
  OrderReady: [],
  DeliveryRequested: [],
  OrderCompleted: ['analytics', 'reservations'],
  OrderExpired: ['reservations'],
  OrderCancelled: ['reservations'],
  OrderReinstated: ['reservations'],
  OrderNeedsAttention: ['payments'],
  AttentionSettled: [],
  OrderDeleted: ['analytics', 'reservations'],
} as const satisfies Record<OrderEvent['type'], readonly OtherView[]>

type ChangedViews = typeof changedViews
type TypeFor<View extends OtherView> = {
  [Type in keyof ChangedViews]: View extends ChangedViews[Type][number] ? Type : never
}[keyof ChangedViews]

/** The events of an order that change this view. */
export function orderTypesFor<View extends OtherView>(view: View): readonly TypeFor<View>[] {
  const changes = Object.entries<readonly OtherView[]>(changedViews)
  return changes.flatMap(([type, views]) => (views.includes(view) ? [type as TypeFor<View>] : []))
}

export function isOrderEvent(event: LogEvent): event is RecordedEvent<OrderEvent> {
  return Object.hasOwn(orderEvents, event.type)
}

/** The order that an event is about, also where it cannot be read. */
export function orderIdOf(event: LogEvent): string | undefined {
  return idIn('order', event.stream)
}

/** The domain's own order after this event; undefined while it has not been placed. */
export function orderAfter(order: PlacedOrder | undefined, event: RecordedEvent<OrderEvent>): PlacedOrder | undefined {
  const next = event.revision
  const after = evolve(order ? at(order, next) : { kind: 'none', next }, event)
  return after.kind === 'placed' ? after : undefined
}

/** Its state before the event with this revision. */
function at(order: PlacedOrder, next: number): PlacedOrder {
  return order.next === next ? order : { ...order, next }
}
