import {
  dueForExpiry,
  openCaptures,
  openDeliveries,
  placedAhead,
  preOrdersPaid,
  type OrderAttempt,
  type PolledPayment,
  toCallFor,
  toPoll,
  toPollFirst,
  toReinstate,
  type WatchPlace,
  watchesToEnd,
} from '../projections/due-orders.ts'
import { receiptsUnfinished } from '../projections/payments.ts'
import type { KnownOrders } from '../commands/erase-customer.ts'
import { knownOrders } from '../projections/known-orders.ts'
import { reservationsToEnd } from '../projections/reservations.ts'
import type { Views } from '../projections/views.ts'

/** All payments of some orders. */
interface WatchedPage {
  readonly payments: readonly PolledPayment[]
  /** Behind which the next page begins; undefined at the end. */
  readonly lastOrderId: string | undefined
}

/** Candidates that the views know of. Each list is bounded; whoever acts on one asks the deciding stream first. */
export interface OpenWork {
  /** Payments that somebody waits for, begun at `since` or later: the newest first. */
  newestPayments(since: string, limit: number): Promise<readonly PolledPayment[]>
  /** Some of all the payments that are watched, of pending orders or of ended ones, from behind `afterOrderId` on. */
  watchedPayments(of: 'open' | 'ended', page: { afterOrderId: string | undefined; limit: number }): Promise<WatchedPage>
  /** Captures that were asked for and whose answer is not known. */
  openCaptures(limit: number): Promise<readonly OrderAttempt[]>
  /** Payments of orders that ended so long ago that one last question ends their watch, from behind `after` on; `last` is undefined at the end. */
  watchesToEnd(
    now: string,
    page: { after: WatchPlace | undefined; limit: number },
  ): Promise<{ readonly payments: readonly OrderAttempt[]; readonly last: WatchPlace | undefined }>
  ordersToExpire(now: string, limit: number): Promise<readonly string[]>
  /** Placed later than `now`: the clock was ahead. */
  ordersPlacedAhead(when: { now: string; endsAfter: string; limit: number }): Promise<readonly string[]>
  /** Open reservations that no order holds, as far as the view knows. */
  reservationsToEnd(
    now: string,
    limit: number,
  ): Promise<readonly { readonly orderId: string; readonly claimAt: number; readonly serial: number }[]>
  /** Ready for the webhook, or with a call that is open. */
  ordersToCallFor(limit: number): Promise<readonly string[]>
  ordersToReinstate(limit: number): Promise<readonly string[]>
  /** In the order of payment. */
  preOrdersToReserve(limit: number): Promise<readonly string[]>
  /** Claimed or refused, and not told to every order yet. */
  receiptsToFinish(
    before: string,
    limit: number,
  ): Promise<readonly { readonly provider: string; readonly receiptId: string }[]>
  /** For erasing. */
  readonly knownOrders: KnownOrders
}

/** The views as the sweep asks them. */
export function openWork(views: Views): OpenWork {
  return {
    newestPayments: (since, limit) => toPollFirst(views, since, limit),
    watchedPayments: (of, page) => toPoll(views, of, page),
    openCaptures: (limit) => openCaptures(views, limit),
    watchesToEnd: (now, page) => watchesToEnd(views, now, page),
    ordersToExpire: (now, limit) => dueForExpiry(views, now, limit),
    ordersPlacedAhead: (when) => placedAhead(views, when),
    reservationsToEnd: async (now, limit) => taken(reservationsToEnd(views, now), limit),
    ordersToCallFor: async (limit) => [...(await openDeliveries(views, limit)), ...(await toCallFor(views, limit))],
    ordersToReinstate: (limit) => toReinstate(views, limit),
    preOrdersToReserve: (limit) => preOrdersPaid(views, limit),
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
