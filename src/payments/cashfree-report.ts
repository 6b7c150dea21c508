import type { OrderReply, PaymentReply, RefundReply } from './cashfree-replies.ts'
import { decimalSum, isLess, isPositiveDecimal } from './payment-amounts.ts'
import type { KnownPayment, PaymentReport, ReceiptReport } from './payment-provider.ts'
import { assertSensible } from './upi.ts'

type Status = PaymentReport['status']

const orderWords: Readonly<Record<string, Status>> = {
  ACTIVE: 'waiting',
  PAID: 'received',
  EXPIRED: 'expired',
  TERMINATED: 'cancelled',
  TERMINATION_REQUESTED: 'waiting',
}
/** Of one try of the payer's: an order may have many. */
const paymentWords: Readonly<Record<string, 'taken' | 'pending' | 'trying' | 'dropped' | 'failed'>> = {
  SUCCESS: 'taken',
  PENDING: 'pending',
  NOT_ATTEMPTED: 'trying',
  USER_DROPPED: 'dropped',
  FAILED: 'failed',
  CANCELLED: 'failed',
  VOID: 'failed',
}

interface Replies {
  readonly order: OrderReply
  readonly payments: readonly PaymentReply[]
  readonly refunds: readonly RefundReply[]
}

/** The words of the replies that nobody knows. */
export function unknownWords({ order, payments }: Omit<Replies, 'refunds'>): string[] {
  return [
    ...[order.order_status].filter((word) => !Object.hasOwn(orderWords, word)),
    ...payments.map(({ payment_status: word }) => word).filter((word) => !Object.hasOwn(paymentWords, word)),
  ]
}

/** Money is a try that succeeded, and only once the order agrees: while it is still open, the money is on its way. */
export function reportOf({ payAmount }: Pick<KnownPayment, 'payAmount'>, replies: Replies): PaymentReport {
  const { order, payments } = replies
  const own = orderWords[order.order_status] ?? 'unknown'
  const taken = own === 'unknown' ? [] : payments.filter((payment) => isTaken(payment))
  const isOpen = own === 'waiting'
  if (taken.length === 0 || isOpen) return { status: unpaid(own, payments), amountPaid: null, receipts: [] }
  const counted = taken.filter(({ payment_currency: currency }) => currency === order.order_currency)
  const strays = taken.filter((payment) => !counted.includes(payment))
  const receipts = counted.map((payment) => receiptOf(payAmount, payment, replies))
  const amountPaid = decimalSum(receipts.map(({ amount }) => amount))
  return {
    status: paidStatus(receipts, isLess(amountPaid, payAmount)),
    amountPaid: receipts.length > 0 ? amountPaid : null,
    receipts,
    ...(strays.length > 0 && {
      strays: strays.map((one) => ({
        receiptId: one.cf_payment_id,
        amount: one.payment_amount,
        currency: one.payment_currency,
      })),
    }),
  }
}

function isTaken({ payment_status: word, is_captured: isCaptured, payment_amount: amount }: PaymentReply): boolean {
  return paymentWords[word] === 'taken' && isCaptured !== false && isPositiveDecimal(amount)
}

function unpaid(own: Status, payments: readonly PaymentReply[]): Status {
  const kinds = new Set(payments.map(({ payment_status: word }) => paymentWords[word]))
  if (own === 'unknown') return own
  // Its money has no number yet: after a day it is in front of a person.
  if (own === 'received') return 'confirmed'
  if (kinds.has('pending') || kinds.has('taken')) return 'confirming'
  if (own !== 'waiting') return own
  if (kinds.has(undefined)) return 'unknown'
  return kinds.has('failed') && !kinds.has('trying') ? 'failed' : 'waiting'
}

function paidStatus(receipts: readonly ReceiptReport[], isShort: boolean): Status {
  if (receipts.length === 0) return 'confirmed'
  if (receipts.every(({ amount, reversedAmount }) => !isLess(reversedAmount, amount))) return 'refunded'
  return isShort ? 'partially_paid' : 'received'
}

function receiptOf(payAmount: string, payment: PaymentReply, { order, refunds }: Replies): ReceiptReport {
  const { cf_payment_id: receiptId, payment_amount: paid } = payment
  assertSensible(paid)
  // What the payer gave beyond the order's amount is the gateway's surcharge, never the shop's.
  const amount = isLess(order.order_amount, paid) ? order.order_amount : paid
  const back = refunds.filter((one) => one.cf_payment_id === receiptId && one.refund_status === 'SUCCESS')
  const reversed = decimalSum(back.map(({ refund_amount }) => refund_amount))
  return {
    receiptId,
    amount,
    currency: order.order_currency,
    askedAmount: payAmount,
    reversedAmount: isLess(amount, reversed) ? amount : reversed,
  }
}
