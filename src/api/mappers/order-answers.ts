import { findPlacedOrder } from '../../shop/handle-order.ts'
import { isMethodOn, owedBy, providerNamed } from '../../shop/providers.ts'
import { sellerOf } from '../../shop/shop-facts.ts'
import { openedOrders } from '../../shop/read-history.ts'
import { historyOf, type OrderHistory } from '../../shop/hot/order-histories.ts'
import { orderStream } from '../../domain/stream-names.ts'
import { type Attempt, currentAttempt, isDeleted, isOpen, type PlacedOrder } from '../../domain/order/order-state.ts'
import { centsToText } from '../../domain/money.ts'
import { Refusal } from '../../domain/refusal.ts'
import { paymentMethods } from '../../domain/payment-methods.ts'
import type { Reader } from '../../words/event-words.ts'
import { type TimelineEntry, timelineOf } from '../../words/timeline.ts'
import type { Api } from '../api.ts'
import type { Order } from '../contract/order.ts'
import { orderView } from './order-view.ts'

/** Orders with decrypted buyer data, for staff; past orders show the buyers as known now. */
export async function orderViews(
  { context }: Pick<Api, 'context'>,
  documents: readonly { readonly order: PlacedOrder }[],
  { isPast }: { isPast: boolean },
): Promise<Order[]> {
  const all = await openedOrders(
    context,
    documents.map(({ order }) => order),
  )
  return all.map(({ order, opened }) => orderView(order, opened, { isMasked: false, isStaff: true, isPast }))
}

/** One order and its timeline as of the log's position, for staff. */
export async function orderDetailAt(
  { context }: Pick<Api, 'context'>,
  orderId: string,
  position: string,
): Promise<Order> {
  const events = (await context.log.readStream(orderStream(orderId))) as OrderHistory['events']
  const history = historyOf(events.filter((event) => event.position <= position))
  const { order } = history
  if (order.kind === 'none') throw new Refusal('order/not-found', `Order ${orderId} was not placed by then.`)
  const [view] = await orderViews({ context }, [{ order }], { isPast: true })
  if (!view) throw new TypeError('an order has a view')
  return { ...view, events: [...cachedTimeline(history, 'staff')] }
}

interface Viewer {
  readonly isStaff: boolean
  readonly seesBuyer: boolean
}

/** One order with its timeline and each method's charge, folded from its own stream, which is always current. */
export async function orderDetail(
  api: Pick<Api, 'context' | 'methodLimits'>,
  orderId: string,
  { isStaff, seesBuyer }: Viewer,
): Promise<Order> {
  const history = await api.context.hot.orders.read(orderId)
  const { order } = history
  if (order.kind === 'none' || (isDeleted(order) && !isStaff))
    throw new Refusal('order/not-found', `Order ${orderId} could not be found.`)
  const [[read], methods] = await Promise.all([openedOrders(api.context, [order]), methodsOf(api, order)])
  const seller = sellerOf(api.context)
  const view = orderView(order, read?.opened ?? unreadable, { isMasked: !seesBuyer, isStaff })
  return {
    ...view,
    providerIsAway: view.payment !== null && isAway(api, currentAttempt(order)),
    methods,
    ...(seesBuyer && seller && { seller }),
    events: [...cachedTimeline(history, isStaff ? 'staff' : 'buyer')],
  }
}

function isAway({ context }: Pick<Api, 'context'>, attempt: Attempt | undefined): boolean {
  const provider = attempt && providerNamed(context, attempt.provider)
  return provider?.health?.state().awaySince !== undefined
}

const unreadable = { buyer: 'unreadable', refundsTo: [], note: null } as const

/** Cached, since screens poll an order many times between changes. */
const timelines = {
  staff: new WeakMap<OrderHistory, readonly TimelineEntry[]>(),
  buyer: new WeakMap<OrderHistory, readonly TimelineEntry[]>(),
}

function cachedTimeline(history: OrderHistory, reader: Reader): readonly TimelineEntry[] {
  const known = timelines[reader].get(history)
  if (known) return known
  const timeline = timelineOf(history, reader)
  timelines[reader].set(history, timeline)
  return timeline
}

async function methodsOf(
  { context, methodLimits }: Pick<Api, 'context' | 'methodLimits'>,
  order: PlacedOrder,
): Promise<NonNullable<Order['methods']>> {
  if (!isOpen(order)) return []
  return Promise.all(
    paymentMethods.map(async (method) => {
      const reason = isMethodOn(context, method)
        ? await methodLimits.reasonAgainst(order, method)
        : 'Currently unavailable'
      const { askedMinor, currency } = owedBy(order, method)
      const payable = centsToText(askedMinor)
      return { method, available: reason === undefined, reason: reason ?? null, payable, currency }
    }),
  )
}

/** An order that a buyer may see. */
export async function visibleOrder({ context }: Pick<Api, 'context'>, orderId: string): Promise<PlacedOrder> {
  const { state } = await findPlacedOrder(context, orderId)
  if (isDeleted(state)) throw new Refusal('order/not-found', 'There is no such order.')
  return state
}
