import type { Actor, RefundReason } from '../domain/words.ts'
import type { OrderEventData } from '../domain/order/events.ts'
import { inr, usd } from '../domain/money.ts'

/* Words of the timeline. None holds personal data: they are shown to anyone with the order's link. */

/** For the buyer, when a cause begins. */
export const NEEDS_PERSON = 'A person at the shop will look at this order.'

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

/** A provider's decimal text. Coins have more decimals than money and stay as they are. */
export function money(amount: string, currency: string): string {
  const code = currency.toUpperCase()
  if (code === 'USD') return usd(100 * Number(amount))
  return code === 'INR' ? inr(100 * Number(amount)) : `${amount} ${code}`
}
