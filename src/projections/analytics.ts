import type { Query } from '../engines/view-store/view-store.ts'
import { daysIn, monthOf } from './calendar.ts'
import { type EventOf, isOf, type Projection, type Queries } from './projection.ts'
import { all, type Views } from './shop-views.ts'

export interface TotalsDocument {
  /** Orders that are not deleted. */
  readonly orders: number
  /** Of completed orders that are not deleted, less refunds, without fees. */
  readonly revenueCents: number
  readonly coinsM: number
}

/** Revenue of a day or month in the shop's time zone, or of a method. */
export interface RevenueDocument {
  /** `2026-01-31` */
  readonly day?: string
  /** `2026-01` */
  readonly month?: string
  /** `none` if none was chosen. */
  readonly method?: string
  readonly revenueCents: number
  readonly completedOrders: number
}

interface BuyerDocument {
  /** Completed and not deleted. */
  readonly completedOrders: number
  readonly isCustomer: boolean
}

type AnalyticsDocument = TotalsDocument | RevenueDocument | BuyerDocument

const NAME = 'analytics'
const TOTALS = 'totals'
/** If a count of the customers takes longer than this, counting gets at most this share of the time. */
const COUNTED_MS = 10
const COUNTING_SHARE = 0.01
const CUSTOMERS_MAX = 1_000_000_000
const BUYER = 'customer-'

/** What an event adds to the figures. */
interface Change {
  readonly orders: number
  readonly completed: number
  readonly revenueCents: number
  readonly coinsM: number
}

/** Revenue is summed by each of these. */
const revenueKinds = ['day', 'month', 'method'] as const
const figures = ['revenueCents', 'completedOrders'] as const
const analyticsQueries = {
  byDay: () => ({ range: { field: 'day' }, select: figures }),
  byMonth: () => ({ range: { field: 'month' }, select: figures }),
  byMethod: () => ({ range: { field: 'method' }, select: figures }),
  customers: () => ({ equal: { isCustomer: true } }),
} as const satisfies Queries

/** The totals, one document for each day, month and method with revenue, and one for each buyer with a completed order. */
export function analyticsProjection({ timeZone }: { timeZone: string }): Projection<AnalyticsDocument> {
  const dayOf = daysIn(timeZone)
  function revenueKeys(event: Revenue): string[] {
    const day = dayOf(countedAt(event))
    const of = { day, month: monthOf(day), method: event.data.paymentMethod ?? 'none' }
    return revenueKinds.map((kind) => `${kind}-${of[kind]}`)
  }
  return {
    name: NAME,
    fields: {
      day: 'text',
      month: 'text',
      method: 'text',
      revenueCents: 'number',
      completedOrders: 'number',
      isCustomer: 'boolean',
    },
    indexes: [...revenueKinds.map((kind) => [kind, ...figures]), ['isCustomer']],
    queries: analyticsQueries,

    keys(event) {
      if (event.type === 'unreadable') return countedTypes.some((type) => type === event.storedType) ? [TOTALS] : []
      if (!isOf(countedTypes, event)) return []
      if (event.type === 'OrderPlaced') return [TOTALS]
      if (event.type === 'RefundRecorded') return event.data.revenueCents === 0 ? [] : [TOTALS, ...revenueKeys(event)]
      if (event.type === 'OrderDeleted' && event.data.completedAt === null) return [TOTALS]
      return [TOTALS, ...revenueKeys(event), BUYER + event.data.customerId]
    },

    evolve({ id, body }, event) {
      if (!isOf(countedTypes, event)) return body
      const { orders, completed, revenueCents, coinsM } = changeBy(event)
      if (id === TOTALS) {
        const totals = (body as TotalsDocument | undefined) ?? noTotals
        return {
          orders: totals.orders + orders,
          revenueCents: totals.revenueCents + revenueCents,
          coinsM: totals.coinsM + coinsM,
        }
      }
      const completedOrders = ((body as BuyerDocument | undefined)?.completedOrders ?? 0) + completed
      if (id.startsWith(BUYER)) return { completedOrders, isCustomer: completedOrders > 0 }
      const before = (body as RevenueDocument | undefined)?.revenueCents ?? 0
      const dash = id.indexOf('-')
      return { [id.slice(0, dash)]: id.slice(dash + 1), revenueCents: before + revenueCents, completedOrders }
    },
  }
}

const noTotals: TotalsDocument = { orders: 0, revenueCents: 0, coinsM: 0 }
const countedTypes = ['OrderPlaced', 'OrderCompleted', 'RefundRecorded', 'OrderDeleted'] as const

type Counted = EventOf<(typeof countedTypes)[number]>
type Revenue = Exclude<Counted, EventOf<'OrderPlaced'>>

function changeBy({ type, data }: Counted): Change {
  switch (type) {
    case 'OrderPlaced':
      return { ...nothing, orders: 1 }
    case 'OrderCompleted':
      return { orders: 0, completed: 1, revenueCents: data.totalCents, coinsM: data.quantityM }
    case 'RefundRecorded':
      return { ...nothing, revenueCents: -data.revenueCents }
    case 'OrderDeleted':
      return data.completedAt === null
        ? { ...nothing, orders: -1 }
        : { orders: -1, completed: -1, revenueCents: -data.totalCents, coinsM: -data.quantityM }
  }
}

const nothing: Change = { orders: 0, completed: 0, revenueCents: 0, coinsM: 0 }

/** A deleted order is subtracted on the day on which it was added, a refund on its own day. */
function countedAt({ type, data }: Counted): string {
  return type === 'OrderDeleted' ? (data.completedAt ?? data.at) : data.at
}

/** Completed orders and their revenue, by a key. */
export interface RevenueRow {
  readonly key: string
  readonly revenueCents: number
  readonly completed: number
}

export interface RevenueRows {
  /** Keys are days of the shop's calendar, oldest first. */
  readonly byDay: readonly RevenueRow[]
  /** Keys are methods, or `none`. */
  readonly byMethod: readonly RevenueRow[]
}

interface AnalyticsFigures extends TotalsDocument {
  readonly customers: number
  /** Keys are months of the shop's calendar, oldest first. */
  readonly months: readonly RevenueRow[]
}

/** Orders that are not deleted. Throws `ViewBehind`, like the functions below. */
export async function countOrders(views: Views): Promise<number> {
  return (await totalsIn(views)).orders
}

/** Only days and methods with a completed or refunded order. */
export async function readRevenue(views: Views): Promise<RevenueRows> {
  const [byDay, byMethod] = await Promise.all([
    rowsOf(views, analyticsQueries.byDay()),
    rowsOf(views, analyticsQueries.byMethod()),
  ])
  return { byDay, byMethod }
}

/** The dashboard's figures. The number of customers is exact unless counting is slow: then it is cached. */
export function analyticsOf(views: Views): () => Promise<AnalyticsFigures> {
  const customers = cachedCount(views, async () => views.count(NAME, analyticsQueries.customers(), CUSTOMERS_MAX))
  return async () => {
    const [totals, months, count] = await Promise.all([
      totalsIn(views),
      rowsOf(views, analyticsQueries.byMonth()),
      customers(),
    ])
    return { ...totals, customers: count, months }
  }
}

/** Counts again once the views have moved and `againAt` is past. */
function cachedCount(views: Pick<Views, 'position'>, count: () => Promise<number>): () => Promise<number> {
  let last: { position: string | undefined; count: number; againAt: number } | undefined
  return async () => {
    const begunAt = performance.now()
    if (last && begunAt < last.againAt) return last.count
    const position = await views.position()
    if (last && last.position === position) return last.count
    const counted = await count()
    const tookMs = performance.now() - begunAt
    last = { position, count: counted, againAt: tookMs < COUNTED_MS ? 0 : begunAt + tookMs / COUNTING_SHARE }
    return counted
  }
}

async function rowsOf(views: Views, query: Query): Promise<RevenueRow[]> {
  const rows: RevenueRow[] = []
  for await (const { value, selected } of all(views, NAME, query)) {
    const [revenueCents, completed] = selected.map(Number) as [number, number]
    if (completed > 0 || revenueCents !== 0) rows.push({ key: String(value), revenueCents, completed })
  }
  return rows
}

async function totalsIn(views: Views): Promise<TotalsDocument> {
  const documents = await views.load(NAME, [TOTALS])
  return (documents.get(TOTALS)?.body as TotalsDocument | undefined) ?? noTotals
}
