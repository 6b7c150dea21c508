import type { Query, ViewDocument } from '../view-store/view-store.ts'
import { daysIn, monthOf } from './calendar.ts'
import { orderTypesFor } from './order-events.ts'
import { type Count, type EventOf, isOf, type Projection } from './projection.ts'
import { bodiesOf, type Views } from './views.ts'

export interface TotalsDocument {
  /** All that are not deleted. */
  readonly orders: number
  /** Completed and not deleted, without fees. */
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

interface Change {
  readonly orders: number
  readonly completed: number
  readonly customerId: string
  readonly totalCents: number
  readonly quantityM: number
  /** When it was completed, where this changes what is completed. */
  readonly completedAt: string | null
}

const newestMonths = (): Query => ({ where: [], sort: { field: 'month', direction: 'desc' } })

/** Few documents however many orders there are: totals, one a month, one for each customer with a completed order, and how many of these there are. */
export function analyticsProjection({ timeZone }: { timeZone: string }): Projection<AnalyticsDocument> {
  const dayOf = daysIn(timeZone)
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
      const { customerId } = event.data
      const completedAt = event.type === 'OrderCompleted' ? event.data.at : event.data.completedAt
      if (completedAt === null) return [TOTALS]
      return [TOTALS, monthKey(monthOf(dayOf(completedAt))), buyerKey(customerId)]
    },

    evolve({ id, body }, event) {
      if (!isOf(countedTypes, event)) return body
      const { orders, completed, totalCents, quantityM, completedAt } = changeBy(event)
      if (id === TOTALS) {
        const totals = (body as TotalsDocument | undefined) ?? noTotals
        return {
          orders: totals.orders + orders,
          revenueCents: totals.revenueCents + completed * totalCents,
          coinsM: totals.coinsM + completed * quantityM,
        }
      }
      if (isBuyerKey(id)) {
        const before = (body as BuyerDocument | undefined)?.completedOrders ?? 0
        return { completedOrders: before + completed }
      }
      const month = body as MonthDocument | undefined
      return {
        month: month?.month ?? monthOf(dayOf(completedAt ?? '')),
        revenueCents: (month?.revenueCents ?? 0) + completed * totalCents,
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
const countedTypes = orderTypesFor(NAME)

function changeBy(event: EventOf<(typeof countedTypes)[number]>): Change {
  switch (event.type) {
    case 'OrderPlaced':
      return { ...event.data, orders: 1, completed: 0, completedAt: null }
    case 'OrderCompleted':
      return { ...event.data, orders: 0, completed: 1, completedAt: event.data.at }
    // Its figures are subtracted in the month in which they were added.
    case 'OrderDeleted':
      return { ...event.data, orders: -1, completed: event.data.completedAt === null ? 0 : -1 }
  }
}

export interface Analytics extends TotalsDocument {
  readonly customers: number
  /** Oldest first; months in which something was completed. */
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
    months: months.filter(({ completedOrders }) => completedOrders > 0).reverse(),
  }
}

function totalsOf(documents: ReadonlyMap<string, ViewDocument>): TotalsDocument {
  return (documents.get(TOTALS)?.body as TotalsDocument | undefined) ?? noTotals
}
