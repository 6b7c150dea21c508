import type { Actor } from '../domain/words.ts'
import type { OrderEvent } from '../domain/order/events.ts'
import type { OrderState, PlacedOrder } from '../domain/order/order-state.ts'
import { causeWords } from './cause-words.ts'
import { actorOf, NEEDS_PERSON, orderEventText, type Reader } from './event-words.ts'

/** The events of an order as they were read, and the order after each. */
interface ReadHistory {
  readonly events: readonly (OrderEvent & { readonly metadata: { readonly actor: Actor } })[]
  readonly orders: readonly OrderState[]
}

export interface TimelineEntry {
  /** An event that begins causes of attention is followed by an entry that names them. */
  readonly type: OrderEvent['type'] | 'OrderNeedsAttention'
  readonly at: string
  readonly text: string
  readonly actor: Actor
}

/** A longer timeline shows its first entry and the newest ones. */
export const TIMELINE_MAX = 200

/** The entries of each event. */
export function timelineEntriesOf({ events, orders }: ReadHistory, reader: Reader): TimelineEntry[][] {
  const now = placedOrder(orders.at(-1))
  return events.map((event, index) => {
    const { at } = event.data
    const entry = { type: event.type, at, text: orderEventText(event, reader, now), actor: actorOf(event) }
    const text = attentionText(placedOrder(orders[index - 1]), placedOrder(orders[index]), reader)
    // The texts of some events name the cause themselves.
    return text === '' || text === entry.text
      ? [entry]
      : [entry, { type: 'OrderNeedsAttention', at, text, actor: 'system' }]
  })
}

export function timelineOf(history: ReadHistory, reader: Reader): readonly TimelineEntry[] {
  const [first, ...others] = timelineEntriesOf(history, reader).flat()
  return first ? [first, ...others.slice(1 - TIMELINE_MAX)] : []
}

export function placedOrder(order: OrderState | undefined): PlacedOrder | undefined {
  return order?.kind === 'placed' ? order : undefined
}

/** Names the causes that begin with this event. */
function attentionText(before: PlacedOrder | undefined, after: PlacedOrder | undefined, reader: Reader): string {
  const known = new Set(before?.attention.map(({ reason }) => reason))
  const begun = after?.attention.filter(({ reason }) => !known.has(reason)) ?? []
  if (!after || begun.length === 0) return ''
  // While the rest is missing, the page asks the buyer for it.
  if (reader === 'buyer') return begun.every(({ reason }) => reason === 'short') ? '' : NEEDS_PERSON
  return begun.map(({ reason }) => causeWords(after, reason).message).join(' ')
}
