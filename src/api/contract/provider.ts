import * as z from 'zod/mini'
import { unplacedOutcomes } from '../../domain/words.ts'
import { paymentMethod } from './order.ts'

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
  outcome: z.enum(unplacedOutcomes),
})
export type SettleUnplaced = z.infer<typeof settleUnplaced>

const moment = z.nullable(z.string())

const providerState = z.object({
  provider: z.string(),
  methods: z.array(paymentMethod),
  /** What has to be entered at the provider. */
  webhookAddress: z.string(),
  /** Orders with payments that it is asked about, counted up to 10,000; null while their view is being built. */
  polled: z.nullable(z.number()),
  /** Calls that failed in the last minute. */
  failing: z.number(),
  /** Since when this process had no answer; null while it answers, or while too little is known. */
  awaySince: moment,
  /** Why the last call failed, while it is away. */
  reason: z.nullable(z.string()),
  lastWebhookAt: moment,
  /** The last one that was not signed, or that made no sense. */
  refusedWebhookAt: moment,
  /** `null`: not asked yet. */
  keys: z.nullable(
    z.object({
      checkedAt: z.string(),
      /** `unknown`: the provider could not be asked. */
      are: z.enum(['accepted', 'refused', 'unknown']),
      /** In the provider's own words where it refused them. */
      reason: z.nullable(z.string()),
    }),
  ),
  /** Whether the provider has a call that tells. */
  canCheckKeys: z.boolean(),
})
export type ProviderState = z.infer<typeof providerState>

/** `POST /api/admin/providers/check-keys`, answered with the states. */
export const keysCheck = z.strictObject({ provider: z.string().check(z.minLength(1), z.maxLength(40)) })

/** `GET /api/admin/providers`: none in the sandbox. */
export const providerStates = z.object({ providers: z.array(providerState) })
export type ProviderStates = z.infer<typeof providerStates>
