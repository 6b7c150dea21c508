import { Refusal } from '../refusal.ts'
import type { Decisions, PlacedOrderCommand } from './commands.ts'
import type { AttentionReason } from '../words.ts'
import type { OrderEvent, OrderEventData } from './events.ts'
import { answersOfApproval, everMarked } from './causes.ts'
import { assertAllowed, objectionToRefunding } from './may.ts'
import { isCovered, paidCents, centsByReceipt } from './order-money.ts'
import { committedSerial, isDeleted, isOpen, keepsCents, type PlacedOrder } from './order-state.ts'
import { assertCoinsGivenKnown, complete, evolveAll, coinsMayBeGiven } from './readiness.ts'

type RecordRefund = PlacedOrderCommand<'RecordRefund'>
type Refund = OrderEventData<'RefundRecorded'>

export const refundDecisions = {
  RecordRefund(order, command) {
    if (order.refunds.some(({ refundId }) => refundId === command.refundId)) return []
    assertAllowed(objectionToRefunding(order))
    const refund = refundOf(order, command)
    if (!isLeftUnpaid(order, refund)) return record(order, refund)
    assertCoinsGivenKnown(order, command.coinsGiven)
    const coinsGiven = coinsMayBeGiven(order) ? command.coinsGiven : null
    if (coinsGiven !== true) return record(order, { ...refund, endsOrder: !isDeleted(order), coinsGiven })
    const { adminId, at } = command
    const { orderId } = order.placed
    const answers = answersOfApproval(order)
    const approved: OrderEvent = { type: 'OrderApproved', data: { orderId, serial: null, answers, adminId, at } }
    const completion = [approved, ...complete(evolveAll(order, [approved]), at)]
    const delivered = evolveAll(order, completion)
    const { seenRevision } = refund
    return [...completion, ...record(delivered, { ...refundOf(delivered, command), coinsGiven, seenRevision })]
  },
} satisfies Partial<Decisions>

function refundOf(order: PlacedOrder, command: RecordRefund): Refund {
  const { refundId, requestHash, amountCents, reason, whereTo, adminId, at } = command
  const facts = { refundId, requestHash, amountCents, reason, whereTo, adminId, at }
  // Money beyond the order's total never was revenue.
  const excessCents = Math.max(0, paidCents(order) - keepsCents(order))
  const revenueCents = order.life.kind === 'completed' ? Math.max(0, command.amountCents - excessCents) : 0
  const { paymentMethod } = order
  const figures = { parts: partsOf(order, command), revenueCents, paymentMethod }
  const answers = { answers: [], seenRevision: order.next - 1 }
  return { orderId: order.placed.orderId, ...facts, ...figures, endsOrder: false, coinsGiven: null, ...answers }
}

/** Splits the refund over the receipts, newest first. */
function partsOf(order: PlacedOrder, { amountCents, receiptId }: RecordRefund): Refund['parts'] {
  const parts: Refund['parts'] = []
  let leftCents = amountCents
  const heldCents = centsByReceipt(order)
  for (const receipt of order.receipts.toReversed()) {
    const partCents = Math.min(leftCents, heldCents.get(receipt.receiptId) ?? 0)
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

/** The coins are not delivered, and the remaining money does not cover them. */
function isLeftUnpaid(order: PlacedOrder, refund: Refund): boolean {
  if (committedSerial(order) !== undefined) return false
  return !isCovered(evolveAll(order, [{ type: 'RefundRecorded', data: refund }]))
}

/** The refund with the causes that it answers: those whose money is all paid back. */
function record(order: PlacedOrder, refund: Refund): OrderEvent[] {
  const after = evolveAll(order, [{ type: 'RefundRecorded', data: refund }])
  const isReturned = paidCents(after) <= 0 && !isOpen(after) && committedSerial(after) === undefined
  const reasons: AttentionReason[] = paidCents(after) > keepsCents(after) ? [] : ['over']
  const answers = everMarked(after, isReturned ? [...reasons, 'unearned', 'reversed'] : reasons)
  return [{ type: 'RefundRecorded', data: { ...refund, answers } }]
}
