import * as z from 'zod'

/* This is the stored format. What is written once must be readable for ever: change it only with a new version and an upcast. */

/** All that an order needs to know of a receipt, so that a claim can be finished from the log alone. */
const receiptFacts = z.strictObject({
  provider: z.string(),
  receiptId: z.string(),
  orderId: z.string(),
  attempt: z.int().min(1),
  /** What arrived, as the provider says it: plain decimal text and its currency. */
  amount: z.string(),
  currency: z.string(),
  /** How much of the order's total this receipt pays, all in all. */
  coversCents: z.int().min(0),
  at: z.iso.datetime(),
})
export type ReceiptFacts = z.infer<typeof receiptFacts>

export const receiptEvents = {
  ReceiptClaimed: receiptFacts,
  /** Another order came with this receipt. */
  ReceiptRefused: receiptFacts.extend({ claimedByOrderId: z.string() }),
}

export type ReceiptEvent = {
  [Type in keyof typeof receiptEvents]: { type: Type; data: z.infer<(typeof receiptEvents)[Type]> }
}[keyof typeof receiptEvents]
