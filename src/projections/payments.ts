import type { Query } from '../view-store/view-store.ts'
import { openCapture } from '../domain/order/order-state.ts'
import { orderIn } from './orders.ts'
import { attemptsIn, type WatchedAttempt, type workFields } from './order-work.ts'
import { type EventOf, idIn, isOf, type Projection } from './projection.ts'
import { all, type Views } from './view-reader.ts'

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
  return found.find(({ body }) => orderIn(body).paymentIds?.includes(paymentId))?.id
}

/** All of these are candidates only: whoever acts reads the stream that decides. They throw `ViewBehind`. */
function due(field: keyof typeof workFields, { to, limit }: { to?: string; limit: number }): Query {
  return { range: { field, ...(to === undefined ? { from: '' } : { to }) }, sort: { field, direction: 'asc' }, limit }
}

async function idsOf(views: Views, query: Query): Promise<string[]> {
  return (await views.store.findFields(await views.collection(ORDERS), query, [])).map(({ id }) => id)
}

/** Orders whose time is over. */
export async function dueForExpiry(views: Views, now: string, limit: number): Promise<string[]> {
  return idsOf(views, due('expiresAt', { to: now, limit }))
}

/** Orders that were placed later than `now`, and end later than any order that is placed now may: the clock was ahead. */
export async function placedAhead(
  views: Views,
  { now, endsAfter, limit }: { now: string; endsAfter: string; limit: number },
): Promise<string[]> {
  const query = {
    range: { field: 'expiresAt', from: endsAfter },
    sort: { field: 'expiresAt', direction: 'desc' },
    limit,
  } as const
  const found = await views.store.findFields(await views.collection(ORDERS), query, ['createdAt'])
  return found.filter(({ values: [createdAt] }) => String(createdAt) > now).map(({ id }) => id)
}

/** Orders that are ready for the webhook, and for which it was not asked yet. */
export async function toCallFor(views: Views, limit: number): Promise<string[]> {
  return idsOf(views, due('callSince', { limit }))
}

/** Ended orders that late money covers. */
export async function toReinstate(views: Views, limit: number): Promise<string[]> {
  return idsOf(views, due('reinstateSince', { limit }))
}

/** Paid pre-orders that wait for stock, in the order in which they were paid. */
export async function preOrdersPaid(views: Views, limit: number): Promise<string[]> {
  return idsOf(views, due('waitsForStock', { limit }))
}

export async function openDeliveries(views: Views, limit: number): Promise<string[]> {
  return idsOf(views, due('deliveryUntil', { limit }))
}

export interface OrderAttempt {
  readonly orderId: string
  readonly attempt: number
}

/** Captures that were asked for and whose answer is not known yet. */
export async function openCaptures(views: Views, limit: number): Promise<OrderAttempt[]> {
  const found = await views.store.find(await views.collection(ORDERS), due('captureUntil', { limit }))
  return found.flatMap(({ id: orderId, body }) => {
    const capture = openCapture(orderIn(body).order)
    return capture ? [{ orderId, attempt: capture.attempt }] : []
  })
}

export interface PolledPayment extends OrderAttempt {
  readonly startedAt: string
  /** News is to be expected: the order is pending, and this payment has neither failed nor brought money. */
  readonly isAwaited: boolean
}

/** Payments that a provider may have news of, of so many orders that are pending, or that have ended; sorted by order. */
export async function toPoll(
  views: Views,
  polled: 'open' | 'ended',
  { afterOrderId, limit }: { afterOrderId?: string | undefined; limit: number },
): Promise<{ payments: PolledPayment[]; lastOrderId: string | undefined }> {
  const after = afterOrderId === undefined ? {} : { after: { id: afterOrderId } }
  const found = await watchedOrders(views, { equals: { polled }, ...after, limit })
  const payments = found.flatMap(({ orderId, attempts }) => attempts.flatMap(polledPayment(orderId, polled)))
  return { payments, lastOrderId: found.length < limit ? undefined : found.at(-1)?.orderId }
}

/** Payments that so many orders wait for, of those begun at `since` or later: the newest first. */
export async function toPollFirst(views: Views, since: string, limit: number): Promise<PolledPayment[]> {
  const newestFirst = {
    range: { field: 'awaitedSince', from: since },
    sort: { field: 'awaitedSince', direction: 'desc' },
    limit,
  } as const
  const found = await watchedOrders(views, newestFirst)
  const payments = found.flatMap(({ orderId, attempts }) => attempts.flatMap(polledPayment(orderId, 'open')))
  return payments.filter(({ isAwaited, startedAt }) => isAwaited && startedAt >= since)
}

/** Where a walk through the watches that are over has come to. */
export interface WatchPlace {
  readonly watchUntil: string
  readonly orderId: string
}

/** Payments of so many orders that ended so long ago that one last question ends their watch. */
export async function watchesToEnd(
  views: Views,
  now: string,
  { after, limit }: { after?: WatchPlace | undefined; limit: number },
): Promise<{ payments: OrderAttempt[]; last: WatchPlace | undefined }> {
  const place = after && { after: { value: after.watchUntil, id: after.orderId } }
  const found = await watchedOrders(views, { ...due('watchUntil', { to: now, limit }), ...place })
  const payments = found.flatMap(({ orderId, attempts }) => attempts.map(({ attempt }) => ({ orderId, attempt })))
  return { payments, last: found.length < limit ? undefined : found.at(-1) }
}

async function watchedOrders(
  views: Views,
  query: Query,
): Promise<(WatchPlace & { readonly attempts: readonly WatchedAttempt[] })[]> {
  const found = await views.store.findFields(await views.collection(ORDERS), query, ['watched', 'watchUntil'])
  return found.map(({ id: orderId, values: [watched, watchUntil] }) => ({
    orderId,
    watchUntil: String(watchUntil ?? ''),
    attempts: attemptsIn(String(watched ?? '')),
  }))
}

function polledPayment(orderId: string, polled: 'open' | 'ended') {
  return ({ attempt, startedAt, isAwaited }: WatchedAttempt): PolledPayment[] =>
    startedAt === undefined ? [] : [{ orderId, attempt, startedAt, isAwaited: isAwaited && polled === 'open' }]
}

/** Receipts since before `before` that their order has not recorded, or that an order was refused without having been told. */
export async function* receiptsUnfinished(
  views: Views,
  before: string,
): AsyncGenerator<{ readonly provider: string; readonly receiptId: string }> {
  const found = all<ReceiptDocument>(views, await views.collection(NAME), {
    range: { field: 'receiptSince', to: before },
    sort: { field: 'receiptSince', direction: 'asc' },
  })
  for await (const { body } of found) {
    const providers = new Set(body.unfinished.map(({ provider }) => provider))
    const receiptId = body.unfinished[0]?.receiptId ?? ''
    for (const provider of providers) yield { provider, receiptId }
  }
}
