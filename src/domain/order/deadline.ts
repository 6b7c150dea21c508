import { CLOCKS_APART_MS } from '../clocks-apart.ts'
import { plusMinutes } from '../plus-minutes.ts'
import { holdsMoney, isApproved, isCovered, isOpen, type PlacedOrder, stageOf } from './order-state.ts'

/** A started payment extends the deadline once, to half the order's time from then on, but at most to this multiple of it after placing. */
export const LIFETIMES_MAX = 1.5
/** Time for seen money to be confirmed or completed. */
const MONEY_SEEN_HOURS = 24
/** How long a call that began in time may take; afterwards its outcome counts as unknown. */
export const CALL_TIMEOUT_MINUTES = 0.5
const CLOCKS_APART_MINUTES = CLOCKS_APART_MS / 60_000
/** When no call that began in time can be under way any more, by whichever machine's clock. */
export const CALLS_OVER_MINUTES = CALL_TIMEOUT_MINUTES + CLOCKS_APART_MINUTES
/** How long after its end an order's payments are still checked. */
export const WATCH_DAYS = 7

/** A check of an ended order's payment that begins then has seen all money of its watch, by whichever machine's clock. */
export function watchUntil(endedAt: string): string {
  return plusMinutes(endedAt, WATCH_DAYS * 24 * 60 + CLOCKS_APART_MINUTES)
}

/** How long after its end a watch may be held up by errors before a person is asked. */
const OVERDUE_DAYS = 1

export function isLongOverdue(endedAt: string, at: string): boolean {
  return at >= plusMinutes(watchUntil(endedAt), OVERDUE_DAYS * 24 * 60)
}

/** When this order expires if nothing else happens; undefined while it cannot. */
export function expiryOf(order: PlacedOrder): string | undefined {
  const { kind } = stageOf(order)
  if (!isOpen(order) || isApproved(order) || isCovered(order)) return undefined
  if (kind === 'capturing' || kind === 'delivering' || kind === 'delivery-unknown') return undefined
  if (!holdsMoney(order) || order.moneySeenAt === undefined) return order.expiresAt
  const patience = plusMinutes(order.moneySeenAt, MONEY_SEEN_HOURS * 60)
  return patience > order.expiresAt ? patience : order.expiresAt
}

/** Placed further in the future than an order may be open: the clock was ahead then and has been corrected. */
export function isOfAWrongClock({ placed }: PlacedOrder, { at, expiry }: { at: string; expiry: string }): boolean {
  const placedMs = Date.parse(placed.at)
  return placedMs - Date.parse(at) > Date.parse(expiry) - placedMs
}

/** The deadline once a payment has started: never earlier than it was. */
export function movedDeadline(order: PlacedOrder, at: string): string {
  if (!isOpen(order) || order.extensions > 0) return order.expiresAt
  const { placed } = order
  const ttlMinutes = (Date.parse(placed.expiresAt) - Date.parse(placed.at)) / 60_000
  const later = plusMinutes(at, ttlMinutes / 2)
  const last = plusMinutes(placed.at, ttlMinutes * LIFETIMES_MAX)
  const moved = later < last ? later : last
  return moved > order.expiresAt ? moved : order.expiresAt
}
