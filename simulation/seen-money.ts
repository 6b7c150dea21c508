import type { ShopKeys } from '../src/shop/keys.ts'
import { action } from './action.ts'
import { type BankPart, type BankPayment, type BankReceipt, goneOf as goneAtBank, textOf } from './bank.ts'
import type { World } from './engines.ts'
import { Exact, nought } from '../src/words/testing/exact.ts'
import { attemptOf, isSeenSettled, type Ledger } from './ledger.ts'
import { goneOf } from '../src/words/testing/money-facts.ts'
import type { OrderRow } from './order-row.ts'

/** Providers see money that they do not confirm, and undo reversals. */
export const seenActions = {
  // Possibly next to a receipt.
  'seen-arrives': action(12, (shopping) => {
    const { world, dice } = shopping.parts
    const payment = shopping.shown((one) => mayBePaid(one) && one.seen.length < SEEN_MAX)
    if (!payment) return false
    const share = dice.pick([1, 1, 0.5, 0.1, 0.001]) ?? 1
    world.bank.see(payment, Math.max(1, Math.round(payment.asked * share)), world.scheduler.nowMs)
    return shopping.tell(payment)
  }),
  // The money arrives, fails, or is no longer reported.
  'seen-ends': action(5, (shopping) => {
    const { world, dice } = shopping.parts
    const payment = shopping.shown((one) => mayBePaid(one) && one.seen.some(({ state }) => state === 'seen'))
    const part = payment && dice.pick(payment.seen.filter(({ state }) => state === 'seen'))
    if (!payment || !part) return false
    const end = dice.pick(['received', 'received', 'ended', 'silent'] as const) ?? 'received'
    world.bank.ends(payment, part, end, { nowMs: world.scheduler.nowMs })
    return shopping.tell(payment)
  }),
  'seen-webhook': action(14, (shopping) => shopping.sendWebhook()),
  'reversal-undone': action(4, (shopping) => {
    const { world, dice } = shopping.parts
    const payment = shopping.shown((one) => mayBePaid(one) && one.receipts.some(({ reversed }) => reversed > 0))
    if (!payment) return false
    for (const receipt of payment.receipts) {
      const left = Math.floor(receipt.reversed * (dice.pick([0, 0, 0.5]) ?? 0))
      world.bank.undo(receipt, left, world.scheduler.nowMs)
    }
    return shopping.tell(payment)
  }),
}

const SEEN_MAX = 3

/** PayPal money comes only by a capture. */
function mayBePaid({ method, receipts }: BankPayment): boolean {
  return method !== 'paypal' || receipts.length > 0
}

/** Unconfirmed money keeps its order open, raises attention, or was settled by staff; a cause without such money is wrong. */
export function auditSeen({ world, keys, ledger }: { world: World; keys: ShopKeys; ledger: Ledger }): string[] {
  const { bank } = world
  return bank.payments.flatMap((payment) => {
    const found = attemptOf(payment, { keys, ledger })
    if (!found || payment.transfer?.isStray === true) return []
    const deadline = found.row.watchEndedAt.get(found.attempt)
    const isTooLate = (changedMs: number): boolean => deadline !== undefined && changedMs >= Date.parse(deadline)
    return [
      ...payment.seen.flatMap((part) => auditPart(found, part)),
      ...payment.receipts.flatMap((receipt) =>
        receipt.state === 'loose' && !isTooLate(receipt.changedMs) ? auditLoose(found, payment, receipt) : [],
      ),
      ...(isTooLate(payment.changedMs) ? auditUnclear(found, payment) : auditUnnumbered(found, payment, bank)),
    ]
  })
}

interface Found {
  readonly row: OrderRow
  readonly attempt: number
}

function auditPart({ row, attempt }: Found, { id, state }: BankPart): string[] {
  if (state === 'ended' || (state === 'silent' && !row.everSeen.has(attempt))) return []
  const isKnown = row.seen.get(attempt)?.has(id) ?? false
  if (state === 'seen' && !isKnown) return [`${id} is seen, and ${row.placed.orderId} does not know`]
  return isTold(row) || (state === 'silent' && !row.everParts.has(id))
    ? []
    : [`${id} of ${row.placed.orderId} is only seen, but nobody is notified`]
}

/** Money that is not final under the id of a receipt: what is beyond the receipt is only seen. */
function auditLoose({ row, attempt }: Found, payment: BankPayment, receipt: BankReceipt): string[] {
  const { receiptId, paid, more } = receipt
  if (row.refused.has(receiptId)) return []
  const recorded = row.receipts.get(receiptId)
  const held = recorded ? Exact.of(recorded.amount).minus(goneOf(recorded)).most(nought) : nought
  const isBeyond = held.isBelow(Exact.of(textOf(payment, paid + more - goneAtBank(receipt))))
  const isKnown = row.seen.get(attempt)?.has(receiptId) ?? false
  if (isBeyond !== isKnown)
    return [`${receiptId} is ${isBeyond ? '' : 'not '}seen beside a receipt, and ${row.placed.orderId} says otherwise`]
  return isTold(row) || !isBeyond ? [] : [`${receiptId} is more than its receipt, but nobody is notified`]
}

/** Money of which only the payment as a whole tells. */
function auditUnnumbered({ row, attempt }: Found, payment: BankPayment, bank: World['bank']): string[] {
  const { orderId } = row.placed
  const parts = row.seen.get(attempt)
  if (row.started.get(attempt)?.paymentId !== payment.paymentId || row.brought.has(attempt)) return []
  if (payment.unnumbered > 0) return parts && isTold(row) ? [] : [`${payment.paymentId} has no number, and is not told`]
  const isFailed = ended.has(payment.status) && payment.receipts.length === 0
  const isNumbered = bank.isOneTransfer && payment.method === 'upi' && payment.receipts.length > 0
  const isShared = payment.receipts.every(({ receiptId, state }) => state === 'final' && row.refused.has(receiptId))
  const isOnly = bank.payments.every((other) => other === payment || other.reference !== payment.reference)
  const isOver = isFailed || (isNumbered && isShared)
  return parts?.size === 0 && isOver && isOnly ? [`${orderId} waits for money of attempt ${attempt}, which failed`] : []
}

const ended = new Set<BankPayment['status']>(['failed', 'declined', 'cancelled', 'refunded'])

/** An unknown status word, long after the end. */
function auditUnclear({ row, attempt }: Found, { status, paymentId, receipts, seen }: BankPayment): string[] {
  const isUnclear = status === 'unknown' && receipts.length === 0 && seen.length === 0
  if (!isUnclear || row.started.get(attempt)?.paymentId !== paymentId || row.everRaised.has('payment-unclear'))
    return []
  return [`${paymentId} of ${row.placed.orderId} has an unknown word, but nobody is notified`]
}

function isTold(row: OrderRow): boolean {
  const isOpen = row.status === 'pending' && !row.isDeleted
  return isOpen || row.attention.has('never-confirmed') || isSeenSettled(row)
}
