import { orderWords, tryWords } from './cashfree-words.ts'
import type { DisputeReply, OrderReply, PaymentReply, RefundReply } from './cashfree-replies.ts'
import { decimalSum, isLess, isPositiveDecimal } from '../../domain/decimal.ts'
import type { ReportedRefund } from '../../domain/order/commands.ts'
import type { DisputeReport, KnownPayment, PaymentReport, ReceiptReport } from '../payment-provider.ts'
import { reportOf as reportOfTransfers, type Transfer } from '../payment-report.ts'
import { type Meaning, meaningOf } from '../word-meanings.ts'
import { isPlausible } from '../upi.ts'

type Status = PaymentReport['status']

interface Replies {
  readonly order: OrderReply
  /** The readable ones. */
  readonly payments: readonly PaymentReply[]
  /** Refunds and disputes; null if they cannot be read now. */
  readonly back: { readonly refunds: readonly RefundReply[]; readonly disputes: readonly DisputeReply[] } | null
}

/** A successful try is money only once the order agrees; until then, the money is on its way. */
export function reportOf({ payAmount }: Pick<KnownPayment, 'payAmount'>, replies: Replies): PaymentReport {
  const { order, payments, back } = replies
  const own = meaningOf(orderWords, order.order_status)
  const transfers = payments.map((payment) => transferOf(payment, own, replies))
  const hasArrived = transfers.some(({ money }) => money === 'receipt')
  const isUnclear =
    (own.nothing === 'unknown' && payments.length === 0) || payments.some((one) => statusOf(one) === 'unknown')
  const report = reportOfTransfers(
    { payAmount, payCurrency: order.order_currency },
    { own: hasArrived ? 'confirmed' : ownStatus(own, payments), transfers, isUnclear, isSeenUnproven: true },
  )
  const disputes = (back?.disputes ?? []).flatMap((dispute) => disputeReport(dispute, report.receipts))
  return disputes.length > 0 ? { ...report, disputes } : report
}

function transferOf(payment: PaymentReply, own: Meaning, replies: Replies): Transfer {
  const { cf_payment_id: id, payment_amount: amount, payment_currency: currency } = payment
  const money = moneyOf(payment, own)
  // Refunds are read in every state: the order may have recorded the try when it was paid.
  if (!isSuccess(payment) || currency !== replies.order.order_currency) return { id, amount, currency, money }
  return { id, currency, money, isSenseless: !isPlausible(amount), ...receivedOf(payment, replies) }
}

/** A try's money, which also depends on the order's status. */
function moneyOf(payment: PaymentReply, order: Meaning): Meaning['money'] {
  const { money } = meaningOf(tryWords, payment.payment_status)
  if (money === 'ended' || money === 'none') return money
  if (payment.is_captured === false && money === 'receipt') return 'none'
  if (!isPositiveDecimal(payment.payment_amount)) return 'none'
  return money === 'receipt' ? order.money : money
}

export function isSuccess({ payment_status: word }: PaymentReply): boolean {
  return meaningOf(tryWords, word).money === 'receipt'
}

/** The status of a try that holds no money; undefined for others. */
function statusOf(payment: PaymentReply): Status | undefined {
  const { nothing, money } = meaningOf(tryWords, payment.payment_status)
  return money === 'ended' || !isPositiveDecimal(payment.payment_amount) ? nothing : undefined
}

function ownStatus({ nothing }: Meaning, payments: readonly PaymentReply[]): Status {
  if (nothing !== 'waiting') return nothing
  const hasFailed = payments.some((payment) => statusOf(payment) === 'failed')
  return hasFailed && !payments.some((one) => one.payment_status === 'NOT_ATTEMPTED') ? 'failed' : 'waiting'
}

/** Refunds in these states hold no money; in any other but SUCCESS, the money is on its way back. */
const failedRefunds = new Set(['CANCELLED', 'FAILED'])

function receivedOf(
  payment: PaymentReply,
  { order, back }: Replies,
): Pick<Transfer, 'amount' | 'reversed' | 'pending' | 'failed' | 'refunds'> {
  const { cf_payment_id: id, payment_amount: paid } = payment
  // Money beyond the order's amount is the gateway's surcharge, never the shop's.
  const amount = isLess(order.order_amount, paid) ? order.order_amount : paid
  if (!back) return { amount, reversed: null }
  const refunds = back.refunds.filter((one) => one.cf_payment_id === id)
  const { failed = [], pending = [], done = [] } = Object.groupBy(refunds, statusOfRefund)
  const lost = back.disputes.filter((one) => isOf(one, id) && outcomeOf(one) === 'lost')
  const reversed = decimalSum([...amountsOf(done), ...lost.map(({ dispute_amount }) => dispute_amount ?? amount)])
  return {
    amount,
    reversed: isLess(amount, reversed) ? amount : reversed,
    ...(pending.length > 0 && { pending: decimalSum(amountsOf(pending)) }),
    ...(failed.length > 0 && { failed: decimalSum(amountsOf(failed)) }),
    refunds: refunds.flatMap((refund) => (refund.refund_id ? [reportedRefund(refund, refund.refund_id)] : [])),
  }
}

function statusOfRefund({ refund_status: word }: RefundReply): ReportedRefund['status'] {
  return failedRefunds.has(word) ? 'failed' : word === 'SUCCESS' ? 'done' : 'pending'
}

export function reportedRefund(refund: RefundReply, refundId: string): ReportedRefund {
  const { cf_refund_id: providerRefundId, refund_amount: amount } = refund
  return { refundId, providerRefundId: providerRefundId ?? refundId, amount, status: statusOfRefund(refund) }
}

function amountsOf(refunds: readonly RefundReply[]): string[] {
  return refunds.map(({ refund_amount }) => refund_amount)
}

/** A dispute that names no try concerns every try. */
function isOf({ order_details: details }: DisputeReply, receiptId: string): boolean {
  return (details?.cf_payment_id ?? receiptId) === receiptId
}

/** By the last part of its status, at any stage. Any other last part, such as a late reply, leaves it open for a person. */
function outcomeOf({ dispute_status: status }: DisputeReply): DisputeReport['outcome'] {
  if (status.endsWith('_MERCHANT_WON')) return 'won'
  return /_MERCHANT_(?:LOST|ACCEPTED)$/.test(status) ? 'lost' : 'open'
}

function disputeReport(dispute: DisputeReply, receipts: readonly ReceiptReport[]): DisputeReport[] {
  const receipt = receipts.find(({ receiptId }) => isOf(dispute, receiptId))
  if (!receipt) return []
  const { dispute_id: disputeId, respond_by: respondBy } = dispute
  const { receiptId } = receipt
  return [{ disputeId, receiptId, outcome: outcomeOf(dispute), respondBy: respondBy ?? undefined }]
}
