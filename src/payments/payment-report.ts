import { decimalRest, decimalSum, isLess, isPositiveDecimal } from '../domain/decimal.ts'
import { seenStatuses } from '../domain/words.ts'
import type { KnownPayment, PaymentReport, ReceiptReport } from './payment-provider.ts'
import type { Meaning } from './word-meanings.ts'

/** One transfer of a payment, from its provider. */
export interface Transfer {
  /** The provider's own, permanent. */
  readonly id: string
  readonly amount: string
  readonly currency: string
  /** By its status word. */
  readonly money: Meaning['money']
  /** The full amount; by default the one that the payer was shown. */
  readonly asked?: { readonly amount: string; readonly currency: string }
  /** Refunded or charged back so far; null if it cannot be read now. */
  readonly reversed?: string | null
  /** Refunds under way, and failed ones. */
  readonly pending?: string
  readonly failed?: string
  readonly sellerProtection?: ReceiptReport['sellerProtection']
  /** Refunds with an id of the caller. */
  readonly refunds?: ReceiptReport['refunds']
  /** Its amount is a provider error, so it is not recorded. */
  readonly isSenseless?: boolean
}

interface Payment {
  /** The provider's status of the payment, used if no money has arrived. */
  readonly own: PaymentReport['status']
  readonly transfers: readonly Transfer[]
  readonly isUnclear: boolean
  /** Amounts that are only seen are just the asked ones. */
  readonly isSeenUnproven?: boolean
}

/** Combines the transfers of a payment: only arrived money counts, whatever the provider's own status. */
export function reportOf(
  { payAmount, payCurrency }: Pick<KnownPayment, 'payAmount' | 'payCurrency'>,
  { own, transfers, isUnclear, isSeenUnproven = false }: Payment,
): PaymentReport {
  const askedBy = ({ asked = { amount: payAmount, currency: payCurrency } }: Transfer) => asked
  const isOther = (one: Transfer): boolean => one.currency !== askedBy(one).currency
  const ended = transfers.filter(({ money }) => money === 'ended')
  const arrived = transfers.filter(({ money }) => money === 'receipt' || money === 'reversed')
  const strays = transfers.filter((one) => isOther(one) && (arrived.includes(one) || one.money === 'stray'))
  const counted = arrived.filter((one) => !isOther(one))
  const taken = new Set([...ended, ...arrived, ...strays])
  const others = transfers.filter((one) => !taken.has(one) && one.money !== 'none')
  const back = others.filter(({ reversed }) => isPositiveDecimal(reversed ?? '0'))
  const seen = others
    .map((one) => ({ ...one, amount: decimalRest(one.amount, one.reversed ?? '0') }))
    .filter(({ amount, reversed }) => isPositiveDecimal(amount) || !isPositiveDecimal(reversed ?? '0'))
  // What went back in full holds no money, either.
  const over = [...ended, ...back.filter(({ amount, reversed }) => !isLess(reversed ?? '0', amount))]
  const sensible = counted.filter(({ isSenseless }) => !isSenseless)
  const receipts = sensible.map((one) => receiptOf(one, askedBy(one).amount))
  const paid = (isSeenUnproven ? sensible : [...sensible, ...seen]).filter(({ currency }) => currency === payCurrency)
  // What is seen is all in another coin.
  const ownStatus = (status: PaymentReport['status']) =>
    strays.length > 0 && seenStatuses.some((one) => one === status) ? 'waiting' : status
  return {
    status: receipts.length > 0 ? paidStatus(receipts, payAmount) : seen.length > 0 ? seenStatus(own) : ownStatus(own),
    amountPaid: paid.length > 0 ? decimalSum(paid.map(({ amount }) => amount)) : null,
    receipts,
    ...(strays.length > 0 && {
      strays: strays.map(({ id: receiptId, ...one }) => ({
        receiptId,
        ...moneyOf(one),
        ...(one.money === 'reversed' && { isGone: true }),
      })),
    }),
    ...(seen.length > 0 && { parts: seen.map(({ id, ...one }) => ({ id, ...moneyOf(one) })) }),
    ...(over.length > 0 && { ended: over.map(({ id }) => id) }),
    ...(back.length > 0 && {
      back: back.map(({ id: receiptId, currency, reversed }) => ({ receiptId, currency, amount: reversed ?? '0' })),
    }),
    ...((isUnclear || receipts.length < counted.length) && { isUnclear: true }),
  }
}

function receiptOf(transfer: Transfer, askedAmount: string): ReceiptReport {
  const { id: receiptId, amount, currency, reversed = '0', pending, failed, sellerProtection, refunds = [] } = transfer
  return {
    receiptId,
    amount,
    currency,
    askedAmount,
    reversedAmount: reversed,
    ...(pending !== undefined && { pendingAmount: pending }),
    ...(failed !== undefined && { failedAmount: failed }),
    ...(sellerProtection && { sellerProtection }),
    ...(refunds.length > 0 && { refunds }),
  }
}

function moneyOf({ amount, currency }: Pick<Transfer, 'amount' | 'currency'>): { amount: string; currency: string } {
  return { amount, currency }
}

function paidStatus(receipts: readonly ReceiptReport[], payAmount: string): PaymentReport['status'] {
  if (receipts.every(({ amount, reversedAmount }) => !isLess(reversedAmount ?? '0', amount))) return 'refunded'
  return isLess(decimalSum(receipts.map(({ amount }) => amount)), payAmount) ? 'partially_paid' : 'received'
}

/** Money stuck under a final status counts as confirming. */
function seenStatus(own: PaymentReport['status']): PaymentReport['status'] {
  return seenStatuses.find((one) => one === own) ?? 'confirming'
}
