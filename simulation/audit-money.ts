import type { ShopKeys } from '../src/shop/keys.ts'
import { type BankPayment, type BankReceipt, coinOf, goneOf, leftOf, textOf } from './bank.ts'
import type { World } from './engines.ts'
import { Exact } from '../src/words/testing/exact.ts'
import { attemptOf, type Ledger } from './ledger.ts'
import {
  goneOf as recordedGone,
  isCovered,
  paidCents,
  reversalOf,
  type ReceiptFacts,
  shareOf,
} from '../src/words/testing/money-facts.ts'
import type { OrderRow } from './order-row.ts'

/** A receipt as one payment reports it. */
interface Copy {
  readonly payment: BankPayment
  readonly receipt: BankReceipt
  readonly row: OrderRow
  readonly attempt: number
  readonly asked: OrderRow['attempts'][number]
  /** It changed after the watch of its payment. */
  readonly isTooLate: boolean
}

/** What the orders hold is what their providers say, to the last digit. */
export function auditMoney({ world, keys, ledger }: { world: World; keys: ShopKeys; ledger: Ledger }): string[] {
  const copies = world.bank.payments.flatMap((payment) => {
    const found = payment.transfer?.isStray === true ? undefined : attemptOf(payment, { keys, ledger })
    if (!found) return []
    const deadline = found.row.watchEndedAt.get(found.attempt)
    return payment.receipts.map((receipt): Copy => {
      const isTooLate = deadline !== undefined && receipt.changedMs >= Date.parse(deadline)
      return { ...found, payment, receipt, isTooLate }
    })
  })
  const byReceipt = Map.groupBy(copies, ({ payment, receipt }) => `${payment.method}/${receipt.receiptId}`)
  const byAttempt = Map.groupBy(copies, ({ row, attempt }) => `${row.placed.orderId}/${attempt}`)
  return [
    ...byReceipt.values().flatMap((known) => auditReceipt(ledger, known)),
    ...byAttempt.values().flatMap((known) => auditPaidInFull(ledger, known)),
    ...ledger.orders.values().flatMap((row) => auditTakenBack(row, copies)),
  ]
}

function keyOf({ payment, receipt }: Copy): string {
  return `${payment.method}/${receipt.receiptId}`
}

/** Checks one receipt, which may be reported for several payments. */
function auditReceipt(ledger: Ledger, known: readonly Copy[]): string[] {
  const first = known[0]
  if (!first || known.some(({ isTooLate }) => isTooLate)) return []
  const { receiptId } = first.receipt
  const finals = known.filter(({ receipt }) => receipt.state === 'final')
  const { orderId: owner, attempt: claimedBy } = ledger.claims.get(keyOf(first)) ?? {}
  if (owner === undefined && (finals.length === 0 || ledger.unplaced.has(keyOf(first)))) return []
  if (owner === undefined) return [`${receiptId} was never recorded`]
  const owned = known.filter(({ row }) => row.placed.orderId === owner)
  const own = owned.find(({ attempt }) => attempt === claimedBy) ?? owned[0] ?? first
  const untold = finals.filter(({ row }) => row.placed.orderId !== owner && !row.refused.has(receiptId))
  const problems = untold.map(
    ({ row }) => `${receiptId} belongs to ${owner}, but ${row.placed.orderId} does not say so`,
  )
  const recorded = own.row.receipts.get(receiptId)
  if (!recorded) return [...problems, `${receiptId} is of ${owner}, which has not recorded it`]
  const held = owned.filter(({ attempt }) => attempt === own.attempt)
  return [...problems, ...auditAmounts(recorded, { own, known, held })]
}

function auditAmounts(
  recorded: ReceiptFacts,
  { own, known, held }: { own: Copy; known: readonly Copy[]; held: readonly Copy[] },
): string[] {
  const what = `${own.receipt.receiptId} of ${own.row.placed.orderId}`
  const problems: string[] = []
  const text = (amount: number): Exact => Exact.of(textOf(own.payment, amount))
  const asked = known.flatMap(({ payment, row, attempt }) => [
    textOf(payment, payment.asked),
    row.started.get(attempt)?.payAmount,
  ])
  if (!asked.includes(recorded.askedAmount) || recorded.currency !== coinOf(own.payment))
    problems.push(`${what} is a share of ${recorded.askedAmount} ${recorded.currency}`)
  const finals = known.filter(({ receipt }) => receipt.state === 'final')
  const least = Math.max(0, ...finals.map(({ receipt }) => receipt.paid))
  const amount = Exact.of(recorded.amount)
  if (amount.isBelow(text(least)) || text(Math.max(...known.map(({ receipt }) => receipt.peak))).isBelow(amount))
    return [`${what} brought another amount than ${recorded.amount}`]
  const gone = recordedGone(recorded).least(amount)
  // What was counted stays while its provider does not say whether it is final.
  if (held.every(({ receipt }) => receipt.state !== 'loose')) {
    const [fewest, most] = goneBounds(amount, { known, held })
    if (gone.isBelow(fewest) || most.isBelow(gone))
      problems.push(`another amount of ${what} is gone than ${JSON.stringify(recorded.back)}`)
    const [only] = known
    if (known.length === 1 && only?.receipt.state === 'final' && !isReported(recorded.back, only))
      problems.push(`the refunds of ${what} are not ${JSON.stringify(recorded.back)}`)
  }
  // The provider may or may not report what staff have recorded as refunded; refunds are whole cents.
  const [reversed, worth] = [reversalOf(own.row, recorded), shareOf(own.asked.coversCents, gone, recorded.askedAmount)]
  const counted = reversed.plus(Exact.of(recorded.refundedCents + 1))
  if (worth.isBelow(reversed) || !worth.isBelow(counted))
    problems.push(`what is gone of ${what} counts as another amount`)
  return problems
}

/** The least and the most that may be gone of `amount`, by all who report it. A correction counts as gone, too. */
function goneBounds(
  amount: Exact,
  { known, held }: { known: readonly Copy[]; held: readonly Copy[] },
): readonly [Exact, Exact] {
  const text = ({ payment }: Copy, units: number): Exact => Exact.of(textOf(payment, units))
  const missing = (copy: Copy): Exact => amount.minus(text(copy, leftOf(copy.receipt)))
  const gone = (copy: Copy): Exact => text(copy, goneOf(copy.receipt)).least(amount)
  // Two copies may differ in what has come. What only another payment reports is undone by the one that holds the receipt.
  const isOne = new Set(known.map(({ receipt }) => receipt)).size === 1
  const least = held.map((copy) => (isOne || copy.receipt.state !== 'final' ? missing(copy) : gone(copy)))
  return [least.reduce(leastOf), [...held.map(missing), ...known.map(gone)].reduce(mostOf)]
}

/** Refunds under way and failed ones. */
function isReported({ pending, failed }: ReceiptFacts['back'], { payment, receipt }: Copy): boolean {
  const isSame = (text: string, amount: number): boolean => Exact.of(text).isSame(Exact.of(textOf(payment, amount)))
  return isSame(pending, receipt.pending) && isSame(failed, receipt.failed)
}

function leastOf(one: Exact, other: Exact): Exact {
  return one.least(other)
}

function mostOf(one: Exact, other: Exact): Exact {
  return one.most(other)
}

/** Who paid exactly what was asked for the whole order has paid it, in any number of parts. */
function auditPaidInFull({ claims }: Ledger, copies: readonly Copy[]): string[] {
  const [first] = copies
  if (!first) return []
  const { row, attempt, asked, payment } = first
  const { orderId, totalCents } = row.placed
  const isOwn = (copy: Copy): boolean => {
    const claim = claims.get(keyOf(copy))
    return claim?.orderId === orderId && claim.attempt === attempt && !copy.isTooLate
  }
  const isWhole = copies.every((copy) => isOwn(copy) && !copy.receipt.wentBack && copy.receipt.state === 'final')
  const paid = copies.reduce((sum, { receipt }) => sum + receipt.paid, 0)
  const isInFull = isWhole && asked.coversCents === totalCents && paid >= payment.asked
  const hasOther = row.wasReversed || [...row.receipts.values()].some(({ refundedCents }) => refundedCents > 0)
  if (!isInFull || hasOther || payment.transfer) return []
  const isPaid = isCovered(row) && paidCents(row) >= totalCents && !row.attention.has('short')
  return isPaid ? [] : [`${orderId} was paid exactly, in ${copies.length} parts, and holds ${paidCents(row)} cents`]
}

/** Nothing counts as reversed, or as given back, that never was. */
function auditTakenBack(row: OrderRow, copies: readonly Copy[]): string[] {
  const own = copies.filter(({ receipt }) => row.receipts.has(receipt.receiptId))
  const undone = own.filter(({ receipt }) => row.undone.has(receipt.receiptId))
  const again = undone.filter(({ receipt }) =>
    own.every((one) => one.receipt.receiptId !== receipt.receiptId || !one.receipt.cameAgain),
  )
  return [
    ...again.map(({ receipt }) => `${receipt.receiptId} counts again, and its provider never gave it back`),
    ...(row.wasReversed && own.every(({ receipt }) => !receipt.wentBack)
      ? [`${row.placed.orderId} counts as reversed, and nothing went back`]
      : []),
  ]
}
