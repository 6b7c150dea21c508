import { CLOCKS_APART_MS } from '../clocks-apart.ts'
import { plusMinutes } from '../plus-minutes.ts'
import { isCovered, isHalfReceived } from './order-money.ts'
import {
  isApproved,
  isOpen,
  isSeen,
  openRefund,
  type Patience,
  type PlacedOrder,
  sightingOf,
  stageOf,
} from './order-state.ts'

/** A started payment moves the deadline once, to half the order's lifetime from then, at most this many lifetimes after placing. */
export const LIFETIMES_MAX = 1.5
/** A large hold lasts for this fraction of the time. */
const LARGE_HOLD_SHARE = 1 / 4
/** How long money of at least half the total keeps an order open, from its arrival. */
const PATIENCE_HOURS = 24
/** The same for money that anyone can fake: unconfirmed for a large hold, or of unknown amount. */
const SHORT_PATIENCE_HOURS = 1
/** How long a call that began in time may take; afterwards its outcome counts as unknown. */
export const CALL_TIMEOUT_MINUTES = 0.5
const CLOCKS_APART_MINUTES = CLOCKS_APART_MS / 60_000
/** After this no call that began in time is still running, by any machine's clock. */
export const CALLS_OVER_MINUTES = CALL_TIMEOUT_MINUTES + CLOCKS_APART_MINUTES
/** How long after its end an order's payments are still checked. */
export const WATCH_DAYS = 7

/** A check that begins then sees all money of an ended order's payment watch, by any machine's clock. */
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
  if (!isOpen(order) || isApproved(order) || isCovered(order) || openRefund(order)) return undefined
  if (kind === 'capturing' || kind === 'delivering' || kind === 'delivery-unknown') return undefined
  return Object.values(order.patience).reduce((latest, end) => (end > latest ? end : latest), order.expiresAt)
}

/** When a new order expires, in minutes after it is placed. */
export function holdMinutes(ttlMinutes: number, isLargeHold: boolean): number {
  return isLargeHold ? ttlMinutes * LARGE_HOLD_SHARE : ttlMinutes
}

/** Lets money extend an order: each rule extends once, when it first holds, and small amounts do not extend. */
export function withPatience(order: PlacedOrder, at: string): PlacedOrder {
  if (!isOpen(order)) return order
  const { totalCents, isLargeHold } = order.placed
  const isHalf = (cents: number): boolean => cents * 2 >= totalCents
  const seen = order.attempts.filter(isSeen).map((attempt) => sightingOf(attempt)?.seenCents ?? null)
  const hours: Record<keyof Patience, number> = {
    received: order.patience.received === undefined && isHalfReceived(order) ? PATIENCE_HOURS : 0,
    seen: isHalf(seen.reduce<number>((sum, cents) => sum + (cents ?? 0), 0))
      ? isLargeHold
        ? SHORT_PATIENCE_HOURS
        : PATIENCE_HOURS
      : 0,
    unknown: seen.includes(null) ? SHORT_PATIENCE_HOURS : 0,
  }
  const granted = Object.entries(hours).flatMap(([rule, given]) =>
    given > 0 ? [[rule, plusMinutes(at, given * 60)] as const] : [],
  )
  return granted.length === 0 ? order : { ...order, patience: { ...Object.fromEntries(granted), ...order.patience } }
}

/** Placed further in the future than an order may be open: the clock was ahead then and has been corrected. */
export function wasPlacedAhead({ placed }: PlacedOrder, { at, expiry }: { at: string; expiry: string }): boolean {
  const placedMs = Date.parse(placed.at)
  return placedMs - Date.parse(at) > Date.parse(expiry) - placedMs
}

/** The deadline after a payment starts, never earlier than before. */
export function movedDeadline(order: PlacedOrder, at: string): string {
  if (!isOpen(order) || order.isExtended) return order.expiresAt
  const { placed } = order
  const ttlMinutes = (Date.parse(placed.expiresAt) - Date.parse(placed.at)) / 60_000
  const later = plusMinutes(at, ttlMinutes / 2)
  const last = plusMinutes(placed.at, ttlMinutes * LIFETIMES_MAX)
  const moved = later < last ? later : last
  return moved > order.expiresAt ? moved : order.expiresAt
}
