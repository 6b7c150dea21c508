import {
  dueOrders,
  openCaptures,
  placedAhead,
  type OrderAttempt,
  type PolledPayment,
  toPoll,
  toPollFirst,
  type WatchCursor,
  watchesToEnd,
} from '../projections/due-orders.ts'
import { receiptsUnfinished } from '../projections/payments.ts'
import type { KnownOrders } from '../commands/erase-customer.ts'
import { knownOrders } from '../projections/known-orders.ts'
import { orderQueries } from '../projections/orders.ts'
import { reservationsToEnd } from '../projections/reservations.ts'
import type { Views } from '../projections/views.ts'

/** Of each order in it, all payments. */
interface WatchedPage {
  readonly payments: readonly PolledPayment[]
  /** The next page starts after it; undefined on the last page. */
  readonly lastOrderId: string | undefined
}

/** Due work as the views know it, in bounded lists. A view may be behind: the stream that decides is read before anything is done. */
export interface OpenWork {
  /** Awaited payments started at `since` or later, newest first. */
  newestPayments(since: string, limit: number): Promise<readonly PolledPayment[]>
  /** One page of the watched payments, of pending or of ended orders. */
  watchedPayments(of: 'open' | 'ended', page: { afterOrderId: string | undefined; limit: number }): Promise<WatchedPage>
  /** Captures that were requested and whose result is unknown. */
  openCaptures(limit: number): Promise<readonly OrderAttempt[]>
  /** Payments of orders that ended so long ago that one last check ends their watch; `last` is undefined on the last page. */
  watchesToEnd(
    now: string,
    page: { after: WatchCursor | undefined; limit: number },
  ): Promise<{ readonly payments: readonly OrderAttempt[]; readonly last: WatchCursor | undefined }>
  ordersToExpire(now: string, limit: number): Promise<readonly string[]>
  /** Placed later than `now`, by a clock that was ahead. */
  ordersPlacedAhead(when: { now: string; endsAfter: string; limit: number }): Promise<readonly string[]>
  /** Open reservations without an order in the view. */
  reservationsToEnd(
    now: string,
    limit: number,
  ): Promise<readonly { readonly orderId: string; readonly claimAt: number; readonly serial: number }[]>
  /** Ready for the delivery webhook, or with a call whose result is unknown. */
  ordersToCallFor(limit: number): Promise<readonly string[]>
  ordersToReinstate(limit: number): Promise<readonly string[]>
  /** In the order of payment. */
  preOrdersToReserve(limit: number): Promise<readonly string[]>
  /** Claimed or refused, but not recorded on every order yet. */
  receiptsToFinish(
    before: string,
    limit: number,
  ): Promise<readonly { readonly provider: string; readonly receiptId: string }[]>
  /** What erasing a customer reads. */
  readonly knownOrders: KnownOrders
}

export function openWork(views: Views): OpenWork {
  return {
    newestPayments: (since, limit) => toPollFirst(views, since, limit),
    watchedPayments: (of, page) => toPoll(views, of, page),
    openCaptures: (limit) => openCaptures(views, limit),
    watchesToEnd: (now, page) => watchesToEnd(views, now, page),
    ordersToExpire: (now, limit) => dueOrders(views, orderQueries.expired(now), limit),
    ordersPlacedAhead: (when) => placedAhead(views, when),
    reservationsToEnd: async (now, limit) => taken(reservationsToEnd(views, now), limit),
    ordersToCallFor: async (limit) => [
      ...(await dueOrders(views, orderQueries.deliveryOpen(), limit)),
      ...(await dueOrders(views, orderQueries.toCallFor(), limit)),
    ],
    ordersToReinstate: (limit) => dueOrders(views, orderQueries.toReinstate(), limit),
    preOrdersToReserve: (limit) => dueOrders(views, orderQueries.waitingForStock(), limit),
    receiptsToFinish: async (before, limit) => taken(receiptsUnfinished(views, before), limit),
    knownOrders: knownOrders(views),
  }
}

async function taken<Item>(items: AsyncGenerator<Item>, limit: number): Promise<Item[]> {
  const some: Item[] = []
  for await (const item of items) {
    some.push(item)
    if (some.length >= limit) break
  }
  return some
}
