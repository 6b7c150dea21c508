import { isOpen, isSeen, type PlacedOrder } from './order-state.ts'
import { mayBeReinstated } from './standing.ts'

/**
 * Whether the buyer's data is still needed, to deliver, refund or ask. While it is, the person cannot be erased: an open order would have an
 * unreadable buyer.
 */
export function needsItsBuyer(order: PlacedOrder): boolean {
  const isComing = order.attempts.some((attempt) => isSeen(attempt) && attempt.isWatched)
  return isOpen(order) || order.attention.length > 0 || isComing || mayComeBack(order)
}

/** Late money reinstates an ended order while its payments are watched. */
function mayComeBack(order: PlacedOrder): boolean {
  if (mayBeReinstated(order)) return true
  const isWatched = order.attempts.some((attempt) => attempt.isWatched)
  return order.life.kind === 'ended' && order.life.lateMoney === 'reinstates' && isWatched
}
