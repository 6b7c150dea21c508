import type { UnplacedFacts } from '../domain/receipt/events.ts'
import { isReceiptStream } from '../domain/stream-names.ts'
import type { Query } from '../engines/view-store/view-store.ts'
import { COUNTED_MAX } from './orders.ts'
import { findPage } from './page-cursor.ts'
import { type EventOf, isOf, type Projection } from './projection.ts'
import { allBodies, bodiesOf, type Views } from './shop-views.ts'

/** Facts of a receipt's stream that its order has not recorded yet. */
interface ReceiptDocument {
  readonly unfinished: readonly {
    readonly claim: 'to-record' | 'to-tell'
    readonly provider: string
    readonly receiptId: string
    readonly orderId: string
    readonly since: string
  }[]
  readonly receiptSince: string | null
  /** Unsettled money without an order. Ids are unique only within a provider. */
  readonly unplaced: readonly UnplacedFacts[]
  readonly unplacedSince: string | null
}

const NAME = 'payments'
const receiptTypes = [
  'ReceiptClaimed',
  'ReceiptRefused',
  'ReceiptUnplaced',
  'ReceiptUnplacedSettled',
  'PaymentReceived',
  'ReceiptUnusable',
] as const
type ReceiptEvent = EventOf<(typeof receiptTypes)[number]>

const unplacedFirst = (): Query => ({ range: { field: 'unplacedSince' } })

const unfinishedBefore = (before: string): Query => ({ range: { field: 'receiptSince', below: before } })

/** Receipts, by id, that are on their way to an order. */
export const paymentsProjection: Projection<ReceiptDocument> = {
  name: NAME,
  fields: { receiptSince: 'text', unplacedSince: 'text' },
  indexes: [['receiptSince'], ['unplacedSince']],
  queries: { unfinishedBefore, unplacedFirst },

  keys(event) {
    if (event.type === 'unreadable') return isReceiptStream(event.stream) ? [event.stream] : []
    return isOf(receiptTypes, event) ? [event.data.receiptId] : []
  },

  evolve({ body }, event) {
    return isOf(receiptTypes, event) ? receiptAfter(body, event) : body
  },
}

function receiptAfter(body: ReceiptDocument | undefined, event: ReceiptEvent): ReceiptDocument {
  const unfinished = unfinishedAfter(body?.unfinished ?? [], event)
  const unplaced = unplacedAfter(body?.unplaced ?? [], event)
  return {
    unfinished,
    receiptSince: unfinished.map(({ since }) => since).toSorted()[0] ?? null,
    unplaced,
    unplacedSince: unplaced.map(({ at }) => at).toSorted()[0] ?? null,
  }
}

function unplacedAfter(unplaced: ReceiptDocument['unplaced'], event: ReceiptEvent): ReceiptDocument['unplaced'] {
  switch (event.type) {
    case 'ReceiptUnplaced':
      return [...unplaced, event.data]
    case 'ReceiptClaimed':
    case 'ReceiptUnplacedSettled':
      return unplaced.filter(({ provider }) => provider !== event.data.provider)
    case 'ReceiptRefused':
    case 'PaymentReceived':
    case 'ReceiptUnusable':
      return unplaced
  }
}

function unfinishedAfter(
  unfinished: ReceiptDocument['unfinished'],
  event: ReceiptEvent,
): ReceiptDocument['unfinished'] {
  switch (event.type) {
    case 'ReceiptClaimed': {
      const { provider, receiptId, orderId, at: since } = event.data
      return [...unfinished, { claim: 'to-record', provider, receiptId, orderId, since }]
    }
    case 'ReceiptRefused': {
      const { provider, receiptId, orderId, at: since } = event.data
      return [...unfinished, { claim: 'to-tell', provider, receiptId, orderId, since }]
    }
    case 'ReceiptUnplaced':
    case 'ReceiptUnplacedSettled':
      return unfinished
    case 'PaymentReceived': {
      const { provider, orderId } = event.data
      return unfinished.filter(
        (work) => work.claim !== 'to-record' || work.provider !== provider || work.orderId !== orderId,
      )
    }
    case 'ReceiptUnusable': {
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
  for await (const { unfinished } of allBodies<ReceiptDocument>(views, NAME, unfinishedBefore(before))) {
    const providers = new Set(unfinished.map(({ provider }) => provider))
    const receiptId = unfinished[0]?.receiptId ?? ''
    for (const provider of providers) yield { provider, receiptId }
  }
}

interface UnplacedPage {
  readonly payments: readonly UnplacedFacts[]
  /** Counted up to 10,000. */
  readonly total: number
  readonly next: string | null
}

/** Money without an order, oldest first. Throws `ViewBehind`, and `CursorInvalid` for a cursor of another list. */
export async function listUnplaced(
  views: Views,
  page: { limit: number; cursor?: string | undefined },
): Promise<UnplacedPage> {
  const [{ rows, next }, total] = await Promise.all([
    findPage(views, NAME, unplacedFirst(), page),
    views.count(NAME, unplacedFirst(), COUNTED_MAX),
  ])
  const documents = await bodiesOf<ReceiptDocument>(views, NAME, rows)
  return { payments: documents.flatMap(({ unplaced }) => unplaced), total, next }
}

/** How many payments have no order, counted up to 10,000. */
export async function countUnplaced(views: Views): Promise<number> {
  return views.count(NAME, unplacedFirst(), COUNTED_MAX)
}
