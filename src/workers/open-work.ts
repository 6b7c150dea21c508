import {
  dueForExpiry,
  openCaptures,
  openDeliveries,
  preOrdersPaid,
  receiptsUnfinished,
  toDeliver,
  type PolledPayment,
  toPoll,
  toPollFirst,
  toReinstate,
  watchesToEnd,
} from '../projections/payments.ts'
import type { KnownOrders } from '../commands/erase-customer.ts'
import { knownOrders } from '../projections/known-orders.ts'
import { reservationsToEnd } from '../projections/reservations.ts'
import type { Views } from '../projections/views.ts'
import type { PaymentMethod } from '../domain/order/events.ts'

export interface WatchedPayment {
  readonly orderId: string
  readonly attempt: number
  readonly method: PaymentMethod
  /** The order still waits for this money; otherwise it is only watched for late news. */
  readonly isAwaited: boolean
  readonly startedAt: string
}

/** All payments of some orders, `limit` or a few more. */
export interface WatchedPage {
  readonly payments: readonly WatchedPayment[]
  /** Behind which the next page begins; undefined at the end. */
  readonly lastOrderId: string | undefined
}

/** Candidates that the views know of. Each list is bounded; whoever acts on one asks the deciding stream first. */
export interface OpenWork {
  /** Payments that somebody waits for, begun at `since` or later: the newest first. */
  newestPayments(since: string, limit: number): Promise<readonly WatchedPayment[]>
  /** Some of all the payments that are watched, of pending orders or of ended ones, from behind `afterOrderId` on. */
  watchedPayments(of: 'open' | 'ended', page: { afterOrderId: string | undefined; limit: number }): Promise<WatchedPage>
  /** Captures that were asked for and whose answer is not known. */
  openCaptures(limit: number): Promise<readonly { readonly orderId: string; readonly attempt: number }[]>
  /** Payments of orders that ended so long ago that one last question ends their watch. */
  watchesToEnd(now: string, limit: number): Promise<readonly { readonly orderId: string; readonly attempt: number }[]>
  ordersToExpire(now: string, limit: number): Promise<readonly string[]>
  /** Open reservations that no order holds, as far as the view knows. */
  reservationsToEnd(
    now: string,
    limit: number,
  ): Promise<readonly { readonly orderId: string; readonly claimAt: number; readonly serial: number }[]>
  /** Paid or approved, or with a delivery call that is open. */
  ordersToDeliver(limit: number): Promise<readonly string[]>
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
    newestPayments: async (since, limit) => (await taken(toPollFirst(views, since), limit)).map(watched),
    async watchedPayments(of, { afterOrderId, limit }) {
      const payments: WatchedPayment[] = []
      for await (const payment of toPoll(views, of, afterOrderId)) {
        const lastOrderId = payments.at(-1)?.orderId
        if (payments.length >= limit && payment.orderId !== lastOrderId) return { payments, lastOrderId }
        payments.push(watched(payment))
      }
      return { payments, lastOrderId: undefined }
    },
    openCaptures: async (limit) => taken(openCaptures(views), limit),
    watchesToEnd: async (now, limit) => taken(watchesToEnd(views, now), limit),
    ordersToExpire: async (now, limit) => orderIdsOf(taken(dueForExpiry(views, now), limit)),
    reservationsToEnd: async (now, limit) => taken(reservationsToEnd(views, now), limit),
    async ordersToDeliver(limit) {
      const open = await orderIdsOf(taken(openDeliveries(views), limit))
      return [...open, ...(await orderIdsOf(taken(toDeliver(views), limit)))]
    },
    ordersToReinstate: async (limit) => orderIdsOf(taken(toReinstate(views), limit)),
    preOrdersToReserve: async (limit) => orderIdsOf(taken(preOrdersPaid(views), limit)),
    receiptsToFinish: async (before, limit) => taken(receiptsUnfinished(views, before), limit),
    knownOrders: knownOrders(views),
  }
}

function watched({ orderId, attempt, method, isHot, startedAt }: PolledPayment): WatchedPayment {
  return { orderId, attempt, method, isAwaited: isHot, startedAt }
}

async function taken<Item>(items: AsyncGenerator<Item>, limit: number): Promise<Item[]> {
  const some: Item[] = []
  for await (const item of items) {
    some.push(item)
    if (some.length >= limit) break
  }
  return some
}

async function orderIdsOf(items: Promise<readonly { readonly orderId: string }[]>): Promise<string[]> {
  return (await items).map(({ orderId }) => orderId)
}
