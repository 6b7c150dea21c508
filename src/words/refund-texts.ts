import type { OrderEventData } from '../domain/order/events.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import { attemptOf, refundedText } from './event-words.ts'

/** How long a refund takes to arrive, by its method. */
const arrivals: Readonly<Record<PaymentMethod, string>> = {
  paypal: 'to PayPal in 1-3 business days',
  crypto: 'in crypto within 1-24 hours',
  upi: 'by UPI or to the bank in 3-7 business days',
}

/** `to PayPal in 1-3 business days`: where the money had come from, if the shop sends it. */
export function arrivalOf(order: PlacedOrder, { parts, sent }: OrderEventData<'RefundRecorded'>): string | undefined {
  const method = (sent && attemptOf(order, parts[0]?.receiptId)?.method) || order.paymentMethod
  return method ? arrivals[method] : undefined
}

/** What the buyer reads of each refund: `$0.98, on its way: it arrives to PayPal in 1-3 business days`. */
export function refundTexts(order: PlacedOrder): string[] {
  return order.refunds.map((refund) => {
    const amount = refundedText(refund, order)
    const arrival = arrivalOf(order, refund)
    if (!refund.sent || arrival === undefined) return amount
    return `${amount}, ${order.refundsUnderWay.includes(refund.refundId) ? 'on its way' : 'sent'}: it arrives ${arrival}`
  })
}
