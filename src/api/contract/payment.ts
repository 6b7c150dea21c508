import * as z from 'zod/mini'
import { charsMax } from './formats.ts'
import { amount, orderId } from './order.ts'
import { phoneIn, plainText } from './typed-text.ts'

const currencyCode = z
  .string()
  .check(z.overwrite(plainText), z.toLowerCase(), z.regex(/^[a-zA-Z0-9]{1,20}$/, 'A currency is a code such as usd.'))

const dollars = z
  .string()
  .check(z.overwrite(plainText), z.toLowerCase(), z.regex(/^[uU][sS][dD]$/, 'Amounts are given in USD.'))

const cryptoPaymentStatus = z.enum([
  'waiting',
  'confirming',
  'confirmed',
  'partially_paid',
  'sending',
  'finished',
  'failed',
  'expired',
  'refunded',
])
export type CryptoPaymentStatus = z.infer<typeof cryptoPaymentStatus>

export const cryptoPaymentCreate = z.strictObject({
  amount,
  currency: z._default(dollars, 'usd'),
  orderId,
  /** By default Litecoin, or else the first accepted coin. */
  payCurrency: z.optional(currencyCode),
  /** `payment_id` of the open payment to replace by a fresh quote or another coin. Money sent to its address still counts. */
  replaces: z.optional(z.string().check(...charsMax(200))),
})
export type CryptoPaymentCreate = z.input<typeof cryptoPaymentCreate>

export const cryptoPayment = z.object({
  payment_id: z.string(),
  pay_address: z.string(),
  /** Plain decimal, no exponent. */
  pay_amount: z.string(),
  pay_currency: z.string(),
  payment_status: cryptoPaymentStatus,
  network: z.nullable(z.string()),
  /** Must be included in the transfer; null for most coins. */
  memo: z.nullable(z.string()),
  /** The rest of `pay_amount` to send. */
  amount_due: z.string(),
  /** Paid so far, if the provider reports it. */
  actually_paid: z.nullable(z.string()),
  /** When the quote expires. */
  quote_expires_at: z.nullable(z.string()),
  /** When the provider stops accepting it; the order may end earlier. */
  expires_at: z.nullable(z.string()),
})
export type CryptoPayment = z.infer<typeof cryptoPayment>

export const cryptoCurrencies = z.object({ currencies: z.array(z.string()) })
export type CryptoCurrencies = z.infer<typeof cryptoCurrencies>

export const cryptoPairQuery = z.strictObject({
  amount: z._default(z.string().check(z.regex(/^[0-9]{1,9}(\.[0-9]{1,8})?$/, 'This is not a plain amount.')), '1'),
  currency_from: currencyCode,
  currency_to: z._default(currencyCode, 'ltc'),
})

export const cryptoEstimate = z.object({
  currency_from: z.string(),
  amount_from: z.number(),
  currency_to: z.string(),
  estimated_amount: z.string(),
})

export const cryptoMinimum = z.object({ currency_from: z.string(), currency_to: z.string(), min_amount: z.string() })

export const paypalOrderCreate = z.strictObject({
  /** What the order still owes, plus the fee of 0.40. */
  amount,
  currency: z._default(dollars, 'usd'),
  intent: z._default(z.literal('CAPTURE'), 'CAPTURE'),
  orderId,
})
export type PaypalOrderCreate = z.input<typeof paypalOrderCreate>

export const paypalOrder = z.object({
  id: z.string(),
  /** True in the sandbox: the panel itself approves, and loads no provider script. */
  sandbox: z.boolean(),
})
export type PaypalOrder = z.infer<typeof paypalOrder>

export const paypalCapture = z.strictObject({ orderId })

export const paypalCaptured = z.object({
  id: z.string(),
  /** COMPLETED once the money is received; PENDING while that is unknown. */
  status: z.enum(['COMPLETED', 'PENDING', 'DECLINED']),
})
export type PaypalCaptured = z.infer<typeof paypalCaptured>

export const paypalSetup = z.object({
  clientToken: z.string(),
  sandbox: z.boolean(),
  /** The wallet's browser script; none in the sandbox. */
  scriptUrl: z.optional(z.string()),
})
export type PaypalSetup = z.infer<typeof paypalSetup>

export const upiOrderCreate = z.strictObject({
  /** What the order still owes, in rupees or dollars. */
  amount,
  orderId,
  customerInfo: z.strictObject({
    customerId: z.optional(z.string().check(...charsMax(100))),
    customerEmail: z.optional(z.string().check(...charsMax(254))),
    customerName: z.optional(z.string().check(...charsMax(100))),
    /** Forwarded to the gateway, never stored. */
    customerPhone: z.string().check(z.overwrite(phoneIn), z.regex(/^[0-9]{10}$/, 'A phone number has 10 digits.')),
  }),
})
export type UpiOrderCreate = z.infer<typeof upiOrderCreate>

export const upiOrder = z.object({
  order_id: z.string(),
  payment_url: z.string(),
  upi_intent: z.nullable(z.record(z.string(), z.string())),
  /** The charge in rupees. */
  amount: z.string(),
})
export type UpiOrder = z.infer<typeof upiOrder>

export const cashfreeOrder = z.object({
  order_id: z.string(),
  /** Cashfree's statuses. */
  order_status: z.enum(['ACTIVE', 'PAID', 'EXPIRED', 'TERMINATED']),
  /** The charge in rupees. */
  order_amount: z.string(),
})
export type CashfreeOrder = z.infer<typeof cashfreeOrder>
