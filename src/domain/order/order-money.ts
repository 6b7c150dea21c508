import {
  ceilingOf,
  dividedBy,
  floorOf,
  type Fraction,
  isLessThan,
  minus,
  plus,
  rounded,
  shareOf,
  sumOf,
  times,
  whole,
  zero,
} from '../fraction.ts'
import { decimalRest, decimalSum, decimalText, isLess, isPositiveDecimal } from '../decimal.ts'
import { methodRows } from '../payment-methods.ts'
import type { Currency } from '../words.ts'
import type { Attempt, PaidBack, PlacedOrder, ReceivedReceipt } from './order-state.ts'

/* What an order's money is worth, in cents of the order: exact until the end, then rounded down once for the whole order. */

type Asked = Pick<ReceivedReceipt, 'attempt' | 'askedAmount'>

/** What an amount of this receipt covers: the cents that its attempt asked for (without a fee) × amount ÷ the amount asked for. */
export function worthOf(
  { attempts }: Pick<PlacedOrder, 'attempts'>,
  { attempt, askedAmount }: Asked,
  amount: string,
): Fraction {
  return shareOf(attempts[attempt - 1]?.coversCents ?? 0, amount, askedAmount)
}

/** What was paid back of all receipts, by their providers' reports; the same text for the same amounts. */
export function paidBackOf({ receipts }: PlacedOrder): string {
  return JSON.stringify(
    receipts.flatMap(({ receiptId, back }) => (goneOf(back) === '0' ? [] : [[receiptId, goneOf(back)]])),
  )
}

/** Done or under way. */
export function goneOf({ done, pending }: PaidBack): string {
  return pending === '0' ? done : decimalSum([done, pending])
}

/** What went back of a receipt apart from refunds that staff noted, which count by themselves. */
export function reversedWorth(order: PlacedOrder, receipt: ReceivedReceipt): Fraction {
  const { reversed, amount } = receipt
  // A receipt cannot lose more than it brought, so that the order's other receipts stay whole.
  return isLess(amount, reversed.amount) ? beyondRefunds(order, receipt, amount) : reportedWorth(order, receipt)
}

/** The same of all that was reported, which may be more than has arrived so far. */
export function reportedWorth(order: PlacedOrder, receipt: ReceivedReceipt): Fraction {
  return beyondRefunds(order, receipt, receipt.reversed.amount)
}

function beyondRefunds(order: PlacedOrder, receipt: ReceivedReceipt, amount: string): Fraction {
  const { refundedCents } = receipt.reversed
  const worth = worthOf(order, receipt, amount)
  // Refunds are whole cents: less than a cent beyond them is rounding.
  return refundedCents === 0 ? worth : whole(Math.max(0, floorOf(worth) - refundedCents))
}

/** A receipt's worth less reversals; without refunds, which are taken from the order's cents. */
function keptWorth(order: PlacedOrder, receipt: ReceivedReceipt): Fraction {
  const worth = worthOf(order, receipt, receipt.amount)
  return receipt.reversed.amount === '0' ? worth : minus(worth, reversedWorth(order, receipt))
}

/** Whether more of some receipt is reported as reversed than before. */
export function isMoreReversed(before: PlacedOrder, after: PlacedOrder): boolean {
  return after.receipts.some((receipt, index) => {
    const known = before.receipts[index]
    return known !== undefined && isLessThan(reportedWorth(before, known), reportedWorth(after, receipt))
  })
}

export function isReversed(order: PlacedOrder): boolean {
  return order.receipts.some((receipt) => isLessThan(zero, reportedWorth(order, receipt)))
}

/** Refunds and reversals took a cent or more beyond what this receipt brought. */
export function isOverspent(order: PlacedOrder, receipt: ReceivedReceipt): boolean {
  const left = minus(keptWorth(order, receipt), whole(refundedOf(order, receipt.receiptId)))
  return !isLessThan(whole(-1), left)
}

/** All money that ever arrived, without subtracting reversals and refunds. */
export function arrivedWorth(order: PlacedOrder): Fraction {
  return sumOf(order.receipts.map((receipt) => worthOf(order, receipt, receipt.amount)))
}

/** What the order holds: received, less reversals and refunds. Never below zero. */
export function paidCents(order: PlacedOrder): number {
  return order.receipts.length === 0 ? 0 : heldBy(order).paidCents
}

/** Paid in full, within the tolerance of the methods that hold money: by the unrounded sum, so that no cent is lost to rounding. */
export function isCovered(order: PlacedOrder): boolean {
  return order.receipts.length > 0 && heldBy(order).isCovered
}

/** Enough came for the total, whatever went back since. */
export function hasArrivedInFull(order: PlacedOrder): boolean {
  if (isCovered(order)) return true
  const receipts = order.receipts.map((receipt) => ({ ...receipt, reversed: nothingReversed }))
  return isCovered({ ...order, receipts, refunds: [] })
}

const nothingReversed = { amount: '0', refundedCents: 0 }

interface Held {
  readonly refunds: PlacedOrder['refunds']
  readonly paidCents: number
  readonly isCovered: boolean
}

/** By the receipts, which never change in place: each event asks many times, and sums of fractions are slow. */
const held = new WeakMap<PlacedOrder['receipts'], Held>()

function heldBy(order: PlacedOrder): Held {
  const { receipts, refunds } = order
  const known = held.get(receipts)
  if (known?.refunds === refunds) return known
  const kept = receipts.map((receipt) => keptWorth(order, receipt))
  const sum = minus(sumOf(kept), whole(refundedCents(order)))
  const required = { units: BigInt(order.placed.totalCents * (10_000 - toleranceOf(order, kept))), divisor: 10_000n }
  const now = { refunds, paidCents: Math.max(0, floorOf(sum)), isCovered: !isLessThan(sum, required) }
  held.set(receipts, now)
  return now
}

/** In hundredths of a percent: the largest of the methods that hold money. */
function toleranceOf(order: PlacedOrder, kept: readonly Fraction[]): number {
  const basisPoints = order.receipts.map(({ receiptId, attempt }, index) => {
    const method = order.attempts[attempt - 1]?.method
    const isHeld = isLessThan(whole(refundedOf(order, receiptId)), kept[index] ?? zero)
    return method !== undefined && isHeld ? methodRows[method].toleranceBasisPoints : 0
  })
  return Math.max(...basisPoints)
}

/**
 * The cents that each receipt holds, for the eye: never below zero, and together what the order holds. The order's cents go to
 * the receipts with the largest remainders.
 */
export function centsByReceipt(order: PlacedOrder): ReadonlyMap<string, number> {
  const rows = order.receipts.map((receipt) => {
    const left = minus(keptWorth(order, receipt), whole(refundedOf(order, receipt.receiptId)))
    const worth = isLessThan(left, zero) ? zero : left
    const cents = floorOf(worth)
    return { receiptId: receipt.receiptId, cents, rest: minus(worth, whole(cents)) }
  })
  const byRest = rows.toSorted((one, other) =>
    isLessThan(one.rest, other.rest) ? 1 : isLessThan(other.rest, one.rest) ? -1 : 0,
  )
  let left = paidCents(order) - rows.reduce((sum, { cents }) => sum + cents, 0)
  for (const row of left < 0 ? byRest.toReversed() : byRest) {
    if (left === 0) break
    if (left < 0 && row.cents === 0) continue
    row.cents += Math.sign(left)
    left -= Math.sign(left)
  }
  return new Map(rows.map(({ receiptId, cents }) => [receiptId, cents]))
}

/** Refunds and reversals have left nothing of it. */
export function isReturned(order: PlacedOrder, receipt: ReceivedReceipt): boolean {
  return !isLessThan(whole(refundedOf(order, receipt.receiptId)), keptWorth(order, receipt))
}

/**
 * What payers were charged, less reversals, or null: in paise if all of it came by UPI, otherwise in cents with the fees of PayPal,
 * which `feeCents` says apart.
 */
export function chargedOf(order: PlacedOrder): { amountMinor: number; currency: Currency; feeCents: number } | null {
  const parts = order.receipts.flatMap((receipt) => {
    const attempt = order.attempts[receipt.attempt - 1]
    const worth = keptWorth(order, receipt)
    if (!attempt || !isLessThan(zero, worth)) return []
    const arrived = worthOf(order, receipt, receipt.amount)
    const chargedMinor = times(shareOf(100, receipt.amount, '1'), dividedBy(worth, arrived))
    return [{ method: attempt.method, worth, chargedMinor }]
  })
  if (parts.length === 0) return null
  if (parts.every(({ method }) => methodRows[method].currency === 'INR'))
    return { amountMinor: rounded(sumOf(parts.map(({ chargedMinor }) => chargedMinor))), currency: 'INR', feeCents: 0 }
  const withFee = parts.filter(({ method }) => methodRows[method].feeCents > 0)
  const fees = withFee.map(({ chargedMinor, worth }) => minus(chargedMinor, worth))
  const feeCents = rounded(sumOf(fees))
  return { amountMinor: floorOf(sumOf(parts.map(({ worth }) => worth))) + feeCents, currency: 'USD', feeCents }
}

/** A refund that staff noted has failed, and no other has made up for it. What is paid back may include the method's fee. */
export function isRefundMissing(
  order: PlacedOrder,
  { receiptId, attempt, askedAmount, back }: ReceivedReceipt,
): boolean {
  const asked = order.attempts[attempt - 1]
  if (!asked || back.failed === '0' || !isPositiveDecimal(back.failed)) return false
  const charged = asked.currency === 'USD' ? asked.askedMinor : asked.coversCents
  return ceilingOf(shareOf(charged, goneOf(back), askedAmount)) < refundedOf(order, receiptId)
}

/** What the shop has sent back of a receipt: in its currency, and the cents that this counts. */
function sentOf({ refunds }: PlacedOrder, receiptId: string): { amount: string; cents: number } {
  const own = refunds.filter(({ sent, parts }) => sent && parts[0]?.receiptId === receiptId)
  const amount = decimalSum(own.map(({ sent }) => sent?.amount ?? '0'))
  return { amount, cents: own.reduce((sum, { amountCents }) => sum + amountCents, 0) }
}

/** What is left of a receipt to send back: hundredths of its currency, with the method's fee. */
export function leftMinor(order: PlacedOrder, receipt: ReceivedReceipt): number {
  const coversCents = order.attempts[receipt.attempt - 1]?.coversCents ?? 0
  if (coversCents === 0 || (centsByReceipt(order).get(receipt.receiptId) ?? 0) === 0) return 0
  const sent = sentOf(order, receipt.receiptId)
  const goneCents = plus(whole(refundedOf(order, receipt.receiptId) - sent.cents), reversedWorth(order, receipt))
  const gone = times(goneCents, dividedBy(shareOf(100, receipt.askedAmount, '1'), whole(coversCents)))
  return Math.max(0, floorOf(minus(shareOf(100, decimalRest(receipt.amount, sent.amount), '1'), gone)))
}

/** The amount of a receipt that pays so many cents of the order back, in hundredths of its currency. */
export function minorFor(order: PlacedOrder, receipt: ReceivedReceipt, cents: number): number {
  if (cents >= (centsByReceipt(order).get(receipt.receiptId) ?? 0)) return leftMinor(order, receipt)
  const coversCents = order.attempts[receipt.attempt - 1]?.coversCents ?? 0
  const asked = shareOf(100 * cents, receipt.askedAmount, '1')
  return Math.min(leftMinor(order, receipt), floorOf(dividedBy(asked, whole(Math.max(1, coversCents)))))
}

/**
 * The cents that sending this amount of a receipt counts. All that was sent of it together counts rounded up, so that its provider never reports
 * more as gone than is recorded; what is left last counts as all that the receipt holds.
 */
export function sentCents(order: PlacedOrder, receipt: ReceivedReceipt, amount: string): number {
  const heldCents = centsByReceipt(order).get(receipt.receiptId) ?? 0
  if (!isLess(amount, decimalText({ units: BigInt(leftMinor(order, receipt)), decimals: 2 }))) return heldCents
  const sent = sentOf(order, receipt.receiptId)
  const worthCents = ceilingOf(worthOf(order, receipt, decimalSum([sent.amount, amount])))
  return Math.min(heldCents, Math.max(1, worthCents - sent.cents))
}

export function refundedOf({ refunds }: PlacedOrder, receiptId: string): number {
  const own = refunds.flatMap(({ parts }) => parts.filter((part) => part.receiptId === receiptId))
  return own.reduce((sum, { amountCents }) => sum + amountCents, 0)
}

export function refundedCents({ refunds }: PlacedOrder): number {
  return refunds.reduce((sum, { amountCents }) => sum + amountCents, 0)
}

/** A sighting's worth in cents, rounded up: at least half of the total stays at least half. */
export function seenWorthCents(
  { coversCents }: Pick<Attempt, 'coversCents'>,
  amount: string,
  askedAmount: string,
): number {
  const worth = shareOf(coversCents, amount, askedAmount)
  return isLessThan(worth, whole(coversCents)) ? ceilingOf(worth) : coversCents
}

/** Money received so far is worth half of the total or more. */
export function isHalfReceived(order: PlacedOrder): boolean {
  const arrived = arrivedWorth(order)
  return !isLessThan(plus(arrived, arrived), whole(order.placed.totalCents))
}
