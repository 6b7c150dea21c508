import { Exact, nought } from './exact.ts'
import type { OrderRow, ReceiptRow } from './order-row.ts'

/* What money is worth, written down a second time: from the texts of the events, exact until the end. */

/** `cents` × amount ÷ asked. */
export function shareOf(cents: number, amount: Exact, askedAmount: string): Exact {
  return Exact.of(cents).times(amount).over(Exact.of(askedAmount))
}

export function worthOf({ attempts }: OrderRow, { attempt, askedAmount }: ReceiptRow, amount: string): Exact {
  return shareOf(attempts[attempt - 1]?.coversCents ?? 0, Exact.of(amount), askedAmount)
}

/** A reversal's worth beyond the refunds that staff had noted by then, in whole cents as those are; never more than came. */
export function reversalOf(row: OrderRow, receipt: ReceiptRow): Exact {
  const { reversedAmount, refundedCents } = receipt.reversed
  const worth = worthOf(row, receipt, reversedAmount).least(worthOf(row, receipt, receipt.amount))
  return refundedCents === 0 ? worth : Exact.of(Math.max(0, worth.floor() - refundedCents))
}

function keptOf(row: OrderRow, receipt: ReceiptRow): Exact {
  return worthOf(row, receipt, receipt.amount).minus(reversalOf(row, receipt))
}

/** What is left of a receipt. Below zero by less than a cent if a refund was rounded up. */
export function leftOf(row: OrderRow, receipt: ReceiptRow): Exact {
  return keptOf(row, receipt).minus(Exact.of(receipt.refundedCents))
}

/** A cent or more of this receipt is gone beyond what it brought. */
export function isOverspent(row: OrderRow, receipt: ReceiptRow): boolean {
  return !Exact.of(-1).isBelow(leftOf(row, receipt))
}

/** All that arrived, whatever went back. */
export function arrivedOf(row: OrderRow): Exact {
  return Exact.sum([...row.receipts.values()].map((receipt) => worthOf(row, receipt, receipt.amount)))
}

/** What the order holds, rounded down once. */
export function paidCents(row: OrderRow): number {
  if (row.receipts.size === 0) return 0
  const receipts = [...row.receipts.values()]
  const kept = Exact.sum(receipts.map((receipt) => keptOf(row, receipt)))
  return Math.max(0, kept.floor() - receipts.reduce((sum, { refundedCents }) => sum + refundedCents, 0))
}

const CRYPTO_TOLERANCE = Exact.of('0.005')

export function isCovered(row: OrderRow): boolean {
  if (row.receipts.size === 0) return false
  const receipts = [...row.receipts.values()]
  const isCrypto = receipts.some(
    (receipt) => row.attempts[receipt.attempt - 1]?.method === 'crypto' && nought.isBelow(leftOf(row, receipt)),
  )
  const total = Exact.of(row.placed.totalCents)
  const tolerated = isCrypto ? total.times(CRYPTO_TOLERANCE) : nought
  return !Exact.sum(receipts.map((receipt) => leftOf(row, receipt))).isBelow(total.minus(tolerated))
}

/** What went back of a receipt or is about to, by its provider. */
export function goneOf({ back: { done, pending } }: ReceiptRow): Exact {
  return Exact.of(done).plus(Exact.of(pending))
}

/** Receipts of which staff noted more as refunded than was paid back, since a refund failed. */
export function missingRefunds(row: OrderRow): Map<string, string> {
  const missing = [...row.receipts].filter(([, receipt]) => isRefundMissing(row, receipt))
  return new Map(missing.map(([receiptId, { back }]) => [receiptId, back.failed]))
}

function isRefundMissing({ attempts }: OrderRow, receipt: ReceiptRow): boolean {
  const asked = attempts[receipt.attempt - 1]
  if (!asked || !nought.isBelow(Exact.of(receipt.back.failed))) return false
  // A provider pays back gross: with the fee, where there is one.
  const chargedCents = asked.currency === 'USD' ? asked.askedMinor : asked.coversCents
  return shareOf(chargedCents, goneOf(receipt), receipt.askedAmount).ceiling() < receipt.refundedCents
}
