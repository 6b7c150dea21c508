import { expiryOf, watchUntil } from '../domain/order/deadline.ts'
import {
  type Attempt,
  endedAt,
  holdsStock,
  isCovered,
  isDeliveryHeld,
  isOpen,
  mayBeReinstated,
  openCapture,
  openDelivery,
  type PlacedOrder,
  readinessOf,
  stageOf,
} from '../domain/order/order-state.ts'
import type { Position } from '../event-store/event-store.ts'

/** An order's due work for the sweep's queries; undefined fields mean none. */
export interface OrderWork {
  /** Paid or approved: the position of the event that made it so. */
  readonly payablePosition: Position | undefined
  readonly expiresAt: string | undefined
  /** Ready for the webhook, which has not been asked for yet. */
  readonly callSince: string | undefined
  /** Ready for staff. */
  readonly toDeliverSince: string | undefined
  /** Paid, and its coins are not handed over. */
  readonly owedSince: string | undefined
  readonly reinstateSince: string | undefined
  readonly captureUntil: string | undefined
  readonly deliveryUntil: string | undefined
  readonly watchUntil: string | undefined
  /** The provider may have something to report. */
  readonly polled: 'open' | 'ended' | undefined
  /** When the newest payment began that the order waits for. */
  readonly awaitedSince: string | undefined
  /** A paid pre-order without stock; sorts in the order of payment. */
  readonly waitsForStock: Position | undefined
  /** Its payments that are watched, for `attemptsIn`. */
  readonly watched: string | undefined
  /** Its payments' ids at their providers. */
  readonly paymentIds: readonly string[] | undefined
  /** The providers that are asked about its payments. */
  readonly polledBy: readonly string[] | undefined
}

/** Few orders have one of these at a time. */
export const workFields = {
  expiresAt: 'text',
  callSince: 'text',
  toDeliverSince: 'text',
  owedSince: 'text',
  reinstateSince: 'text',
  captureUntil: 'text',
  deliveryUntil: 'text',
  watchUntil: 'text',
  polled: 'text',
  awaitedSince: 'text',
  waitsForStock: 'text',
} as const

export function workOf(order: PlacedOrder, payablePosition: Position | undefined): OrderWork {
  const { attempts } = order
  const ready = readinessOf(order)
  const end = endedAt(order)
  const isPayable = payablePosition !== undefined
  const watched = attempts.filter((attempt) => attempt.isWatched)
  const polledBy = new Set(watched.flatMap(({ started, provider }) => (started ? [provider] : [])))
  const isPolled = polledBy.size > 0
  const paymentIds = attempts.flatMap(({ started }) => (started ? [started.paymentId] : []))
  return {
    payablePosition,
    expiresAt: expiryOf(order),
    callSince: isToBeCalled(order) ? ready?.since : undefined,
    toDeliverSince: ready?.deliveryMode === 'staff' ? ready.since : undefined,
    owedSince: openOrEnded(order) === 'open' && isCovered(order) ? order.moneySeenAt : undefined,
    reinstateSince: mayBeReinstated(order) ? order.updatedAt : undefined,
    captureUntil: openCapture(order)?.callsUntil,
    deliveryUntil: openDelivery(order)?.callsUntil,
    watchUntil: watched.length > 0 && end !== undefined ? watchUntil(end) : undefined,
    polled: isPolled ? openOrEnded(order) : undefined,
    awaitedSince: isPolled && openOrEnded(order) === 'open' ? awaitedSince(order) : undefined,
    waitsForStock: isPayable && !holdsStock(order) ? payablePosition : undefined,
    watched: watched.length > 0 ? watched.map(watchedText).join(' ') : undefined,
    paymentIds: paymentIds.length > 0 ? paymentIds : undefined,
    polledBy: isPolled ? [...polledBy] : undefined,
  }
}

function isToBeCalled(order: PlacedOrder): boolean {
  const stage = stageOf(order)
  return stage.kind === 'ready' && stage.ready.deliveryMode === 'webhook' && !isDeliveryHeld(order)
}

function openOrEnded(order: PlacedOrder): 'open' | 'ended' {
  return isOpen(order) ? 'open' : 'ended'
}

function awaitedSince({ attempts }: PlacedOrder): string | undefined {
  return attempts.findLast((attempt) => attempt.isWatched && attempt.started && isAwaited(attempt))?.started?.at
}

export interface WatchedAttempt {
  readonly attempt: number
  /** Undefined: it has not begun. */
  readonly startedAt: string | undefined
  readonly isAwaited: boolean
}

/** `1+2026-03-01T12:01:00.000Z`: a plus where it is awaited, and when it began. */
function watchedText(attempt: Attempt): string {
  return `${attempt.attempt}${isAwaited(attempt) ? '+' : '-'}${attempt.started?.at ?? ''}`
}

/** The payments that an order's `watched` names. */
export function attemptsIn(watched: string): WatchedAttempt[] {
  return watched === '' ? [] : watched.split(' ').map(attemptIn)
}

function attemptIn(text: string): WatchedAttempt {
  const at = text.search(/[+-]/)
  const startedAt = text.slice(at + 1)
  return {
    attempt: Number(text.slice(0, at)),
    startedAt: startedAt === '' ? undefined : startedAt,
    isAwaited: text[at] === '+',
  }
}

function isAwaited({ money }: Attempt): boolean {
  return money.kind === 'awaited' || money.kind === 'seen'
}
