import type { PaymentReply } from './nowpayments-replies.ts'
import { decimalFrom, decimalSum, isPositiveDecimal } from './payment-amounts.ts'
import type { KnownPayment, PaymentReport, ReceiptReport } from './payment-provider.ts'
import { meaningOf } from './provider-words.ts'

type Status = PaymentReport['status']

const seenInOrder: readonly Status[] = ['confirming', 'confirmed', 'sending', 'partially_paid', 'received']
const WORDS = 'NOWPayments, payment'
/** Overpaid by more than this is a mistake of the provider's. */
const TIMES_PAID_MAX = 1_000_000n

/**
 * What all payments of one attempt say together. A transfer to a used address is a payment of its own that names its parent: it counts towards what the
 * parent asked for, whatever its own status claims.
 */
export function reportOf(known: KnownPayment, replies: readonly PaymentReply[]): PaymentReport {
  const [main] = replies
  const statuses = replies.map(statusOf)
  const own = statuses[0] ?? 'unknown'
  const furthest = Math.max(...statuses.map((status) => seenInOrder.indexOf(status)))
  const share = askedIn(known, replies)
  const inCoin = replies.filter((reply) => reply.pay_currency === main?.pay_currency && isPaid(reply))
  const isStray = (reply: PaymentReply): boolean => reply.pay_currency !== share(reply).currency
  const received = replies.filter((reply) => isReceived(reply, known))
  const counted = received.filter((reply) => !isStray(reply))
  const sensible = counted.filter((reply) => isSensible(reply, share(reply).amount))
  const seen = replies.filter((reply) => !received.includes(reply) && isPaid(reply))
  const wrong = seen.filter((reply) => isStray(reply) && meaningOf(WORDS, reply.payment_status).money === 'stray')
  const strays = [...received.filter(isStray), ...wrong]
  const parts = seen.filter((reply) => !wrong.includes(reply))
  const isUnclear = sensible.length < counted.length || replies.some((reply) => statusOf(reply) === 'unknown')
  return {
    status: seenInOrder.includes(own) ? own : (seenInOrder[furthest] ?? own),
    amountPaid: inCoin.length > 0 ? decimalSum(inCoin.map(paidOf)) : null,
    receipts: sensible.map((reply) => receiptOf(reply, share(reply).amount)),
    ...(strays.length > 0 && {
      strays: strays.map(({ payment_id: receiptId, ...reply }) => ({ receiptId, ...moneyOf(reply) })),
    }),
    ...(parts.length > 0 && { parts: parts.map(({ payment_id: id, ...reply }) => ({ id, ...moneyOf(reply) })) }),
    ...(isUnclear && { isUnclear }),
  }
}

function moneyOf(reply: Pick<PaymentReply, 'actually_paid' | 'pay_currency'>): { amount: string; currency: string } {
  return { amount: paidOf(reply), currency: reply.pay_currency }
}

/** What a payment is a share of: what the buyer was asked for, or by another address under our reference what that one asked for. */
function askedIn(known: KnownPayment, replies: readonly PaymentReply[]) {
  const shown = { amount: known.payAmount, currency: known.payCurrency.toLowerCase() }
  return (reply: PaymentReply): { amount: string; currency: string } => {
    const parent = reply.parent_payment_id
    const asking = parent ? replies.find(({ payment_id }) => payment_id === parent) : reply
    if (!asking || asking.payment_id === known.paymentId) return shown
    return { amount: asking.pay_amount, currency: asking.pay_currency }
  }
}

/** Money that is stuck under a word that ends is seen: after a day it is before a person. */
function statusOf(reply: PaymentReply): Status {
  const { payment_status: word } = reply
  const { money, nothing } = meaningOf(WORDS, word)
  if (!isPaid(reply)) return nothing
  if (money === 'receipt') return word === 'partially_paid' ? word : 'received'
  if (money === 'stray') return 'confirming'
  return money === 'reversed' || money === 'ended' || money === 'none' ? nothing : money
}

function isReceived(reply: PaymentReply, { otherIds }: KnownPayment): boolean {
  const { payment_status: word, payment_id: id } = reply
  const { money } = meaningOf(WORDS, word)
  if (money === 'reversed') return isPaid(reply) || otherIds.includes(id)
  return money === 'receipt' && isPaid(reply)
}

function receiptOf(reply: PaymentReply, askedAmount: string): ReceiptReport {
  // A refund may leave no amount behind; then all of it counts as taken back.
  const amount = isPaid(reply) ? paidOf(reply) : askedAmount
  return {
    receiptId: reply.payment_id,
    amount,
    currency: reply.pay_currency,
    askedAmount,
    reversedAmount: reply.payment_status === 'refunded' ? amount : '0',
  }
}

function isPaid(reply: PaymentReply): boolean {
  return isPositiveDecimal(paidOf(reply))
}

function paidOf({ actually_paid: paid }: Pick<PaymentReply, 'actually_paid'>): string {
  return paid ?? '0'
}

function isSensible(reply: PaymentReply, askedAmount: string): boolean {
  const [paid, asked] = [decimalFrom(paidOf(reply)), decimalFrom(askedAmount)]
  const decimals = Math.max(paid.decimals, asked.decimals)
  const unitsOf = (one: typeof paid): bigint => one.units * 10n ** BigInt(decimals - one.decimals)
  return asked.units > 0n && unitsOf(paid) <= unitsOf(asked) * TIMES_PAID_MAX
}
