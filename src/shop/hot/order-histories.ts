import { LRUCache } from 'lru-cache'
import type { OrderEvent } from '../../domain/order/events.ts'
import { order as orderDecider } from '../../domain/order/order.ts'
import { noOrder, type OrderState } from '../../domain/order/order-state.ts'
import { orderStream } from '../../domain/stream-names.ts'
import type { Envelope, EventLog, EventMetadata } from '../../log/event-log.ts'
import type { Handled } from '../handle-command.ts'

const ORDERS_KEPT_MAX = 1_000
/** Longer histories are not cached. */
const EVENTS_KEPT_MAX = 100

/** `position`: a reader there has seen the event. */
export type KnownEvent = OrderEvent &
  Pick<Envelope, 'revision' | 'position'> & { readonly metadata: Pick<EventMetadata, 'actor'> }

export interface OrderHistory {
  readonly order: OrderState
  readonly events: readonly KnownEvent[]
  /** The order after each of these events. */
  readonly orders: readonly OrderState[]
}

/** Orders read from their own streams, so never stale. Events are cached, since they never change. */
export interface OrderHistories {
  read(orderId: string): Promise<OrderHistory>
  /** Caches what this process has appended to an order, so that the next read does not get it from the log. */
  add(orderId: string, appended: Omit<Handled<OrderState, OrderEvent>, 'state'>, by: Pick<EventMetadata, 'actor'>): void
}

/** Caches the most recently read orders. */
export function orderHistories(log: Pick<EventLog, 'readStream'>, ordersMax = ORDERS_KEPT_MAX): OrderHistories {
  const kept = new LRUCache<string, OrderHistory>({ max: ordersMax })

  const keep = (orderId: string, history: OrderHistory): void => {
    const length = history.events.length
    // Concurrent reads may end in any order: keep the longer one.
    if (length === 0 || length > EVENTS_KEPT_MAX || length < (kept.get(orderId)?.events.length ?? 0)) return
    kept.set(orderId, history)
  }

  return {
    async read(orderId) {
      const known = kept.get(orderId) ?? unread
      const news = (await log.readStream(orderStream(orderId), known.events.length)) as KnownEvent[]
      const history = news.length === 0 ? known : extend(known, news)
      keep(orderId, history)
      return history
    },

    add(orderId, { events, revision, position }, { actor }) {
      const known = kept.get(orderId) ?? unread
      const first = revision - events.length + 1
      if (events.length === 0 || known.events.length !== first) return
      const news = events.map((event, index) => ({ ...event, revision: first + index, position, metadata: { actor } }))
      keep(orderId, extend(known, news))
    },
  }
}

const unread: OrderHistory = { order: noOrder, events: [], orders: [] }

/** An order folded from these events, from the first on. */
export function historyOf(events: OrderHistory['events']): OrderHistory {
  return extend(unread, events)
}

function extend({ order: before, events, orders: known }: OrderHistory, news: OrderHistory['events']): OrderHistory {
  let order = before
  const orders = [...known, ...news.map((event) => (order = orderDecider.evolve(order, event)))]
  return { order, events: [...events, ...news], orders }
}
