import { heldM } from '../domain/order/order-state.ts'
import { COUNTED_MAX, findOrders, type OrderDocument, orderQueries, ORDERS, ordersOf } from './orders.ts'
import type { WorkField } from './order-work.ts'
import { findPage } from './page-cursor.ts'
import type { Views } from './shop-views.ts'

/** Limit of orders that are added up. */
const ADDED_MAX = 1_000

interface DuePage {
  readonly orders: readonly OrderDocument[]
  /** Counted up to 10,000. */
  readonly total: number
  readonly next: string | null
}

interface PageWanted {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Orders that staff must deliver, longest ready first. Throws `ViewBehind`, and `CursorInvalid` for a cursor of another list. */
export async function listToDeliver(views: Views, page: PageWanted): Promise<DuePage> {
  return listDue(views, 'toDeliverSince', page)
}

/** Paid orders without their coins, in the order of payment, and how many millions all of them take. Throws as `listToDeliver`. */
export async function listWaitingForStock(views: Views, page: PageWanted): Promise<DuePage & { quantityM: number }> {
  const rows = await findOrders(views, orderQueries.due('waitsForStock'), ADDED_MAX)
  const orders = await ordersOf(views, rows)
  const quantityM = orders.reduce((sum, { order }) => sum + order.placed.quantityM, 0)
  return { ...(await listDue(views, 'waitsForStock', page)), quantityM }
}

async function listDue(views: Views, field: WorkField, page: PageWanted): Promise<DuePage> {
  const query = orderQueries.due(field)
  const [{ rows, next }, total] = await Promise.all([
    findPage(views, ORDERS, query, page),
    views.count(ORDERS, query, COUNTED_MAX),
  ])
  return { orders: await ordersOf(views, rows), total, next }
}

/** How many orders wait for staff, counted up to 10,000, and since when the oldest does. Throws `ViewBehind`. */
export async function countToDeliver(views: Views): Promise<{ count: number; oldestSince: string | undefined }> {
  const query = orderQueries.due('toDeliverSince')
  const [oldest] = await findOrders(views, query, 1)
  return {
    count: await views.count(ORDERS, query, COUNTED_MAX),
    oldestSince: oldest && String(oldest.value),
  }
}

export interface Undelivered {
  readonly orders: number
  readonly totalCents: number
  readonly quantityM: number
  /** Coins that are reserved: waiting pre-orders have none. */
  readonly heldM: number
  /** False if more orders exist than were added up. */
  readonly isWhole: boolean
}

/** All paid and undelivered orders, of any delivery mode. Throws `ViewBehind`. */
export async function readUndelivered(views: Views): Promise<Undelivered> {
  const rows = await findOrders(views, orderQueries.due('owedSince'), ADDED_MAX + 1)
  const orders = (await ordersOf(views, rows.slice(0, ADDED_MAX))).map(({ order }) => order)
  return {
    orders: orders.length,
    totalCents: orders.reduce((sum, { placed }) => sum + placed.totalCents, 0),
    quantityM: orders.reduce((sum, { placed }) => sum + placed.quantityM, 0),
    heldM: orders.reduce((sum, order) => sum + heldM(order), 0),
    isWhole: rows.length <= ADDED_MAX,
  }
}
