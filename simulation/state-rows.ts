import type { OrderRow } from './order-row.ts'
import { isCovered, paidCents } from '../src/words/testing/money-facts.ts'

/** Rows of the table of states in the life of an order. */
export const stateRows = [
  'placed',
  'payment started',
  'money seen',
  'short',
  'paid or approved',
  'in the list of staff',
  'attempt failed',
  'pre-order paid, no stock',
  'completed',
  'expired',
  'cancelled',
  'refunded',
  'deleted',
] as const

export function stateRow(row: OrderRow): (typeof stateRows)[number] {
  if (row.isDeleted) return 'deleted'
  if (row.status !== 'pending') return row.status
  if (row.ready?.deliveryMode === 'staff') return 'in the list of staff'
  if (row.isApproved || isCovered(row))
    return row.heldM < row.placed.quantityM ? 'pre-order paid, no stock' : 'paid or approved'
  if (paidCents(row) > 0) return 'short'
  if (row.seen.size > 0) return 'money seen'
  const last = row.history.findLast((type) => type === 'PaymentFailed' || type === 'PaymentStarted')
  if (last === 'PaymentFailed') return 'attempt failed'
  return last === 'PaymentStarted' ? 'payment started' : 'placed'
}
