import type { AttentionReason, OrderEventData, RefundReason } from '../domain/order/events.ts'
import type { Actor } from '../event-store/event-log.ts'

/* Words of the timeline. None holds personal data: they are shown to anyone with the order's link. */

export const attentionTexts: Readonly<Record<AttentionReason, string>> = {
  'paid-without-stock': 'Paid after it had ended, and it was not brought back.',
  'late-and-short': 'It has ended, and its money does not cover it.',
  short: 'Less was paid than the total.',
  over: 'More was paid than the total.',
  double: 'It was paid again after it had been paid.',
  reversed: 'A payment was reversed, in whole or in part.',
  'capture-unknown': 'PayPal did not tell whether the money was taken.',
  'delivery-unknown': 'It is not known whether the coins were given.',
  disputed: 'The payer disputes the payment at its provider.',
  'buyer-unreadable': 'It cannot be read who the buyer is, so that the bot was not asked.',
  'receipt-refused': 'A receipt was shown that has paid another order.',
  'money-on-deleted-order': 'There is money on this deleted order.',
  'never-confirmed': 'A payment was seen and is not confirmed.',
  'payment-unclear': 'No answer of the provider says clearly whether money came.',
  'paid-after-settling': 'Money came after staff had settled it.',
  'delivered-after-end': 'It became known after the end that the coins were given.',
  'wrong-coin': 'Money came in another coin than was asked for.',
}

export const refundTexts: Readonly<Record<RefundReason, string>> = {
  'not-delivered': 'it was not delivered',
  'paid-too-much': 'too much was paid',
  'paid-twice': 'it was paid twice',
  'paid-late': 'the payment came too late',
  'asked-for': 'the buyer asked for it',
  other: 'for another reason',
}

export const failures: Readonly<Record<OrderEventData<'PaymentFailed'>['reason'], { text: string; actor: Actor }>> = {
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
export function millions(quantityM: number): string {
  return `${whole.format(quantityM)}M`
}

export function usd(cents: number): string {
  return dollars.format(cents / 100)
}

/** A provider's decimal text. Coins have more decimals than money and stay as they are. */
export function money(amount: string, currency: string): string {
  const code = currency.toUpperCase()
  if (code === 'USD') return dollars.format(Number(amount))
  return code === 'INR' ? rupees.format(Number(amount)) : `${amount} ${code}`
}
