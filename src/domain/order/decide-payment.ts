import { plusMinutes } from '../plus-minutes.ts'
import { Refusal } from '../refusal.ts'
import { decimalRest, decimalSum, isLess, isPositiveDecimal, isSame } from '../decimal.ts'
import type { Decisions, PlacedOrderCommand, ReceiptNews } from './commands.ts'
import { CALLS_OVER_MINUTES, isLongOverdue, movedDeadline, watchUntil } from './deadline.ts'
import { type DeliveryMode, seenStatuses } from '../words.ts'
import type { OrderEvent, OrderEventData } from './events.ts'
import { objectionToPaying, assertAllowed, ATTEMPTS_MAX, mayBeAttempted, mayBeReplaced } from './may.ts'
import {
  type Attempt,
  endedAt,
  hasAttemptFailed,
  hasFailed,
  hasPlainSighting,
  hasReceipt,
  isCaptureUnknown,
  isSeen,
  openCapture,
  type PaidBack,
  type PlacedOrder,
  type ReceivedReceipt,
  type SeenPart,
  type Sighting,
  sightingOf,
} from './order-state.ts'
import { openAttempt } from './standing.ts'
import { goneOf, isMoreReversed, paidBackOf, paidCents, refundedOf, seenWorthCents } from './order-money.ts'
import { ownRefund } from './decide-refund.ts'
import { receiptsWith } from './evolve.ts'
import { evolveAll, withReadiness } from './readiness.ts'

export const paymentDecisions = {
  ChoosePaymentMethod(order, { paymentMethod, at }) {
    assertAllowed(objectionToPaying(order))
    if (order.paymentMethod === paymentMethod && !hasFailed(order)) return []
    if (order.methodChanges >= ATTEMPTS_MAX || !mayBeAttempted(order, paymentMethod)) {
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
    const { status, amountPaid } = command
    const known = attemptOf(order, command.attempt)
    const parts = partsAfter(order, known, command)
    const seenCents = worthOfSeen(known, amountPaid, parts)
    const isOldNews =
      (known.money.kind === 'received' ||
        (known.money.kind === 'seen' && !isNewer({ status, amountPaid, seenCents }, known.money.sighting))) &&
      areSame(parts, known.parts)
    return recordSighting(order, known, { ...command, seenCents, parts, isOldNews })
  },

  FailPayment(order, command) {
    const { reason, at } = command
    const known = attemptOf(order, command.attempt)
    const parts = partsAfter(order, known, command)
    const isEnded = known.parts.length > 0 ? parts.length === 0 : endsSightings.has(reason)
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
    // What is left of the attempt is received.
    const areReceipts = command.ended.every((id) => order.receipts.some(({ receiptId }) => receiptId === id))
    if (parts.length > 0 || (areReceipts && hasReceipt(known)))
      return recordSighting(order, known, { ...command, ...lastSighting(known), parts })
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

  ReportRefund(order, command) {
    const { receipt, at } = command
    const received = receive(order, receipt, at)
    const before = evolveAll(order, received)
    const known = before.receipts.find(({ receiptId }) => receiptId === receipt.receiptId)
    // The receipt pays another order.
    if (!known) return received
    const own = ownRefund(before, known, command.refunds ?? [], at)
    const recorded = evolveAll(before, own)
    const reported = reportRefund(recorded, known, command)
    const events = [...received, ...own, ...reported]
    if (reported.length === 0) return withReadiness(order, events, command, recorded)
    return withReadiness(order, [...events, ...reverse(recorded, reported, at)], command)
  },

  NoteUnusableReceipt(order, { attempt, receiptId, why, isGone, endsSighting, at }) {
    const isCounted = order.receipts.some((known) => known.receiptId === receiptId)
    const known = order.unusableReceipts.find((one) => one.receiptId === receiptId && one.why === why)
    // A late answer may have brought back the sighting that this receipt had ended.
    const isSeenAgain = endsSighting && known !== undefined && hasPlainSighting(order.attempts[attempt - 1])
    const isKnown = (known?.isGone ?? true) === isGone && !isSeenAgain
    if (isKnown || (isCounted && why === 'another-coin')) return []
    const news = isGone ? 'gone' : known?.isGone ? 'again' : 'noted'
    const data = { orderId: order.placed.orderId, attempt, receiptId, why, news, endsSighting, at } as const
    return [{ type: 'ReceiptUnusable', data }]
  },

  NoteDispute(order, command) {
    const { attempt, disputeId, receiptId, outcome, respondBy, at } = command
    const { orderId } = order.placed
    // A dispute that is not known yet counts as won: it takes nothing.
    const before = order.disputes.find((other) => other.disputeId === disputeId)
    const known = before?.outcome ?? 'won'
    const due = respondBy !== undefined && { respondBy }
    const isDueAnew = outcome === 'open' && due && respondBy !== before?.respondBy
    if (outcome === known && !isDueAnew) return []
    const closed: OrderEvent[] =
      outcome === 'open' ? [] : [{ type: 'DisputeClosed', data: { orderId, disputeId, outcome, at } }]
    if (known !== 'won' && closed.length > 0) return withReadiness(order, closed, command)
    // A lost dispute does not open again: what it took was a reversal.
    if (known === 'lost') return []
    return [{ type: 'PaymentDisputed', data: { orderId, attempt, disputeId, receiptId, ...due, at } }, ...closed]
  },

  NoteBlock(order, { at }) {
    const isOver = order.life.kind === 'completed' || order.life.kind === 'deleted'
    return order.isBlocked || isOver ? [] : [{ type: 'BlockFound', data: { orderId: order.placed.orderId, at } }]
  },

  EndPaymentWatch(order, command) {
    const { attempt, isWatched, isUnclear: wasUnclear } = attemptOf(order, command.attempt)
    const end = endedAt(order)
    const { backBefore = paidBackOf(order), isUnclear = false, at } = command
    // Only a check after the deadline shows that no money came before it; only the newest shows reversals.
    const isOver = end !== undefined && command.pollBeganAt >= watchUntil(end) && backBefore === paidBackOf(order)
    // After the end of the watch, a status that has become unknown is news at any time.
    if (isWatched ? !isOver : wasUnclear || !isUnclear) return []
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

/** What a provider says in these cases also ends money that it has named by no part. An expiry does not: that money may still come. */
const endsSightings = new Set<OrderEventData<'PaymentFailed'>['reason']>([
  'failed',
  'refunded',
  'declined',
  'cancelled',
])

/** The attempt's known parts after this report, without receipts. A part that the report omits may still exist. */
function partsAfter(
  order: PlacedOrder,
  known: Attempt,
  { parts = [], ended = [] }: { parts?: readonly SeenPart[] | undefined; ended?: readonly string[] | undefined },
): SeenPart[] {
  const byId = new Map(known.parts.map((part) => [part.id, part]))
  for (const part of parts) {
    const amount = amountBesideReceipt(order, part)
    if (amount === undefined) byId.delete(part.id)
    else byId.set(part.id, { ...part, amount })
  }
  for (const id of ended) byId.delete(id)
  return [...byId.values()].filter(({ id }) => !isRefused(order, id))
}

/** The amount of a part that is not a receipt, or that goes beyond what its receipt holds; undefined for nothing. */
function amountBesideReceipt({ receipts }: PlacedOrder, { id, amount, currency }: SeenPart): string | undefined {
  const receipt = receipts.find(({ receiptId }) => receiptId === id)
  if (!receipt || receipt.currency !== currency) return amount
  const beyond = decimalRest(amount, decimalRest(receipt.amount, goneOf(receipt.back)))
  return isPositiveDecimal(beyond) ? beyond : undefined
}

/** What money without a receipt would cover, at most the asked amount; null if its amount is unknown. */
function worthOfSeen(
  { coversCents, started }: Attempt,
  amountPaid: string | null,
  parts: readonly SeenPart[],
): number | null {
  const amounts = parts.filter(({ currency }) => currency === started?.payCurrency).map(({ amount }) => amount)
  const amount = parts.length === 0 ? amountPaid : amounts.length === 0 ? null : decimalSum(amounts)
  return started && amount !== null ? seenWorthCents({ coversCents }, amount, started.payAmount) : null
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
  const known = order.receipts.find(({ receiptId }) => receiptId === receipt.receiptId)
  const addedAmount = decimalRest(receipt.amount, known?.amount ?? '0')
  if (!isPositiveDecimal(addedAmount)) return []
  // It stays a share of what it was first asked for.
  const { attempt, askedAmount } = known ?? receipt
  const news = { ...receipt, attempt, askedAmount }
  const addedCents = paidCents({ ...order, receipts: receiptsWith(order, news) }) - paidCents(order)
  return [{ type: 'PaymentReceived', data: { orderId: order.placed.orderId, ...news, addedAmount, addedCents, at } }]
}

/** What is new in a provider's report of money that went back. */
function reportRefund(
  order: PlacedOrder,
  known: ReceivedReceipt,
  { back, backBefore = known.back, byHolder, refunds = [], at }: PlacedOrderCommand<'ReportRefund'>,
): OrderEvent[] {
  const isMore = isLess(goneOf(known.back), goneOf(back))
  // An older reply undoes nothing, nor does another payment than the one that holds the receipt.
  const isNewer = areSameBack(backBefore, known.back)
  if (
    byHolder
      ? areSameBack(back, known.back) || !(isMore || isNewer)
      : !isMore || !isLess(known.backByOthers, goneOf(back))
  )
    return []
  const { orderId } = order.placed
  const { receiptId } = known
  const ends = new Set(refunds.flatMap(({ refundId, status }) => (status === 'pending' ? [] : [refundId])))
  const ended = order.refundsUnderWay.filter((id) => ends.has(id))
  return [{ type: 'RefundReported', data: { orderId, receiptId, byHolder, ...back, ended, at } }]
}

function areSameBack(one: PaidBack, other: PaidBack): boolean {
  return isSame(one.done, other.done) && isSame(one.pending, other.pending) && isSame(one.failed, other.failed)
}

/** The reversal that a new report shows: what went back beyond what staff had noted as refunds. */
function reverse(before: PlacedOrder, [reported]: readonly OrderEvent[], at: string): OrderEvent[] {
  if (reported?.type !== 'RefundReported') return []
  const { receiptId } = reported.data
  const after = evolveAll(before, [reported])
  const known = after.receipts.find((receipt) => receipt.receiptId === receiptId)
  if (!known) return []
  const reversedAmount = goneOf(known.back)
  const refundedCents = refundedOf(after, receiptId)
  const data = { orderId: before.placed.orderId, receiptId, reversedAmount, refundedCents, takenCents: 0, at }
  const reversed: OrderEvent = { type: 'PaymentReversed', data }
  const then = evolveAll(after, [reversed])
  if (!isMoreReversed(after, then) && !isMoreReversed(then, after)) return []
  return [{ type: 'PaymentReversed', data: { ...data, takenCents: paidCents(before) - paidCents(then) } }]
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
