import type { Order } from '#contract/order.ts'
import type { Tone } from '../../components/ui/badge.tsx'
import { isApprovedUnpaid, type OrderMoney, receivedCents } from '../../api/orders.ts'
import { claims } from '../../claims.ts'
import { centsOf, usd } from '../../lib/format.ts'

export type Situation =
  | 'to-pay'
  | 'pre-order-to-pay'
  | 'waiting'
  | 'seen'
  | 'short'
  | 'failed-payment'
  | 'approved'
  | 'delivering'
  | 'looked-into'
  | 'pre-ordered'
  | 'completed'
  | 'expired'
  | 'cancelled'
  | 'refunded'
  | 'partly-refunded'
  | 'failed'

type Stated = Pick<Order, 'status' | 'paymentStatus' | 'endedAs' | 'preOrder' | 'attention' | 'paidCents'>

/** An order's situation, on which every screen and sentence depends. */
export function situationOf(order: Stated): Situation {
  if (order.status === 'completed') return 'completed'
  if (order.status === 'failed') {
    if (order.endedAs === 'refunded' && order.paidCents > 0) return 'partly-refunded'
    return order.endedAs === null || order.endedAs === 'completed' ? 'failed' : order.endedAs
  }
  if (order.attention?.isHeldBack) return 'looked-into'
  switch (order.paymentStatus) {
    case 'pending':
      return order.preOrder ? 'pre-order-to-pay' : 'to-pay'
    case 'waiting':
      return 'waiting'
    case 'processing':
      return 'seen'
    case 'partially_paid':
      return 'short'
    case 'failed':
      return 'failed-payment'
    case 'completed':
      // Staff approved it without money.
      if (order.paidCents === 0) return 'approved'
      return order.preOrder ? 'pre-ordered' : 'delivering'
  }
}

/** Whether to ask for payment. The server also accepts one during a confirmation or a review. */
export function canPay(order: Stated & Pick<Order, 'may'>): boolean {
  return order.may.pay && !['seen', 'looked-into'].includes(situationOf(order))
}

export function isPaid(order: Pick<Order, 'status' | 'paymentStatus'>): boolean {
  return order.status === 'completed' || order.paymentStatus === 'completed'
}

/** Undefined if there is no fee. Only PayPal adds one. */
export function feeText({ fee }: NonNullable<Order['paid']>): string | undefined {
  return centsOf(fee) > 0 ? `The PayPal fee of ${usd(centsOf(fee))} is included` : undefined
}

/** Whether clearly less than the total arrived: crypto may lack half a per cent. */
function isShortOf(order: Pick<Order, 'transactionData' | 'totalAmount'> & OrderMoney): boolean {
  return receivedCents(order) < centsOf(order.totalAmount) * 0.99 && order.transactionData?.status !== 'reversed'
}

/** The payment's state in words. A failed order may never have been paid: its `paymentStatus` is `failed`, too. */
export function paymentWord(
  order: Pick<Order, 'status' | 'paymentStatus' | 'transactionData' | 'attention' | 'totalAmount'> & OrderMoney,
): string {
  if (isApprovedUnpaid(order) || (order.status === 'completed' && isShortOf(order))) return 'Approved by the shop'
  if (order.status === 'failed' && order.transactionData === null) return 'Not paid'
  if (order.transactionData?.status === 'refunded') return 'Refunded'
  if (order.transactionData?.status === 'reversed') return 'Taken back'
  if (order.status === 'failed' && order.paidCents > 0) return 'Arrived'
  const isUnclear = order.status === 'failed' ? order.attention !== null : order.attention?.isHeldBack
  if (isUnclear && order.paymentStatus !== 'completed') return 'Not known yet'
  const words = order.paymentStatus.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Whether a UPI payment was started and failed. */
export function hasUpiFailed(order: Pick<Order, 'paymentMethod' | 'paymentStatus' | 'transactionData'>): boolean {
  return order.paymentMethod === 'upi' && order.paymentStatus === 'failed' && order.transactionData?.method === 'upi'
}

/** The unpaid cents of the total, or 0 if the order takes no more money. */
export function stillDueCents(order: Stated & Pick<Order, 'may' | 'totalAmount' | 'paidCents'>): number {
  return canPay(order) ? Math.max(0, centsOf(order.totalAmount) - order.paidCents) : 0
}

const preOrderWait = `That takes ${claims.preOrder}.`

export const wording: Record<Situation, { badge: string; tone: Tone; sentence: string }> = {
  'to-pay': { badge: 'Pending', tone: 'wait', sentence: 'Your coins are reserved. They wait for your payment.' },
  'pre-order-to-pay': {
    badge: 'Pre-order',
    tone: 'wait',
    sentence: `This is a pre-order: it waits for your payment, and the coins are delivered when they are in stock. ${preOrderWait}`,
  },
  waiting: { badge: 'Waiting for payment', tone: 'wait', sentence: 'A payment was started. It has not arrived yet.' },
  seen: {
    badge: 'Payment seen',
    tone: 'info',
    sentence:
      'Your payment was seen and is being confirmed. If it turns out to be too little, you can pay the rest while the order is open.',
  },
  short: { badge: 'Partly paid', tone: 'wait', sentence: 'Part of your payment arrived. Please pay the rest.' },
  'failed-payment': {
    badge: 'Payment failed',
    tone: 'bad',
    sentence:
      'The last payment did not go through. If you have sent money for it, please write to support. If not, try again or choose another method.',
  },
  approved: {
    badge: 'Approved',
    tone: 'good',
    sentence: `The shop has approved this order. It will be handed over (${claims.deliveryTypically}).`,
  },
  delivering: {
    badge: 'Paid',
    tone: 'good',
    sentence: `Your payment is safe. The order is paid and will be handed over (${claims.deliveryTypically}).`,
  },
  'looked-into': {
    badge: 'Under review',
    tone: 'wait',
    sentence: 'The shop is looking into this order.',
  },
  'pre-ordered': {
    badge: 'Pre-order paid',
    tone: 'good',
    sentence: `Your payment is safe. The coins are delivered when they are in stock. ${preOrderWait}`,
  },
  completed: { badge: 'Completed', tone: 'good', sentence: 'Paid and delivered. Thank you.' },
  expired: {
    badge: 'Expired',
    tone: 'bad',
    sentence: 'The time to pay ran out. Please do not pay for this order any more.',
  },
  cancelled: {
    badge: 'Cancelled',
    tone: 'bad',
    sentence: 'This order was cancelled. Please do not pay for it any more.',
  },
  refunded: {
    badge: 'Refunded',
    tone: 'info',
    sentence: 'This order was refunded and has ended.',
  },
  'partly-refunded': {
    badge: 'Partly refunded',
    tone: 'info',
    sentence: 'Part of this order was refunded, and it has ended.',
  },
  failed: { badge: 'Failed', tone: 'bad', sentence: 'This order has ended without a delivery.' },
}

/** The order's situation as a sentence to its buyer. */
export function sentenceOf(
  order: Stated & Parameters<typeof isApprovedUnpaid>[0] & Pick<Order, 'totalAmount'>,
): string {
  const situation = situationOf(order)
  if (situation !== 'completed') return wording[situation].sentence
  if (order.attention?.reasons.includes('reversed')) return 'Delivered. Thank you.'
  return isShortOf(order) ? 'Approved by the shop and delivered. Thank you.' : wording.completed.sentence
}

/** The words before the order's deadline. A pre-order has no reserved coins. */
export function holdsUntil({ preOrder, paymentStatus }: Pick<Order, 'preOrder' | 'paymentStatus'>): string {
  const what = preOrder ? 'This price holds' : 'Reserved for you'
  return `${what}${forWhat[paymentStatus] ?? ''} until`
}

const forWhat: Partial<Record<Order['paymentStatus'], string>> = {
  processing: ', while your payment is confirmed,',
  partially_paid: ', for the rest of the payment,',
}
