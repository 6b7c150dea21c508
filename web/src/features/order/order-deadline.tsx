import type { Order } from '#contract/order.ts'
import { Deadline } from '../../components/ui/deadline.tsx'
import { canPay, holdsUntil, situationOf } from './wording.ts'

/** Until when the shop keeps an open order, and for what. */
export function OrderDeadline({ order }: { order: Order }) {
  const isSeen = situationOf(order) === 'seen'
  if (!isSeen && !canPay(order)) return null
  const words = isSeen ? { left: 'left for it', over: 'The time for it is over.' } : {}
  return <Deadline until={order.expiresAt} what={holdsUntil(order)} {...words} />
}
