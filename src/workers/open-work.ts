import {
  dueForExpiry,
  openCaptures,
  openDeliveries,
  preOrdersPaid,
  receiptsUnfinished,
  toDeliver,
  toPoll,
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

/** Candidates that the views know of. Each list is bounded; whoever acts on one asks the deciding stream first. */
export interface OpenWork {
  /** Payments to ask about: of pending orders, or of those that have ended. */
  watchedPayments(of: 'open' | 'ended', limit: number): Promise<readonly WatchedPayment[]>
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
    async watchedPayments(of, limit) {
      const payments = await taken(toPoll(views, of), limit)
      return payments.map(({ orderId, attempt, method, isHot, startedAt }) => ({
        orderId,
        attempt,
        method,
        isAwaited: isHot,
        startedAt,
      }))
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
