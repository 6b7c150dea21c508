import { plusMinutes } from '../plus-minutes.ts'
import { Refusal } from '../refusal.ts'
import type { Decisions, ReceiptNews } from './commands.ts'
import { CALLS_OVER_MINUTES, isLongOverdue, movedDeadline, watchUntil } from './deadline.ts'
import { type DeliveryMode, seenStatuses } from '../words.ts'
import type { OrderEvent } from './events.ts'
import {
  objectionToPaying,
  assertAllowed,
  ATTEMPTS_MAX,
  mayBeAttempted,
  mayBeReplaced,
  METHOD_CHANGES_MAX,
} from './may.ts'
import {
  type Attempt,
  endedAt,
  hasAttemptFailed,
  hasFailed,
  hasReceipt,
  isCaptureUnknown,
  isSeen,
  openAttempt,
  openCapture,
  paidCents,
  type PlacedOrder,
  refundedOf,
  reversedOf,
  type SeenPart,
  type Sighting,
  sightingOf,
} from './order-state.ts'
import { withReadiness } from './readiness.ts'

export const paymentDecisions = {
  ChoosePaymentMethod(order, { paymentMethod, at }) {
    assertAllowed(objectionToPaying(order))
    if (order.paymentMethod === paymentMethod && !hasFailed(order)) return []
    if (order.methodChanges >= METHOD_CHANGES_MAX || !mayBeAttempted(order, paymentMethod)) {
      // The chosen method can still be paid.
      if (order.paymentMethod === paymentMethod) return []
      throw new Refusal(
        'order/too-many-changes',
        'The payment method of this order was changed too often. Please pay with the current one.',
      )
    }
    return [{ type: 'PaymentMethodChosen', data: { orderId: order.placed.orderId, paymentMethod, at } }]
  },

  RequestPayment(order, { request, replaces, at }) {
    assertAllowed(objectionToPaying(order))
    const { orderId, totalCents } = order.placed
    const open = openAttempt(order, request.method)
    // A replaced attempt's money still counts by its own quote.
    const isReplaced = open?.attempt === replaces && mayBeReplaced(order, open)
    const isOpenAtProvider = open?.provider === request.provider && !isReplaced
    if (isOpenAtProvider || request.attempt !== order.attempts.length + 1) return []
    // The amount was computed from an older state of the order.
    if (request.coversCents !== totalCents - paidCents(order)) return []
    if (order.attempts.length >= ATTEMPTS_MAX)
      throw new Refusal(
        'order/too-many-changes',
        'This order has seen too many payment attempts. Please contact support.',
      )
    return [{ type: 'PaymentRequested', data: { orderId, ...request, at } }]
  },

  StartPayment(order, { started, at }) {
    if (attemptOf(order, started.attempt).started) return []
    const orderExpiresAt = movedDeadline(order, at)
    return [{ type: 'PaymentStarted', data: { orderId: order.placed.orderId, ...started, orderExpiresAt, at } }]
  },

  SeePayment(order, command) {
    const { status, amountPaid, seenCents } = command
    const known = attemptOf(order, command.attempt)
    const parts = partsAfter(order, known, command)
    const isOldNews =
      (known.money.kind === 'received' ||
        (known.money.kind === 'seen' && !isNewer({ status, amountPaid, seenCents }, known.money.sighting))) &&
      areSame(parts, known.parts)
    return recordSighting(order, known, { ...command, parts, isOldNews })
  },

  FailPayment(order, command) {
    const { reason, at } = command
    const known = attemptOf(order, command.attempt)
    const parts = partsAfter(order, known, command)
    const isEnded = known.parts.length > 0 ? parts.length === 0 : reason === 'refunded'
    // Seen money fails only if the provider says so.
    if (isSeen(known) && !isEnded) return recordSighting(order, known, { ...command, ...lastSighting(known), parts })
    if (hasAttemptFailed(known) || (hasReceipt(known) && !isSeen(known))) return []
    // A concurrent call opened it first; that payment counts, and may be under capture right now.
    if (reason === 'reference-used' && known.started) return []
    const { orderId } = order.placed
    return withReadiness(
      order,
      [{ type: 'PaymentFailed', data: { orderId, attempt: known.attempt, reason, at } }],
      command,
    )
  },

  EndParts(order, command) {
    const known = attemptOf(order, command.attempt)
    const parts = partsAfter(order, known, command)
    if (areSame(parts, known.parts)) return []
    if (parts.length > 0) return recordSighting(order, known, { ...command, ...lastSighting(known), parts })
    const data = { orderId: order.placed.orderId, attempt: known.attempt, reason: 'failed', at: command.at } as const
    return withReadiness(order, [{ type: 'PaymentFailed', data }], command)
  },

  RequestCapture(order, command) {
    const { requestId, callsUntil, at } = command
    const known = attemptOf(order, command.attempt)
    const { attempt } = known
    if (openCapture(order)?.attempt === attempt || hasReceipt(known) || isSeen(known)) return []
    assertAllowed(objectionToPaying(order))
    // A webhook was faster: nothing is left to capture.
    if (hasAttemptFailed(known) && !isCaptureUnknown(known)) return []
    if (isCaptureUnknown(known) || !known.started)
      throw new Refusal('order/no-payment', 'This payment is not open any more.')
    const { orderId } = order.placed
    return [{ type: 'CaptureRequested', data: { orderId, attempt, requestId, callsUntil, at } }]
  },

  GiveUpCapture(order, command) {
    const { attempt, at } = command
    const capture = openCapture(order)
    if (capture?.attempt !== attempt || at <= plusMinutes(capture.callsUntil, CALLS_OVER_MINUTES)) return []
    const { orderId } = order.placed
    const failed: OrderEvent = { type: 'PaymentFailed', data: { orderId, attempt, reason: 'capture-unknown', at } }
    return withReadiness(order, [failed], command)
  },

  ReceivePayment(order, command) {
    return withReadiness(order, receive(order, command.receipt, command.at), command)
  },

  ReversePayment(order, command) {
    const { receipt, at } = command
    const { receiptId } = receipt
    if (isRefused(order, receiptId)) return []
    const received = receive(order, receipt, at)
    const known = order.receipts.find((other) => other.receiptId === receiptId)
    // A receipt cannot reverse more than it brought, so that the order's other receipts stay whole.
    const reportedCents = Math.min(command.reversedCents, Math.max(receipt.coversCents, known?.coversCents ?? 0))
    // A provider's report of money that staff noted as refunded adds nothing.
    const reversedCents = reportedCents - refundedOf(order, receiptId)
    const knownCents = known?.reversedCents ?? 0
    const takenCents = reversedCents - knownCents
    const { orderId } = order.placed
    const attempt = command.isReportedByOther ? null : receipt.attempt
    // A reversal is undone only by the payment that reported it, in a reply newer than the reversal.
    const { reversedBefore = knownCents } = command
    const mayUndo = attempt !== null && known?.reversedBy === attempt && reversedBefore === knownCents
    const reversal = { orderId, receiptId, attempt, at }
    if (reportedCents < knownCents && mayUndo) {
      const left = Math.max(0, reversedCents)
      const data = { ...reversal, takenCents: left - knownCents, reversedCents: left }
      return [...received, { type: 'PaymentReversed', data }]
    }
    if (takenCents <= 0) return withReadiness(order, received, command)
    return [...received, { type: 'PaymentReversed', data: { ...reversal, takenCents, reversedCents } }]
  },

  NoteUnusableReceipt(order, { receiptId, why, at }) {
    const isCounted = order.receipts.some((known) => known.receiptId === receiptId)
    const isKnown = order.unusableReceipts.some((known) => known.receiptId === receiptId)
    if (isKnown || (isCounted && why === 'another-coin')) return []
    return [{ type: 'ReceiptUnusable', data: { orderId: order.placed.orderId, receiptId, why, at } }]
  },

  NoteDispute(order, command) {
    const { attempt, disputeId, receiptId, outcome, at } = command
    const { orderId } = order.placed
    // A dispute that is not known yet counts as won: it takes nothing.
    const known = order.disputes.find((other) => other.disputeId === disputeId)?.outcome ?? 'won'
    if (outcome === known) return []
    const closed: OrderEvent[] =
      outcome === 'open' ? [] : [{ type: 'DisputeClosed', data: { orderId, disputeId, outcome, at } }]
    if (known !== 'won' && closed.length > 0) return withReadiness(order, closed, command)
    // A lost dispute does not open again: what it took was a reversal.
    if (known === 'lost') return []
    return [{ type: 'PaymentDisputed', data: { orderId, attempt, disputeId, receiptId, at } }, ...closed]
  },

  EndPaymentWatch(order, command) {
    const { attempt, isWatched } = attemptOf(order, command.attempt)
    const end = endedAt(order)
    if (!isWatched || end === undefined) return []
    // Only a check after the deadline shows that no money came before it; only the newest shows reversals.
    const { reversedBefore = reversedOf(order), isUnclear = false, at } = command
    if (command.pollBeganAt < watchUntil(end) || reversedBefore !== reversedOf(order)) return []
    return [{ type: 'PaymentWatchEnded', data: { orderId: order.placed.orderId, attempt, isUnclear, at } }]
  },

  NoteHeldUpWatch(order, command) {
    const { attempt, isWatched, isHeldUp } = attemptOf(order, command.attempt)
    const { at } = command
    const end = endedAt(order)
    if (!isWatched || isHeldUp || end === undefined || !isLongOverdue(end, at)) return []
    return [{ type: 'PaymentWatchHeldUp', data: { orderId: order.placed.orderId, attempt, at } }]
  },
} satisfies Partial<Decisions>

/** Reports may come in any order: a status never goes back. */
function isNewer(news: Sighting, seen: Sighting): boolean {
  const steps = seenStatuses.indexOf(news.status) - seenStatuses.indexOf(seen.status)
  return steps > 0 || (steps === 0 && news.amountPaid !== null && news.amountPaid !== seen.amountPaid)
}

/** The attempt's known parts after this report, without receipts. A part that the report omits may still exist. */
function partsAfter(
  order: PlacedOrder,
  known: Attempt,
  { parts = [], ended = [] }: { parts?: readonly SeenPart[] | undefined; ended?: readonly string[] | undefined },
): SeenPart[] {
  const byId = new Map([...known.parts, ...parts].map((part) => [part.id, part]))
  for (const id of ended) byId.delete(id)
  return [...byId.values()].filter(
    ({ id }) => !isRefused(order, id) && !order.receipts.some(({ receiptId }) => receiptId === id),
  )
}

function lastSighting(known: Attempt): Sighting {
  return sightingOf(known) ?? { status: 'confirming', amountPaid: null, seenCents: null }
}

function recordSighting(
  order: PlacedOrder,
  known: Attempt,
  command: Sighting & { parts: SeenPart[]; isOldNews?: boolean; deliveryMode: DeliveryMode; at: string },
): OrderEvent[] {
  const { status, amountPaid, seenCents, parts, at, isOldNews = areSame(parts, known.parts) } = command
  const { attempt } = known
  // Any report on the attempt closes its open capture, even an old one.
  if (isOldNews && openCapture(order)?.attempt !== attempt) return []
  const { orderId } = order.placed
  const seen: OrderEvent = { type: 'PaymentSeen', data: { orderId, attempt, status, amountPaid, seenCents, parts, at } }
  return withReadiness(order, [seen], command)
}

function areSame(parts: readonly SeenPart[], others: readonly SeenPart[]): boolean {
  return JSON.stringify(parts) === JSON.stringify(others)
}

/** Adds a receipt's money. */
function receive(order: PlacedOrder, receipt: ReceiptNews, at: string): OrderEvent[] {
  if (isRefused(order, receipt.receiptId)) return []
  const { orderId } = order.placed
  const known = order.receipts.find(({ receiptId }) => receiptId === receipt.receiptId)
  const addedCents = receipt.coversCents - (known?.coversCents ?? 0)
  if (addedCents <= 0) return []
  return [{ type: 'PaymentReceived', data: { orderId, ...receipt, addedCents, at } }]
}

function attemptOf(order: PlacedOrder, number: number): Attempt {
  const attempt = order.attempts[number - 1]
  if (!attempt) throw new Refusal('payment/unknown', 'This order knows no such payment.')
  return attempt
}

/** The receipt pays another order. */
function isRefused({ unusableReceipts }: PlacedOrder, receiptId: string): boolean {
  return unusableReceipts.some((known) => known.receiptId === receiptId && known.why === 'pays-another-order')
}
