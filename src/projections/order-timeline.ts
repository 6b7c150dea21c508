import type { OrderEvent } from '../domain/order/events.ts'
import type { Actor, RecordedEvent } from '../event-store/event-log.ts'
import { actorOf, textOf } from './order-events.ts'

export interface TimelineEntry {
  readonly type: OrderEvent['type']
  readonly at: string
  readonly text: string
  readonly actor: Actor
}

/** An order with more than this shows how it began and its newest events. */
export const TIMELINE_MAX = 200

/** Whose words are used. */
export type Reader = 'staff' | 'buyer'

export function timelineAfter(
  timeline: readonly TimelineEntry[],
  event: RecordedEvent<OrderEvent>,
  reader: Reader,
): readonly TimelineEntry[] {
  const entry = { type: event.type, at: event.data.at, text: textOf(event, reader), actor: actorOf(event) }
  const [first, ...others] = [...timeline, entry]
  return first ? [first, ...others.slice(1 - TIMELINE_MAX)] : []
}
