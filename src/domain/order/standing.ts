import { methodRows, type PaymentMethod } from '../payment-methods.ts'
import type { OrderStatus, PaymentStatus } from '../words.ts'
import { isCovered, paidCents } from './order-money.ts'
import {
  type Attempt,
  currentAttempt,
  hasAttemptFailed,
  hasFailed,
  hasOpenDispute,
  hasReceipt,
  isApproved,
  isDisputed,
  isMoneyOnItsWay,
  isRefundUnknown,
  keepsCents,
  lifeBeforeDeletion,
  openRefund,
  type PlacedOrder,
} from './order-state.ts'

/* Where an order stands, by its life and its money together. */

/** Money was received, or seen and not failed. */
export function holdsMoney(order: PlacedOrder): boolean {
  return paidCents(order) > 0 || isMoneyOnItsWay(order)
}

/** Covered, never reversed, not disputed and not of a blocked buyer, or approved since: it may be delivered. */
export function isToBeDelivered(order: PlacedOrder): boolean {
  const { life } = order
  if (life.kind !== 'open' || life.stage.kind === 'delivery-unknown') return false
  return life.isApproved || (isCovered(order) && !isDoubtful(order))
}

/** Its money went back or may do so, or its buyer is blocked: only an approval delivers it. */
function isDoubtful(order: PlacedOrder): boolean {
  return order.wasReversed || isDisputed(order) || isRefundUnknown(order) || order.isBlocked
}

/** Late money covers an ended order whose coins were not given: it may be reinstated if there is stock. */
export function mayBeReinstated(order: PlacedOrder): boolean {
  const { life } = order
  return (
    life.kind === 'ended' &&
    life.lateMoney === 'reinstates' &&
    order.holding.kind !== 'given-after-end' &&
    !isDoubtful(order) &&
    !openRefund(order) &&
    isCovered(order)
  )
}

/** The payment of this method that can still be paid. */
export function openAttempt(order: PlacedOrder, method: PaymentMethod): Attempt | undefined {
  const current = currentAttempt(order)
  if (current?.method !== method || hasAttemptFailed(current)) return undefined
  if (hasReceipt(current)) return methodRows[method].isToppedUp ? current : undefined
  // Another payment may have brought money since, which must not be charged again.
  return current.coversCents > order.placed.totalCents - paidCents(order) ? undefined : current
}

/** What is missing of the total: of an open order that is neither paid nor approved, and of coins that were given. In cents. */
export function dueCents(order: PlacedOrder): number {
  return isCovered(order) || isApproved(order) ? 0 : Math.max(0, priceCents(order) - paidCents(order))
}

/** What is held beyond what the shop may keep, in cents: nothing while a dispute is open, since the provider may take the money itself. */
export function toPayBackCents(order: PlacedOrder): number {
  return mayBeReinstated(order) || hasOpenDispute(order) ? 0 : Math.max(0, paidCents(order) - priceCents(order))
}

/** More is held than the shop may keep or staff let stay, and no refund is under way. */
export function isToPayBack(order: PlacedOrder): boolean {
  return toPayBackCents(order) > 0 && paidCents(order) > order.stayingCents && !openRefund(order)
}

/** What the shop may keep: the total for coins that were given after the end, since the money may pay for them. */
function priceCents(order: PlacedOrder): number {
  return order.holding.kind === 'given-after-end' ? order.placed.totalCents : keepsCents(order)
}

/** The two words that a buyer and the staff see. */
export function statusesOf(order: PlacedOrder): { status: OrderStatus; paymentStatus: PaymentStatus } {
  const { kind } = lifeBeforeDeletion(order)
  if (kind === 'open') return { status: 'pending', paymentStatus: pendingPaymentStatus(order) }
  const status = kind === 'completed' ? kind : 'failed'
  return { status, paymentStatus: status }
}

function pendingPaymentStatus(order: PlacedOrder): PaymentStatus {
  if (isApproved(order) || isCovered(order)) return 'completed'
  if (isMoneyOnItsWay(order)) return 'processing'
  if (paidCents(order) > 0) return 'partially_paid'
  if (hasFailed(order)) return 'failed'
  const current = currentAttempt(order)
  return current?.started && !hasAttemptFailed(current) ? 'waiting' : 'pending'
}
