import type { Query } from '../view-store/view-store.ts'
import { COUNTED_MAX } from './orders.ts'
import { orderTypesFor } from './order-events.ts'
import { type EventOf, idIn, isOf, type Projection } from './projection.ts'
import { allBodies, type Views } from './views.ts'

type Work = { readonly claim: 'to-record' } | { readonly claim: 'to-tell'; readonly claimedByOrderId: string }

/** Facts of a receipt's stream that its order has not recorded yet. */
export interface ReceiptDocument {
  readonly unfinished: readonly (Work & {
    readonly provider: string
    readonly receiptId: string
    readonly orderId: string
    readonly since: string
  })[]
  readonly receiptSince: string | null
  /** Money without an order, since when. */
  readonly unplacedSince: string | null
}

const NAME = 'payments'
const receiptTypes = ['ReceiptClaimed', 'ReceiptRefused', 'ReceiptUnplaced', ...orderTypesFor(NAME)] as const
type ReceiptNews = EventOf<(typeof receiptTypes)[number]>

const unplaced = (): Query => ({
  where: [{ field: 'unplacedSince' }],
  sort: { field: 'unplacedSince', direction: 'asc' },
})

const unfinishedBefore = (before: string): Query => ({
  where: [{ field: 'receiptSince', below: before }],
  sort: { field: 'receiptSince', direction: 'asc' },
})

/** Each receipt that is on its way to an order. */
export const paymentsProjection: Projection<ReceiptDocument> = {
  name: NAME,
  version: 6,
  fields: { receiptSince: 'text', unplacedSince: 'text' },
  indexes: [['receiptSince'], ['unplacedSince']],
  queries: { unfinishedBefore, unplaced },

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
  return { unfinished, receiptSince, unplacedSince: unplacedAfter(body?.unplacedSince ?? null, event) }
}

function unplacedAfter(since: string | null, event: ReceiptNews): string | null {
  if (event.type === 'ReceiptUnplaced') return event.data.at
  return event.type === 'ReceiptClaimed' ? null : since
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
    case 'ReceiptUnplaced':
      return unfinished
    case 'PaymentReceived': {
      const { provider, orderId } = event.data
      return unfinished.filter(
        (work) => work.claim !== 'to-record' || work.provider !== provider || work.orderId !== orderId,
      )
    }
    case 'OrderNeedsAttention': {
      const { orderId } = event.data
      // The order stores a refused receipt by its id alone, so recording it once covers all providers.
      return unfinished.filter((work) => work.claim !== 'to-tell' || work.orderId !== orderId)
    }
  }
}

/** Receipts older than `before` whose claim or refusal their order has not recorded. */
export async function* receiptsUnfinished(
  views: Views,
  before: string,
): AsyncGenerator<{ readonly provider: string; readonly receiptId: string }> {
  const collection = await views.collection(NAME)
  for await (const { unfinished } of allBodies<ReceiptDocument>(views, collection, unfinishedBefore(before))) {
    const providers = new Set(unfinished.map(({ provider }) => provider))
    const receiptId = unfinished[0]?.receiptId ?? ''
    for (const provider of providers) yield { provider, receiptId }
  }
}

/** How many payments have no order, counted up to 10,000. */
export async function countUnplaced(views: Views): Promise<number> {
  return views.store.count(await views.collection(NAME), unplaced(), COUNTED_MAX)
}
