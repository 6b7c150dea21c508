import { paymentWords } from './nowpayments-words.ts'
import type { PaymentReply } from './nowpayments-replies.ts'
import { isPositiveDecimal } from '../../domain/decimal.ts'
import type { KnownPayment, PaymentReport } from '../payment-provider.ts'
import { reportOf as reportOfTransfers, type Transfer } from '../payment-report.ts'
import { meaningOf } from '../word-meanings.ts'

type Status = PaymentReport['status']
type Asked = Pick<KnownPayment, 'paymentId' | 'payAmount' | 'payCurrency' | 'otherIds'>

const seenInOrder: readonly Status[] = ['confirming', 'confirmed', 'sending', 'partially_paid', 'received']
/** More than this multiple of the price is a provider error. */
const TIMES_PAID_MAX = 1_000_000

/**
 * Combines all payments of one attempt. A transfer to a used address is a payment of its own that names its parent: it counts towards what the
 * parent asked for, whatever its own status claims.
 */
export function reportOf(known: Asked, replies: readonly PaymentReply[]): PaymentReport {
  const statuses = replies.map(statusOf)
  const [first = 'unknown'] = statuses
  const furthest = Math.max(...statuses.map((status) => seenInOrder.indexOf(status)))
  const payCurrency = known.payCurrency.toLowerCase()
  const askedBy = askedIn({ amount: known.payAmount, currency: payCurrency }, known.paymentId, replies)
  return reportOfTransfers(
    { ...known, payCurrency },
    {
      own: seenInOrder.includes(first) ? first : (seenInOrder[furthest] ?? first),
      transfers: replies.map((reply) => transferOf(reply, known, askedBy(reply))),
      isUnclear: statuses.includes('unknown'),
    },
  )
}

/** The amount that a payment is a share of: the one that the buyer was shown, or that of another address under our reference. */
function askedIn(shown: NonNullable<Transfer['asked']>, paymentId: string, replies: readonly PaymentReply[]) {
  return (reply: PaymentReply): NonNullable<Transfer['asked']> => {
    const parent = reply.parent_payment_id
    const asking = parent ? replies.find(({ payment_id }) => payment_id === parent) : reply
    if (!asking || asking.payment_id === paymentId) return shown
    return { amount: asking.pay_amount, currency: asking.pay_currency }
  }
}

function statusOf(reply: PaymentReply): Status {
  const { money, nothing } = meaningOf(paymentWords, reply.payment_status)
  if (!isPaid(reply)) return nothing
  if (money === 'receipt') return 'received'
  if (money === 'stray') return 'confirming'
  return money === 'reversed' || money === 'ended' || money === 'none' ? nothing : money
}

function transferOf(reply: PaymentReply, { otherIds }: Asked, asked: NonNullable<Transfer['asked']>): Transfer {
  const { payment_id: id, pay_currency: currency, payment_status: word, actually_paid: paid } = reply
  const { money } = meaningOf(paymentWords, word)
  const amount = paid ?? '0'
  if (isPaid(reply)) {
    const isSenseless = !isSensible(amount, asked.amount)
    return { id, amount, currency, money, asked, isSenseless, ...(money === 'reversed' && { reversed: amount }) }
  }
  // A refund may report no amount; then all money that was asked for counts as reversed.
  if (money !== 'reversed' || !otherIds.includes(id)) return { id, amount, currency, money: 'none' }
  return { id, amount: asked.amount, currency, money, asked, reversed: asked.amount }
}

function isPaid({ actually_paid: paid }: PaymentReply): boolean {
  return isPositiveDecimal(paid ?? '0')
}

function isSensible(paidAmount: string, askedAmount: string): boolean {
  return Number(askedAmount) > 0 && Number(paidAmount) <= Number(askedAmount) * TIMES_PAID_MAX
}
