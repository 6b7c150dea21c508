import { mayBeReinstated, paidCents, type PlacedOrder } from './order-state.ts'

/**
 * Somebody may still have to know who the buyer is: to deliver, to pay back, to ask. Until that is over the person cannot be erased, or else an open
 * order would have a buyer whom nobody can read any more.
 */
export function needsItsBuyer(order: PlacedOrder): boolean {
  const isOpen = order.status === 'pending' && !order.isDeleted
  const isUnderWay = order.capture !== undefined || order.delivery !== undefined || order.isDeliveryUnknown
  return isOpen || isUnderWay || order.attention.length > 0 || holdsSomebodysMoney(order) || mayComeBack(order)
}

function holdsSomebodysMoney(order: PlacedOrder): boolean {
  const isComing = order.attempts.some(({ seen, hasReceipt, isWatched }) => seen && !hasReceipt && isWatched)
  const isAnswered = order.committedSerial !== undefined || order.wasSettled
  return isComing || (paidCents(order) > 0 && !isAnswered)
}

/** Late money brings an ended order back for as long as its payments are watched. */
function mayComeBack(order: PlacedOrder): boolean {
  if (mayBeReinstated(order)) return true
  const hasEnded = order.status === 'expired' || order.status === 'cancelled'
  const isWatched = order.attempts.some((attempt) => attempt.isWatched)
  return hasEnded && !order.isDeleted && !order.lateMoneyIsClosed && isWatched
}
