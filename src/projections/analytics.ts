import type { Query, ViewDocument } from '../view-store/view-store.ts'
import { daysIn, monthOf } from './calendar.ts'
import { orderTypesFor } from './order-events.ts'
import { type Count, type EventOf, isOf, type Projection } from './projection.ts'
import { bodiesOf, type Views } from './views.ts'

export interface TotalsDocument {
  /** All that are not deleted. */
  readonly orders: number
  /** Of orders completed and not deleted, less refunds, without fees. */
  readonly revenueCents: number
  readonly coinsM: number
}

export interface MonthDocument {
  /** `2026-01`, in the shop's time zone. */
  readonly month: string
  readonly revenueCents: number
  readonly completedOrders: number
}

export interface BuyerDocument {
  /** Completed and not deleted. */
  readonly completedOrders: number
}

type AnalyticsDocument = TotalsDocument | MonthDocument | BuyerDocument

const NAME = 'analytics'
const TOTALS = 'totals'
const CUSTOMERS = 'customers'
/** Fifty years of months. */
const MONTHS_MAX = 600

const monthKey = (month: string): string => `month-${month}`
const buyerKey = (customerId: string): string => `customer-${customerId}`
const isBuyerKey = (id: string): boolean => id.startsWith(buyerKey(''))

/** What an event adds to the figures. */
export interface Change {
  readonly orders: number
  readonly completed: number
  readonly revenueCents: number
  readonly coinsM: number
}

const newestMonths = (): Query => ({ where: [], sort: { field: 'month', direction: 'desc' } })

/** Few documents however many orders there are: totals, one a month, one for each customer with a completed order, and how many of these there are. */
export function analyticsProjection({ timeZone }: { timeZone: string }): Projection<AnalyticsDocument> {
  const dayOf = daysIn(timeZone)
  const monthKeyOf = (event: Counted): string => monthKey(monthOf(dayOf(countedAt(event))))
  return {
    name: NAME,
    version: 3,
    variant: timeZone,
    fields: { month: 'text' },
    indexes: [['month']],
    queries: { newestMonths },

    keys(event) {
      if (event.type === 'unreadable') return countedTypes.some((type) => type === event.storedType) ? [TOTALS] : []
      if (!isOf(countedTypes, event)) return []
      if (event.type === 'OrderPlaced') return [TOTALS]
      if (event.type === 'RefundRecorded') return event.data.revenueCents === 0 ? [] : [TOTALS, monthKeyOf(event)]
      if (event.type === 'OrderDeleted' && event.data.completedAt === null) return [TOTALS]
      return [TOTALS, monthKeyOf(event), buyerKey(event.data.customerId)]
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
      if (isBuyerKey(id)) {
        const before = (body as BuyerDocument | undefined)?.completedOrders ?? 0
        return { completedOrders: before + completed }
      }
      const month = body as MonthDocument | undefined
      return {
        month: month?.month ?? monthOf(dayOf(countedAt(event))),
        revenueCents: (month?.revenueCents ?? 0) + revenueCents,
        completedOrders: (month?.completedOrders ?? 0) + completed,
      }
    },

    counter: {
      id: CUSTOMERS,
      watches: isBuyerKey,
      counts: (body) => (body as BuyerDocument).completedOrders > 0,
    },
  }
}

const noTotals: TotalsDocument = { orders: 0, revenueCents: 0, coinsM: 0 }
export const countedTypes = orderTypesFor(NAME)

export type Counted = EventOf<(typeof countedTypes)[number]>

export function changeBy({ type, data }: Counted): Change {
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

/** A deleted order's figures are subtracted in the month in which they were added, a refund in its own. */
export function countedAt({ type, data }: Counted): string {
  return type === 'OrderDeleted' ? (data.completedAt ?? data.at) : data.at
}

export interface Analytics extends TotalsDocument {
  readonly customers: number
  /** Oldest first; months in which something was completed, or refunded. */
  readonly months: readonly MonthDocument[]
}

/** All that are not deleted. Throws `ViewBehind`. */
export async function countOrders(views: Views): Promise<number> {
  const documents = await views.store.load(await views.collection(NAME), [TOTALS])
  return totalsOf(documents).orders
}

/** Throws `ViewBehind`. */
export async function readAnalytics(views: Views): Promise<Analytics> {
  const collection = await views.collection(NAME)
  const documents = await views.store.load(collection, [TOTALS, CUSTOMERS])
  const { rows } = await views.store.find(collection, newestMonths(), { limit: MONTHS_MAX })
  const months = await bodiesOf<MonthDocument>(views, collection, rows)
  return {
    ...totalsOf(documents),
    customers: (documents.get(CUSTOMERS)?.body as Count | undefined)?.count ?? 0,
    months: months.filter(({ completedOrders, revenueCents }) => completedOrders > 0 || revenueCents !== 0).reverse(),
  }
}

function totalsOf(documents: ReadonlyMap<string, ViewDocument>): TotalsDocument {
  return (documents.get(TOTALS)?.body as TotalsDocument | undefined) ?? noTotals
}
