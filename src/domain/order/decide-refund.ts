import { Refusal } from '../refusal.ts'
import type { Decisions, PlacedOrderCommand } from './commands.ts'
import type { AttentionReason } from '../words.ts'
import type { OrderEvent, OrderEventData } from './events.ts'
import { approvalAnswers, marksOf } from './causes.ts'
import { assertAllowed, objectionToRefunding } from './may.ts'
import {
  committedSerial,
  heldOf,
  isCovered,
  isDeleted,
  isOpen,
  keepsCents,
  paidCents,
  type PlacedOrder,
} from './order-state.ts'
import { assertCoinsGivenKnown, completed, evolvedBy, mayBeGiven } from './readiness.ts'

type RecordRefund = PlacedOrderCommand<'RecordRefund'>
type Refund = OrderEventData<'RefundRecorded'>

export const refundDecisions = {
  RecordRefund(order, command) {
    if (order.refunds.some(({ refundId }) => refundId === command.refundId)) return []
    assertAllowed(objectionToRefunding(order))
    const refund = refundOf(order, command)
    if (!isLeftUnpaid(order, refund)) return recorded(order, refund)
    assertCoinsGivenKnown(order, command.coinsGiven)
    const coinsGiven = mayBeGiven(order) ? command.coinsGiven : null
    if (coinsGiven !== true) return recorded(order, { ...refund, endsOrder: !isDeleted(order), coinsGiven })
    const { adminId, at } = command
    const { orderId } = order.placed
    const answered = marksOf(order, approvalAnswers)
    const approved: OrderEvent = { type: 'OrderApproved', data: { orderId, serial: null, answered, adminId, at } }
    const handedOver = [approved, ...completed(evolvedBy(order, [approved]), at)]
    const delivered = evolvedBy(order, handedOver)
    return [...handedOver, ...recorded(delivered, { ...refundOf(delivered, command), coinsGiven })]
  },
} satisfies Partial<Decisions>

function refundOf(order: PlacedOrder, command: RecordRefund): Refund {
  const { refundId, requestHash, amountCents, reason, whereTo, adminId, at } = command
  const facts = { refundId, requestHash, amountCents, reason, whereTo, adminId, at }
  // What was received beyond the order's total never was revenue.
  const excessCents = Math.max(0, paidCents(order) - keepsCents(order))
  const revenueCents = order.life.kind === 'completed' ? Math.max(0, command.amountCents - excessCents) : 0
  const { paymentMethod } = order
  const figures = { parts: partsOf(order, command), revenueCents, paymentMethod }
  return { orderId: order.placed.orderId, ...facts, ...figures, endsOrder: false, coinsGiven: null, answered: {} }
}

/** The receipts that are paid back, the newest first. */
function partsOf(order: PlacedOrder, { amountCents, receiptId }: RecordRefund): Refund['parts'] {
  const parts: Refund['parts'] = []
  let leftCents = amountCents
  for (const receipt of order.receipts.toReversed()) {
    const partCents = Math.min(leftCents, heldOf(order, receipt))
    if (partCents <= 0 || (receiptId !== null && receipt.receiptId !== receiptId)) continue
    parts.push({ receiptId: receipt.receiptId, amountCents: partCents })
    leftCents -= partCents
  }
  if (leftCents === 0) return parts
  throw new Refusal(
    'order/refund-too-large',
    'More cannot be paid back than was received and not paid back or taken back since.',
    { heldCents: amountCents - leftCents },
  )
}

/** Its coins are not handed over, and what stays of its money does not pay for them. */
function isLeftUnpaid(order: PlacedOrder, refund: Refund): boolean {
  if (committedSerial(order) !== undefined) return false
  return !isCovered(evolvedBy(order, [{ type: 'RefundRecorded', data: refund }]))
}

/** The refund, with the causes that it answers: those of money of which nothing is left. */
function recorded(order: PlacedOrder, refund: Refund): OrderEvent[] {
  const after = evolvedBy(order, [{ type: 'RefundRecorded', data: refund }])
  const isReturned = paidCents(after) <= 0 && !isOpen(after) && committedSerial(after) === undefined
  const reasons: AttentionReason[] = paidCents(after) > keepsCents(after) ? [] : ['over']
  const answered = marksOf(after, isReturned ? [...reasons, 'unearned', 'reversed'] : reasons)
  return [{ type: 'RefundRecorded', data: { ...refund, answered } }]
}
