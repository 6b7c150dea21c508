import { centsToText } from '../domain/money.ts'
import { decimalSum, isLess, isPositiveDecimal, isSame } from './payment-amounts.ts'
import type { DisputeReport, KnownPayment, PaymentReport, ReceiptReport } from './payment-provider.ts'
import type { DisputeReply, OrderReply } from './paypal-replies.ts'

type Status = PaymentReport['status']
type Unit = NonNullable<OrderReply['purchase_units']>[number]
type Capture = NonNullable<NonNullable<NonNullable<Unit['payments']>['captures']>>[number]

/** An order's words. That it is completed says nothing of money: only its captures do. */
const orderWords: Readonly<Record<string, Status>> = {
  CREATED: 'waiting',
  SAVED: 'waiting',
  PAYER_ACTION_REQUIRED: 'waiting',
  APPROVED: 'approved',
  VOIDED: 'cancelled',
  COMPLETED: 'unknown',
}
const captureWords: Readonly<Record<string, 'taken' | 'reversed' | 'pending' | 'declined' | 'failed'>> = {
  COMPLETED: 'taken',
  PARTIALLY_REFUNDED: 'taken',
  REFUNDED: 'reversed',
  REVERSED: 'reversed',
  PENDING: 'pending',
  DECLINED: 'declined',
  DENIED: 'declined',
  FAILED: 'failed',
}
const refundsWithoutMoney = new Set(['FAILED', 'CANCELLED'])
const wonOutcomes = new Set(['RESOLVED_SELLER_FAVOUR', 'CANCELED_BY_BUYER', 'DENIED'])

/** The words of a reply that nobody knows. */
export function unknownWords(reply: OrderReply): string[] {
  const captures = capturesOf(reply).map(({ status }) => status)
  return [
    ...[reply.status].filter((word) => !Object.hasOwn(orderWords, word)),
    ...captures.filter((word) => !Object.hasOwn(captureWords, word)),
  ]
}

/** Whether it was opened for this attempt, at its price. */
export function isPaymentOf(
  reply: OrderReply,
  { reference, askedMinor }: Pick<KnownPayment, 'reference' | 'askedMinor'>,
) {
  const [unit, ...others] = reply.purchase_units ?? []
  if (!unit || others.length > 0) return false
  if ((unit.custom_id ?? unit.payments?.captures?.[0]?.custom_id) !== reference) return false
  if (!unit.amount) return true
  return unit.amount.currency_code === 'USD' && isSame(unit.amount.value, centsToText(askedMinor))
}

/** Each capture with money is a receipt; one that waits for the payer's bank or for a review is none yet. */
export function reportOf(known: KnownPayment, reply: OrderReply): PaymentReport {
  const captures = capturesOf(reply)
  const with_ = (...kinds: string[]) => captures.filter(({ status }) => kinds.includes(captureWords[status] ?? ''))
  const taken = with_('taken', 'reversed').filter(({ amount }) => isPositiveDecimal(amount.value))
  const counted = taken.filter(({ amount }) => amount.currency_code === known.payCurrency)
  const strays = taken.filter((capture) => !counted.includes(capture))
  const shown = [...counted, ...with_('pending')].map(({ amount }) => amount.value)
  return {
    status: statusOf(known, reply, counted),
    amountPaid: shown.length > 0 ? decimalSum(shown) : null,
    receipts: counted.map((capture) => receiptOf(known, reply, capture)),
    ...(strays.length > 0 && {
      strays: strays.map(({ id, amount }) => ({ receiptId: id, amount: amount.value, currency: amount.currency_code })),
    }),
  }
}

function statusOf({ payAmount }: KnownPayment, reply: OrderReply, counted: readonly Capture[]): Status {
  const kinds = new Set(capturesOf(reply).map(({ status }) => captureWords[status]))
  if (counted.length > 0) {
    if (counted.every(({ status }) => captureWords[status] === 'reversed')) return 'refunded'
    return isLess(decimalSum(counted.map(({ amount }) => amount.value)), payAmount) ? 'partially_paid' : 'received'
  }
  if (kinds.has('pending')) return 'confirming'
  const own = orderWords[reply.status] ?? 'unknown'
  // After a decline the payer may have approved again by other means.
  if (own === 'approved' || kinds.has(undefined)) return own === 'approved' ? own : 'unknown'
  if (kinds.has('declined')) return 'declined'
  return kinds.has('failed') ? 'failed' : own
}

function receiptOf({ payAmount }: KnownPayment, reply: OrderReply, capture: Capture): ReceiptReport {
  const { id, amount } = capture
  return {
    receiptId: id,
    amount: amount.value,
    currency: amount.currency_code,
    askedAmount: payAmount,
    reversedAmount: reversedAmount(reply, capture),
  }
}

/** What its refunds took back. Where their amounts are missing, all of it counts. */
function reversedAmount(reply: OrderReply, { id, status, amount }: Capture): string {
  if (captureWords[status] === 'reversed') return amount.value
  const isOnly = capturesOf(reply).length === 1
  const refunds = (reply.purchase_units?.[0]?.payments?.refunds ?? [])
    .filter((refund) => !refundsWithoutMoney.has(refund.status))
    .filter(({ links }) => isOnly || links?.some(({ rel, href }) => rel === 'up' && href.endsWith(`/${id}`)))
  if (refunds.length === 0) return status === 'PARTIALLY_REFUNDED' ? amount.value : '0'
  return decimalSum(refunds.map((refund) => refund.amount.value))
}

/** A dispute about one of these receipts; undefined for any other. */
export function disputeOf(reply: DisputeReply, receipts: readonly ReceiptReport[]): DisputeReport | undefined {
  const ids = new Set((reply.disputed_transactions ?? []).map(({ seller_transaction_id: id }) => id))
  const receipt = receipts.find(({ receiptId }) => ids.has(receiptId))
  if (!receipt) return undefined
  const code = reply.dispute_outcome?.outcome_code ?? ''
  const outcome = reply.status !== 'RESOLVED' ? 'open' : wonOutcomes.has(code) ? 'won' : 'lost'
  return { disputeId: reply.dispute_id, receiptId: receipt.receiptId, outcome }
}

function capturesOf({ purchase_units: units }: OrderReply): readonly Capture[] {
  return units?.[0]?.payments?.captures ?? []
}
