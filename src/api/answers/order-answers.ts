import { findPlacedOrder } from '../../shop/handle-order.ts'
import { isMethodOn } from '../../shop/payment-methods.ts'
import { openedOrders } from '../../shop/read-history.ts'
import { historyOf, type OrderHistory } from '../../shop/hot/order-histories.ts'
import { type Attempt, currentAttempt, isDeleted, isOpen, type PlacedOrder } from '../../domain/order/order-state.ts'
import { Refusal } from '../../domain/refusal.ts'
import { paymentMethods } from '../../domain/payment-methods.ts'
import { isLogAway, TryAgain } from '../../ports/try-again.ts'
import { type Reader, type TimelineEntry, timelineOf } from '../../projections/order-timeline.ts'
import type { Api } from '../api.ts'
import type { Order } from '../contract/order.ts'
import { orderView, payableBy } from './order-view.ts'

/** Orders with their buyers' data opened, for staff; those of the past with the buyers as they are known now. */
export async function orderViews(
  { shop }: Pick<Api, 'shop'>,
  orders: readonly PlacedOrder[],
  { isPast }: { isPast: boolean },
): Promise<Order[]> {
  const all = await openedOrders(shop, orders)
  return all.map(({ order, opened }) => orderView(order, opened, { isMasked: false, isStaff: true, isPast }))
}

/** One order and its timeline as of the log's position, for staff. */
export async function orderDetailAt({ shop }: Pick<Api, 'shop'>, orderId: string, position: string): Promise<Order> {
  const { events } = await shop.hot.orders.read(orderId)
  const history = historyOf(events.filter((event) => event.position <= position))
  const { order } = history
  if (order.kind === 'none') throw new Refusal('order/not-found', `Order ${orderId} was not placed by then.`)
  const [view] = await orderViews({ shop }, [order], { isPast: true })
  if (!view) throw new TypeError('an order has a view')
  return { ...view, events: [...keptTimeline(history, 'staff')] }
}

interface Viewer {
  readonly isStaff: boolean
  readonly seesBuyer: boolean
}

type Answering = Pick<Api, 'shop' | 'methodLimits' | 'providerWatch'>

/** One order with its timeline and what each method would charge, folded from its own stream, which is never behind. */
export async function orderDetail(api: Answering, orderId: string, viewer: Viewer): Promise<Order> {
  return detailOf(api, await api.shop.hot.orders.read(orderId), { orderId, ...viewer })
}

/** The same, and for buyers while the log is away: the order as it was last known. */
export async function orderDetailAsOf(
  api: Answering & Pick<Api, 'follower' | 'views'>,
  orderId: string,
  viewer: Viewer,
): Promise<Order> {
  try {
    return await orderDetail(api, orderId, viewer)
  } catch (error) {
    if (viewer.isStaff || !isLogAway(error)) throw error
    const last = await lastKnown(api, orderId)
    if (last === undefined) throw error
    const { events, ...detail } = await detailOf(api, last.history, { orderId, ...viewer })
    const asOf = last.upTo ?? detail.updatedAt ?? detail.createdAt
    return { ...detail, ...(last.history.events.length > 0 && { events }), asOf }
  }
}

/** By its view, or by what this process has read of its stream. */
async function lastKnown(
  { shop, follower, views }: Pick<Api, 'shop' | 'follower' | 'views'>,
  orderId: string,
): Promise<{ history: OrderHistory; upTo: string | undefined } | undefined> {
  const { position, lookedAt } = follower
  const inView = await views.order(orderId, position).catch(unlessAway)
  if (inView === undefined) return undefined
  const { order, isUpTo } = inView
  const read = shop.hot.orders.lastRead(orderId)
  return {
    history: read && read.order.next >= order.next ? read : { order, events: [] },
    upTo: isUpTo ? new Date(lookedAt).toISOString() : undefined,
  }
}

function unlessAway(error: unknown): undefined {
  if (!(error instanceof TryAgain)) throw error
}

async function detailOf(
  api: Answering,
  history: OrderHistory,
  { orderId, isStaff, seesBuyer }: Viewer & { orderId: string },
): Promise<Order> {
  const { order } = history
  if (order.kind === 'none' || (isDeleted(order) && !isStaff))
    throw new Refusal('order/not-found', `Order ${orderId} could not be found.`)
  const [[read], methods] = await Promise.all([openedOrders(api.shop, [order]), methodsOf(api, order)])
  const view = orderView(order, read?.opened ?? unread, { isMasked: !seesBuyer, isStaff })
  return {
    ...view,
    providerIsAway: view.payment !== null && (await isAway(api, currentAttempt(order))),
    methods,
    events: [...keptTimeline(history, isStaff ? 'staff' : 'buyer')],
  }
}

async function isAway({ providerWatch }: Pick<Api, 'providerWatch'>, attempt: Attempt | undefined): Promise<boolean> {
  const state = attempt && (await providerWatch?.stateOf(attempt.provider))
  return state?.awaySince !== undefined
}

const unread = { buyer: 'unreadable', refundsTo: [] } as const

/** Screens poll an order many times between its changes. */
const timelines = {
  staff: new WeakMap<OrderHistory, readonly TimelineEntry[]>(),
  buyer: new WeakMap<OrderHistory, readonly TimelineEntry[]>(),
}

function keptTimeline(history: OrderHistory, reader: Reader): readonly TimelineEntry[] {
  const known = timelines[reader].get(history)
  if (known) return known
  const timeline = timelineOf(history.events, reader)
  timelines[reader].set(history, timeline)
  return timeline
}

async function methodsOf(
  { shop, methodLimits }: Pick<Api, 'shop' | 'methodLimits'>,
  order: PlacedOrder,
): Promise<NonNullable<Order['methods']>> {
  if (!isOpen(order)) return []
  return Promise.all(
    paymentMethods.map(async (method) => {
      const reason = isMethodOn(shop, method)
        ? await methodLimits.reasonAgainst(order, method)
        : 'Currently unavailable'
      return { method, available: reason === undefined, reason: reason ?? null, ...payableBy(order, method) }
    }),
  )
}

/** An order that a buyer may see. */
export async function visibleOrder({ shop }: Pick<Api, 'shop'>, orderId: string): Promise<PlacedOrder> {
  const { state } = await findPlacedOrder(shop, orderId)
  if (isDeleted(state)) throw new Refusal('order/not-found', 'There is no such order.')
  return state
}
