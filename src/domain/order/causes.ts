import { numberOf } from '../fraction.ts'
import { inr, usd } from '../money.ts'
import { type AttentionReason, attentionReasons, type RefundReason } from '../words.ts'
import { isCovered, isRefundMissing, isReversed, paidCents, reportedWorth } from './order-money.ts'
import {
  type Attempt,
  committedSerial,
  isApproved,
  isCaptureUnknown,
  isDeleted,
  isDeliveryHeld,
  isDeliveryUnknown,
  isDisputed,
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

export interface Words {
  /** For staff's lists. */
  readonly name: string
  /** For the timeline. */
  readonly message: string
  /** What staff can do. */
  readonly advice: string
  /** Preset for a refund. */
  readonly refundReason?: RefundReason
}

interface Cause {
  readonly mark: (order: PlacedOrder) => Mark
  /** By default, whether there is a mark. */
  readonly isPresent?: (order: PlacedOrder) => boolean
  readonly isAnsweredByApproval?: true
  /** Delivery waits, or the buyer should send nothing more, until a person decides; `unpaid`: only while not fully paid. */
  readonly holdsBack?: true | 'unpaid'
  /** Unrecorded money may exist, or the coins may have been given: staff deal with this cause before money that is held. */
  readonly comesFirst?: true
  readonly words: (order: PlacedOrder) => Words
  /** Shown to the buyer: the text of the order's first cause with one. */
  readonly buyer?: string | ((order: PlacedOrder) => string)
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
  short: {
    mark: money,
    isPresent: (order) => isOpen(order) && paidCents(order) > 0 && !isCovered(order) && !isApproved(order),
    isAnsweredByApproval: true,
    words: (order) => ({
      name: 'Paid too little',
      message: 'Less was paid than the total.',
      advice: onShort(order),
    }),
  },

  over: {
    mark: money,
    isPresent: (order) =>
      paidCents(order) > keepsCents(order) && (isOpen(order) || committedSerial(order) !== undefined),
    words(order) {
      const beyond = usd(paidCents(order) - keepsCents(order))
      const advice = `Pay back what is held beyond the total (${beyond}), and note the refund. ${ONLY_NOTE}${isOpen(order) ? ' That does not end the order.' : ''}`
      if (isDeleted(order)) return onDeleted(order)
      if (order.answeredTo.over !== undefined) return afterSettling(order, advice)
      if (isCovered({ ...order, receipts: order.receipts.slice(0, -1) }))
        return {
          name: 'Paid twice',
          message: 'It was paid again after it had been paid.',
          advice: `It was paid again. ${advice}`,
          refundReason: 'paid-twice',
        }
      return {
        name: 'Paid too much',
        message: 'More was paid than the total.',
        advice,
        refundReason: 'paid-too-much',
      }
    },
  },

  /** Money that the shop may not keep. */
  unearned: {
    mark: money,
    isPresent: (order) =>
      paidCents(order) > 0 && !isOpen(order) && committedSerial(order) === undefined && !mayBeReinstated(order),
    words(order) {
      if (isDeleted(order)) return onDeleted(order)
      if (order.holding.kind === 'given-after-end')
        return {
          name: 'Paid after its end',
          message: 'Paid after it had ended, and after its coins were given.',
          advice: `Its coins were given after its end. ${heldOfTotal(order)} If this money pays for them, approve the order, which only completes it. If it does not, pay back what is held and note the refund. ${ONLY_NOTE}`,
          refundReason: 'paid-late',
        }
      if (order.answeredTo.unearned !== undefined)
        return afterSettling(
          order,
          `${ONLY_NOTE} If not: to deliver it, with enough stock, ${DELIVER}; otherwise pay back what is held and note the refund.`,
        )
      if (isCovered(order))
        return {
          name: 'Paid after its end',
          message: 'Paid after it had ended, and it was not brought back.',
          advice: `${hasCause(order, 'reversed') ? "Look at 'Payment reversed' first." : 'It was paid after it had ended, and was not brought back.'} ${ONLY_NOTE} If not: with enough stock, ${DELIVER}; otherwise pay the money back and note the refund.`,
          refundReason: 'paid-late',
        }
      return {
        name: 'Ended uncovered',
        message: 'It has ended, and its money does not cover it.',
        advice: dealWithFirst(
          order,
          `To deliver all of it for what is held, with enough stock, ${DELIVER}. If it is not to be delivered, settle this first, then pay back what is held and note the refund. ${ONLY_NOTE}`,
        ),
        refundReason: 'not-delivered',
      }
    },
  },

  'refund-failed': {
    mark(order) {
      if (order.refunds.length === 0) return nothing
      const missing = order.receipts.filter((receipt) => isRefundMissing(order, receipt))
      return levels(missing.map(({ receiptId, back }) => [receiptId, Number(back.failed)]))
    },
    words: () => ({
      name: 'Refund failed',
      message: 'A refund that was noted has failed at the provider.',
      advice:
        'The provider still holds the money of a refund that was noted here. Pay it back there once more, and note nothing: this ends when the provider has paid it.',
    }),
  },

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
    comesFirst: true,
    words: (order) => ({
      name: 'Payment reversed',
      message: 'A payment was reversed, in whole or in part.',
      advice: onReversal(order),
    }),
    buyer: (order) =>
      `Money of this order went back at the payment provider${isReversed(order) ? '' : ', and came again'}. A person at the shop will look at it.`,
  },

  disputed: {
    mark: ({ disputes }) => ids(disputes.filter(({ outcome }) => outcome !== 'won').map(({ disputeId }) => disputeId)),
    isAnsweredByApproval: true,
    holdsBack: true,
    comesFirst: true,
    words: (order) => ({
      name: 'Payment disputed',
      message: 'The payer disputes the payment at its provider.',
      advice: onDispute(order),
    }),
    buyer: (order) =>
      isDisputeLost(order)
        ? 'A dispute about a payment of this order has ended. A person at the shop will look at it.'
        : 'A payment of this order is disputed at its provider. A person at the shop will look at it.',
  },

  'delivery-unknown': {
    mark: (order) => once(isDeliveryUnknown(order)),
    holdsBack: true,
    comesFirst: true,
    words: (order) => ({
      name: 'Delivery unknown',
      message: 'It is not known whether the coins were given.',
      advice: `The coins may have been given: find out. If they were, ${paymentFirst(order)}approve the order, which only completes it. If they were not, and nobody is about to give them, ${ifNotGiven(order)}`,
    }),
    buyer: 'It is not known whether the coins were handed over. A person at the shop will find out.',
  },

  'buyer-unreadable': {
    mark: (order) => once(isDeliveryHeld(order)),
    holdsBack: true,
    words: () => ({
      name: 'Buyer not readable',
      message: 'The buyer cannot be read, so the bot was not asked.',
      advice: 'The bot was not asked: approve it once the buyer can be read, or note the refund and then pay it back.',
    }),
    buyer: 'The coins could not be handed over automatically. A person at the shop will look at it.',
  },

  'wrong-coin': {
    mark: (order) => ids(unusable(order, 'another-coin')),
    holdsBack: 'unpaid',
    comesFirst: true,
    words: (order) => ({
      name: 'Paid in another coin',
      message: 'Money came in another coin than was asked for.',
      advice: `It came in another coin, or over another network. See at the provider what it is worth. ${ifItIsThere(order)}`,
    }),
    buyer:
      'Money has arrived in another coin, or over another network, than was asked for. A person at the shop will look at it: please send nothing more now.',
  },

  'capture-unknown': {
    mark: ({ attempts }) => ids(attempts.filter(isCaptureUnknown).map(({ attempt }) => attempt)),
    isAnsweredByApproval: true,
    holdsBack: 'unpaid',
    comesFirst: true,
    words: (order) => ({
      name: 'Capture unknown',
      message: 'PayPal did not say whether the money was taken.',
      advice: `Look at PayPal whether the money was taken. ${ifItIsThere(order, order.attempts.find(isCaptureUnknown))}`,
    }),
    buyer:
      'It is not known yet whether a payment of this order went through. A person at the shop will look at it: please pay nothing more now.',
  },

  'payment-unclear': {
    mark: ({ attempts }) => ids(attempts.filter(isOutcomeUnknown).map(({ attempt }) => attempt)),
    isAnsweredByApproval: true,
    comesFirst: true,
    words: (order) => ({
      name: 'Payment unclear',
      message: unclearText(order),
      advice: `${unclearText(order)} Look at the payment there. ${ifItIsThere(order, order.attempts.find(isOutcomeUnknown))}`,
    }),
    buyer:
      'It is not known whether a payment of this order arrived. A person at the shop will look at it: please pay nothing more now.',
  },

  'never-confirmed': {
    mark: seenTooLong,
    comesFirst: true,
    words: (order) => ({
      name: 'Seen, not confirmed',
      message: 'A payment was seen and is not confirmed.',
      advice: `Look at the payment at its provider. ${ifItIsThere(order, order.attempts.find(isSeen))}`,
    }),
    buyer: 'A payment of this order was seen and is not confirmed. A person at the shop will look at it.',
  },

  'receipt-refused': {
    mark: (order) => ids(unusable(order, 'pays-another-order')),
    words: (order) => ({
      name: 'Receipt of another order',
      message: 'A receipt was shown that has paid another order.',
      advice: onReceiptOfAnother(order),
    }),
    buyer:
      'The receipt that was sent for this order has paid another one. If it was meant for this order, please pay nothing more and write to support.',
  },

  'delivered-after-end': {
    mark: ({ holding }) => once(holding.kind === 'given-after-end'),
    words: (order) => ({
      name: 'Delivered after its end',
      message: 'It became known after the end that the coins were given.',
      advice: `The coins were given, and went back into the stock when the order ended. ${heldOfTotal(order)} If they are not paid for, ${PAY_OUTSIDE}. Then, or if you give that up, approve the order: that only completes it, and takes the coins off the stock. If the stock is too low for that, correct the stock and settle this.`,
    }),
    buyer:
      'It became known after the end of this order that its coins were handed over. A person at the shop will look at it.',
  },
}

/** An approval is staff's word that the coins are given, or lets the bot give them. */
const DELIVER = 'give the game coins and approve the order (where a bot gives them, only approve it)'
const PAY_OUTSIDE = 'ask the buyer to pay for them outside this order'

/** Staff may have paid money back at the provider before the shop confirmed it. */
const ONLY_NOTE = 'If this money was paid back before, only note it.'

function onShort(order: PlacedOrder): string {
  if (statusesOf(order).paymentStatus === 'processing')
    return 'More money was seen and is being confirmed: wait for it before you refund or delete the order.'
  return dealWithFirst(
    order,
    `The buyer can pay the rest. To deliver all of it for what is held, ${DELIVER}. If it is not to be delivered, note what is held as refunded, which ends it, and then pay it back.`,
  )
}

/** Advice about held money, or to deal with a more urgent cause first. */
function dealWithFirst(order: PlacedOrder, whatToDo: string): string {
  const other = order.attention.find(({ reason }) => causes[reason].comesFirst)
  return `${heldOfTotal(order)} ${other ? `Deal with '${wordsOf(order, other.reason).name}' first.` : whatToDo}`
}

function onDeleted(order: PlacedOrder): Words {
  const beyondCents = paidCents(order) - keepsCents(order)
  const what =
    keepsCents(order) > 0
      ? `Its coins were given: pay back only what is held beyond the total (${usd(beyondCents)})`
      : `Pay back the ${usd(beyondCents)} that is held`
  return {
    name: 'Money on a deleted order',
    message: 'There is money on this deleted order.',
    advice: `${what}, and note the refund. ${ONLY_NOTE} If it pays for another order, settle this, once all else is dealt with.`,
  }
}

function afterSettling(order: PlacedOrder, whatToDo: string): Words {
  return {
    name: 'Paid after settling',
    message: 'Money came after staff had settled it.',
    advice: `More money came after staff had dealt with this order. ${heldOfTotal(order)} ${whatToDo}`,
  }
}

function onReceiptOfAnother(order: PlacedOrder): string {
  const what = 'One receipt pays one order, and this one has paid another. Ask the buyer which one was meant.'
  const { status } = statusesOf(order)
  if (status === 'completed')
    return `${what} This order is completed, so give nothing more for it. If the receipt was meant for it, the other one is not paid by it: look there. Then settle this.`
  const ifOther = status === 'pending' ? 'this order can still be paid.' : 'settle this.'
  return `${what} If it was the other one, ${ifOther} If it was this one, look at the other first: if its coins were given, or may have been, do not approve this one. If they were not, and the provider shows that the same person paid enough for this one, and has not got it back or disputed it, delete the other, ${DELIVER}, and settle what the deleted one asks, since the money of this receipt pays for this one.`
}

/**
 * Advice on money that may be at the provider. An open order is ended before that money is paid back: otherwise the shop
 * could still confirm it and deliver.
 */
function ifItIsThere(order: PlacedOrder, attempt?: Attempt): string {
  const { status } = statusesOf(order)
  const dueCents = order.placed.totalCents - paidCents(order)
  if (isDeleted(order)) {
    const exception =
      keepsCents(order) > 0 && !isCovered(order) ? ' and if it is not what the order was approved for,' : ''
    return `This order is deleted. If the money is confirmed there, and was not paid back before,${exception} pay it back at the provider. Settle this, once all else is dealt with.`
  }
  const payBack =
    'pay it back at the provider, and then settle this. Note that refund only once the shop has confirmed the money.'
  if (status === 'completed')
    return isCovered(order)
      ? `This order is completed and paid: if this money is confirmed there, too, ${payBack}`
      : `This order is completed. ${heldOfTotal(order)} If it was approved for this money, settle this. If not, and this money is confirmed there, ${payBack}`
  if (isCovered(order) && isOpen(order))
    return `${usd(paidCents(order))} is held, which pays for this order, so deliver it as usual. If this money is confirmed there, too, ${payBack}`
  const held =
    paidCents(order) > 0 ? `, as well as the ${usd(paidCents(order))} that is held, and note that refund` : ''
  const first = status === 'failed' ? 'settle this' : 'delete the order, or let it expire and settle this,'
  const condition =
    dueCents > 0
      ? `${askedFor(dueCents, attempt)} or more, before the provider's own fees, is confirmed there`
      : 'the money is confirmed there'
  const stock = status === 'failed' ? ' and the stock is enough' : ''
  return `If ${condition}${stock}, ${DELIVER}. If it is not to be delivered, ${first} first, and then pay back at the provider what came${held}. If the shop confirms that money after you have paid it back, only note the refund.`
}

const COIN_DECIMALS = 8

/** The amount that the provider shows, with the method's fee. For crypto in coins, at the rate of the payment's start. */
function askedFor(dueCents: number, attempt: Attempt | undefined): string {
  if (!attempt || attempt.coversCents <= 0) return usd(dueCents)
  const { started, method } = attempt
  if (method === 'crypto' && started) {
    const coins = (Number(started.payAmount) * dueCents) / attempt.coversCents
    return `${Number(coins.toFixed(COIN_DECIMALS))} ${started.payCurrency.toUpperCase()}`
  }
  const minor = Math.ceil((attempt.askedMinor * dueCents) / attempt.coversCents)
  return attempt.currency === 'USD' ? usd(minor) : inr(minor)
}

/** Also in the timeline. */
export const HELD_UP = 'Errors have kept the shop from asking the provider whether money came.'

function unclearText({ attempts }: PlacedOrder): string {
  return attempts.some(({ isUnclear }) => isUnclear)
    ? 'The provider reports a status that is unknown here: money may have come.'
    : HELD_UP
}

function isOutcomeUnknown({ isUnclear, isHeldUp, isWatched }: Attempt): boolean {
  return isUnclear || (isHeldUp && isWatched)
}

function heldOfTotal(order: PlacedOrder): string {
  return `${heldText(order)}.`
}

function heldText(order: PlacedOrder): string {
  return `${usd(paidCents(order))} of ${usd(order.placed.totalCents)} is held`
}

function isDisputeLost({ disputes }: PlacedOrder): boolean {
  const outcomes = new Set(disputes.map(({ outcome }) => outcome))
  return outcomes.has('lost') && !outcomes.has('open')
}

function onDispute(order: PlacedOrder): string {
  if (isDisputeLost(order))
    return `The dispute was lost, and the provider has paid the money back: pay nothing back yourself. ${isOpen(order) ? 'If the coins were not given, do not give them for that money.' : 'Settle this.'}`
  if (statusesOf(order).status === 'completed')
    return 'Answer the dispute at the provider, and pay nothing back while it is open. Settle this when it is dealt with.'
  const next = !isOpen(order) || isDeliveryUnknown(order) ? '' : ' What was not delivered stays undelivered until then.'
  return `Answer the dispute at the provider, wait for its end, and pay nothing back while it is open.${next} Approve the order before that only if you accept that the coins and the money may both be lost: that settles this, too.`
}

/** Precedes the advice to approve, since an approval settles these causes, too. */
function paymentFirst(order: PlacedOrder): string {
  return hasCause(order, 'reversed') || hasCause(order, 'disputed')
    ? 'first deal with the reversed or disputed payment, then '
    : ''
}

function ifNotGiven(order: PlacedOrder): string {
  if (order.disputes.some(({ outcome }) => outcome === 'open')) return 'wait for the end of the dispute.'
  if (paidCents(order) <= 0) return 'delete the order: no money is held.'
  const condition = isCovered(order) ? '' : ` if you accept that only ${heldText(order)}`
  return `give them by hand and then approve it${condition}, or note what is held as refunded, which ends it, and then pay it back.`
}

function onReversal(order: PlacedOrder): string {
  const { status } = statusesOf(order)
  if (!isReversed(order)) {
    const next = status === 'pending' && !isDeliveryUnknown(order) ? `Then, to deliver it, ${DELIVER}.` : ''
    return `The reversal was undone. ${heldOfTotal(order)} See that the provider holds it, too. ${next}`.trim()
  }
  if (status === 'completed' && isCovered(order))
    return `${heldOfTotal(order)} The coins are still paid for: settle this, once all else is dealt with.`
  if (status === 'completed')
    return `The coins were given. Contest it at the provider, or ${PAY_OUTSIDE}. Settle this when it is dealt with.`
  const next = isDeliveryUnknown(order)
    ? ` Where the coins were given, ${isDisputeLost(order) ? '' : 'contest it there, or '}${PAY_OUTSIDE}, before you approve the order: that settles this, too.`
    : ' The order stays undelivered until it is approved.'
  return `Look at the payments at their provider. ${heldOfTotal(order)}${next}`
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

export function wordsOf(order: PlacedOrder, reason: AttentionReason): Words {
  return causes[reason].words(order)
}

export function isHeldBack(order: PlacedOrder): boolean {
  const isUnpaid = statusesOf(order).paymentStatus !== 'completed'
  return order.attention.some(({ reason }) => {
    const { holdsBack } = causes[reason]
    return holdsBack === true || (holdsBack === 'unpaid' && isUnpaid)
  })
}

/** The buyer's text while a person has to look; undefined if only the rest is to be paid. */
export function buyerSentence(order: PlacedOrder): string | undefined {
  if (order.attention.every(({ reason }) => reason === 'short')) return undefined
  const first = attentionReasons.find((reason) => causes[reason].buyer && hasCause(order, reason))
  const sentence = first && causes[first].buyer
  const what =
    (typeof sentence === 'function' ? sentence(order) : sentence) ??
    'A person at the shop will look at the payment of this order.'
  // Money that paid for delivered coins is no longer held.
  const keptCents = statusesOf(order).status === 'completed' ? order.placed.totalCents : 0
  const isHeld = paidCents(order) > keptCents && !isDisputed(order)
  const held = isHeld ? ` The shop holds ${usd(paidCents(order))} for this order.` : ''
  return `${what}${held} Please have your order number ready if you write to support.`
}

function hasCause({ attention }: PlacedOrder, reason: AttentionReason): boolean {
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

/** Completes the fold of one event: which marks have grown since `before`, and which causes ask for a person, the oldest first. */
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
  const earlier = after.attention.filter(({ reason }) => asking.includes(reason))
  const begun = asking.filter((reason) => !hasCause(after, reason))
  const attention = [...earlier, ...begun.map((reason) => ({ reason, since: after.updatedAt }))]
  return { ...after, grewAt, attention }
}

function hasGrown(before: Mark, after: Mark): boolean {
  return Object.entries(after).some(([id, level]) => level > (before[id] ?? -1))
}
