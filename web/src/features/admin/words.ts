import type { AttentionReason, DeliveryMode, Order, OrderEvent, PaymentMethod, RefundReason } from '#contract/order.ts'
import type { LucideIcon } from 'lucide-react'
import { CircleCheck, CircleX, Clock } from 'lucide-react'
import { centsOf, usd } from '../../lib/format.ts'
import { methodNames, methodWords } from '../../payment-methods.ts'

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const dayOfMonth = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

export function timeOfDay(ms: number): string {
  return clock.format(new Date(ms))
}

/** `January 2026` for `2026-01`. */
export function monthName(yearAndMonth: string): string {
  const at = new Date(`${yearAndMonth}-01T00:00:00Z`)
  return Number.isNaN(at.getTime()) ? yearAndMonth : month.format(at)
}

/** `31 Jan 2026` for `2026-01-31`. */
export function dayName(isoDay: string): string {
  const at = new Date(`${isoDay}T00:00:00Z`)
  return Number.isNaN(at.getTime()) ? isoDay : dayOfMonth.format(at)
}

/** Litecoin until the buyer has chosen. */
export function paidWith(method: PaymentMethod | null): string {
  return method === null ? 'Litecoin' : methodNames[method]
}

/** The spec's two states of the list, and how an order has ended that is in neither; `detailOf` says more. */
export function statusOf({ status, endedAs }: Pick<Order, 'status' | 'endedAs'>): {
  text: string
  colour: string
  icon: LucideIcon
} {
  if (status === 'completed') return { text: 'Completed', colour: 'text-green', icon: CircleCheck }
  if (status === 'failed') return { text: endWords[endedAs ?? 'failed'], colour: 'text-muted', icon: CircleX }
  return { text: 'Processing', colour: 'text-ink', icon: Clock }
}

const endWords = {
  completed: 'Completed',
  expired: 'Expired',
  cancelled: 'Cancelled',
  refunded: 'Refunded',
  failed: 'Failed',
}

const paymentWords: Record<Order['paymentStatus'], string> = {
  pending: 'not paid',
  waiting: 'waiting',
  processing: 'payment seen',
  partially_paid: 'partly paid',
  completed: 'paid',
  failed: 'payment failed',
}

type Stated = Pick<
  Order,
  'status' | 'paymentStatus' | 'attention' | 'deleted' | 'paidCents' | 'refundedCents' | 'transactionData'
>

/** Shown beside the status; may be empty. */
export function detailOf(order: Stated): string {
  if (order.deleted) return 'deleted'
  if (order.attention !== null) return attentionNames[order.attention.reason].toLowerCase()
  if (isUnpaid(order)) return 'approved'
  if (order.status === 'completed' && order.refundedCents > 0) return `${usd(order.refundedCents)} refunded`
  return order.status === 'pending' ? paymentWords[order.paymentStatus] : ''
}

/** Staff approved it, and no money was ever received. */
function isUnpaid({ paymentStatus, paidCents, refundedCents, transactionData }: Stated): boolean {
  return paymentStatus === 'completed' && paidCents + refundedCents === 0 && transactionData?.status !== 'reversed'
}

/** What approving this order does; `deliveryMode` is the shop's current one. */
export function approvalSentence(order: Pick<Order, 'ready' | 'attention'>, deliveryMode: DeliveryMode): string {
  const isGivenByCall = order.attention?.reasons.some(
    (reason) => reason === 'delivery-unknown' || reason === 'delivered-after-end',
  )
  return (order.ready?.deliveryMode ?? deliveryMode) === 'webhook' && isGivenByCall !== true
    ? 'Approve asks the bot to give the coins.'
    : 'Approve says that the coins were given: the order is completed. There is no way back.'
}

/** What an order lacks of its price, before it is approved; undefined where nothing is lacking. */
export function lackSentence({ paidCents, totalAmount }: Pick<Order, 'paidCents' | 'totalAmount'>): string | undefined {
  const total = centsOf(totalAmount)
  if (paidCents >= total) return undefined
  return paidCents === 0
    ? `No money is held for this order of ${usd(total)}.`
    : `Only ${usd(paidCents)} of ${usd(total)} is held for this order.`
}

/** `12 min`, `3 h`, `2 days`. */
export function ageOf(since: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(since)) / 60_000)
  if (minutes < 1) return '< 1 min'
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours} h`
  const days = Math.floor(hours / 24)
  return days === 1 ? '1 day' : `${days} days`
}

export const attentionNames: Record<AttentionReason, string> = {
  'paid-without-stock': 'Paid after its end',
  'late-and-short': 'Ended uncovered',
  short: 'Paid too little',
  over: 'Paid too much',
  double: 'Paid twice',
  reversed: 'Payment reversed',
  'capture-unknown': 'Capture unknown',
  'delivery-unknown': 'Delivery unknown',
  'receipt-refused': 'Receipt of another order',
  'money-on-deleted-order': 'Money on a deleted order',
  'never-confirmed': 'Seen, not confirmed',
  'payment-unclear': 'Payment unclear',
  'paid-after-settling': 'Paid after settling',
  'delivered-after-end': 'Delivered after its end',
  'wrong-coin': 'Paid in another coin',
  'buyer-unreadable': 'Buyer not readable',
  disputed: 'Payment disputed',
}

export const refundReasonNames: Record<RefundReason, string> = {
  'not-delivered': 'Not delivered',
  'paid-too-much': 'Paid too much',
  'paid-twice': 'Paid twice',
  'paid-late': 'Paid too late',
  'asked-for': 'The buyer asked for it',
  other: 'Another reason',
}

/** `Paid too little, late and short`. */
export function reasonsOf(reasons: readonly AttentionReason[]): string {
  const names = reasons.map((reason) => attentionNames[reason])
  return names.map((name, index) => (index === 0 ? name : name.toLowerCase())).join(', ')
}

type Advised = Pick<Order, 'status' | 'paymentStatus' | 'deleted' | 'attention' | 'paidCents' | 'totalAmount'>

/** What a person can do about a cause, as the order stands now. */
export function adviceOn(order: Advised, reason: AttentionReason): string {
  const advice = attentionAdvice[reason]
  return typeof advice === 'string' ? advice : advice(order)
}

/** Of money that may lie at the provider. Paid back first, it could still be confirmed and deliver the order. */
function ifItIsThere({ status, deleted, paidCents }: Advised, condition = 'the money is there'): string {
  if (deleted) return 'This order is deleted: if the money is there, pay it back at the provider. Then settle this.'
  if (status === 'completed')
    return 'This order is completed: if this money is there too, pay it back at the provider. Then settle this.'
  const held = paidCents > 0 ? `, as well as the ${usd(paidCents)} that is held` : ''
  if (status === 'failed')
    return `If ${condition}, approve the order to deliver it. Otherwise settle this first, and then pay back what came${held}.`
  return `If ${condition}, approve the order to deliver it. Otherwise delete the order first, or let it expire, and then pay back what came${held}.`
}

function onTooMuch({ status }: Advised): string {
  if (status === 'failed')
    return 'Nothing was delivered: approve it and pay the difference back, or pay everything back. Note the refund.'
  return `Pay back what came beyond the total, and note the refund.${status === 'pending' ? ' That does not end the order.' : ''}`
}

function onReversal({ status, attention, paidCents, totalAmount }: Advised): string {
  if (status === 'completed')
    return 'The coins were given. Contest it at the provider, or ask the buyer. Settle this when it is dealt with.'
  const look = `Look at the payments at their provider: ${usd(paidCents)} of ${usd(centsOf(totalAmount))} is held now.`
  return attention?.reasons.includes('delivery-unknown')
    ? look
    : `${look} The order stays undelivered until it is approved.`
}

function onShort({ paymentStatus }: Advised): string {
  const seen = paymentStatus === 'processing' ? 'More money was seen and is being confirmed. ' : ''
  return `${seen}It ends by the rest of the payment, by approving, refunding or deleting it, or by expiring. What was paid is to be paid back where nothing is delivered.`
}

const attentionAdvice: Record<AttentionReason, string | ((order: Advised) => string)> = {
  'paid-without-stock':
    'It was paid after it had ended, and was not brought back. Approve it to deliver it, with enough stock, or pay the money back and note the refund.',
  'late-and-short':
    'Approve it to deliver all the same, with enough stock, or pay back what is held and note the refund.',
  short: onShort,
  over: onTooMuch,
  double: (order) => `It was paid again. ${onTooMuch(order)}`,
  reversed: onReversal,
  'capture-unknown': (order) => `Look at PayPal whether the money was taken. ${ifItIsThere(order)}`,
  'delivery-unknown':
    'The coins may have been given. Find out whether they were: if so approve it, which only completes it; otherwise pay back what is held and note the refund, or delete it where nothing is held.',
  'receipt-refused': ({ status }) =>
    `One receipt pays one order, and this one has paid another. Ask the buyer which one was meant. ${
      status === 'pending'
        ? 'If it was the other one, this order can still be paid.'
        : 'If it was the other one, settle this.'
    } If it was this one, look at the other first: where its coins were given, do not approve this one. Where they were not, delete the other, approve this one, and settle what the deleted one asks, since its money pays for this one.`,
  'money-on-deleted-order': 'Pay the money back, and note the refund.',
  'never-confirmed': (order) => `Look at the payment at its provider. ${ifItIsThere(order)}`,
  'payment-unclear': (order) =>
    `The provider has not said, in words that are known here, whether money came. Look at the payment there. ${ifItIsThere(order)}`,
  'paid-after-settling': (order) =>
    `More money came after staff had settled this order: ${usd(order.paidCents)} is held now. ${order.status === 'failed' ? 'Approve it to deliver it, or pay everything back and note the refund.' : onTooMuch(order)}`,
  disputed: 'Answer the dispute at PayPal. What was not delivered stays undelivered until it is won, or approved here.',
  'buyer-unreadable':
    'The bot was not asked: approve it once the buyer can be read, or pay the money back and note the refund.',
  'delivered-after-end':
    'The coins were given. If they are paid for, approve the order, which only completes it. If not, find out who pays for them, then settle this.',
  'wrong-coin': (order) =>
    `It came in another coin, or over another network. See at the provider what it is worth. ${ifItIsThere(order, 'it is worth enough')}`,
}

export const actorNames: Record<OrderEvent['actor'], string> = {
  buyer: 'Buyer',
  staff: 'Staff',
  system: 'Shop',
  provider: 'Payment provider',
}

/** `PayPal Transactions` and the like. */
export function transactionsTitle(method: PaymentMethod | null): string {
  return method === null ? 'Payment Transactions' : methodWords[method].transactions
}

/** What staff have to look at again, since the order has changed. */
export function changeSince(before: Order, now: Order): string {
  const parts = [
    ...(now.paidCents === before.paidCents
      ? []
      : [`${usd(now.paidCents)} is held now, before it was ${usd(before.paidCents)}.`]),
    ...(statusOf(now).text === statusOf(before).text
      ? []
      : [`Its status is ${statusOf(now).text} now, before it was ${statusOf(before).text}.`]),
  ]
  return parts.length === 0 ? 'Its history has a new entry.' : parts.join(' ')
}
