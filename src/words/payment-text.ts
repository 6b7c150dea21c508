import type { AttentionReason, PaymentStatus } from '../domain/words.ts'
import type { OrderEventData } from '../domain/order/events.ts'
import { hasCause, isHeldBack } from '../domain/order/causes.ts'
import { isCovered, isReversed, paidCents, refundedCents } from '../domain/order/order-money.ts'
import { currentAttempt, isMoneyOnItsWay, isOpen, outcomeOf, type PlacedOrder } from '../domain/order/order-state.ts'
import { situationOf } from '../domain/order/situation.ts'
import { statusesOf } from '../domain/order/standing.ts'

const BY_SHOP = 'Approved by the shop'

const byStatus: Readonly<Record<PaymentStatus, string>> = {
  pending: 'Pending',
  waiting: 'Waiting',
  processing: 'Processing',
  partially_paid: 'Partially paid',
  completed: 'Completed',
  failed: 'Failed',
}

/** A payment that failed for another reason than that it could not be made. */
const byReason: Readonly<Partial<Record<OrderEventData<'PaymentFailed'>['reason'], string>>> = {
  cancelled: 'Cancelled',
  declined: 'Declined',
  expired: 'Expired',
  refunded: 'Refunded',
}

/** Money may be there that the shop has not confirmed. */
const unclear: readonly AttentionReason[] = ['wrong-coin', 'capture-unknown', 'payment-unclear', 'never-confirmed']

/** How an order's payment stands, for its buyer. */
export function paymentText(order: PlacedOrder): string {
  const situation = situationOf(order)
  if (situation === 'approved' || situation === 'delivered') return BY_SHOP
  const isGone = paidCents(order) === 0
  if (isReversed(order)) return isGone ? 'Taken back' : 'Partly taken back'
  if (isGone && refundedCents(order) > 0) return 'Refunded'
  const { paymentStatus } = statusesOf(order)
  if (isOpen(order)) {
    if (paymentStatus === 'completed') return isCovered(order) ? byStatus.completed : BY_SHOP
    if (isHeldBack(order)) return 'Not known yet'
    return (paymentStatus === 'failed' && failureText(order)) || byStatus[paymentStatus]
  }
  if (outcomeOf(order) === 'completed') return byStatus.completed
  if (!isGone) return 'Arrived'
  const mayBeThere = isMoneyOnItsWay(order) || unclear.some((reason) => hasCause(order, reason))
  return mayBeThere ? 'Not known yet' : 'Not paid'
}

function failureText(order: PlacedOrder): string | undefined {
  const money = currentAttempt(order)?.money
  return money?.kind === 'failed' ? byReason[money.reason] : undefined
}
