import { plusMinutes } from '../plus-minutes.ts'
import { Refusal } from '../refusal.ts'
import { decimalText, isLess, isPositiveDecimal } from '../decimal.ts'
import type { Decisions, PlacedOrderCommand, ReportedRefund } from './commands.ts'
import type { AttentionReason, RefundFailure } from '../words.ts'
import { CALLS_OVER_MINUTES } from './deadline.ts'
import type { OrderEvent, OrderEventData } from './events.ts'
import { answersOfApproval, everMarked } from './causes.ts'
import { assertAllowed, objectionToRefunding } from './may.ts'
import { isCovered, leftMinor, paidCents, centsByReceipt, sentCents } from './order-money.ts'
import {
  committedSerial,
  isDeleted,
  isDisputedReceipt,
  isOpen,
  keepsCents,
  openDelivery,
  openRefund,
  type PlacedOrder,
  type ReceivedReceipt,
  type RefundWish,
} from './order-state.ts'
import { assertCoinsGivenKnown, complete, evolveAll, coinsMayBeGiven, withReadiness } from './readiness.ts'

type RecordRefund = PlacedOrderCommand<'RecordRefund'>
type Refund = OrderEventData<'RefundRecorded'>
/** What a refund takes from the order, and why. */
type Facts = Pick<Refund, 'refundId' | 'requestHash' | 'amountCents' | 'reason' | 'whereTo' | 'adminId' | 'at' | 'sent'>

export const refundDecisions = {
  RecordRefund(order, command) {
    if (order.refunds.some(({ refundId }) => refundId === command.refundId)) return []
    assertAllowed(objectionToRefunding(order))
    const { refundId, requestHash, amountCents, reason, whereTo, adminId, at } = command
    const facts = { refundId, requestHash, amountCents, reason, whereTo, adminId, at, sent: null }
    const parts = partsOf(order, command)
    const given = completionIfGiven(order, refundOf(order, facts, parts), command)
    const delivered = evolveAll(order, given)
    const coinsGiven = coinsMayBeGiven(order) ? command.coinsGiven : null
    const refund = { ...refundOf(delivered, facts, parts), seenRevision: order.next - 1 }
    if (given.length > 0) return [...given, ...record(delivered, { ...refund, coinsGiven })]
    if (!isLeftUnpaid(order, refund)) return record(order, refund)
    return record(order, { ...refund, endsOrder: !isDeleted(order), coinsGiven })
  },

  RequestRefund(order, command) {
    const { refundId, requestHash, receiptId, amount, reason, coinsGiven, callsUntil, adminId, at } = command
    if ([...order.refunds, ...order.wishes].some((known) => known.refundId === refundId)) return []
    assertAllowed(objectionToRefunding(order))
    const receipt = order.receipts.find((known) => known.receiptId === receiptId)
    if (!receipt || !isPositiveDecimal(amount) || isMoreThanLeft(order, receipt, amount))
      throw new Refusal('order/refund-too-large', 'More cannot be paid back than is left of this payment.')
    if (isDisputedReceipt(order, receipt))
      throw new Refusal('order/refund-not-sent', 'This payment is disputed: the provider may take its money itself.')
    const amountCents = sentCents(order, receipt, amount)
    const sent = { providerRefundId: '', amount, isPending: true }
    const facts = { refundId, requestHash, amountCents, reason, whereTo: null, adminId, at, sent }
    const refund = refundOf(order, facts, [{ receiptId, amountCents }])
    const { orderId } = order.placed
    const { currency } = receipt
    const seenRevision = order.next - 1
    const wish = { orderId, refundId, requestHash, receiptId, amount, currency, reason, callsUntil, seenRevision }
    const given = completionIfGiven(order, refund, command)
    return [...given, { type: 'RefundRequested', data: { ...wish, coinsGiven, adminId, at } }]
  },

  FinishRefund(order, command) {
    const { refund, receiptId } = command
    const receipt = order.receipts.find((known) => known.receiptId === receiptId)
    return receipt ? withReadiness(order, ownRefund(order, receipt, [refund], command.at), command) : []
  },

  GiveUpRefund(order, command) {
    const { refundId, refusal, at } = command
    const wish = openRefund(order)
    if (wish?.refundId !== refundId) return []
    const why = refusal === null ? whyGivenUp(order, wish, at) : 'refused'
    if (why === undefined) return []
    return withReadiness(order, [failed(wish, why, at, refusal)], command)
  },
} satisfies Partial<Decisions>

/** Why an open refund must not be sent any more; undefined while it may be. */
function whyGivenUp(order: PlacedOrder, wish: RefundWish, at: string): RefundFailure | undefined {
  const receipt = order.receipts.find(({ receiptId }) => receiptId === wish.receiptId)
  // A call may have been made, and its answer was lost.
  if (at > plusMinutes(wish.callsUntil, CALLS_OVER_MINUTES)) return 'unknown'
  if (receipt && isDisputedReceipt(order, receipt)) return 'disputed'
  return !receipt || wish.isOvertaken || isMoreThanLeft(order, receipt, wish.amount) ? 'changed' : undefined
}

function isMoreThanLeft(order: PlacedOrder, receipt: ReceivedReceipt, amount: string): boolean {
  return isLess(decimalText({ units: BigInt(leftMinor(order, receipt)), decimals: 2 }), amount)
}

function failed({ orderId, refundId }: RefundWish, why: RefundFailure, at: string, words: string | null): OrderEvent {
  return { type: 'RefundFailed', data: { orderId, refundId, why, words, at } }
}

/**
 * What a provider lists under the id of a refund that is open, or of which nothing was known: it is this refund, and no reversal. One that was given up
 * otherwise counts as a reversal, which a person looks at.
 */
export function ownRefund(
  order: PlacedOrder,
  receipt: ReceivedReceipt,
  reported: readonly ReportedRefund[],
  at: string,
): OrderEvent[] {
  const wish = order.wishes.find(
    (known) =>
      (known.failed ?? 'unknown') === 'unknown' && reported.some(({ refundId }) => refundId === known.refundId),
  )
  const found = reported.find(({ refundId }) => refundId === wish?.refundId)
  if (!wish || !found) return []
  const { refundId, requestHash, reason, adminId, seenRevision, coinsGiven } = wish
  const amountCents = sentCents(order, receipt, found.amount)
  const close = (why: RefundFailure) => (wish.failed ? [] : [failed(wish, why, at, null)])
  if (found.status === 'failed') return close('refused')
  // Nothing is left of the receipt: the rest of the report is a reversal.
  if (amountCents === 0) return close('changed')
  const { amount, providerRefundId, status } = found
  const sent = { providerRefundId, amount, isPending: status === 'pending' }
  const facts = { refundId, requestHash, amountCents, reason, whereTo: null, adminId, at, sent }
  const refund = refundOf(order, facts, [{ receiptId: receipt.receiptId, amountCents }])
  const isQuestion = openDelivery(order) !== undefined || (coinsMayBeGiven(order) && coinsGiven !== false)
  const endsOrder = isLeftUnpaid(order, refund) && !isDeleted(order) && !isQuestion
  return record(order, { ...refund, endsOrder, coinsGiven: endsOrder ? coinsGiven : null, seenRevision })
}

/** If the refund leaves the order unpaid and staff say that its coins were given: the order is completed first. */
function completionIfGiven(
  order: PlacedOrder,
  refund: Refund,
  { coinsGiven, adminId, at }: Pick<RecordRefund, 'coinsGiven' | 'adminId' | 'at'>,
): OrderEvent[] {
  if (!isLeftUnpaid(order, refund)) return []
  assertCoinsGivenKnown(order, coinsGiven)
  if (!coinsMayBeGiven(order) || coinsGiven !== true) return []
  const { orderId } = order.placed
  const answers = answersOfApproval(order)
  const approved: OrderEvent = { type: 'OrderApproved', data: { orderId, serial: null, answers, adminId, at } }
  return [approved, ...complete(evolveAll(order, [approved]), at)]
}

function refundOf(order: PlacedOrder, facts: Facts, parts: Refund['parts']): Refund {
  // Money beyond the order's total never was revenue.
  const excessCents = Math.max(0, paidCents(order) - keepsCents(order))
  const revenueCents = order.life.kind === 'completed' ? Math.max(0, facts.amountCents - excessCents) : 0
  const figures = { parts, revenueCents, paymentMethod: order.paymentMethod }
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
  // An open order waits for an approval while a refund is unknown.
  const reasons: AttentionReason[] = isOpen(after) ? ['refund-refused'] : ['refund-refused', 'refund-unknown']
  if (paidCents(after) <= keepsCents(after)) reasons.push('over')
  const answers = everMarked(after, isReturned ? [...reasons, 'unearned', 'reversed'] : reasons)
  return [{ type: 'RefundRecorded', data: { ...refund, answers } }]
}
