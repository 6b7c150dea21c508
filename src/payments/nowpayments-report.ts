import type { PaymentReply } from './nowpayments-replies.ts'
import { decimalFrom, decimalSum, isPositiveDecimal } from './payment-amounts.ts'
import { type KnownPayment, ProviderAway, type PaymentReport, type ReceiptReport } from './payment-provider.ts'

type Status = PaymentReport['status']

/** The provider's words that mean the same here. */
const words: Readonly<Record<string, Status>> = {
  waiting: 'waiting',
  confirming: 'confirming',
  confirmed: 'confirmed',
  sending: 'sending',
  partially_paid: 'partially_paid',
  finished: 'received',
  failed: 'failed',
  expired: 'expired',
  refunded: 'refunded',
  cancelled: 'cancelled',
}

const endings = new Set<Status>(['failed', 'expired', 'cancelled'])
const seenInOrder: readonly Status[] = ['confirming', 'confirmed', 'sending', 'partially_paid', 'received']
/** Overpaid by more than this is a mistake of the provider's. */
const TIMES_PAID_MAX = 1_000_000n

export function isKnownStatus(word: string): boolean {
  return Object.hasOwn(words, word)
}

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
  const received = replies.filter((reply) => isReceived(reply, known))
  const strays = received.filter((reply) => reply.pay_currency !== share(reply).currency)
  return {
    status: seenInOrder.includes(own) ? own : (seenInOrder[furthest] ?? own),
    amountPaid: inCoin.length > 0 ? decimalSum(inCoin.map(paidOf)) : null,
    receipts: received.filter((reply) => !strays.includes(reply)).map((reply) => receiptOf(reply, share(reply).amount)),
    ...(strays.length > 0 && {
      strays: strays.map((reply) => ({
        receiptId: reply.payment_id,
        amount: paidOf(reply),
        currency: reply.pay_currency,
      })),
    }),
  }
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

function statusOf(reply: PaymentReply): Status {
  const status = words[reply.payment_status] ?? 'unknown'
  // Without an amount it is not known what was paid.
  if (status === 'received' && !isPaid(reply)) return 'confirmed'
  // It holds money that has not arrived: after a day it is in front of a person.
  if (endings.has(status) && isPaid(reply)) return 'confirming'
  return status
}

function isReceived(reply: PaymentReply, { otherIds }: KnownPayment): boolean {
  const { payment_status: word, payment_id: id } = reply
  if (word === 'refunded') return isPaid(reply) || otherIds.includes(id)
  return (word === 'finished' || word === 'partially_paid') && isPaid(reply)
}

function receiptOf(reply: PaymentReply, askedAmount: string): ReceiptReport {
  // A refund may leave no amount behind; then all of it counts as taken back.
  const amount = isPaid(reply) ? paidOf(reply) : askedAmount
  assertSensible(amount, askedAmount)
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

function paidOf({ actually_paid: paid }: PaymentReply): string {
  return paid ?? '0'
}

function assertSensible(amount: string, askedAmount: string): void {
  const [paid, asked] = [decimalFrom(amount), decimalFrom(askedAmount)]
  const decimals = Math.max(paid.decimals, asked.decimals)
  const unitsOf = (one: typeof paid): bigint => one.units * 10n ** BigInt(decimals - one.decimals)
  if (asked.units === 0n || unitsOf(paid) > unitsOf(asked) * TIMES_PAID_MAX)
    throw new ProviderAway('the provider reports an amount that makes no sense')
}
