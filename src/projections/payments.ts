import type { PaymentMethod } from '../domain/order/events.ts'
import type { Query } from '../view-store/view-store.ts'
import type { OrderDocument } from './orders.ts'
import { isAwaited } from './order-work.ts'
import { type EventOf, idIn, isOf, type Projection } from './projection.ts'
import { all, type Views } from './views.ts'

type Work = { readonly claim: 'to-record' } | { readonly claim: 'to-tell'; readonly claimedByOrderId: string }

/** What a receipt's stream tells and an order does not know yet. */
export interface ReceiptDocument {
  readonly unfinished: readonly (Work & {
    readonly provider: string
    readonly receiptId: string
    readonly orderId: string
    readonly since: string
  })[]
  readonly receiptSince: string | null
}

const NAME = 'payments'
const ORDERS = 'orders'
const receiptTypes = ['ReceiptClaimed', 'ReceiptRefused', 'PaymentReceived', 'OrderNeedsAttention'] as const
type ReceiptNews = EventOf<(typeof receiptTypes)[number]>

/** Each receipt that is on its way to an order. */
export const paymentsProjection: Projection<ReceiptDocument> = {
  name: NAME,
  version: 4,
  fields: { receiptSince: 'text' },
  indexes: [['receiptSince']],
  rare: ['receiptSince'],

  keys(event) {
    if (event.type === 'unreadable') return idIn('receipt', event.stream) === undefined ? [] : [event.stream]
    const receiptId = isOf(receiptTypes, event) ? receiptIdOf(event) : undefined
    return receiptId === undefined ? [] : [receiptId]
  },

  evolve({ body }, event) {
    return isOf(receiptTypes, event) ? receiptAfter(body, event) : body
  },
}

function receiptIdOf(event: ReceiptNews): string | undefined {
  return event.type === 'OrderNeedsAttention' ? event.data.refusedReceipt?.receiptId : event.data.receiptId
}

function receiptAfter(body: ReceiptDocument | undefined, event: ReceiptNews): ReceiptDocument {
  const unfinished = unfinishedAfter(body?.unfinished ?? [], event)
  const receiptSince = unfinished.map(({ since }) => since).toSorted()[0] ?? null
  return { unfinished, receiptSince }
}

function unfinishedAfter(unfinished: ReceiptDocument['unfinished'], event: ReceiptNews): ReceiptDocument['unfinished'] {
  switch (event.type) {
    case 'ReceiptClaimed': {
      const { provider, receiptId, orderId, at: since } = event.data
      return [...unfinished, { claim: 'to-record', provider, receiptId, orderId, since }]
    }
    case 'ReceiptRefused': {
      const { provider, receiptId, orderId, claimedByOrderId, at: since } = event.data
      return [...unfinished, { claim: 'to-tell', provider, receiptId, orderId, claimedByOrderId, since }]
    }
    case 'PaymentReceived': {
      const { provider, orderId } = event.data
      return unfinished.filter(
        (work) => work.claim !== 'to-record' || work.provider !== provider || work.orderId !== orderId,
      )
    }
    case 'OrderNeedsAttention': {
      const { orderId } = event.data
      // The order remembers a refused receipt by its id alone, so one telling is enough for all providers.
      return unfinished.filter((work) => work.claim !== 'to-tell' || work.orderId !== orderId)
    }
  }
}

/** How many ids may begin with another one. */
const ALIKE_MAX = 100

/** The order that a provider's payment id belongs to. Throws `ViewBehind`. */
export async function orderIdOfPayment(views: Views, paymentId: string): Promise<string | undefined> {
  if (paymentId === '') return undefined
  const query = { beginsWith: { field: 'paymentIds', text: paymentId }, limit: ALIKE_MAX }
  const found = await views.store.find(await views.collection(ORDERS), query)
  return found.find(({ body }) => (body as OrderDocument).paymentIds?.includes(paymentId))?.id
}

/** All of these are candidates only: whoever acts reads the stream that decides. They throw `ViewBehind`. */
async function* orders(views: Views, query: Omit<Query, 'limit'>): AsyncGenerator<OrderDocument> {
  for await (const { body } of all<OrderDocument>(views, await views.collection(ORDERS), query)) yield body
}

function due(field: string, range: { from?: string; to?: string } = { from: '' }): Omit<Query, 'limit' | 'after'> {
  return { range: { field, ...range }, sort: { field, direction: 'asc' } }
}

export interface OrderDue {
  readonly orderId: string
  /** When it became due, or until when calls for it may begin. */
  readonly at: string
}

/** Orders whose time is over. */
export async function* dueForExpiry(views: Views, now: string): AsyncGenerator<OrderDue> {
  for await (const { orderId, expiresAt } of orders(views, due('expiresAt', { to: now })))
    yield { orderId, at: expiresAt ?? now }
}

/** Paid or approved orders that hold their coins and that nobody is delivering. */
export async function* toDeliver(views: Views): AsyncGenerator<OrderDue> {
  for await (const { orderId, deliverSince } of orders(views, due('deliverSince')))
    yield { orderId, at: deliverSince ?? '' }
}

/** Ended orders that late money covers. */
export async function* toReinstate(views: Views): AsyncGenerator<OrderDue> {
  for await (const { orderId, reinstateSince } of orders(views, due('reinstateSince')))
    yield { orderId, at: reinstateSince ?? '' }
}

/** Paid pre-orders that wait for stock, in the order in which they were paid. */
export async function* preOrdersPaid(views: Views): AsyncGenerator<{ orderId: string; quantityM: number }> {
  for await (const { orderId, order } of orders(views, due('waitsForStock')))
    yield { orderId, quantityM: order.placed.quantityM }
}

export async function* openDeliveries(views: Views): AsyncGenerator<OrderDue> {
  for await (const { orderId, deliveryUntil } of orders(views, due('deliveryUntil')))
    yield { orderId, at: deliveryUntil ?? '' }
}

/** Captures that were asked for and whose answer is not known yet. */
export async function* openCaptures(
  views: Views,
): AsyncGenerator<OrderDue & { readonly attempt: number; readonly requestId: string }> {
  for await (const { orderId, order } of orders(views, due('captureUntil'))) {
    const { capture } = order
    if (capture) yield { orderId, attempt: capture.attempt, requestId: capture.requestId, at: capture.callsUntil }
  }
}

export interface PolledPayment {
  readonly orderId: string
  readonly attempt: number
  readonly method: PaymentMethod
  readonly provider: string
  readonly paymentId: string
  readonly reference: string
  readonly startedAt: string
  /** News is to be expected: the order is pending, and this payment has neither failed nor brought money. */
  readonly isHot: boolean
}

/** Payments that a provider may have news of: of orders that are pending, or of those that have ended; sorted by order. */
export async function* toPoll(
  views: Views,
  polled: 'open' | 'ended',
  afterOrderId?: string,
): AsyncGenerator<PolledPayment> {
  const after = afterOrderId === undefined ? {} : { after: { id: afterOrderId } }
  for await (const document of orders(views, { equals: { polled }, ...after })) yield* polledPayments(document)
}

/** Payments that their orders wait for, of those begun at `since` or later: the newest first. */
export async function* toPollFirst(views: Views, since: string): AsyncGenerator<PolledPayment> {
  const newestFirst = {
    range: { field: 'awaitedSince', from: since },
    sort: { field: 'awaitedSince', direction: 'desc' },
  } as const
  for await (const document of orders(views, newestFirst))
    for (const payment of polledPayments(document)) if (payment.isHot && payment.startedAt >= since) yield payment
}

function* polledPayments({ orderId, order, polled }: OrderDocument): Generator<PolledPayment> {
  for (const attempt of order.attempts) {
    const { started, isWatched, method, provider, reference } = attempt
    if (!isWatched || !started) continue
    const { paymentId, at: startedAt } = started
    const isHot = polled === 'open' && isAwaited(attempt)
    yield { orderId, attempt: attempt.attempt, method, provider, paymentId, reference, startedAt, isHot }
  }
}

/** Payments of orders that ended so long ago that one last question ends their watch. */
export async function* watchesToEnd(
  views: Views,
  now: string,
): AsyncGenerator<OrderDue & { readonly attempt: number }> {
  for await (const { orderId, order, watchUntil } of orders(views, due('watchUntil', { to: now })))
    for (const { attempt, isWatched } of order.attempts)
      if (isWatched) yield { orderId, attempt, at: watchUntil ?? now }
}

/** Receipts since before `before` that their order has not recorded, or that an order was refused without having been told. */
export async function* receiptsUnfinished(
  views: Views,
  before: string,
): AsyncGenerator<{ readonly provider: string; readonly receiptId: string }> {
  const found = all<ReceiptDocument>(views, await views.collection(NAME), due('receiptSince', { to: before }))
  for await (const { body } of found) {
    const providers = new Set(body.unfinished.map(({ provider }) => provider))
    const receiptId = body.unfinished[0]?.receiptId ?? ''
    for (const provider of providers) yield { provider, receiptId }
  }
}
