import * as z from 'zod'
import { entriesOf } from '../entries.ts'
import { dueDate } from '../due-date.ts'
import { replyAmount as amount } from '../reply-amount.ts'

// Numbers arrive as text (`parseExactJson`), so an id may be a number, too.
const id = z.string().min(1).max(100)
const word = z.string().max(60)
const currency = z.string().max(10)

export const orderReply = z.object({
  order_id: id,
  order_amount: amount,
  order_currency: currency,
  order_status: word,
  payment_session_id: z.string().max(1_000).nullish().catch(null),
})
export type OrderReply = z.infer<typeof orderReply>

const payment = z.object({
  cf_payment_id: id,
  order_id: id,
  is_captured: z.boolean().nullish().catch(null),
  payment_amount: amount,
  payment_currency: currency,
  payment_status: word,
})
export type PaymentReply = z.infer<typeof payment>
export const paymentsReply = entriesOf(payment)

const refund = z.object({
  cf_payment_id: id,
  cf_refund_id: id.nullish().catch(null),
  refund_id: id.nullish().catch(null),
  refund_amount: amount,
  refund_currency: currency.nullish(),
  refund_status: word,
})
export type RefundReply = z.infer<typeof refund>
export const refundReply = refund
export const refundsReply = entriesOf(refund)

const dispute = z.object({
  dispute_id: id,
  dispute_status: word,
  respond_by: dueDate,
  dispute_amount: amount.nullish(),
  order_details: z.object({ cf_payment_id: id.nullish() }).nullish().catch(null),
})
export type DisputeReply = z.infer<typeof dispute>
export const disputesReply = entriesOf(dispute)

export const errorReply = z.object({
  message: z.string().nullish().catch(null),
  code: word.nullish().catch(null),
  type: word.nullish().catch(null),
})

const refundNews = z.object({ order_id: id, cf_refund_id: id, refund_status: word }).nullish().catch(null)

/** The fields of a webhook that name its payment and identify the news. */
export const webhookBody = z.object({
  type: word,
  data: z.object({
    order: z.object({ order_id: id }).nullish().catch(null),
    payment: z.object({ cf_payment_id: id, payment_status: word }).nullish().catch(null),
    refund: refundNews,
    auto_refund: refundNews,
    dispute: z.object({ dispute_id: id, dispute_status: word }).nullish().catch(null),
    order_details: z.object({ order_id: id }).nullish().catch(null),
  }),
})
