import type { Order, Situation } from '#contract/order.ts'
import type { Tone } from '../../components/ui/badge.tsx'
import { claims } from '../../claims.ts'
import { usd } from '../../lib/format.ts'
import { failureWords } from '../../method-words.ts'

/** Whether to ask for payment. The server also accepts one during a confirmation or a review. */
export function canPay({ may, situation }: Pick<Order, 'may' | 'situation'>): boolean {
  return may.pay && situation !== 'seen' && situation !== 'looked-into'
}

export function isPaid(order: Pick<Order, 'status' | 'paymentStatus'>): boolean {
  return order.status === 'completed' || order.paymentStatus === 'completed'
}

/** Undefined if there is no fee. Only PayPal adds one. */
export function feeText(feeCents: number): string | undefined {
  return feeCents > 0 ? `The PayPal fee of ${usd(feeCents)} is included` : undefined
}

/** Where the order stands. A failed payment is named by its reason. */
export function sentenceOf({ situation, transactionData }: Pick<Order, 'situation' | 'transactionData'>): string {
  if (situation !== 'failed-payment') return wording[situation].sentence
  return failureWords(transactionData?.method, transactionData?.status).text
}

/** The unpaid cents of the total, or 0 if the order takes no more money. */
export function stillDueCents(order: Pick<Order, 'may' | 'situation' | 'dueCents'>): number {
  return canPay(order) ? order.dueCents : 0
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
    badge: 'Not paid',
    tone: 'bad',
    sentence: 'The last payment was not made. Please try again, or choose another method.',
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
  refunding: { badge: 'Being paid back', tone: 'info', sentence: 'The shop is paying money of this order back.' },
  'pre-ordered': {
    badge: 'Pre-order paid',
    tone: 'good',
    sentence: `Your payment is safe. The coins are delivered when they are in stock. ${preOrderWait}`,
  },
  completed: { badge: 'Completed', tone: 'good', sentence: 'Paid and delivered. Thank you.' },
  delivered: { badge: 'Completed', tone: 'good', sentence: 'Approved by the shop and delivered. Thank you.' },
  'taken-back': { badge: 'Completed', tone: 'good', sentence: 'Delivered. Thank you.' },
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
