import { isOpen, mayBeReinstated, paidCents, type PlacedOrder } from './order-state.ts'

/**
 * Somebody may still have to know who the buyer is: to deliver, to pay back, to ask. Until that is over the person cannot be erased, or else an open
 * order would have a buyer whom nobody can read any more.
 */
export function needsItsBuyer(order: PlacedOrder): boolean {
  return isOpen(order) || order.attention.length > 0 || holdsSomebodysMoney(order) || mayComeBack(order)
}

function holdsSomebodysMoney(order: PlacedOrder): boolean {
  const isComing = order.attempts.some(({ money, isWatched }) => money.kind === 'seen' && isWatched)
  const isAnswered = order.holding.kind === 'committed' || order.wasSettled
  return isComing || (paidCents(order) > 0 && !isAnswered)
}

/** Late money brings an ended order back for as long as its payments are watched. */
function mayComeBack(order: PlacedOrder): boolean {
  if (mayBeReinstated(order)) return true
  const isWatched = order.attempts.some((attempt) => attempt.isWatched)
  return order.life.kind === 'ended' && order.life.lateMoney === 'reinstates' && isWatched
}
