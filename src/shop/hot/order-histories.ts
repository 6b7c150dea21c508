import { LRUCache } from 'lru-cache'
import { fold } from '../../domain/decider.ts'
import type { OrderEvent } from '../../domain/order/events.ts'
import { order as orderDecider } from '../../domain/order/order.ts'
import { noOrder, type OrderState } from '../../domain/order/order-state.ts'
import { orderStream } from '../../domain/stream-names.ts'
import type { EventLog, RecordedEvent } from '../../log/event-log.ts'

const ORDERS_KEPT_MAX = 1_000
/** Longer histories are not cached. */
const EVENTS_KEPT_MAX = 100

export interface OrderHistory {
  readonly order: OrderState
  readonly events: readonly RecordedEvent<OrderEvent>[]
}

/** Orders read from their own streams, so never stale. Events are cached, since they never change. */
export interface OrderHistories {
  read(orderId: string): Promise<OrderHistory>
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
      const news = (await log.readStream(orderStream(orderId), known.events.length)) as RecordedEvent<OrderEvent>[]
      const history = news.length === 0 ? known : extend(known, news)
      keep(orderId, history)
      return history
    },
  }
}

const unread: OrderHistory = { order: noOrder, events: [] }

/** An order folded from these events, from the first on. */
export function historyOf(events: OrderHistory['events']): OrderHistory {
  return extend(unread, events)
}

function extend({ order, events }: OrderHistory, news: OrderHistory['events']): OrderHistory {
  return { order: fold(orderDecider, news, order), events: [...events, ...news] }
}
