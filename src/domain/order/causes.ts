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
  noRevisions,
  type PlacedOrder,
  type ReceivedReceipt,
  sightingOf,
} from './order-state.ts'
import { mayBeReinstated, statusesOf } from './standing.ts'

/** The present extent of a cause: a level, or levels by id; 0 for nothing. */
type Mark = number | Readonly<Record<string, number>>

interface Cause {
  readonly mark: (order: PlacedOrder) => Mark
  /** By default, whether there is a mark. */
  readonly isPresent?: (order: PlacedOrder) => boolean
  readonly isAnsweredByApproval?: true
  /** Delivery waits, or the buyer should send nothing more, until a person decides; `unpaid`: only while not fully paid. */
  readonly holdsBack?: true | 'unpaid'
}

/** Runs for each event and cause, so it makes no object where nothing is marked. */
function ofEach<Item>(
  items: readonly Item[],
  isMarked: (item: Item) => boolean,
  idOf: (item: Item) => string | number,
  levelOf: (item: Item) => number = () => 1,
): Mark {
  let mark: Record<string, number> | undefined
  for (const item of items)
    if (isMarked(item)) {
      mark ??= {}
      mark[idOf(item)] = levelOf(item)
    }
  return mark ?? 0
}

/** Why a person has to look at an order. Nothing raises or withdraws a cause: it follows from the order. */
const causes: Readonly<Record<AttentionReason, Cause>> = {
  reversed: {
    mark(order) {
      if (!order.wasReversed) return 0
      const level = (receipt: ReceivedReceipt): number => numberOf(reportedWorth(order, receipt))
      return ofEach(order.receipts, (receipt) => level(receipt) > 0, receiptOf, level)
    },
    // A reversal that was undone still blocks the delivery.
    isPresent: (order) => (lifeBeforeDeletion(order).kind === 'completed' ? isReversed(order) : order.wasReversed),
    isAnsweredByApproval: true,
    holdsBack: true,
  },
  disputed: {
    mark: ({ disputes }) =>
      ofEach(
        disputes,
        ({ outcome }) => outcome !== 'won',
        ({ disputeId }) => disputeId,
      ),
    isAnsweredByApproval: true,
    holdsBack: true,
  },
  'buyer-blocked': {
    mark: ({ isBlocked }) => Number(isBlocked),
    isPresent: (order) => order.isBlocked && isOpen(order) && isCovered(order) && !isApproved(order),
    holdsBack: true,
  },
  'delivery-unknown': { mark: (order) => Number(isDeliveryUnknown(order)), holdsBack: true },
  'buyer-unreadable': { mark: (order) => Number(isDeliveryHeld(order)), holdsBack: true },
  'wrong-coin': { mark: (order) => unusable(order, 'another-coin'), holdsBack: 'unpaid' },
  'capture-unknown': {
    mark: ({ attempts }) => ofEach(attempts, isCaptureUnknown, attemptOf),
    isAnsweredByApproval: true,
    holdsBack: 'unpaid',
  },
  'refund-unknown': {
    mark: ({ wishes }) => ofEach(wishes, ({ failed }) => failed === 'unknown', refundOf),
    isAnsweredByApproval: true,
    holdsBack: true,
  },
  'payment-unclear': {
    mark: ({ attempts }) => ofEach(attempts, isOutcomeUnknown, attemptOf),
    isAnsweredByApproval: true,
  },
  'never-confirmed': { mark: seenTooLong },
  'receipt-refused': { mark: (order) => unusable(order, 'pays-another-order') },
  'delivered-after-end': { mark: ({ holding }) => Number(holding.kind === 'given-after-end') },
  'refund-failed': {
    mark(order) {
      if (order.refunds.length === 0) return 0
      return ofEach(order.receipts, (receipt) => isRefundMissing(order, receipt), receiptOf, failedOf)
    },
  },
  'refund-refused': {
    mark: ({ wishes }) => ofEach(wishes, ({ failed }) => failed !== undefined && failed !== 'unknown', refundOf),
    isAnsweredByApproval: true,
  },
  short: {
    mark: paidCents,
    isPresent: (order) => isOpen(order) && paidCents(order) > 0 && !isCovered(order) && !isApproved(order),
    isAnsweredByApproval: true,
  },
  over: {
    mark: paidCents,
    isPresent: (order) =>
      paidCents(order) > keepsCents(order) && (isOpen(order) || committedSerial(order) !== undefined),
  },
  /** Money that the shop may not keep. */
  unearned: {
    mark: paidCents,
    isPresent: (order) =>
      paidCents(order) > 0 && !isOpen(order) && committedSerial(order) === undefined && !mayBeReinstated(order),
  },
}

function isOutcomeUnknown({ isUnclear, isHeldUp, isWatched }: Attempt): boolean {
  return isUnclear || (isHeldUp && isWatched)
}

type Why = PlacedOrder['unusableReceipts'][number]['why']

function unusable({ unusableReceipts, receipts }: PlacedOrder, reason: Why): Mark {
  const isMine = ({ why, isGone, receiptId }: PlacedOrder['unusableReceipts'][number]): boolean =>
    why === reason && !isGone && !receipts.some((receipt) => receipt.receiptId === receiptId)
  return ofEach(unusableReceipts, isMine, receiptOf)
}

const refundOf = ({ refundId }: PlacedOrder['wishes'][number]): string => refundId
const receiptOf = ({ receiptId }: Pick<ReceivedReceipt, 'receiptId'>): string => receiptId
const failedOf = ({ back }: ReceivedReceipt): number => Number(back.failed)
const attemptOf = ({ attempt }: Attempt): number => attempt

/** Money seen but not confirmed, if the order has ever ended or the payment is no longer watched. */
function seenTooLong({ life, attempts }: PlacedOrder): Mark {
  const hasEnded = life.kind !== 'open' || life.isReopened
  const late = (attempt: Attempt): boolean => isSeen(attempt) && (hasEnded || !attempt.isWatched)
  if (!attempts.some(late)) return 0
  const seen = attempts.filter(late).flatMap((known) => {
    const whole = { id: 'all', amount: sightingOf(known)?.amountPaid ?? '0' }
    const parts = known.parts.length === 0 ? [whole] : known.parts
    return parts.map(({ id, amount }) => [`${known.attempt} ${id}`, Number(amount)] as const)
  })
  return Object.fromEntries(seen)
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
    if (now !== 0 && hasGrown(mark(before), now)) grewAt = { ...grewAt, [reason]: before.next }
    // Most orders have never had a mark.
    const grew = grewAt === noRevisions ? undefined : grewAt[reason]
    if (grew === undefined || grew <= answeredAt(after, reason)) continue
    if (isPresent?.(after) ?? now !== 0) asking.push(reason)
  }
  if (grewAt === after.grewAt && asking.length === 0 && after.attention.length === 0) return after
  const attention = asking.map(
    (reason) => after.attention.find((known) => known.reason === reason) ?? { reason, since: after.updatedAt },
  )
  return { ...after, grewAt, attention }
}

function answeredAt({ answeredTo, approvedTo }: PlacedOrder, reason: AttentionReason): number {
  return Math.max(answeredTo[reason] ?? -1, approvedTo[reason] ?? -1)
}

function hasGrown(before: Mark, after: Mark): boolean {
  if (typeof after === 'number') return after > Number(before)
  const levels = typeof before === 'number' ? {} : before
  return Object.entries(after).some(([id, level]) => level > (levels[id] ?? -1))
}
