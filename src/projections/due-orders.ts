import type { FoundRow } from '../engines/view-store/view-store.ts'
import type { WorkField } from './order-work.ts'
import { findOrders, orderQueries, ORDERS } from './orders.ts'
import type { Views } from './shop-views.ts'

/** Ids of orders with this work. Only candidates: read the order's stream before acting. Throws `ViewBehind`, like the functions below. */
export async function dueOrders(
  views: Views,
  field: WorkField,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<string[]> {
  return (await findOrders(views, orderQueries.due(field, before), limit)).map(({ id }) => id)
}

/** Orders placed later than `now` with a deadline beyond any order placed now: the clock was ahead. */
export async function placedAhead(
  views: Views,
  { now, endsAfter, limit }: { now: string; endsAfter: string; limit: number },
): Promise<string[]> {
  const rows = await findOrders(views, orderQueries.expiringFrom(endsAfter), limit)
  return rows.filter(({ selected: [createdAt] }) => String(createdAt) > now).map(({ id }) => id)
}

/** An order with watched payments. */
export interface PolledOrder {
  readonly orderId: string
  readonly isOpen: boolean
  /** When the newest one, or its capture, began. */
  readonly since: string
  /** Undefined while the order is open. */
  readonly watchUntil: string | undefined
}

/** A page of the open or the ended orders to poll, sorted by id. */
export async function toPoll(
  views: Views,
  polled: 'open' | 'ended',
  { afterOrderId, limit }: { afterOrderId?: string | undefined; limit: number },
): Promise<{ orders: PolledOrder[]; lastOrderId: string | undefined }> {
  const after = afterOrderId === undefined ? undefined : { id: afterOrderId, value: afterOrderId }
  const rows = await views.find(ORDERS, orderQueries.polled(polled), { limit, after })
  return { orders: rows.map(polledOrder), lastOrderId: rows.length < limit ? undefined : rows.at(-1)?.id }
}

/** Orders that wait for a payment begun at `since` or later, newest first. */
export async function toPollFirst(views: Views, since: string, limit: number): Promise<PolledOrder[]> {
  return (await findOrders(views, orderQueries.awaitedFrom(since), limit)).map(polledOrder)
}

function polledOrder({ id: orderId, selected: [polled, since, watchUntil] }: FoundRow): PolledOrder {
  const until = typeof watchUntil === 'string' ? watchUntil : undefined
  return { orderId, isOpen: polled === 'open', since: String(since), watchUntil: until }
}
