import type { Situation } from '../words.ts'
import { isHeldBack } from './causes.ts'
import { hasArrivedInFull, isCovered, isReversed, paidCents } from './order-money.ts'
import { lifeBeforeDeletion, openCapture, openRefund, type PlacedOrder } from './order-state.ts'
import { statusesOf } from './standing.ts'

/** Where an order stands, for its buyer. A deleted order stands where it stood before. */
export function situationOf(order: PlacedOrder): Situation {
  const life = lifeBeforeDeletion(order)
  if (life.kind === 'completed') {
    if (isReversed(order)) return 'taken-back'
    return hasArrivedInFull(order) ? 'completed' : 'delivered'
  }
  if (life.kind === 'ended') return life.as === 'refunded' && paidCents(order) > 0 ? 'partly-refunded' : life.as
  if (isHeldBack(order)) return 'looked-into'
  if (openRefund(order)) return 'refunding'
  const { preOrder } = order.placed
  const { paymentStatus } = statusesOf(order)
  if (paymentStatus === 'processing') return 'seen'
  if (paymentStatus === 'completed') {
    if (!isCovered(order)) return 'approved'
    return preOrder ? 'pre-ordered' : 'delivering'
  }
  // The buyer can pay nothing more until the capture has ended.
  if (openCapture(order)) return 'waiting'
  if (paymentStatus === 'partially_paid') return 'short'
  if (paymentStatus === 'failed') return 'failed-payment'
  if (paymentStatus === 'waiting') return 'waiting'
  return preOrder ? 'pre-order-to-pay' : 'to-pay'
}
