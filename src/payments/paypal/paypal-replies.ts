import * as z from 'zod'
import { entriesOf, listOf } from '../entries.ts'
import { dueDate } from '../due-date.ts'
import { replyAmount } from '../reply-amount.ts'

const short = z.string().max(200)
const word = z.string().max(60)

export const orderId = z.string().regex(/^[A-Z0-9]{1,36}$/)
export const disputeId = z.string().regex(/^PP-[A-Z0-9-]{1,60}$/)

const money = z.object({ currency_code: z.string().regex(/^[A-Z]{3}$/), value: replyAmount })
const link = z.object({ href: z.string().max(500), rel: word })

const capture = z.object({
  id: short.min(1),
  status: word,
  amount: money,
  custom_id: short.nullish(),
  seller_protection: z.object({ status: word }).nullish().catch(null),
})
const refund = z.object({
  id: short.nullish().catch(null),
  status: word,
  amount: money,
  invoice_id: short.nullish().catch(null),
  links: listOf(link).nullish().catch(null),
})

export const orderReply = z.object({
  id: orderId,
  status: word,
  payer: z
    .object({ payer_id: short.min(1) })
    .nullish()
    .catch(null),
  purchase_units: z
    .array(
      z.object({
        custom_id: short.nullish(),
        amount: money.nullish(),
        payments: z
          .object({ captures: entriesOf(capture, 100).nullish(), refunds: entriesOf(refund, 500).nullish() })
          .nullish(),
      }),
    )
    .max(10)
    .nullish(),
})
export type OrderReply = z.infer<typeof orderReply>

/** A refund alone, as its own call answers. */
export const refundReply = refund

/** The order id of a capture that is looked up by itself. */
export const captureReply = z.object({
  supplementary_data: z.object({ related_ids: z.object({ order_id: orderId }) }),
})

export const disputeReply = z.object({
  dispute_id: disputeId,
  status: word,
  seller_response_due_date: dueDate,
  dispute_outcome: z.object({ outcome_code: word.nullish() }).nullish().catch(null),
  disputed_transactions: listOf(z.object({ seller_transaction_id: short })).nullish(),
})
export type DisputeReply = z.infer<typeof disputeReply>

export const tokenReply = z.object({
  access_token: z.string().min(1).max(20_000),
  // A number, which arrives as its text.
  expires_in: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
  /** What the app may do, separated by blanks. */
  scope: z.string().nullish().catch(null),
})
export const errorReply = z.object({
  name: word.nullish(),
  message: z.string().nullish(),
  error: word.nullish(),
  error_description: z.string().nullish(),
  debug_id: short.nullish().catch(null),
  details: listOf(z.object({ issue: word }))
    .nullish()
    .catch(null),
})

/** Of a webhook only ids are read; everything else is requested again. */
export const webhookBody = z.object({
  id: short.min(1),
  event_type: word,
  resource: z.object({
    id: short.nullish().catch(null),
    custom_id: short.nullish().catch(null),
    purchase_units: listOf(z.object({ custom_id: short }))
      .nullish()
      .catch(null),
    supplementary_data: z
      .object({ related_ids: z.object({ order_id: short.nullish() }).nullish() })
      .nullish()
      .catch(null),
    dispute_id: short.nullish().catch(null),
    links: listOf(link).nullish().catch(null),
    disputed_transactions: listOf(
      z.object({ custom: short.nullish().catch(null), invoice_number: short.nullish().catch(null) }),
    )
      .nullish()
      .catch(null),
  }),
})
export type WebhookBody = z.infer<typeof webhookBody>
