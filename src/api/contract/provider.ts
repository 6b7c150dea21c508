import * as z from 'zod/mini'

/** Money under a reference of ours whose order is not in the log. */
const unplacedPayment = z.object({
  provider: z.string(),
  /** The provider's own id: what it is looked up by. */
  receiptId: z.string(),
  amount: z.string(),
  currency: z.string(),
  at: z.string(),
  /** Our name for the payment, as the provider shows it. */
  reference: z.string(),
})
export type UnplacedPayment = z.infer<typeof unplacedPayment>

/** `GET /api/admin/unplaced-payments`: the oldest first. */
export const unplacedList = z.object({
  payments: z.array(unplacedPayment),
  /** Counted up to 10,000. */
  total: z.number(),
  next: z.nullable(z.string()),
})
export type UnplacedList = z.infer<typeof unplacedList>

/** `POST /api/admin/unplaced-payments/settle`: what staff did about it. */
export const settleUnplaced = z.strictObject({
  provider: z.string().check(z.minLength(1), z.maxLength(40)),
  receiptId: z.string().check(z.minLength(1), z.maxLength(200)),
  outcome: z.enum(['paid-back', 'coins-given', 'nothing-owed']),
})
export type SettleUnplaced = z.infer<typeof settleUnplaced>
