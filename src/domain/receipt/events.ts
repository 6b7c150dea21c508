import * as z from 'zod'
import { unplacedOutcomes } from '../words.ts'

/* This is the stored format. What is written once must be readable for ever: change it only with a new version and an upcast. */

/** Everything that the order records of a receipt, so that a claim can be finished from the log alone. */
const receiptFacts = z.strictObject({
  provider: z.string(),
  receiptId: z.string(),
  orderId: z.string(),
  attempt: z.int().min(1),
  /** The amount as the provider reports it: plain decimal text and its currency. */
  amount: z.string(),
  currency: z.string(),
  /** How much of the order's total this receipt covers in total. */
  coversCents: z.int().min(0),
  at: z.iso.datetime(),
})
export type ReceiptFacts = z.infer<typeof receiptFacts>
export type UnplacedFacts = z.infer<typeof receiptEvents.ReceiptUnplaced>

export const receiptEvents = {
  ReceiptClaimed: receiptFacts,
  /** Another order tried to claim this receipt. */
  ReceiptRefused: receiptFacts.extend({ claimedByOrderId: z.string() }),
  /** Money under a reference of ours whose order is not in the log, such as after a loss of events. */
  ReceiptUnplaced: receiptFacts
    .pick({ provider: true, receiptId: true, amount: true, currency: true, at: true })
    .extend({ reference: z.string() }),
  /** A person has dealt with it. */
  ReceiptUnplacedSettled: receiptFacts
    .pick({ provider: true, receiptId: true, at: true })
    .extend({ outcome: z.enum(unplacedOutcomes), adminId: z.string() }),
}

export type ReceiptEvent = {
  [Type in keyof typeof receiptEvents]: { type: Type; data: z.infer<(typeof receiptEvents)[Type]> }
}[keyof typeof receiptEvents]
