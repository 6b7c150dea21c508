import { Exact, nought } from './exact.ts'
import type { OrderEventData } from '../../domain/order/events.ts'

/* What money is worth, written down a second time: from the texts of the events, exact until the end. */

export interface ReceiptFacts {
  readonly attempt: number
  readonly askedAmount: string
  readonly currency: string
  amount: string
  /** As its provider reports it. */
  back: Pick<OrderEventData<'RefundReported'>, 'done' | 'pending' | 'failed'>
  /** What counts as reversed. */
  reversed: Pick<OrderEventData<'PaymentReversed'>, 'reversedAmount' | 'refundedCents'>
  /** The amount that staff have refunded. */
  refundedCents: number
}

/** The money of an order. */
export interface MoneyFacts {
  readonly placed: OrderEventData<'OrderPlaced'>
  readonly attempts: readonly OrderEventData<'PaymentRequested'>[]
  readonly receipts: ReadonlyMap<string, ReceiptFacts>
  /** Computed from the receipts; undefined once one has changed. */
  sums: { readonly paidCents: number; readonly isCovered: boolean } | undefined
}

/** `cents` × amount ÷ asked. */
export function shareOf(cents: number, amount: Exact, askedAmount: string): Exact {
  return Exact.of(cents).times(amount).over(Exact.of(askedAmount))
}

export function worthOf({ attempts }: MoneyFacts, { attempt, askedAmount }: ReceiptFacts, amount: string): Exact {
  return shareOf(attempts[attempt - 1]?.coversCents ?? 0, Exact.of(amount), askedAmount)
}

/** What counts as reversed: never more than came. */
export function reversalOf(facts: MoneyFacts, receipt: ReceiptFacts): Exact {
  return beyondRefunds(receipt, reportedOf(facts, receipt).least(worthOf(facts, receipt, receipt.amount)))
}

/** The same of all that was reported as gone, which may be more than has come so far. */
export function reportedReversalOf(facts: MoneyFacts, receipt: ReceiptFacts): Exact {
  return beyondRefunds(receipt, reportedOf(facts, receipt))
}

function reportedOf(facts: MoneyFacts, receipt: ReceiptFacts): Exact {
  return worthOf(facts, receipt, receipt.reversed.reversedAmount)
}

/** Beyond the refunds that staff had noted by then, in whole cents as those are. */
function beyondRefunds({ reversed: { refundedCents } }: ReceiptFacts, worth: Exact): Exact {
  return refundedCents === 0 ? worth : Exact.of(Math.max(0, worth.floor() - refundedCents))
}

function keptOf(facts: MoneyFacts, receipt: ReceiptFacts): Exact {
  const worth = worthOf(facts, receipt, receipt.amount)
  return receipt.reversed.reversedAmount === '0' ? worth : worth.minus(reversalOf(facts, receipt))
}

/** What is left of a receipt. Below zero by less than a cent if a refund was rounded up. */
export function leftOf(facts: MoneyFacts, receipt: ReceiptFacts): Exact {
  return keptOf(facts, receipt).minus(Exact.of(receipt.refundedCents))
}

/** A cent or more of this receipt is gone beyond what it brought. */
export function isOverspent(facts: MoneyFacts, receipt: ReceiptFacts): boolean {
  return !Exact.of(-1).isBelow(leftOf(facts, receipt))
}

/** All that arrived, whatever went back. */
export function arrivedOf(facts: MoneyFacts): Exact {
  return Exact.sum([...facts.receipts.values()].map((receipt) => worthOf(facts, receipt, receipt.amount)))
}

/** What the order holds, rounded down once. */
export function paidCents(facts: MoneyFacts): number {
  return sumsOf(facts).paidCents
}

/** Paid in full, by the unrounded sum. */
export function isCovered(facts: MoneyFacts): boolean {
  return sumsOf(facts).isCovered
}

const CRYPTO_TOLERANCE = Exact.of('0.005')
const nothingHeld = { paidCents: 0, isCovered: false }

/** Kept until a receipt changes, since every event asks for them. */
function sumsOf(facts: MoneyFacts): NonNullable<MoneyFacts['sums']> {
  if (facts.receipts.size === 0) return nothingHeld
  facts.sums ??= addUp(facts, [...facts.receipts.values()])
  return facts.sums
}

function addUp(facts: MoneyFacts, receipts: readonly ReceiptFacts[]): NonNullable<MoneyFacts['sums']> {
  const kept = Exact.sum(receipts.map((receipt) => keptOf(facts, receipt)))
  const refundedCents = receipts.reduce((sum, receipt) => sum + receipt.refundedCents, 0)
  const isCrypto = receipts.some(
    (receipt) => facts.attempts[receipt.attempt - 1]?.method === 'crypto' && nought.isBelow(leftOf(facts, receipt)),
  )
  const total = Exact.of(facts.placed.totalCents)
  const tolerated = isCrypto ? total.times(CRYPTO_TOLERANCE) : nought
  return {
    paidCents: Math.max(0, kept.floor() - refundedCents),
    isCovered: !kept.minus(Exact.of(refundedCents)).isBelow(total.minus(tolerated)),
  }
}

/** What went back of a receipt or is about to, by its provider. */
export function goneOf({ back: { done, pending } }: ReceiptFacts): Exact {
  return Exact.of(done).plus(Exact.of(pending))
}

/** Receipts of which staff noted more as refunded than was paid back, since a refund failed. */
export function missingRefunds(facts: MoneyFacts): Map<string, string> {
  const missing = [...facts.receipts].filter(([, receipt]) => isRefundMissing(facts, receipt))
  return new Map(missing.map(([receiptId, { back }]) => [receiptId, back.failed]))
}

function isRefundMissing({ attempts }: MoneyFacts, receipt: ReceiptFacts): boolean {
  const asked = attempts[receipt.attempt - 1]
  if (!asked || receipt.refundedCents === 0 || !nought.isBelow(Exact.of(receipt.back.failed))) return false
  // A provider pays back gross: with the fee, where there is one.
  const chargedCents = asked.currency === 'USD' ? asked.askedMinor : asked.coversCents
  return shareOf(chargedCents, goneOf(receipt), receipt.askedAmount).ceiling() < receipt.refundedCents
}
