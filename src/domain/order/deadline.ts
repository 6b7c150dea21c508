import { plusMinutes } from '../plus-minutes.ts'
import { holdsMoney, isApproved, isCovered, isOpen, type PlacedOrder, stageOf } from './order-state.ts'

/** A started payment moves the order's deadline once, to half its time from then on, but never beyond this many of its times after placing. */
export const LIFETIMES_MAX = 1.5
/** Money that was seen gets this long to be confirmed or completed. */
const MONEY_SEEN_HOURS = 24
/** A call that began in time may take this long: only then is its end unknown. */
export const CALL_TIMEOUT_MINUTES = 0.5
/** How long after its end an order's payments are still asked about. */
export const WATCH_DAYS = 7

/** When this order expires if nothing more happens; undefined while it cannot. */
export function expiryOf(order: PlacedOrder): string | undefined {
  const { kind } = stageOf(order)
  if (!isOpen(order) || isApproved(order) || isCovered(order)) return undefined
  if (kind === 'capturing' || kind === 'delivering' || kind === 'delivery-unknown') return undefined
  if (!holdsMoney(order) || order.moneySeenAt === undefined) return order.expiresAt
  const patience = plusMinutes(order.moneySeenAt, MONEY_SEEN_HOURS * 60)
  return patience > order.expiresAt ? patience : order.expiresAt
}

/** It was placed further in the future than it may be open: the clock was ahead, and has come back since. */
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
