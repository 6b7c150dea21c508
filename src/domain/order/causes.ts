import { numberOf } from '../fraction.ts'
import { type AttentionReason, attentionReasons } from '../words.ts'
import { isCovered, isRefundMissing, isReversed, paidCents, reportedWorth } from './order-money.ts'
import {
  type Attempt,
  committedSerial,
  isApproved,
  isCaptureUnknown,
  isDeliveryHeld,
  isDeliveryUnknown,
  isOpen,
  isSeen,
  keepsCents,
  lifeBeforeDeletion,
  type PlacedOrder,
  sightingOf,
} from './order-state.ts'
import { mayBeReinstated, statusesOf } from './standing.ts'

/** The present extent of a cause, as levels by id. */
type Mark = Readonly<Record<string, number>>

interface Cause {
  readonly mark: (order: PlacedOrder) => Mark
  /** By default, whether there is a mark. */
  readonly isPresent?: (order: PlacedOrder) => boolean
  readonly isAnsweredByApproval?: true
  /** Delivery waits, or the buyer should send nothing more, until a person decides; `unpaid`: only while not fully paid. */
  readonly holdsBack?: true | 'unpaid'
}

const nothing: Mark = {}
const levels = (entries: readonly (readonly [id: string | number, level: number])[]): Mark =>
  entries.length === 0 ? nothing : Object.fromEntries(entries)
const present: Mark = { order: 1 }
const once = (isPresent: boolean): Mark => (isPresent ? present : nothing)
const ids = (values: readonly (string | number)[]): Mark => levels(values.map((id) => [id, 1]))
const money = (order: PlacedOrder): Mark => (paidCents(order) > 0 ? { cents: paidCents(order) } : nothing)

/** Why a person has to look at an order. Nothing raises or withdraws a cause: it follows from the order. */
const causes: Readonly<Record<AttentionReason, Cause>> = {
  reversed: {
    mark(order) {
      if (!order.wasReversed) return nothing
      const each = order.receipts.map(
        (receipt) => [receipt.receiptId, numberOf(reportedWorth(order, receipt))] as const,
      )
      return levels(each.filter(([, level]) => level > 0))
    },
    // A reversal that was undone still blocks the delivery.
    isPresent: (order) => (lifeBeforeDeletion(order).kind === 'completed' ? isReversed(order) : order.wasReversed),
    isAnsweredByApproval: true,
    holdsBack: true,
  },
  disputed: {
    mark: ({ disputes }) => ids(disputes.filter(({ outcome }) => outcome !== 'won').map(({ disputeId }) => disputeId)),
    isAnsweredByApproval: true,
    holdsBack: true,
  },
  'delivery-unknown': { mark: (order) => once(isDeliveryUnknown(order)), holdsBack: true },
  'buyer-unreadable': { mark: (order) => once(isDeliveryHeld(order)), holdsBack: true },
  'wrong-coin': { mark: (order) => ids(unusable(order, 'another-coin')), holdsBack: 'unpaid' },
  'capture-unknown': {
    mark: ({ attempts }) => ids(attempts.filter(isCaptureUnknown).map(({ attempt }) => attempt)),
    isAnsweredByApproval: true,
    holdsBack: 'unpaid',
  },
  'payment-unclear': {
    mark: ({ attempts }) => ids(attempts.filter(isOutcomeUnknown).map(({ attempt }) => attempt)),
    isAnsweredByApproval: true,
  },
  'never-confirmed': { mark: seenTooLong },
  'receipt-refused': { mark: (order) => ids(unusable(order, 'pays-another-order')) },
  'delivered-after-end': { mark: ({ holding }) => once(holding.kind === 'given-after-end') },
  'refund-failed': {
    mark(order) {
      if (order.refunds.length === 0) return nothing
      const missing = order.receipts.filter((receipt) => isRefundMissing(order, receipt))
      return levels(missing.map(({ receiptId, back }) => [receiptId, Number(back.failed)]))
    },
  },
  short: {
    mark: money,
    isPresent: (order) => isOpen(order) && paidCents(order) > 0 && !isCovered(order) && !isApproved(order),
    isAnsweredByApproval: true,
  },
  over: {
    mark: money,
    isPresent: (order) =>
      paidCents(order) > keepsCents(order) && (isOpen(order) || committedSerial(order) !== undefined),
  },
  /** Money that the shop may not keep. */
  unearned: {
    mark: money,
    isPresent: (order) =>
      paidCents(order) > 0 && !isOpen(order) && committedSerial(order) === undefined && !mayBeReinstated(order),
  },
}

function isOutcomeUnknown({ isUnclear, isHeldUp, isWatched }: Attempt): boolean {
  return isUnclear || (isHeldUp && isWatched)
}

type Why = PlacedOrder['unusableReceipts'][number]['why']

function unusable({ unusableReceipts, receipts }: PlacedOrder, reason: Why): string[] {
  const mine = unusableReceipts.filter(({ why, isGone }) => why === reason && !isGone).map(({ receiptId }) => receiptId)
  return mine.filter((id) => !receipts.some(({ receiptId }) => receiptId === id))
}

/** Money seen but not confirmed, if the order has ever ended or the payment is no longer watched. */
function seenTooLong({ life, attempts }: PlacedOrder): Mark {
  const hasEnded = life.kind !== 'open' || life.isReopened
  const late = attempts.filter((attempt) => isSeen(attempt) && (hasEnded || !attempt.isWatched))
  return levels(
    late.flatMap((known) => {
      const whole = { id: 'all', amount: sightingOf(known)?.amountPaid ?? '0' }
      const parts = known.parts.length === 0 ? [whole] : known.parts
      return parts.map(({ id, amount }) => [`${known.attempt} ${id}`, Number(amount)] as const)
    }),
  )
}

export function isHeldBack(order: PlacedOrder): boolean {
  const isUnpaid = statusesOf(order).paymentStatus !== 'completed'
  return order.attention.some(({ reason }) => {
    const { holdsBack } = causes[reason]
    return holdsBack === true || (holdsBack === 'unpaid' && isUnpaid)
  })
}

export function hasCause({ attention }: PlacedOrder, reason: AttentionReason): boolean {
  return attention.some((cause) => cause.reason === reason)
}

const approvalReasons = attentionReasons.filter((reason) => causes[reason].isAnsweredByApproval)

/** The causes of `reasons` that have ever had a mark. One may return, so a person who answers them all answers hidden ones, too. */
export function everMarked(
  { grewAt }: PlacedOrder,
  reasons: readonly AttentionReason[] = attentionReasons,
): AttentionReason[] {
  return reasons.filter((reason) => grewAt[reason] !== undefined)
}

/** What an approval answers; a possible refund stays. */
export function answersOfApproval(order: PlacedOrder): AttentionReason[] {
  return everMarked(order, approvalReasons)
}

/** Completes the fold of one event: which marks have grown since `before`, and which causes ask for a person, by rank. */
export function withCauses(before: PlacedOrder, after: PlacedOrder): PlacedOrder {
  const asking: AttentionReason[] = []
  let { grewAt } = after
  for (const reason of attentionReasons) {
    const { mark, isPresent } = causes[reason]
    const now = mark(after)
    if (now !== nothing && hasGrown(mark(before), now)) grewAt = { ...grewAt, [reason]: before.next }
    const answeredTo = Math.max(after.answeredTo[reason] ?? -1, after.approvedTo[reason] ?? -1)
    const isUnanswered = (grewAt[reason] ?? -1) > answeredTo
    if (isUnanswered && (isPresent?.(after) ?? now !== nothing)) asking.push(reason)
  }
  if (grewAt === after.grewAt && asking.length === 0 && after.attention.length === 0) return after
  const since = new Map(after.attention.map((known) => [known.reason, known.since]))
  const attention = asking.map((reason) => ({ reason, since: since.get(reason) ?? after.updatedAt }))
  return { ...after, grewAt, attention }
}

function hasGrown(before: Mark, after: Mark): boolean {
  for (const id in after) if ((after[id] ?? 0) > (before[id] ?? -1)) return true
  return false
}
