import { type OrderDocument, orderIn } from './orders.ts'
import { heldM } from '../domain/order/order-state.ts'
import { cursorOf, pageStartOf } from './page-cursor.ts'
import type { Views } from './view-reader.ts'

const ORDERS = 'orders'
const COUNTED_MAX = 10_000
/** So many orders that are paid and not handed over are added up. */
const ADDED_MAX = 1_000

const inTheList = { range: { field: 'toDeliverSince', from: '' } } as const
const oldestFirst = { field: 'toDeliverSince', direction: 'asc' } as const
const CURSOR = 'toDeliverSince asc'

export interface ToDeliverPage {
  readonly orders: readonly OrderDocument[]
  /** Counted up to 10,000. */
  readonly total: number
  readonly next: string | null
}

/** Orders whose coins staff are to give, those first that have been ready for longest. Throws `ViewBehind`, and `CursorInvalid` for a cursor that is not of this list. */
export async function listToDeliver(
  views: Views,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<ToDeliverPage> {
  const collection = await views.collection(ORDERS)
  const after = cursor === undefined ? {} : { after: pageStartOf(CURSOR, cursor) }
  const [found, total] = await Promise.all([
    views.store.find(collection, { ...inTheList, sort: oldestFirst, ...after, limit: limit + 1 }),
    views.store.count(collection, inTheList, COUNTED_MAX),
  ])
  const orders = found.slice(0, limit).map(({ body }) => orderIn(body))
  const last = orders.at(-1)
  const hasMore = found.length > limit && last?.toDeliverSince !== undefined
  return { orders, total, next: hasMore ? cursorOf(CURSOR, { value: last.toDeliverSince, id: last.orderId }) : null }
}

/** How many orders wait for staff, counted up to 10,000, and since when the first does. Throws `ViewBehind`. */
export async function countToDeliver(views: Views): Promise<{ count: number; oldestSince: string | undefined }> {
  const collection = await views.collection(ORDERS)
  const [oldest, count] = await Promise.all([
    views.store.findFields(collection, { ...inTheList, sort: oldestFirst, limit: 1 }, ['toDeliverSince']),
    views.store.count(collection, inTheList, COUNTED_MAX),
  ])
  const since = oldest[0]?.values[0]
  return { count, oldestSince: typeof since === 'string' ? since : undefined }
}

export interface Undelivered {
  readonly orders: number
  readonly totalCents: number
  readonly quantityM: number
  /** What of it is held: pre-orders that wait hold nothing. */
  readonly heldM: number
  /** False: there are more than were added up. */
  readonly isWhole: boolean
}

/** What is paid and not handed over, by whom ever it is to be. Throws `ViewBehind`. */
export async function readUndelivered(views: Views): Promise<Undelivered> {
  const collection = await views.collection(ORDERS)
  const query = { range: { field: 'owedSince', from: '' }, sort: { field: 'owedSince', direction: 'asc' } } as const
  const found = await views.store.find(collection, { ...query, limit: ADDED_MAX + 1 })
  const orders = found.slice(0, ADDED_MAX).map(({ body }) => orderIn(body).order)
  return {
    orders: orders.length,
    totalCents: orders.reduce((sum, { placed }) => sum + placed.totalCents, 0),
    quantityM: orders.reduce((sum, { placed }) => sum + placed.quantityM, 0),
    heldM: orders.reduce((sum, order) => sum + heldM(order), 0),
    isWhole: found.length <= ADDED_MAX,
  }
}
