import type { Actor } from '../domain/words.ts'
import type { OrderEvent } from '../domain/order/events.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import { orderAfter } from '../domain/order/evolve.ts'
import { causeWords } from './cause-words.ts'
import { actorOf, NEEDS_PERSON, orderEventText, type Reader } from './event-words.ts'

/** An event of an order as it was read. */
type ReadEvent = OrderEvent & { readonly revision: number; readonly metadata: { readonly actor: Actor } }

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
export function timelineEntriesOf(events: readonly ReadEvent[], reader: Reader): TimelineEntry[][] {
  const orders: (PlacedOrder | undefined)[] = []
  for (const event of events) orders.push(orderAfter(orders.at(-1), event))
  const now = orders.at(-1)
  return events.map((event, index) => {
    const { at } = event.data
    const entry = { type: event.type, at, text: orderEventText(event, reader, now), actor: actorOf(event) }
    const text = attentionText(orders[index - 1], orders[index], reader)
    // The texts of some events name the cause themselves.
    return text === '' || text === entry.text
      ? [entry]
      : [entry, { type: 'OrderNeedsAttention', at, text, actor: 'system' }]
  })
}

export function timelineOf(events: readonly ReadEvent[], reader: Reader): readonly TimelineEntry[] {
  const [first, ...others] = timelineEntriesOf(events, reader).flat()
  return first ? [first, ...others.slice(1 - TIMELINE_MAX)] : []
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
