import type { DisputeReply, OrderReply, PaymentReply, RefundReply } from './cashfree-replies.ts'
import { decimalSum, isLess, isPositiveDecimal } from './payment-amounts.ts'
import type { DisputeReport, KnownPayment, PaymentReport, ReceiptReport } from './payment-provider.ts'
import { isKnownWord, type Meaning, meaningOf } from './provider-words.ts'
import { isSensible } from './upi.ts'

type Status = PaymentReport['status']

interface Replies {
  readonly order: OrderReply
  /** Those that can be read. */
  readonly payments: readonly PaymentReply[]
  /** What money went back by; null where it cannot be read now. */
  readonly back: { readonly refunds: readonly RefundReply[]; readonly disputes: readonly DisputeReply[] } | null
}

/** The words of the replies that are not known. */
export function unknownWords({ order, payments }: Omit<Replies, 'back'>): string[] {
  return [
    ...[order.order_status].filter((word) => !isKnownWord('Cashfree, order', word)),
    ...payments.map(({ payment_status: word }) => word).filter((word) => !isKnownWord('Cashfree, try', word)),
  ]
}

/** Money is a try that succeeded, and only once the order agrees: before that it is on its way. */
export function reportOf({ payAmount }: Pick<KnownPayment, 'payAmount'>, replies: Replies): PaymentReport {
  const { order, payments } = replies
  const own = meaningOf('Cashfree, order', order.order_status)
  const isOf = (money: Meaning['money']) => (payment: PaymentReply) => moneyOf(payment, own) === money
  const taken = payments.filter(isOf('receipt'))
  const counted = taken.filter(({ payment_currency: currency }) => currency === order.order_currency)
  const strays = taken.filter((payment) => !counted.includes(payment))
  const seen = payments.filter(isOf('confirming'))
  const ended = payments.filter(isOf('ended'))
  const receipts = counted
    .filter(({ payment_amount: paid }) => isSensible(paid))
    .map((payment) => receiptOf(payAmount, payment, replies))
  const disputes = (replies.back?.disputes ?? []).flatMap((dispute) => disputeReport(dispute, receipts))
  const amountPaid = decimalSum(receipts.map(({ amount }) => amount))
  const isUnclear =
    receipts.length < counted.length ||
    (own.nothing === 'unknown' && payments.length === 0) ||
    payments.some((payment) => statusOf(payment) === 'unknown')
  return {
    status: taken.length > 0 ? paidStatus(receipts, isLess(amountPaid, payAmount)) : unpaid(own, payments, seen),
    amountPaid: receipts.length > 0 ? amountPaid : null,
    receipts,
    ...(strays.length > 0 && {
      strays: strays.map((one) => ({
        receiptId: one.cf_payment_id,
        amount: one.payment_amount,
        currency: one.payment_currency,
      })),
    }),
    ...(seen.length > 0 && {
      parts: seen.map((one) => ({
        id: one.cf_payment_id,
        amount: one.payment_amount,
        currency: one.payment_currency,
      })),
    }),
    ...(ended.length > 0 && { ended: ended.map(({ cf_payment_id: id }) => id) }),
    ...(disputes.length > 0 && { disputes }),
    ...(isUnclear && { isUnclear }),
  }
}

/** What a try is, under this order. */
function moneyOf(payment: PaymentReply, order: Meaning): Meaning['money'] {
  const { money } = meaningOf('Cashfree, try', payment.payment_status)
  if (money === 'ended' || money === 'none') return money
  if (payment.is_captured === false && money === 'receipt') return 'none'
  if (!isPositiveDecimal(payment.payment_amount)) return 'none'
  return money === 'receipt' ? order.money : money
}

/** A try without money. */
function statusOf(payment: PaymentReply): Status | undefined {
  const { nothing, money } = meaningOf('Cashfree, try', payment.payment_status)
  return money === 'ended' || !isPositiveDecimal(payment.payment_amount) ? nothing : undefined
}

function unpaid({ nothing }: Meaning, payments: readonly PaymentReply[], seen: readonly PaymentReply[]): Status {
  // Paid, and its money has no number yet: after a day it is before a person.
  if (nothing === 'confirmed') return nothing
  if (seen.length > 0) return 'confirming'
  if (nothing !== 'waiting') return nothing
  const words = payments.map(({ payment_status: word }) => word)
  const hasFailed = payments.some((payment) => statusOf(payment) === 'failed')
  return hasFailed && !words.includes('NOT_ATTEMPTED') ? 'failed' : 'waiting'
}

function paidStatus(receipts: readonly ReceiptReport[], isShort: boolean): Status {
  if (receipts.length === 0) return 'confirmed'
  if (receipts.every(({ amount, reversedAmount }) => !isLess(reversedAmount ?? '0', amount))) return 'refunded'
  return isShort ? 'partially_paid' : 'received'
}

function receiptOf(payAmount: string, payment: PaymentReply, { order, back }: Replies): ReceiptReport {
  const { cf_payment_id: receiptId, payment_amount: paid } = payment
  // What the payer gave beyond the order's amount is the gateway's surcharge, never the shop's.
  const amount = isLess(order.order_amount, paid) ? order.order_amount : paid
  const refunds = back?.refunds.filter((one) => one.cf_payment_id === receiptId && one.refund_status === 'SUCCESS')
  const lost = back?.disputes.filter((one) => isOf(one, receiptId) && outcomeOf(one) === 'lost')
  const reversed =
    refunds &&
    lost &&
    decimalSum([
      ...refunds.map(({ refund_amount }) => refund_amount),
      ...lost.map(({ dispute_amount }) => dispute_amount ?? amount),
    ])
  return {
    receiptId,
    amount,
    currency: order.order_currency,
    askedAmount: payAmount,
    reversedAmount: reversed === undefined ? null : isLess(amount, reversed) ? amount : reversed,
  }
}

/** A dispute that names no try is of each. */
function isOf({ order_details: details }: DisputeReply, receiptId: string): boolean {
  return (details?.cf_payment_id ?? receiptId) === receiptId
}

/** By the last part of its status, of whatever stage. What was not answered in time, or not well enough, is for a person to look at. */
function outcomeOf({ dispute_status: status }: DisputeReply): DisputeReport['outcome'] {
  if (status.endsWith('_MERCHANT_WON')) return 'won'
  return /_MERCHANT_(?:LOST|ACCEPTED)$/.test(status) ? 'lost' : 'open'
}

function disputeReport(dispute: DisputeReply, receipts: readonly ReceiptReport[]): DisputeReport[] {
  const receipt = receipts.find(({ receiptId }) => isOf(dispute, receiptId))
  if (!receipt) return []
  return [{ disputeId: dispute.dispute_id, receiptId: receipt.receiptId, outcome: outcomeOf(dispute) }]
}
