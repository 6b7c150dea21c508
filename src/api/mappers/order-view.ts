import { centsToText } from '../../domain/money.ts'
import { type BuyerTextName, byBuyerText } from '../../domain/order/buyer-texts.ts'
import type { OrderEventData } from '../../domain/order/events.ts'
import { isHeldBack } from '../../domain/order/causes.ts'
import { may, type MayStaff } from '../../domain/order/may.ts'
import { expiryOf } from '../../domain/order/deadline.ts'
import {
  centsByReceipt,
  chargedOf,
  isCovered,
  isReturned,
  isReversed,
  leftMinor,
  minorFor,
  paidCents,
  refundedCents,
} from '../../domain/order/order-money.ts'
import {
  answerDueAt,
  type Attempt,
  currentAttempt,
  hasAttemptFailed,
  isApproved,
  isDeleted,
  outcomeOf,
  type PlacedOrder,
  readinessOf,
  sightingOf,
} from '../../domain/order/order-state.ts'
import { situationOf } from '../../domain/order/situation.ts'
import { dueCents, statusesOf, toPayBackCents } from '../../domain/order/standing.ts'
import { type PaymentMethod, refundGateways } from '../../domain/payment-methods.ts'
import type { AttentionReason } from '../../domain/words.ts'
import type { Buyer, OpenedHistory } from '../../shop/read-history.ts'
import { buyerSentence, causeWords } from '../../words/cause-words.ts'
import { paymentText } from '../../words/payment-text.ts'
import { refundTexts } from '../../words/refund-texts.ts'
import { maskBuyer } from './mask.ts'
import type { OpenPayment, Order } from '../contract/order.ts'
import type { CryptoPaymentStatus } from '../contract/payment.ts'

/** Replaces buyer data that cannot be shown. */
const placeholders = { erased: 'erased', unreadable: 'not readable' } as const

/** Only staff may do these. */
const deniedToBuyers: Readonly<Record<keyof MayStaff, false>> = {
  approve: false,
  settle: false,
  deliver: false,
  refund: false,
}

/** An order as the API shows it. Only here do the domain's names become wire names. */
export function orderView(
  order: PlacedOrder,
  { buyer, refundsTo, note }: OpenedHistory,
  { isMasked, isStaff, isPast = false }: { isMasked: boolean; isStaff: boolean; isPast?: boolean },
): Order {
  const { placed } = order
  const attempt = currentAttempt(order)
  return {
    id: placed.orderId,
    orderNumber: placed.orderNumber,
    ...buyerView(typeof buyer === 'string' || !isMasked ? buyer : maskBuyer(buyer)),
    isMasked: isMasked && typeof buyer !== 'string',
    isUnreadable: buyer === 'unreadable',
    pokecoinAmount: placed.quantityM,
    totalAmount: centsToText(placed.totalCents),
    paymentMethod: order.paymentMethod,
    ...statusesOf(order),
    situation: situationOf(order),
    paymentText: paymentText(order),
    paymentId: attempt ? paymentIdOf(attempt) : null,
    payAmount: attempt?.started?.payAmount ?? null,
    cryptoAmount: attempt?.method === 'crypto' ? (attempt.started?.payAmount ?? null) : null,
    createdAt: placed.at,
    updatedAt: order.updatedAt === placed.at ? null : order.updatedAt,
    transactionData: transactionOf(order),
    inrPerUsd: placed.paisePerUsd / 100,
    preOrder: placed.preOrder,
    expiresAt: expiryOf(order) ?? null,
    paidCents: paidCents(order),
    refundedCents: refundedCents(order),
    refundTexts: refundTexts(order),
    dueCents: dueCents(order),
    toPayBackCents: toPayBackCents(order),
    paid: paidView(order),
    ...(isStaff && { refunds: refundViews(order, refundsTo), receipts: receiptViews(order) }),
    ...(isStaff && order.disputes.some(({ outcome }) => outcome === 'lost') && { hasLostDispute: true }),
    ...noteView(order, note, { isMasked, isStaff }),
    endedAs: outcomeOf(order) ?? null,
    attention: attentionView(order, isStaff),
    payment: openPaymentView(order),
    ready: readinessOf(order) ?? null,
    may: isPast ? allDenied(may(order)) : isStaff ? may(order) : mayBuyer(order, isMasked),
    deleted: isDeleted(order),
    revision: order.next - 1,
  }
}

/** A reader who gets a masked order has not placed it, so may not cancel it. */
function mayBuyer(order: PlacedOrder, isMasked: boolean): Order['may'] {
  return { ...may(order), ...deniedToBuyers, ...(isMasked && { cancel: false }) }
}

/** For an order as of a past day: nothing can be done with it. */
function allDenied(possible: Order['may']): Order['may'] {
  return Object.fromEntries(Object.keys(possible).map((name) => [name, false])) as Order['may']
}

function refundViews(
  { refunds, refundsUnderWay }: PlacedOrder,
  refundsTo: OpenedHistory['refundsTo'],
): NonNullable<Order['refunds']> {
  return refunds.map(({ refundId, amountCents, reason, sent, at }, index) => {
    const whereTo = refundsTo[index] ?? null
    return {
      amountCents,
      sent: sent && { amount: sent.amount, isPending: refundsUnderWay.includes(refundId) },
      reason,
      at,
      whereTo: whereTo === null ? null : wordOf(whereTo),
    }
  })
}

function wordOf(text: string): string {
  return text === 'erased' || text === 'unreadable' ? placeholders[text] : text
}

function noteView(
  { deliveryNote }: PlacedOrder,
  text: string | null,
  { isMasked, isStaff }: { isMasked: boolean; isStaff: boolean },
): Pick<Order, 'deliveryNote'> {
  if (!deliveryNote || text === null || !(isStaff || (deliveryNote.isShown && !isMasked))) return {}
  return { deliveryNote: { text: wordOf(text), isShown: deliveryNote.isShown } }
}

function receiptViews(order: PlacedOrder): NonNullable<Order['receipts']> {
  const heldCents = centsByReceipt(order)
  const dueBackCents = toPayBackCents(order)
  return order.receipts.map((receipt) => {
    const { provider = '' } = order.attempts[receipt.attempt - 1] ?? {}
    const isSent = refundGateways.has(provider)
    return {
      receiptId: receipt.receiptId,
      method: methodOf(order, receipt),
      provider,
      heldCents: heldCents.get(receipt.receiptId) ?? 0,
      currency: receipt.currency,
      leftToSend: isSent ? centsToText(leftMinor(order, receipt)) : null,
      dueToSend: isSent ? centsToText(minorFor(order, receipt, dueBackCents)) : null,
      sellerProtection: receipt.sellerProtection ?? null,
    }
  })
}

function paidView(order: PlacedOrder): Order['paid'] {
  const paid = chargedOf(order)
  if (!paid) return null
  const { amountMinor, currency, feeCents } = paid
  return { amount: centsToText(amountMinor), currency, fee: centsToText(feeCents) }
}

function methodOf({ attempts }: PlacedOrder, { attempt }: PlacedOrder['receipts'][number]): PaymentMethod | null {
  return attempts.find((known) => known.attempt === attempt)?.method ?? null
}

function buyerView(buyer: Buyer): Pick<Order, BuyerTextName | 'marketId' | 'marketIds'> {
  if (typeof buyer === 'string') {
    const word = placeholders[buyer]
    return { ...byBuyerText(() => word), marketId: word, marketIds: [] }
  }
  const { marketIds } = buyer
  return {
    ...byBuyerText((name) => buyer[name]),
    marketId: marketIds[0]?.marketId ?? '',
    marketIds: marketIds.map(({ marketId, amountM }) => ({ marketId, amount: amountM })),
  }
}

/** The latest receipt, or else the latest started payment. */
function transactionOf(order: PlacedOrder): Order['transactionData'] {
  const receipt = order.receipts.at(-1)
  if (receipt) {
    const lostBy = isReversed({ ...order, receipts: [receipt] }) ? 'reversed' : 'refunded'
    const status = isReturned(order, receipt) ? lostBy : 'received'
    return { id: receipt.receiptId, status, method: methodOf(order, receipt) }
  }
  const attempt = currentAttempt(order)
  if (!attempt?.started) return null
  const { money, method, started } = attempt
  return {
    id: started.paymentId,
    status: money.kind === 'failed' ? money.reason : paymentStatusOf(order, attempt),
    method,
  }
}

function attentionView(order: PlacedOrder, isStaff: boolean): Order['attention'] {
  const [first] = order.attention
  if (!first) return null
  return {
    reason: first.reason,
    message: causeWords(order, first.reason).message,
    since: order.attention.reduce((oldest, { since }) => (since < oldest ? since : oldest), first.since),
    reasons: order.attention.map(({ reason }) => reason),
    isHeldBack: isHeldBack(order),
    forBuyer: buyerSentence(order) ?? null,
    ...(isStaff && {
      forStaff: order.attention.map(({ reason }) => causeForStaff(order, reason)),
      dueAt: answerDueAt(order),
    }),
  }
}

function causeForStaff(order: PlacedOrder, reason: AttentionReason) {
  const { name, advice, page, refundReason = null } = causeWords(order, reason)
  return { name, advice, page, refundReason }
}

/** The payment that the buyer can still make, or whose money is not received yet. */
function openPaymentView(order: PlacedOrder): OpenPayment | null {
  const attempt = currentAttempt(order)
  if (outcomeOf(order) !== undefined || isCovered(order) || !attempt?.started || hasAttemptFailed(attempt)) return null
  const { payAmount, payCurrency, address, memo, network, url, intents, paymentExpiresAt } = attempt.started
  return {
    attempt: attempt.attempt,
    method: attempt.method,
    paymentId: paymentIdOf(attempt),
    amount: payAmount,
    currency: payCurrency,
    address,
    memo: memo ?? null,
    network,
    url,
    intents,
    amountPaid: sightingOf(attempt)?.amountPaid ?? null,
    status: paymentStatusOf(order, attempt),
    expiresAt: paymentExpiresAt,
  }
}

/**
 * A payment's id on the wire, null until it is started. Ours, since a status call needs nothing else and a provider's ids can be guessed; PayPal's own
 * where its script needs it, since a capture needs the order's id as well.
 */
export function paymentIdOf({ method, reference, started }: Attempt): string | null {
  if (!started) return null
  return method === 'paypal' ? started.paymentId : reference
}

const statusOfFailure: Record<OrderEventData<'PaymentFailed'>['reason'], CryptoPaymentStatus> = {
  failed: 'failed',
  declined: 'failed',
  cancelled: 'failed',
  'reference-used': 'failed',
  'capture-unknown': 'failed',
  expired: 'expired',
  refunded: 'refunded',
}

/** A payment's status in the API's words, without asking the provider. */
export function paymentStatusOf(order: PlacedOrder, attempt: Attempt): CryptoPaymentStatus {
  const { money } = attempt
  if (money.kind === 'failed') return statusOfFailure[money.reason]
  if (outcomeOf(order) === 'completed' || isApproved(order)) return 'finished'
  const own = order.receipts.filter((receipt) => receipt.attempt === attempt.attempt)
  if (own.length > 0 && own.every((receipt) => isReturned(order, receipt))) return 'refunded'
  if (isCovered(order)) return 'finished'
  if (own.length > 0) return 'partially_paid'
  const sighting = sightingOf(attempt)
  if (sighting) return sighting.status
  return outcomeOf(order) === undefined ? 'waiting' : 'expired'
}
