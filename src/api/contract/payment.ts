import * as z from 'zod/mini'
import { amount, orderId } from './order.ts'

const currencyCode = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.regex(/^[a-z0-9]{1,20}$/, 'A currency is a code such as usd.'))

/** The spec's crypto payment words. */
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
  currency: z._default(currencyCode, 'usd'),
  orderId,
  /** By default Litecoin, or the first coin that is taken. */
  payCurrency: z.optional(currencyCode),
  /** `payment_id` of the open payment, in whose place a fresh quote or another coin is wanted. Money at its address still counts. */
  replaces: z.optional(z.string().check(z.maxLength(200))),
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
  /** To be sent with the money, for coins that need it. */
  memo: z.nullable(z.string()),
  /** What is still to be sent of `pay_amount`. */
  amount_due: z.string(),
  /** Paid so far, if the provider reports it. */
  actually_paid: z.nullable(z.string()),
  /** Until when the amount is quoted. */
  quote_expires_at: z.nullable(z.string()),
  /** Until when the provider takes the payment; the order may end before. */
  expires_at: z.nullable(z.string()),
})
export type CryptoPayment = z.infer<typeof cryptoPayment>

export const cryptoCurrencies = z.object({ currencies: z.array(z.string()) })
export type CryptoCurrencies = z.infer<typeof cryptoCurrencies>

export const cryptoPairQuery = z.strictObject({
  amount: z._default(z.string().check(z.regex(/^\d{1,9}(\.\d{1,8})?$/, 'This is not a plain amount.')), '1'),
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
  /** The amount due by wallet: the order's total + 0.40. */
  amount,
  currency: z._default(currencyCode, 'usd'),
  intent: z._default(z.literal('CAPTURE'), 'CAPTURE'),
  orderId,
})
export type PaypalOrderCreate = z.input<typeof paypalOrderCreate>

export const paypalOrder = z.object({
  id: z.string(),
  /** Set in the sandbox: the panel approves by itself, without loading the provider's script. */
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
  /** Of the wallet's script in the browser; the sandbox has none. */
  scriptUrl: z.optional(z.string()),
})
export type PaypalSetup = z.infer<typeof paypalSetup>

export const upiOrderCreate = z.strictObject({
  /** Rupees that the order owes, or its total in USD. */
  amount,
  orderId,
  customerInfo: z.strictObject({
    customerId: z.optional(z.string().check(z.maxLength(100))),
    customerEmail: z.optional(z.string().check(z.maxLength(254))),
    customerName: z.optional(z.string().check(z.maxLength(100))),
    /** Passed on to the gateway, never stored. */
    customerPhone: z.string().check(z.trim(), z.regex(/^\d{10}$/, 'A phone number has 10 digits.')),
  }),
})
export type UpiOrderCreate = z.infer<typeof upiOrderCreate>

export const upiOrder = z.object({
  order_id: z.string(),
  payment_url: z.string(),
  upi_intent: z.nullable(z.record(z.string(), z.string())),
  /** Rupees as charged. */
  amount: z.string(),
})
export type UpiOrder = z.infer<typeof upiOrder>

export const cashfreeOrder = z.object({
  order_id: z.string(),
  /** The gateway's words. */
  order_status: z.enum(['ACTIVE', 'PAID', 'EXPIRED', 'TERMINATED']),
  /** Rupees as charged. */
  order_amount: z.string(),
})
export type CashfreeOrder = z.infer<typeof cashfreeOrder>
