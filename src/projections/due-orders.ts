import { openCapture } from '../domain/order/order-state.ts'
import type { FoundRow, SortKey, Query } from '../view-store/view-store.ts'
import { attemptsIn, type WatchedAttempt } from './order-work.ts'
import { findOrders, orderQueries, ORDERS, ordersOf } from './orders.ts'
import type { Views } from './views.ts'

/** The order that a provider's payment id belongs to. Throws `ViewBehind`, as all that follow. */
export async function orderIdOfPayment(views: Views, paymentId: string): Promise<string | undefined> {
  return (await findOrders(views, orderQueries.ofPayment(paymentId), 1))[0]?.id
}

/** Ids of the orders that answer one of `orderQueries`. Candidates only: the stream that decides is read before acting. */
export async function dueOrders(views: Views, query: Query, limit: number): Promise<string[]> {
  return (await findOrders(views, query, limit)).map(({ id }) => id)
}

/** Orders placed later than `now` with a deadline beyond any order placed now: the clock was ahead. */
export async function placedAhead(
  views: Views,
  { now, endsAfter, limit }: { now: string; endsAfter: string; limit: number },
): Promise<string[]> {
  const rows = await findOrders(views, orderQueries.expiringFrom(endsAfter), limit)
  return rows.filter(({ selected: [createdAt] }) => String(createdAt) > now).map(({ id }) => id)
}

export interface OrderAttempt {
  readonly orderId: string
  readonly attempt: number
}

/** Captures that were requested and whose result is unknown. */
export async function openCaptures(views: Views, limit: number): Promise<OrderAttempt[]> {
  const orders = await ordersOf(views, await findOrders(views, orderQueries.captureOpen(), limit))
  return orders.flatMap(({ orderId, order }) => {
    const capture = openCapture(order)
    return capture ? [{ orderId, attempt: capture.attempt }] : []
  })
}

export interface PolledPayment extends OrderAttempt {
  readonly startedAt: string
  /** Awaited: the order is pending, and this payment has neither failed nor brought money. */
  readonly isAwaited: boolean
}

/** Watched payments of `limit` pending or ended orders, sorted by order. */
export async function toPoll(
  views: Views,
  polled: 'open' | 'ended',
  { afterOrderId, limit }: { afterOrderId?: string | undefined; limit: number },
): Promise<{ payments: PolledPayment[]; lastOrderId: string | undefined }> {
  const after = afterOrderId === undefined ? undefined : { id: afterOrderId, value: afterOrderId }
  const { rows } = await views.find(ORDERS, orderQueries.polled(polled), { limit, after })
  const payments = rows.flatMap((row) => attemptsOf(row).flatMap(polledPayment(row.id, polled)))
  return { payments, lastOrderId: rows.length < limit ? undefined : rows.at(-1)?.id }
}

/** Awaited payments started at `since` or later, newest first. */
export async function toPollFirst(views: Views, since: string, limit: number): Promise<PolledPayment[]> {
  const rows = await findOrders(views, orderQueries.awaitedFrom(since), limit)
  const payments = rows.flatMap((row) => attemptsOf(row).flatMap(polledPayment(row.id, 'open')))
  return payments.filter(({ isAwaited, startedAt }) => isAwaited && startedAt >= since)
}

/** Where the next page of expired watches starts. */
export type WatchCursor = SortKey

/** Payments of this many orders that ended so long ago that one last check ends their watch. */
export async function watchesToEnd(
  views: Views,
  now: string,
  { after, limit }: { after?: WatchCursor | undefined; limit: number },
): Promise<{ payments: OrderAttempt[]; last: WatchCursor | undefined }> {
  const { rows } = await views.find(ORDERS, orderQueries.watchEnded(now), { limit, after })
  const payments = rows.flatMap((row) => attemptsOf(row).map(({ attempt }) => ({ orderId: row.id, attempt })))
  return { payments, last: rows.length < limit ? undefined : rows.at(-1) }
}

function attemptsOf({ selected: [watched] }: FoundRow): readonly WatchedAttempt[] {
  return attemptsIn(String(watched ?? ''))
}

function polledPayment(orderId: string, polled: 'open' | 'ended') {
  return ({ attempt, startedAt, isAwaited }: WatchedAttempt): PolledPayment[] =>
    startedAt === undefined ? [] : [{ orderId, attempt, startedAt, isAwaited: isAwaited && polled === 'open' }]
}
