import * as z from 'zod/mini'
import { unplacedOutcomes } from '../../domain/words.ts'
import { charsMax } from './formats.ts'
import { paymentMethod } from './order.ts'

/** Money with a reference of this shop whose order is not in the log. */
const unplacedPayment = z.object({
  provider: z.string(),
  /** The provider's own id, for a search there. */
  receiptId: z.string(),
  amount: z.string(),
  currency: z.string(),
  at: z.string(),
  /** The shop's reference for it, as the provider shows it. */
  reference: z.string(),
})

/** `GET /api/admin/unplaced-payments`: oldest first. */
export const unplacedList = z.object({
  payments: z.array(unplacedPayment),
  /** Counted up to 10,000. */
  total: z.number(),
  next: z.nullable(z.string()),
})
export type UnplacedList = z.infer<typeof unplacedList>

const providerName = z.string().check(z.regex(/^[a-z]{1,40}$/, 'This is not the name of a provider.'))

/** `POST /api/admin/unplaced-payments/settle`: what staff did about it. */
export const unplacedSettlement = z.strictObject({
  provider: providerName,
  receiptId: z.string().check(z.minLength(1), ...charsMax(200)),
  outcome: z.enum(unplacedOutcomes),
})

const moment = z.nullable(z.string())

const providerState = z.object({
  provider: z.string(),
  methods: z.array(paymentMethod),
  /** Must be entered at the provider. */
  webhookAddress: z.string(),
  /** Orders whose payments are polled there, counted up to 10,000; null while the view is being built. */
  polled: z.nullable(z.number()),
  /** Calls that failed in the last minute. */
  failing: z.number(),
  /** Since when it has not answered this process; null while it answers or too little is known. */
  awaySince: moment,
  /** Why the last call failed, while it is away. */
  reason: z.nullable(z.string()),
  lastWebhookAt: moment,
  /** The last one that was unsigned or malformed. */
  refusedWebhookAt: moment,
  /** Null until checked. */
  keys: z.nullable(
    z.object({
      checkedAt: z.string(),
      /** `unknown`: the provider was away. */
      are: z.enum(['accepted', 'refused', 'unknown']),
      /** Why they were refused or could not be checked. */
      reason: z.nullable(z.string()),
    }),
  ),
  /** Whether the provider has a call to check keys. */
  canCheckKeys: z.boolean(),
})
export type ProviderState = z.infer<typeof providerState>

/** `POST /api/admin/providers/check-keys`: returns the states. */
export const keysCheck = z.strictObject({ provider: providerName })

/** `GET /api/admin/providers`: empty in the sandbox. */
export const providerStates = z.object({ providers: z.array(providerState) })
export type ProviderStates = z.infer<typeof providerStates>
