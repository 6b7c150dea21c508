import * as z from 'zod'
import { entriesOf, noEntries } from '../entries.ts'
import { replyAmount as amount } from '../reply-amount.ts'

// Numbers arrive as their text (`parseExactJson`). Types differ between the provider's endpoints, and fields may be missing.
export const paymentId = z.string().regex(/^\d{1,20}$/)
const currency = z
  .string()
  .regex(/^[A-Za-z0-9]{1,20}$/)
  .toLowerCase()
const short = z.string().max(200)

export const paymentReply = z.object({
  payment_id: paymentId,
  payment_status: z.string().max(40),
  pay_address: short.nullish().catch(null),
  /** Some coins need it with the address. */
  payin_extra_id: short.nullish(),
  price_amount: amount,
  price_currency: currency,
  pay_amount: amount,
  actually_paid: amount.nullish(),
  pay_currency: currency,
  order_id: short.nullish(),
  network: short.nullish().catch(null),
  expiration_estimate_date: short.nullish().catch(null),
  valid_until: short.nullish().catch(null),
  created_at: short.nullish().catch(null),
  /** Later transfers to the same address. */
  payment_extra_ids: entriesOf(paymentId).nullish(),
  parent_payment_id: paymentId.nullish().catch(null),
})
export type PaymentReply = z.infer<typeof paymentReply>

const coins = entriesOf(currency, 5_000)
export const coinsReply = z
  .object({ currencies: coins.optional(), selectedCurrencies: coins.optional() })
  .transform(({ currencies, selectedCurrencies }) => selectedCurrencies ?? currencies ?? noEntries)
export const estimateReply = z.object({ estimated_amount: amount })
export const minimumReply = z.object({ min_amount: amount, fiat_equivalent: amount.nullish() })
export const errorReply = z.object({ message: z.string().nullish() })

/** Of a webhook only ids and news are read; everything else is requested again. */
export const webhookBody = z.object({
  payment_id: paymentId,
  payment_status: z.string().max(40),
  order_id: short.nullish(),
  actually_paid: z.string().max(80).nullish(),
})
