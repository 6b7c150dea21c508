import { expiryOf, watchUntil } from '../domain/order/deadline.ts'
import { isCovered } from '../domain/order/order-money.ts'
import {
  type Attempt,
  endedAt,
  holdsStock,
  isChecked,
  isDeliveryHeld,
  isOpen,
  openCapture,
  openDelivery,
  openRefund,
  type PlacedOrder,
  readinessOf,
  stageOf,
} from '../domain/order/order-state.ts'
import { mayBeReinstated } from '../domain/order/standing.ts'
import type { Position } from '../engines/event-store/event-store.ts'

type Found = (order: PlacedOrder, payablePosition: Position | undefined) => string | undefined

/** Fields that find and sort the work on orders, each with its own index; few orders have one of these at a time. */
const work = {
  expiresAt: expiryOf,
  /** The bot is being called. */
  deliveryUntil: (order) => openDelivery(order)?.callsUntil,
  /** A refund is to be sent. */
  refundSince: (order) => openRefund(order)?.at,
  /** Ready for the bot, which has not been called yet. */
  callSince(order) {
    const stage = stageOf(order)
    if (openRefund(order)) return undefined
    const isToBeCalled = stage.kind === 'ready' && stage.ready.deliveryMode === 'webhook' && !isDeliveryHeld(order)
    return isToBeCalled ? stage.ready.since : undefined
  },
  /** Ready for staff. */
  toDeliverSince(order) {
    const ready = readinessOf(order)
    return ready?.deliveryMode === 'staff' ? ready.since : undefined
  },
  /** Paid, but not delivered. */
  owedSince: (order) => (isOpen(order) && isCovered(order) ? order.moneySeenAt : undefined),
  /** Ended, and covered by late money. */
  reinstateSince: (order) => (mayBeReinstated(order) ? order.updatedAt : undefined),
  /** A paid pre-order without stock; sorts in the order of payment. */
  waitsForStock: (order, payablePosition) => (holdsStock(order) ? undefined : payablePosition),
  /** When the open capture, or the newest awaited payment, began. */
  awaitedSince(order) {
    if (!isOpen(order) || startedAttempts(order).length === 0) return undefined
    return openCapture(order)?.at ?? startedAttempts(order).findLast(isAwaited)?.started?.at
  },
  /** A provider may have something to report, or a watch is to be ended. */
  polled(order) {
    if (!isOpen(order)) return watchedAttempts(order).length > 0 ? 'ended' : undefined
    return startedAttempts(order).length > 0 ? 'open' : undefined
  },
} as const satisfies Readonly<Record<string, Found>>

export type WorkField = keyof typeof work

const fieldNames = Object.keys(work) as readonly WorkField[]

export const workFields = Object.fromEntries(fieldNames.map((name) => [name, 'text'])) as Readonly<
  Record<WorkField, 'text'>
>

export interface OrderWork extends Readonly<Record<WorkField, string | undefined>> {
  /** Position of the event that made the order paid or approved. */
  readonly payablePosition: Position | undefined
  /** When the open capture, or the newest watched payment, began. */
  readonly watchedSince: string | undefined
  /** A check from then on ends the watch. */
  readonly watchUntil: string | undefined
  /** The providers that are asked about its payments. */
  readonly polledBy: readonly string[] | undefined
}

export function workOf(order: PlacedOrder, payablePosition: Position | undefined): OrderWork {
  const fields = fieldNames.map((name) => [name, work[name](order, payablePosition)])
  const end = endedAt(order)
  const newest = watchedAttempts(order).at(-1)
  const polledBy = new Set(startedAttempts(order).map(({ provider }) => provider))
  return {
    ...(Object.fromEntries(fields) as Record<WorkField, string | undefined>),
    payablePosition,
    watchedSince: openCapture(order)?.at ?? (newest && (newest.started?.at ?? newest.requestedAt)),
    watchUntil: newest?.isWatched && end !== undefined ? watchUntil(end) : undefined,
    polledBy: polledBy.size > 0 ? [...polledBy] : undefined,
  }
}

function watchedAttempts(order: PlacedOrder): readonly Attempt[] {
  return order.attempts.filter((attempt) => isChecked(order, attempt))
}

function startedAttempts(order: PlacedOrder): readonly Attempt[] {
  return watchedAttempts(order).filter((attempt) => attempt.started !== undefined)
}

function isAwaited({ money }: Attempt): boolean {
  return money.kind === 'awaited' || money.kind === 'seen'
}
