import { captureWords, orderWords } from './paypal-words.ts'
import { centsToText } from '../../domain/money.ts'
import { decimalSum, isPositiveDecimal, isSame } from '../../domain/decimal.ts'
import type { DisputeReport, KnownPayment, PaymentReport, ReceiptReport } from '../payment-provider.ts'
import type { ReportedRefund } from '../../domain/order/commands.ts'
import type { DisputeReply, OrderReply } from './paypal-replies.ts'
import { reportOf as reportOfTransfers, type Transfer } from '../payment-report.ts'
import { meaningOf, reportUnknownWords } from '../word-meanings.ts'

type Status = PaymentReport['status']
type Unit = NonNullable<OrderReply['purchase_units']>[number]
type Refund = NonNullable<NonNullable<Unit['payments']>['refunds']>['read'][number]
type Capture = NonNullable<NonNullable<Unit['payments']>['captures']>['read'][number]

/** Their money stays with the shop. */
const failedRefunds = new Set(['FAILED', 'CANCELLED'])
/** Any other outcome of a dispute is for a person to look at. */
const outcomes: Readonly<Record<string, DisputeReport['outcome']>> = {
  RESOLVED_SELLER_FAVOUR: 'won',
  CANCELED_BY_BUYER: 'won',
  DENIED: 'won',
  RESOLVED_BUYER_FAVOUR: 'lost',
  ACCEPTED: 'lost',
}

const protections: Readonly<Record<string, ReceiptReport['sellerProtection']>> = {
  ELIGIBLE: 'full',
  PARTIALLY_ELIGIBLE: 'partial',
  NOT_ELIGIBLE: 'none',
}

/** How many captures and refunds of a reply cannot be read. */
function unreadIn({ purchase_units: units }: OrderReply): number {
  const payments = units?.[0]?.payments
  return (payments?.captures?.unread ?? 0) + (payments?.refunds?.unread ?? 0)
}

/** Reports unknown status words and unreadable parts. */
export function reportUnknownIn(reply: OrderReply, tell: ((word: string) => void) | undefined): void {
  reportUnknownWords(tell, orderWords, [reply.status])
  if (unreadIn(reply) > 0) tell?.('a capture or refund that cannot be read')
  reportUnknownWords(
    tell,
    captureWords,
    capturesOf(reply).map(({ status }) => status),
  )
}

/** Whether PayPal's order was opened for this attempt, at its price. */
export function isPaymentOf(
  reply: OrderReply,
  { reference, askedMinor }: Pick<KnownPayment, 'reference' | 'askedMinor'>,
) {
  const [unit, ...others] = reply.purchase_units ?? []
  if (!unit || others.length > 0) return false
  if ((unit.custom_id ?? unit.payments?.captures?.read[0]?.custom_id) !== reference) return false
  if (!unit.amount) return true
  return unit.amount.currency_code === 'USD' && isSame(unit.amount.value, centsToText(askedMinor))
}

/** Each capture with money is a receipt; one that waits for the payer's bank or for a review is seen. */
export function reportOf(known: Pick<KnownPayment, 'payAmount' | 'payCurrency'>, reply: OrderReply): PaymentReport {
  const captures = capturesOf(reply)
  const own = ownStatus(reply, captures)
  const transfers = captures.map((capture): Transfer => {
    const { id, status, amount } = capture
    const { money } = meaningOf(captureWords, status)
    const isMoney = money === 'ended' || isPositiveDecimal(amount.value)
    return {
      id,
      amount: amount.value,
      currency: amount.currency_code,
      money: isMoney ? money : 'none',
      sellerProtection: protections[capture.seller_protection?.status ?? ''],
      ...paidBackOf(reply, capture),
    }
  })
  const hasArrived = transfers.some(({ money }) => money === 'receipt' || money === 'reversed')
  const isUnclear = unreadIn(reply) > 0 || (own === 'unknown' && !hasArrived)
  return {
    ...reportOfTransfers(known, { own, transfers, isUnclear }),
    ...(reply.payer && { payerId: reply.payer.payer_id }),
  }
}

function ownStatus({ status }: OrderReply, captures: readonly Capture[]): Status {
  const own = meaningOf(orderWords, status).nothing
  // After a decline the payer may have approved again by other means.
  if (own === 'approved') return own
  const words = new Set(captures.map((capture) => meaningOf(captureWords, capture.status).nothing))
  return (['confirming', 'unknown', 'declined', 'failed'] as const).find((word) => words.has(word)) ?? own
}

/** What went back of a capture: all of it if the amounts of its refunds are missing, null if a refund cannot be read. */
function paidBackOf(
  reply: OrderReply,
  { id, status, amount }: Capture,
): Pick<Transfer, 'reversed' | 'pending' | 'failed' | 'refunds'> {
  const given = reply.purchase_units?.[0]?.payments?.refunds
  const isWhole = meaningOf(captureWords, status).money === 'reversed'
  if (given && given.unread > 0) return { reversed: isWhole ? amount.value : null }
  const isOnly = capturesOf(reply).length === 1
  const refunds = (given?.read ?? []).filter(
    ({ links }) => isOnly || links?.some(({ rel, href }) => rel === 'up' && href.endsWith(`/${id}`)),
  )
  const { failed = [], pending = [], done = [] } = Object.groupBy(refunds, statusOfRefund)
  const own = refunds.flatMap((refund) => (refund.invoice_id ? [reportedRefund(refund, refund.invoice_id)] : []))
  if (isWhole) return { reversed: amount.value, refunds: own }
  const isAmountMissing = status === 'PARTIALLY_REFUNDED' && done.length + pending.length === 0
  return {
    reversed: isAmountMissing ? amount.value : sumOf(done),
    ...(pending.length > 0 && { pending: sumOf(pending) }),
    ...(failed.length > 0 && { failed: sumOf(failed) }),
    refunds: own,
  }
}

function statusOfRefund({ status }: Pick<Refund, 'status'>): ReportedRefund['status'] {
  return failedRefunds.has(status) ? 'failed' : status === 'PENDING' ? 'pending' : 'done'
}

export function reportedRefund(refund: Refund, refundId: string): ReportedRefund {
  return {
    refundId,
    providerRefundId: refund.id ?? refundId,
    amount: refund.amount.value,
    status: statusOfRefund(refund),
  }
}

function sumOf(refunds: readonly { readonly amount: { readonly value: string } }[]): string {
  return decimalSum(refunds.map(({ amount }) => amount.value))
}

/** A dispute about one of these receipts; undefined for any other. */
export function disputeOf(reply: DisputeReply, receipts: readonly ReceiptReport[]): DisputeReport | undefined {
  const ids = new Set((reply.disputed_transactions ?? []).map(({ seller_transaction_id: id }) => id))
  const receipt = receipts.find(({ receiptId }) => ids.has(receiptId))
  if (!receipt) return undefined
  const ended = reply.status === 'RESOLVED' ? outcomes[reply.dispute_outcome?.outcome_code ?? ''] : undefined
  const outcome = ended ?? 'open'
  const respondBy = reply.seller_response_due_date ?? undefined
  return { disputeId: reply.dispute_id, receiptId: receipt.receiptId, outcome, respondBy }
}

function capturesOf({ purchase_units: units }: OrderReply): readonly Capture[] {
  return units?.[0]?.payments?.captures?.read ?? []
}
