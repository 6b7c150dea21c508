import type { AttentionReason, OrderEvent, OrderEventData, RefundReason } from '../domain/order/events.ts'
import { methodRows } from '../domain/payment-methods.ts'
import type { Actor, RecordedEvent } from '../event-store/event-log.ts'

export interface TimelineEntry {
  readonly type: OrderEvent['type']
  readonly at: string
  readonly text: string
  readonly actor: Actor
}

/** An order with more than this shows how it began and its newest events. */
export const TIMELINE_MAX = 200

/** Whose words are used. */
export type Reader = 'staff' | 'buyer'

export function timelineAfter(
  timeline: readonly TimelineEntry[],
  event: RecordedEvent<OrderEvent>,
  reader: Reader,
): readonly TimelineEntry[] {
  const { type, data } = event
  const text = (reader === 'buyer' && buyerTextOf(event)) || textOf(event)
  const entry = { type, at: data.at, text, actor: actorOf(event) }
  const [first, ...others] = [...timeline, entry]
  return first ? [first, ...others.slice(1 - TIMELINE_MAX)] : []
}

export const attentionTexts: Readonly<Record<AttentionReason, string>> = {
  'paid-without-stock': 'Paid after it had ended, and there is no stock for it.',
  'late-and-short': 'Money came, but not all of it in time.',
  short: 'Less was paid than the total.',
  over: 'More was paid than the total.',
  double: 'It was paid again after it had been paid.',
  reversed: 'A payment was taken back.',
  'capture-unknown': 'PayPal did not tell whether the money was taken.',
  'delivery-unknown': 'It is not known whether the coins were given.',
  disputed: 'The payer disputes the payment at its provider.',
  'buyer-unreadable': 'It cannot be read who the buyer is, so that the bot was not asked.',
  'receipt-refused': 'A receipt was shown that has paid another order.',
  'money-on-deleted-order': 'There is money on this deleted order.',
  'never-confirmed': 'A payment was seen but never confirmed.',
  'paid-after-settling': 'Money came after staff had settled it.',
  'delivered-after-end': 'The coins were given after the order had ended.',
  'wrong-coin': 'Money came in another coin than was asked for.',
}

const refundTexts: Readonly<Record<RefundReason, string>> = {
  'not-delivered': 'it was not delivered',
  'paid-too-much': 'too much was paid',
  'paid-twice': 'it was paid twice',
  'paid-late': 'the payment came too late',
  'asked-for': 'the buyer asked for it',
  other: 'for another reason',
}

/** The actor, who need not be the caller: a buyer's request may trigger the check of a payment and the delivery. */
function actorOf(event: RecordedEvent<OrderEvent>): Actor {
  switch (event.type) {
    case 'OrderPlaced':
    case 'PaymentMethodChosen':
    case 'PaymentRequested':
    case 'OrderApproved':
    case 'OrderCancelled':
    case 'RefundRecorded':
    case 'AttentionSettled':
    case 'OrderDeleted':
      return event.metadata.actor
    case 'PaymentStarted':
    case 'PaymentSeen':
    case 'PaymentReceived':
    case 'PaymentReversed':
    case 'PaymentDisputed':
    case 'DisputeClosed':
      return 'provider'
    case 'PaymentFailed':
      return failures[event.data.reason].actor
    case 'OrderCompleted':
      return event.metadata.actor === 'staff' ? 'staff' : 'system'
    case 'OrderAbandoned':
    case 'CaptureRequested':
    case 'PaymentWatchEnded':
    case 'PreOrderReserved':
    case 'OrderReady':
    case 'DeliveryRequested':
    case 'OrderExpired':
    case 'OrderReinstated':
    case 'OrderNeedsAttention':
      return 'system'
  }
}

/** Never holds personal data: it is shown to anyone with the order's link. */
function textOf(event: OrderEvent): string {
  switch (event.type) {
    case 'OrderPlaced': {
      const { quantityM, totalCents, preOrder } = event.data
      const what = preOrder ? 'Pre-order' : 'Order'
      return `${what} of ${millions(quantityM)} placed for ${usd(totalCents)}.`
    }
    case 'OrderAbandoned':
      return 'A reservation that was never used was given up.'
    case 'PaymentMethodChosen':
      return `Payment by ${methodRows[event.data.paymentMethod].name} chosen.`
    case 'PaymentRequested':
      return `Payment ${event.data.attempt} by ${methodRows[event.data.method].name} requested.`
    case 'PaymentStarted':
      return `Payment ${event.data.attempt} is open: ${money(event.data.payAmount, event.data.payCurrency)}.`
    case 'PaymentSeen':
      return event.data.status === 'partially_paid'
        ? `A part of payment ${event.data.attempt} was seen.`
        : `Payment ${event.data.attempt} was seen and is being confirmed.`
    case 'CaptureRequested':
      return `The money of payment ${event.data.attempt} is being taken.`
    case 'PaymentReceived':
      return `${usd(event.data.addedCents)} received.`
    case 'PaymentFailed':
      return `Payment ${event.data.attempt} ${failures[event.data.reason].text}.`
    case 'PaymentReversed':
      return `${usd(event.data.takenCents)} taken back.`
    case 'PaymentDisputed':
      return `The payer disputes payment ${event.data.attempt} at its provider.`
    case 'DisputeClosed':
      return event.data.outcome === 'won'
        ? 'The dispute was decided for the shop.'
        : 'The dispute was decided for the payer.'
    case 'RefundRecorded':
      return `${usd(event.data.amountCents)} refunded: ${refundTexts[event.data.reason]}.`
    case 'PaymentWatchEnded':
      return `Payment ${event.data.attempt} is not watched any longer.`
    case 'OrderApproved':
      return 'Approved by staff.'
    case 'PreOrderReserved':
      return 'Coins for this pre-order are in stock.'
    case 'OrderReady':
      return 'The coins are ready to be handed over.'
    case 'DeliveryRequested':
      return 'The coins are being delivered.'
    case 'OrderCompleted':
      return `Completed: ${millions(event.data.quantityM)} delivered.`
    case 'OrderExpired':
      return 'Expired: it was not paid in time.'
    case 'OrderCancelled':
      return 'Cancelled.'
    case 'OrderReinstated':
      return 'Paid late: the order is open again.'
    case 'OrderNeedsAttention':
      return event.data.reasons.map((reason) => attentionTexts[reason]).join(' ')
    case 'AttentionSettled':
      return 'Settled by staff.'
    case 'OrderDeleted':
      return 'Deleted by staff.'
  }
}

/** In the words of the buyer's own page, where staff need others. Never holds personal data either. */
function buyerTextOf(event: OrderEvent): string | undefined {
  switch (event.type) {
    case 'PaymentMethodChosen':
      return `You chose to pay by ${methodRows[event.data.paymentMethod].name}.`
    case 'PaymentRequested':
      return `Your payment by ${methodRows[event.data.method].name} is being prepared.`
    case 'PaymentStarted':
      return `Waiting for your payment of ${money(event.data.payAmount, event.data.payCurrency)}.`
    case 'PaymentSeen':
      return event.data.status === 'partially_paid'
        ? 'A part of your payment was seen.'
        : 'Your payment was seen and is being confirmed.'
    case 'CaptureRequested':
      return 'Your payment is being taken.'
    case 'PaymentReceived':
      return `Your payment of ${usd(event.data.addedCents)} has arrived.`
    case 'PaymentFailed':
      return `Your payment ${failures[event.data.reason].text}.`
    case 'PaymentReversed':
      return `Your payment of ${usd(event.data.takenCents)} was taken back.`
    case 'PaymentDisputed':
      return 'Your payment is disputed: a person looks at it.'
    case 'DisputeClosed':
      return 'The dispute about your payment is over.'
    case 'RefundRecorded':
      return `${usd(event.data.amountCents)} was refunded to you.`
    case 'PaymentWatchEnded':
      return 'The shop does not wait for this payment any longer.'
    case 'OrderApproved':
      return 'Approved by the shop.'
    case 'PreOrderReserved':
      return 'The coins of your pre-order are in stock.'
    case 'OrderReady':
      return 'Your coins are ready to be handed over.'
    case 'DeliveryRequested':
      return 'Your coins are being delivered.'
    case 'OrderReinstated':
      return 'Your payment came late: the order is open again.'
    case 'OrderNeedsAttention':
      return 'A person at the shop is looking at this order.'
    case 'AttentionSettled':
      return 'A person at the shop has looked at this order.'
    case 'OrderDeleted':
      return 'Deleted by the shop.'
    case 'OrderPlaced':
    case 'OrderAbandoned':
    case 'OrderCompleted':
    case 'OrderExpired':
    case 'OrderCancelled':
      return undefined
  }
}

const failures: Readonly<Record<OrderEventData<'PaymentFailed'>['reason'], { text: string; actor: Actor }>> = {
  failed: { text: 'failed', actor: 'provider' },
  expired: { text: 'was not made in time', actor: 'provider' },
  refunded: { text: 'was refunded', actor: 'provider' },
  declined: { text: 'was declined', actor: 'provider' },
  cancelled: { text: 'was cancelled', actor: 'provider' },
  'reference-used': { text: 'was given up, as its reference was taken', actor: 'system' },
  'capture-unknown': { text: 'ended without word whether its money was taken', actor: 'system' },
}

const whole = new Intl.NumberFormat('en-US')
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const rupees = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' })

// Figures are written as `web/src/lib/format.ts` writes them.
function millions(quantityM: number): string {
  return `${whole.format(quantityM)}M`
}

function usd(cents: number): string {
  return dollars.format(cents / 100)
}

/** A provider's decimal text. Coins have more decimals than money and stay as they are. */
function money(amount: string, currency: string): string {
  const code = currency.toUpperCase()
  if (code === 'USD') return dollars.format(Number(amount))
  return code === 'INR' ? rupees.format(Number(amount)) : `${amount} ${code}`
}
