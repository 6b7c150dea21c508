import type { OrderEvent, OrderEventData } from '../../domain/order/events.ts'
import type { AttentionReason, Situation } from '../../domain/words.ts'
import { Exact } from './exact.ts'
import {
  isDisputed,
  isLiving,
  isMoneySeen,
  isRefundOpen,
  isRefundUnknown,
  isReversed,
  type OrderFacts,
  revenueLeftCents,
} from './facts.ts'
import { arrivedOf, isCovered, missingRefunds, paidCents } from './money-facts.ts'

/* What each sentence, figure and situation claims, as facts. A text without a row fails, so that a new sentence gets one. */

type Claim = (facts: OrderFacts, asking: ReadonlySet<AttentionReason>) => boolean

const living: Claim = isLiving
const ended: Claim = (facts) => !isLiving(facts) && !facts.isDeleted && facts.status !== 'completed'
const completed: Claim = ({ status, isDeleted }) => status === 'completed' && !isDeleted
const deleted: Claim = ({ isDeleted }) => isDeleted
const given: Claim = areGiven
const givenAfterEnd: Claim = ({ isGivenAfterEnd, isGiven }) => isGivenAfterEnd && !isGiven
const unknown: Claim = ({ isDeliveryUnknown }) => isDeliveryUnknown
const buyerUnread: Claim = ({ isDeliveryHeld }) => isDeliveryHeld
const disputeOpen: Claim = isDisputeOpen
const disputeLost: Claim = (facts) => isDisputed(facts) && !isDisputeOpen(facts)
const blocked: Claim = (facts) => facts.isBlocked
const stray: Claim = ({ strays, receipts }) => strays.entries().some(([id, isGone]) => !isGone && !receipts.has(id))
const ofAnother: Claim = ({ refused, receipts }) => refused.values().some((id) => !receipts.has(id))
const captureUnknown: Claim = ({ failed }) => failed.values().some((reason) => reason === 'capture-unknown')
const unclear: Claim = ({ unclear: last, heldUp }) => last.size + heldUp.size > 0
const refundMissing: Claim = (facts) => missingRefunds(facts).size > 0
const refundNotSent: Claim = ({ wishes }) => wishes.values().some((state) => state !== 'open' && state !== 'unknown')
const held: Claim = (facts) => paidCents(facts) > 0
const covered: Claim = isCovered
const wentBack: Claim = isReversed
const wasReversed: Claim = (facts) => facts.wasReversed
const tooMuch: Claim = (facts) => paidCents(facts) > keepsOf(facts)
const cameAgain: Claim = (facts) => facts.wasReversed && !isReversed(facts)
const mayPay: Claim = (facts) =>
  isLiving(facts) && !facts.isApproved && !isCovered(facts) && !facts.isDeliveryUnknown && !isBusy(facts)
const maybeThere: Claim = any(stray, captureUnknown, unclear, isMoneySeen)
/** Nothing else but what the shop may not keep goes back, and nothing while the provider may take it. */
const goesBack: Claim = (facts) => toPayBackOf(facts) > 0
const always: Claim = () => true

/** Beside them nothing may be said of money that is not there. */
const doubts: ReadonlySet<AttentionReason> = new Set(['wrong-coin', 'capture-unknown', 'payment-unclear'])

function isBusy(facts: OrderFacts): boolean {
  return facts.capture !== undefined || facts.delivery !== undefined || isRefundOpen(facts)
}

function areGiven({ isGiven, isGivenAfterEnd }: OrderFacts): boolean {
  return isGiven || isGivenAfterEnd
}

function isDisputeOpen({ disputes }: OrderFacts): boolean {
  return disputes.values().some(({ outcome }) => outcome === 'open')
}

function not(claim: Claim): Claim {
  return (...given) => !claim(...given)
}

function all(...claims: Claim[]): Claim {
  return (...given) => claims.every((claim) => claim(...given))
}

function any(...claims: Claim[]): Claim {
  return (...given) => claims.some((claim) => claim(...given))
}

/** What the shop may keep of the money, by what it gave or still gives. */
function keepsOf(facts: OrderFacts): number {
  return isLiving(facts) || areGiven(facts) ? revenueLeftCents(facts) : 0
}

function toPayBackOf(facts: OrderFacts): number {
  return isDisputeOpen(facts) ? 0 : Math.max(0, paidCents(facts) - keepsOf(facts))
}

/** Where to look for money that may be there, and what it is for. */
const looks: Readonly<Record<string, Claim>> = {
  'Look at the payment at its provider': any(unclear, isMoneySeen),
  'Look at PayPal': captureUnknown,
  'See at the provider what it is worth': stray,
}
const itIsFor: Readonly<Record<string, Claim>> = {
  'money that is there pays for this order, as far as it is not paid yet.': living,
  'money that is there can pay for this order after all, if there is stock.': ended,
  'money that is there goes back at the provider, unless the order was completed for it.': completed,
  'money that is there goes back at the provider, unless coins were given for it or it has gone back before.': deleted,
}
const moneyThere = Object.fromEntries(
  Object.entries(looks).flatMap(([look, isThere]) =>
    Object.entries(itIsFor).map(([what, isSo]) => [`${look}: ${what}`, all(isThere, isSo)] as const),
  ),
)

/** Each sentence that a cause shows to staff or buyer. */
const sentences: Readonly<Record<string, Claim>> = {
  // Names and messages
  'Payment reversed': wasReversed,
  'A payment was reversed, in whole or in part.': wasReversed,
  'Payment disputed': isDisputed,
  'The payer has disputed the payment at its provider.': isDisputed,
  'Buyer blocked': blocked,
  'The buyer or payer of this order is blocked.': blocked,
  'Delivery unknown': unknown,
  'It is not known whether the coins were given.': unknown,
  'Buyer not readable': buyerUnread,
  'The buyer cannot be read, so the bot was not asked.': buyerUnread,
  'Paid in another coin': stray,
  'Money came in another coin than was asked for.': stray,
  'Capture unknown': captureUnknown,
  'PayPal did not say whether the money was taken.': captureUnknown,
  'Payment unclear': unclear,
  'It is not known whether the money of a payment came.': unclear,
  'Seen, not confirmed': isMoneySeen,
  'A payment was seen and is not confirmed.': isMoneySeen,
  'Receipt of another order': ofAnother,
  'A receipt was shown that has paid another order.': ofAnother,
  'Delivered after its end': givenAfterEnd,
  'It became known after the end that the coins were given.': givenAfterEnd,
  'Refund failed': refundMissing,
  'A refund that was noted has failed at the provider.': refundMissing,
  'Refund unknown': isRefundUnknown,
  'The provider did not say whether a refund was made.': isRefundUnknown,
  'Refund not sent': refundNotSent,
  'A refund was not sent.': refundNotSent,
  'Paid too little': all(living, held, not(covered)),
  'Less is held than the total.': all(held, (facts) => paidCents(facts) < facts.placed.totalCents),
  'Paid too much': tooMuch,
  'More is held than the shop may keep.': tooMuch,
  'Money held after the end': all(not(living), held),
  'This order has ended, and money is held for it.': all(not(living), held),

  // Advice
  'Look at the payment at its provider before any coins are given.': all(living, wasReversed),
  'What stands as held is what is left of it.': living,
  'Look at the payment at its provider.': any(wasReversed, unclear, isMoneySeen),
  'If the coins were given, contest it there, or ask the buyer to pay for them outside this order.': all(
    wasReversed,
    not(living),
  ),
  'The coins were given: contest it at the provider, or ask the buyer to pay for them outside this order.': all(
    given,
    wentBack,
  ),
  'What stands as held still pays for them.': given,
  'While it is open, answer it at the provider, give no coins and pay nothing back.': all(isDisputed, living),
  'While it is open, answer it at the provider and pay nothing back.': all(isDisputed, not(living)),
  'Once it is lost, see there what went back.': isDisputed,
  'Give no coins before you have decided.': all(blocked, living),
  'They can be given after all, or what is held goes back, which ends the order.': all(blocked, living, held),
  'Find out whether the coins were given, and give none before you know.': unknown,
  'If they were not, they are given by hand, or what is held goes back.': all(unknown, living),
  'Put the newest copy of the vault back, so that the buyer can be read.': buyerUnread,
  'If there is none, give the coins by hand, or what is held goes back.': all(buyerUnread, not(given)),
  ...moneyThere,
  'End an order that is not to be delivered before its money goes back.': living,
  'Otherwise deal with this here before that money goes back, since money that is confirmed later may bring the order back.':
    ended,
  'One receipt pays one order: ask the buyer which one was meant.': ofAnother,
  'Give nothing for it here before you have seen that the other order has given nothing for it.': all(
    ofAnother,
    any(living, ended),
  ),
  'One receipt pays one order: ask the buyer which one was meant, and give nothing more here.': all(ofAnother, given),
  'If it was this one, the other order is not paid by it: look there.': ofAnother,
  'One receipt pays one order: ask the buyer which one was meant, and give nothing here.': all(ofAnother, deleted),
  'If it was this one, look at the other order.': ofAnother,
  'The coins were given, and the stock still counts them: correct it, unless the order is completed after all.': all(
    givenAfterEnd,
    ended,
  ),
  'The coins were given, and the stock still counts them: correct it.': all(givenAfterEnd, deleted),
  'What is missing is paid outside this order.': givenAfterEnd,
  'The provider still holds the money of a refund that was noted here.': refundMissing,
  'Pay it back there once more, and note nothing: this ends when the provider has paid it.': refundMissing,
  'Look there for the refund.': all(isRefundUnknown, not(living)),
  'If it is there, note it here, unless it appears here by itself; if it is not, pay back again.': isRefundUnknown,
  'Look there for the refund before any coins are given.': all(isRefundUnknown, living),
  'If it is there, note it here, unless it appears here by itself; if it is not, pay back again, or give the coins.':
    all(isRefundUnknown, living),
  'The timeline says why.': refundNotSent,
  'Pay back again once that is dealt with, or do it at the provider and only note it here.': refundNotSent,
  'Wait for the rest, above all while a payment is being confirmed, or give the coins for what is held.': all(
    living,
    held,
    not(covered),
  ),
  'If neither, note what is held as refunded, which ends the order, before it goes back.': all(
    living,
    held,
    not(given),
  ),
  'What stands to be paid back goes back, and is noted here.': any(goesBack, disputeOpen),
  'What has gone back before is only noted.': held,
  'What stands to be paid back goes back, unless the order is completed for it after all.': all(
    ended,
    any(goesBack, disputeOpen, givenAfterEnd),
  ),
  'Deal with this here first, since more money may bring the order back; what has gone back before is only noted.': all(
    ended,
    held,
  ),
  'What stands to be paid back goes back, and is noted here, unless it pays for another order.': all(
    deleted,
    any(goesBack, disputeOpen, givenAfterEnd),
  ),

  // To the buyer
  'Money of this order went back at the payment provider.': wentBack,
  'Money of this order went back at the payment provider, and came again.': cameAgain,
  'A payment of this order is disputed at its provider.': disputeOpen,
  'A dispute about a payment of this order has ended.': disputeLost,
  'It is not known whether the coins were handed over.': unknown,
  'The coins could not be handed over automatically.': all(buyerUnread, not(given)),
  'Money has arrived in another coin, or over another network, than was asked for.': stray,
  'It is not known yet whether a payment of this order went through.': captureUnknown,
  'It is not known yet whether a refund of this order went through.': isRefundUnknown,
  'A refund of this order has not gone through yet.': any(refundNotSent, refundMissing),
  'It is not known whether a payment of this order arrived.': unclear,
  'A payment of this order was seen and is not confirmed.': isMoneySeen,
  'The receipt that was sent for this order has paid another one.': ofAnother,
  'If it was meant for this order, please pay nothing more and write to support.': ofAnother,
  'It became known after the end of this order that its coins were handed over.': givenAfterEnd,
  'A person at the shop will look at the payment of this order.': any(held, refundMissing),
  'A person at the shop will find out.': always,
  'A person at the shop will look at it.': always,
  'A person at the shop will look at it: please send nothing more now.': maybeThere,
  'A person at the shop will look at it: please pay nothing more now.': maybeThere,
  'Please have your order number ready if you write to support.': always,
}

/** The sentence that `wording` shows by situation (web/src/features/order/wording.ts). */
const situations: Readonly<Record<Situation, Claim>> = {
  'to-pay': all(mayPay, not(held), not(isMoneySeen), ({ placed }) => !placed.preOrder),
  'pre-order-to-pay': all(mayPay, not(held), not(isMoneySeen), ({ placed }) => placed.preOrder),
  waiting: all(living, not(covered), not(isMoneySeen)),
  seen: all(living, isMoneySeen, not(covered)),
  short: all(mayPay, held),
  'failed-payment': all(mayPay, not(held), ({ failed, attempts }) => failed.has(attempts.length)),
  approved: all(living, not(covered), ({ isApproved }) => isApproved),
  delivering: all(living, covered, ({ placed }) => !placed.preOrder),
  'looked-into': living,
  refunding: all(living, isRefundOpen),
  'pre-ordered': all(living, covered, ({ placed }) => placed.preOrder),
  completed: all(given, not(wentBack), arrivedInFull),
  delivered: all(given, not(wentBack), not(arrivedInFull), ({ wasApproved }) => wasApproved),
  'taken-back': all(given, wentBack),
  expired: ({ status }) => status === 'expired',
  cancelled: ({ status }) => status === 'cancelled',
  refunded: all(not(held), ({ status }) => status === 'refunded'),
  'partly-refunded': all(held, ({ status }) => status === 'refunded'),
}

/** The payment's state in words. */
const payments: Readonly<Record<string, Claim>> = {
  'Approved by the shop': all(({ wasApproved }) => wasApproved, not(covered)),
  'Taken back': all(wentBack, not(held)),
  'Partly taken back': all(wentBack, held),
  Refunded: any(
    all(not(held), ({ receipts }) => receipts.values().some(({ refundedCents }) => refundedCents > 0)),
    endedBy('refunded'),
  ),
  'Not known yet': any(maybeThere, isDisputed, unknown, buyerUnread, wasReversed, isRefundUnknown),
  Pending: all(living, not(held), not(isMoneySeen)),
  Waiting: all(living, not(held), not(isMoneySeen)),
  Processing: all(living, isMoneySeen),
  'Partially paid': all(living, held, not(covered)),
  Completed: any(covered, arrivedInFull),
  Failed: endedBy('failed', 'reference-used', 'capture-unknown'),
  Cancelled: endedBy('cancelled'),
  Declined: endedBy('declined'),
  Expired: endedBy('expired'),
  Arrived: held,
  'Not paid': all(not(held), not(isMoneySeen), (_facts, asking) => doubts.isDisjointFrom(asking)),
}

/** Lines of the timeline that say more than their event. */
const lines: Readonly<Partial<Record<OrderEvent['type'], Claim>>> = {
  OrderExpired: not(covered),
  OrderReinstated: covered,
  ReinstatementRefused: all(covered, not(living)),
  OrderReady: all(
    living,
    any(covered, ({ isApproved }) => isApproved),
  ),
  DeliveryGivenUp: unknown,
  DeliveredAfterEnd: all(givenAfterEnd, not(living)),
  OrderCompleted: given,
  RefundRecorded: ({ receipts }) => receipts.values().some(({ refundedCents }) => refundedCents > 0),
}

/** The newest payment failed, for one of these reasons. */
function endedBy(...reasons: OrderEventData<'PaymentFailed'>['reason'][]): Claim {
  return all(living, not(held), not(isMoneySeen), ({ failed, attempts }) =>
    reasons.some((reason) => failed.get(attempts.length) === reason),
  )
}

function arrivedInFull(facts: OrderFacts): boolean {
  const isCrypto = facts.receipts.values().some(({ attempt }) => facts.attempts[attempt - 1]?.method === 'crypto')
  const needed = Exact.of(facts.placed.totalCents).times(Exact.of(isCrypto ? '0.995' : 1))
  return !arrivedOf(facts).isBelow(needed)
}

/** What staff and buyer read of an order. */
export interface Read {
  readonly causes: readonly {
    readonly reason: AttentionReason
    readonly name: string
    readonly message: string
    readonly advice: string
  }[]
  readonly buyer: string | undefined
  readonly situation: Situation
  readonly paymentText: string
  readonly dueCents: number
  readonly toPayBackCents: number
}

/** What of it is not true of the facts, or has no row here. */
export function untrueOf(facts: OrderFacts, read: Read): string[] {
  const asking = new Set(read.causes.map(({ reason }) => reason))
  const isTrue = (rows: Readonly<Record<string, Claim>>, text: string): boolean => rows[text]?.(facts, asking) === true
  const problems = textsOf(read).filter((text) => !isTrue(sentences, text) && !isHeldText(facts, text))
  if (!isTrue(payments, read.paymentText)) problems.push(`payment: ${read.paymentText}`)
  if (read.toPayBackCents > 0 && read.toPayBackCents !== toPayBackOf(facts))
    problems.push(`to be paid back: ${read.toPayBackCents} cents`)
  if (facts.isDeleted) return problems
  if (!isTrue(situations, read.situation)) problems.push(`situation: ${read.situation}`)
  if (read.dueCents !== dueOf(facts)) problems.push(`due: ${read.dueCents} cents`)
  return problems
}

/** Rows of texts that none of these orders shows. */
export function unreadRows(read: readonly Read[]): string[] {
  const texts = new Set(read.flatMap((one) => [...textsOf(one), one.paymentText, one.situation]))
  return [...Object.keys(sentences), ...Object.keys(payments), ...Object.keys(situations)].filter(
    (text) => !texts.has(text) && !(text in moneyThere),
  )
}

function textsOf({ causes, buyer = '' }: Read): string[] {
  const forStaff = causes.flatMap(({ name, message, advice }) => [name, message, ...sentencesOf(advice)])
  return [...forStaff, ...sentencesOf(buyer)]
}

/** Whether the line of the event in the timeline is true of the facts after it. */
export function isLineTrue(facts: OrderFacts, { type }: OrderEvent): boolean {
  return lines[type]?.(facts, new Set()) ?? true
}

/** What is missing of an open order that is neither paid nor approved, and of coins that were given. */
function dueOf(facts: OrderFacts): number {
  if (isCovered(facts) || (isLiving(facts) ? facts.isApproved : !areGiven(facts))) return 0
  return Math.max(0, keepsOf(facts) - paidCents(facts))
}

function sentencesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\.) (?=[A-Z])/)
}

function isHeldText(facts: OrderFacts, text: string): boolean {
  const [, dollars = ''] = /^The shop holds \$([\d,.]+) for this order\.$/.exec(text) ?? []
  return dollars !== '' && Math.round(Number(dollars.replaceAll(',', '')) * 100) === paidCents(facts)
}
