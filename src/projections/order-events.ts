import { type OrderEvent, orderEvents } from '../domain/order/events.ts'
import type { RecordedEvent } from '../log/event-log.ts'
import type { LogEvent } from './projection.ts'

export function isOrderEvent(event: LogEvent): event is RecordedEvent<OrderEvent> {
  return Object.hasOwn(orderEvents, event.type)
}
