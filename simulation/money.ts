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

/** What counts as reversed: never more than came. */
export function reversalOf(row: OrderRow, receipt: ReceiptRow): Exact {
  return beyondRefunds(receipt, reportedOf(row, receipt).least(worthOf(row, receipt, receipt.amount)))
}

/** The same of all that was reported as gone, which may be more than has come so far. */
export function reportedReversalOf(row: OrderRow, receipt: ReceiptRow): Exact {
  return beyondRefunds(receipt, reportedOf(row, receipt))
}

function reportedOf(row: OrderRow, receipt: ReceiptRow): Exact {
  return worthOf(row, receipt, receipt.reversed.reversedAmount)
}

/** Beyond the refunds that staff had noted by then, in whole cents as those are. */
function beyondRefunds({ reversed: { refundedCents } }: ReceiptRow, worth: Exact): Exact {
  return refundedCents === 0 ? worth : Exact.of(Math.max(0, worth.floor() - refundedCents))
}

function keptOf(row: OrderRow, receipt: ReceiptRow): Exact {
  const worth = worthOf(row, receipt, receipt.amount)
  return receipt.reversed.reversedAmount === '0' ? worth : worth.minus(reversalOf(row, receipt))
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
  return sumsOf(row).paidCents
}

/** Paid in full, by the unrounded sum. */
export function isCovered(row: OrderRow): boolean {
  return sumsOf(row).isCovered
}

const CRYPTO_TOLERANCE = Exact.of('0.005')
const nothingHeld = { paidCents: 0, isCovered: false }

/** Kept until a receipt changes, since every event asks for them. */
function sumsOf(row: OrderRow): NonNullable<OrderRow['sums']> {
  if (row.receipts.size === 0) return nothingHeld
  row.sums ??= addUp(row, [...row.receipts.values()])
  return row.sums
}

function addUp(row: OrderRow, receipts: readonly ReceiptRow[]): NonNullable<OrderRow['sums']> {
  const kept = Exact.sum(receipts.map((receipt) => keptOf(row, receipt)))
  const refundedCents = receipts.reduce((sum, receipt) => sum + receipt.refundedCents, 0)
  const isCrypto = receipts.some(
    (receipt) => row.attempts[receipt.attempt - 1]?.method === 'crypto' && nought.isBelow(leftOf(row, receipt)),
  )
  const total = Exact.of(row.placed.totalCents)
  const tolerated = isCrypto ? total.times(CRYPTO_TOLERANCE) : nought
  return {
    paidCents: Math.max(0, kept.floor() - refundedCents),
    isCovered: !kept.minus(Exact.of(refundedCents)).isBelow(total.minus(tolerated)),
  }
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
  if (!asked || receipt.refundedCents === 0 || !nought.isBelow(Exact.of(receipt.back.failed))) return false
  // A provider pays back gross: with the fee, where there is one.
  const chargedCents = asked.currency === 'USD' ? asked.askedMinor : asked.coversCents
  return shareOf(chargedCents, goneOf(receipt), receipt.askedAmount).ceiling() < receipt.refundedCents
}
