import { isApproved, isCovered, type PlacedOrder } from '../domain/order/order-state.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import { orderIdOf } from '../domain/stream-names.ts'
import { changeBy, type Counted, countedAt, countedTypes } from '../projections/analytics.ts'
import { daysIn, monthOf } from '../projections/calendar.ts'
import { type EventOf, isOf } from '../projections/projection.ts'
import type { Fold } from './fold-log.ts'
import { orderStates } from './order-states.ts'

export const groupings = ['day', 'month', 'method', 'pack', 'discount'] as const
export type Grouping = (typeof groupings)[number]

/** Of orders that are not deleted. */
export interface Figures {
  readonly placed: number
  /** Of those placed: paid in full, or approved, at least once. */
  readonly paid: number
  readonly completed: number
  readonly coinsM: number
  /** Of orders completed, less what refunds took of it: as the dashboard has it. */
  readonly revenueCents: number
  /** All that staff paid back, also what never was revenue. */
  readonly refundedCents: number
  /** The totals of the orders completed. */
  readonly soldCents: number
}

export interface FiguresRow extends Figures {
  /** `2026-01-31`, `2026-01`, `paypal` (`none` before one is chosen), `200` (M) or `20` (%). */
  readonly key: string
}

const nothing: Figures = {
  placed: 0,
  paid: 0,
  completed: 0,
  coinsM: 0,
  revenueCents: 0,
  refundedCents: 0,
  soldCents: 0,
}
const names = Object.keys(nothing) as (keyof Figures)[]

/** What is kept of an order. */
interface Kept {
  readonly placedOn: string
  readonly quantityM: number
  readonly discountPercent: number
  readonly totalCents: number
  method: PaymentMethod | null
  isPaid: boolean
  /** No later event changes its method or whether it is paid. */
  isSettled: boolean
  /** Only where figures are grouped by method, pack or discount. */
  figures: Figures
}

export interface FiguresFold<By extends Grouping> extends Fold {
  totals(): Figures
  /** In the order of their keys; those without a figure are left out. */
  rows(by: By): FiguresRow[]
}

/**
 * The figures of the shop. What an event adds comes from the view of the dashboard, the state of an order from its decider; here they are only added up.
 * Orders placed and paid are counted on the day of placing, everything else on its own day; a deletion subtracts from the days that were counted.
 */
export function figuresFold<By extends Grouping = never>({
  timeZone,
  by = [],
}: {
  timeZone: string
  by?: readonly By[] | undefined
}): FiguresFold<By> {
  const dayOf = daysIn(timeZone)
  const orders = new Map<string, Kept>()
  const states = orderStates()
  const days = new Map<string, Figures>()
  const keepsOrders = by.some((grouping) => grouping !== 'day' && grouping !== 'month')

  function add(order: Kept, day: string, change: Partial<Figures>): void {
    addTo(days, day, change)
    if (keepsOrders) order.figures = sum(order.figures, change)
  }

  function count(order: Kept, event: Counted): void {
    const { orders: placed, completed, revenueCents, coinsM } = changeBy(event)
    const isDeletion = event.type === 'OrderDeleted'
    if (placed !== 0) add(order, order.placedOn, { placed, paid: isDeletion && order.isPaid ? -1 : 0 })
    const refundedCents = event.type === 'RefundRecorded' ? event.data.amountCents : 0
    const soldCents = completed * order.totalCents
    add(order, dayOf(countedAt(event)), { completed, revenueCents, coinsM, refundedCents, soldCents })
  }

  function follow(order: Kept, state: PlacedOrder): void {
    order.method = state.paymentMethod
    if (!order.isPaid && state.life.kind !== 'deleted' && isPaid(state)) {
      order.isPaid = true
      add(order, order.placedOn, { paid: 1 })
    }
    order.isSettled = state.life.kind === 'completed' || state.life.kind === 'deleted'
    if (order.isSettled) states.forget(state.placed.orderId)
  }

  return {
    needs({ stream, type }) {
      const orderId = orderIdOf(stream)
      if (orderId === undefined) return false
      return orders.get(orderId)?.isSettled !== true || countedTypes.some((counted) => counted === type)
    },

    see(event) {
      const orderId = orderIdOf(event.stream)
      if (orderId === undefined) return
      const known = orders.get(orderId)
      const state = known?.isSettled ? undefined : states.see(event)
      const order = known ?? (event.type === 'OrderPlaced' ? keptOf(event, dayOf) : undefined)
      if (!order) return
      orders.set(orderId, order)
      if (isOf(countedTypes, event)) count(order, event)
      if (state) follow(order, state)
    },

    totals: () => [...days.values()].reduce(sum, nothing),

    rows(grouping) {
      const rows = new Map<string, Figures>()
      if (grouping === 'day' || grouping === 'month')
        for (const [day, figures] of days) addTo(rows, grouping === 'day' ? day : monthOf(day), figures)
      else for (const order of orders.values()) addTo(rows, keyOf(order, grouping), order.figures)
      const found = [...rows].filter(([, figures]) => names.some((name) => figures[name] !== 0))
      return found.map(([key, figures]) => ({ key, ...figures })).toSorted((a, b) => compareKeys(a.key, b.key))
    },
  }
}

function keptOf({ data }: EventOf<'OrderPlaced'>, dayOf: (at: string) => string): Kept {
  const { quantityM, discountPercent, totalCents, paymentMethod, at } = data
  const order = { placedOn: dayOf(at), quantityM, discountPercent, totalCents, method: paymentMethod }
  return { ...order, isPaid: false, isSettled: false, figures: nothing }
}

function keyOf(order: Kept, by: Exclude<Grouping, 'day' | 'month'>): string {
  if (by === 'method') return order.method ?? 'none'
  return String(by === 'pack' ? order.quantityM : order.discountPercent)
}

function compareKeys(a: string, b: string): number {
  const [first, second] = [Number(a), Number(b)]
  if (!Number.isNaN(first) && !Number.isNaN(second)) return first - second
  return a < b ? -1 : 1
}

function addTo(rows: Map<string, Figures>, key: string, change: Partial<Figures>): void {
  rows.set(key, sum(rows.get(key) ?? nothing, change))
}

function sum(one: Figures, other: Partial<Figures>): Figures {
  const { placed, paid, completed, coinsM, revenueCents, refundedCents, soldCents } = other
  return {
    placed: one.placed + (placed ?? 0),
    paid: one.paid + (paid ?? 0),
    completed: one.completed + (completed ?? 0),
    coinsM: one.coinsM + (coinsM ?? 0),
    revenueCents: one.revenueCents + (revenueCents ?? 0),
    refundedCents: one.refundedCents + (refundedCents ?? 0),
    soldCents: one.soldCents + (soldCents ?? 0),
  }
}

/** In full, or approved by staff. */
export function isPaid(order: PlacedOrder): boolean {
  return isCovered(order) || isApproved(order)
}

/** Paid of those placed, from 0 to 1; null where none was placed. */
export function conversionOf({ placed, paid }: Figures): number | null {
  return placed === 0 ? null : paid / placed
}

/** The mean total of the orders completed; null where there is none. */
export function averageCentsOf({ completed, soldCents }: Figures): number | null {
  return completed === 0 ? null : Math.round(soldCents / completed)
}
