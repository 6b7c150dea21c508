import * as z from 'zod'
import { isDecimal } from '../decimal.ts'
import { sellerProtections, unplacedOutcomes } from '../words.ts'
import type { EventsOf } from '../typed-events.ts'

/* This is the stored format. Stored events must stay readable for ever: change it only with a new version and an upcast. */

/** An amount of money as its provider says it: plain decimal text, such as 0.29411765. */
export const amountText = z.string().refine(isDecimal, 'not a plain decimal amount')

/** All facts of a receipt that its order records, so that the log is enough to finish a claim. */
const receiptFacts = z.strictObject({
  provider: z.string(),
  receiptId: z.string(),
  orderId: z.string(),
  attempt: z.int().min(1),
  /** All that arrived under this id, as the provider reports it; plain decimal text. */
  amount: amountText,
  /** The full amount, of which `amount` is a share; in the same currency, above zero. */
  askedAmount: amountText,
  currency: z.string(),
  sellerProtection: z.enum(sellerProtections).optional(),
  at: z.iso.datetime(),
})
export type ReceiptFacts = z.infer<typeof receiptFacts>
export type UnplacedFacts = z.infer<typeof receiptEvents.ReceiptUnplaced>

export const receiptEvents = {
  ReceiptClaimed: receiptFacts,
  /** Another order tried to claim this receipt. */
  /** `claimedByOrderId`: null if staff settled the receipt without an order. */
  ReceiptRefused: receiptFacts.extend({ claimedByOrderId: z.nullable(z.string()) }),
  /** Money under one of our references whose order is not in the log, such as after lost events. */
  ReceiptUnplaced: receiptFacts
    .pick({ provider: true, receiptId: true, amount: true, currency: true, at: true })
    .extend({ reference: z.string() }),
  /** Staff have settled it. */
  ReceiptUnplacedSettled: receiptFacts
    .pick({ provider: true, receiptId: true, at: true })
    .extend({ outcome: z.enum(unplacedOutcomes), adminId: z.string() }),
}

export type ReceiptEvent = EventsOf<typeof receiptEvents>
