import * as z from 'zod/mini'
import { type BuyerTextName, buyerTexts, byBuyerText } from '../../domain/order/buyer-texts.ts'
import { paymentMethods } from '../../domain/payment-methods.ts'
import {
  attentionReasons,
  currencies,
  deliveryModes,
  orderStatuses,
  outcomes,
  paymentStatuses,
  refundReasons,
} from '../../domain/words.ts'
import { pastDay } from './as-of.ts'

export { type BuyerTextName, buyerTextNames, type BuyerTexts } from '../../domain/order/buyer-texts.ts'
export { buyerTexts, byBuyerText }

export const paymentMethod = z.enum(paymentMethods)
export type PaymentMethod = z.infer<typeof paymentMethod>

export const orderStatus = z.enum(orderStatuses)
export type OrderStatus = z.infer<typeof orderStatus>

export const deliveryMode = z.enum(deliveryModes)
export type DeliveryMode = z.infer<typeof deliveryMode>

export const paymentStatus = z.enum(paymentStatuses)
export type PaymentStatus = z.infer<typeof paymentStatus>

/** `3f2c...`: a UUID, and the buyer's only access to the order. */
export const orderId = z.string().check(z.trim(), z.toLowerCase(), z.regex(UUID(), 'This is not an order id.'))

function UUID(): RegExp {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
}

const marketId = z.string().check(z.trim(), z.regex(/^\d{8}$/, 'A market ID has exactly 8 digits.'))
const quantity = z.int().check(z.minimum(1), z.maximum(50_000))

/** Dollars, as text (`"2.55"`) or as a number. */
const amountOr = (message: string) => z.union([z.string().check(z.trim(), z.maxLength(20)), z.number()], message)
export const amount = amountOr('This is not an amount.')
const INVALID_TOTAL = 'Invalid total amount'

/** As the API and the browser mean it: a number, or the text of one. */
export function isAmount(value: string | number): boolean {
  return value !== '' && Number.isFinite(Number(value))
}

/** Characters that make different texts look the same: control, format, separators, and what is drawn as nothing. */
const HIDDEN = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}`
const visible = (pattern: string) =>
  z.regex(new RegExp(`^${pattern}$`, 'u'), 'This has characters that cannot be seen.')
const visibleText = () => visible(`[^${HIDDEN}]*`)
/** Letters of some scripts and emoji need the joiners and a variation selector, beside what is seen. */
const visibleName = () => visible(`(?=.*[^${HIDDEN}])(?:[^${HIDDEN}]|[\\u200C\\u200D\\uFE0F])*`)

const buyerGives = {
  customerEmail: z
    .string()
    .check(
      z.trim(),
      z.minLength(3),
      z.maxLength(buyerTexts.customerEmail.charsMax),
      z.regex(/^[^@\s]+@[^@\s]+$/, 'This is not an e-mail address.'),
      visibleText(),
    ),
  discordUsername: z
    .string()
    .check(z.trim(), z.minLength(1), z.maxLength(buyerTexts.discordUsername.charsMax), visibleName()),
} satisfies Record<BuyerTextName, unknown>

export const orderCreate = z.strictObject({
  ...buyerGives,
  marketId,
  /** Needed above 99M; adds up to `pokecoinAmount`, at most 50M each. */
  marketIds: z.optional(z.array(z.strictObject({ marketId, amount: quantity })).check(z.maxLength(1_000))),
  pokecoinAmount: quantity,
  /** The price that the buyer was shown; the server computes its own. */
  totalAmount: amountOr(INVALID_TOTAL).check(z.refine(isAmount, INVALID_TOTAL)),
  paymentMethod: z.optional(z.nullable(paymentMethod)),
})
export type OrderCreate = z.infer<typeof orderCreate>

export const orderCreated = z.object({
  id: z.string(),
  orderNumber: z.string(),
  status: orderStatus,
  paymentStatus,
})
export type OrderCreated = z.infer<typeof orderCreated>

export const orderChange = z.strictObject({ paymentMethod })

export const attentionReason = z.enum(attentionReasons)
export type AttentionReason = z.infer<typeof attentionReason>

export const refundReason = z.enum(refundReasons)
export type RefundReason = z.infer<typeof refundReason>

/** Why a person has to look at an order. */
const attention = z.object({
  /** The oldest. */
  reason: attentionReason,
  message: z.string(),
  since: z.string(),
  reasons: z.array(attentionReason),
  /** Delivery stops, or nothing more should be sent, until a person decides. */
  isHeldBack: z.boolean(),
  /** To the buyer; null where there is only the rest to be paid. */
  forBuyer: z.nullable(z.string()),
  /** Only in answers to staff: each reason's name, what to do about it, and the reason of a refund for it. */
  forStaff: z.optional(
    z.array(z.object({ name: z.string(), advice: z.string(), refundReason: z.nullable(refundReason) })),
  ),
})

/** Money that staff paid back at the provider. */
const refund = z.object({
  amountCents: z.number(),
  reason: refundReason,
  /** Null if nothing was noted; `erased` or `not readable` with the buyer. */
  whereTo: z.nullable(z.string()),
  at: z.string(),
})

/** The payment that the buyer can make now. */
const openPayment = z.object({
  attempt: z.number(),
  method: paymentMethod,
  /** The provider's id: `payment_id`, PayPal's order id, the gateway's order id. */
  paymentId: z.nullable(z.string()),
  /** The amount due in `currency`, as plain decimal text. */
  amount: z.string(),
  currency: z.string(),
  address: z.nullable(z.string()),
  memo: z.nullable(z.string()),
  network: z.nullable(z.string()),
  url: z.nullable(z.string()),
  /** Links into payment apps, by the gateway's names. */
  intents: z.nullable(z.record(z.string(), z.string())),
  /** Paid of `amount` so far, if the provider reports it. */
  amountPaid: z.nullable(z.string()),
  /** The spec's crypto payment status words, from our own state. */
  status: z.string(),
  expiresAt: z.nullable(z.string()),
})
export type OpenPayment = z.infer<typeof openPayment>

/** One entry of the order's timeline. */
const orderEvent = z.object({
  type: z.string(),
  at: z.string(),
  /** A short sentence without personal data. */
  text: z.string(),
  actor: z.enum(['buyer', 'staff', 'system', 'provider']),
})
export type OrderEvent = z.infer<typeof orderEvent>

export const order = z.object({
  id: z.string(),
  orderNumber: z.string(),
  ...byBuyerText(() => z.string()),
  marketId: z.string(),
  marketIds: z.array(z.object({ marketId: z.string(), amount: z.number() })),
  /** The buyer's data is masked: the caller is neither staff nor the browser that placed the order. */
  isMasked: z.boolean(),
  /** The vault does not know the buyer's key: an older copy of it was put back. The fields of the buyer say `not readable`. */
  isUnreadable: z.boolean(),
  pokecoinAmount: z.number(),
  /** Dollars with two decimals, without a payment fee. */
  totalAmount: z.string(),
  paymentMethod: z.nullable(paymentMethod),
  paymentStatus,
  status: orderStatus,
  paymentId: z.nullable(z.string()),
  /** What is to be paid by the open or last payment, in its currency. */
  payAmount: z.nullable(z.string()),
  cryptoAmount: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.nullable(z.string()),
  /** Null while no payment was begun. */
  transactionData: z.nullable(z.object({ id: z.string(), status: z.string(), method: z.nullable(paymentMethod) })),
  inrPerUsd: z.number(),
  preOrder: z.boolean(),
  expiresAt: z.nullable(z.string()),
  /** Received, less what was taken back or refunded. */
  paidCents: z.number(),
  /** What staff have paid back. */
  refundedCents: z.number(),
  /** What the buyer paid, less what was taken back: `amount` with the `fee`, which is in dollars. In rupees where all of it came by UPI. */
  paid: z.nullable(z.object({ amount: z.string(), currency: z.enum(currencies), fee: z.string() })),
  /** Only in answers to staff: each refund, and each receipt with what is left of it to be refunded. */
  refunds: z.optional(z.array(refund)),
  receipts: z.optional(
    z.array(z.object({ receiptId: z.string(), method: z.nullable(paymentMethod), heldCents: z.number() })),
  ),
  /** Why the order has ended. */
  endedAs: z.nullable(z.enum(outcomes)),
  attention: z.nullable(attention),
  payment: z.nullable(openPayment),
  /** Paid or approved, with its coins held: since when, and the way of delivery that was fixed then. */
  ready: z.nullable(z.object({ deliveryMode, since: z.string() })),
  /**
   * Which requests the rules accept and would change the order, as it is now; stock and providers may still refuse. `approve`, `settle`, `deliver` and
   * `refund` are always false in an answer to a buyer.
   */
  may: z.object({
    /** Choose a method and pay by it: `PATCH /api/orders/{id}` and the routes of each method. */
    pay: z.boolean(),
    /** A fresh quote in place of the open one: `POST /api/crypto/create-payment` with `replaces`. */
    requote: z.boolean(),
    /** `POST /api/orders/{id}/cancel`. */
    cancel: z.boolean(),
    /** `POST /api/complete-payment`. */
    approve: z.boolean(),
    /** `POST /api/orders/{id}/settle-attention`. */
    settle: z.boolean(),
    /** `POST /api/process-order`: mark as delivered. */
    deliver: z.boolean(),
    /** `POST /api/orders/{id}/refunds`: note money that was paid back at the provider. */
    refund: z.boolean(),
  }),
  /** Staff: the order is deleted. */
  deleted: z.boolean(),
  /** Revision of the order's stream, to settle attention and to note refunds at. */
  revision: z.number(),
  /** Only in the answer for one order: the provider of its open payment does not answer now. */
  providerIsAway: z.optional(z.boolean()),
  /** Only in the answer for one order: each method's present charge, and why one cannot be chosen. */
  methods: z.optional(
    z.array(
      z.object({
        method: paymentMethod,
        available: z.boolean(),
        reason: z.nullable(z.string()),
        payable: z.string(),
        currency: z.enum(currencies),
      }),
    ),
  ),
  /** Only in the answer for one order. */
  events: z.optional(z.array(orderEvent)),
})
export type Order = z.infer<typeof order>

/** `GET /api/orders/{id}`; only staff may ask for a past day. What else an address has is ignored. */
export const orderQuery = z.object({ asOf: z.optional(pastDay) })

const cursor = z.optional(z.string().check(z.maxLength(500)))
const limit = z.prefault(
  z.pipe(
    z.string().check(z.regex(/^([1-9]|[1-9]\d|100)$/, 'A page has from 1 to 100 entries.')),
    z.transform((text) => Number(text)),
  ),
  '50',
)
/** Of a query. */
export const flag = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
)

/** `GET /api/admin/to-deliver`: orders that staff must deliver, the longest ready first. */
export const toDeliverList = z.object({
  orders: z.array(order),
  /** Counted up to 10,000. */
  total: z.number(),
  next: z.nullable(z.string()),
})
export type ToDeliverList = z.infer<typeof toDeliverList>

/** One page of a list of staff's. */
export const pageQuery = z.strictObject({ limit, cursor })

/** The same, or as of a day. */
export const pageAsOfQuery = z.strictObject({ limit, cursor, asOf: z.optional(pastDay) })

/** For `POST /api/process-order` and `POST /api/complete-payment`. */
export const orderReference = z.strictObject({ orderId })

export const done = z.object({ success: z.literal(true), message: z.string() })
export type Done = z.infer<typeof done>

/** `DELETE /api/orders/{id}?coinsGiven=`: required if the coins may have been given. */
export const orderDeleteQuery = z.strictObject({ coinsGiven: z.optional(flag) })

/**
 * `POST /api/orders/{id}/refunds`, staff: this was paid back at the provider, as the order stood at this revision. The shop sends no money. A repeat with the
 * same Idempotency-Key, or at the same revision, adds nothing.
 */
export const refundCreate = z.strictObject({
  revision: z.int().check(z.minimum(0)),
  amountCents: z.int().check(z.minimum(1), z.maximum(100_000_000_000)),
  reason: refundReason,
  /** Sealed under the buyer's key: an address, an account, a transaction. */
  whereTo: z.optional(z.string().check(z.trim(), z.maxLength(500), visibleText())),
  /** The receipt that was refunded; by default the newest ones. */
  receiptId: z.optional(z.string().check(z.minLength(1), z.maxLength(300))),
  /** Required if the coins may have been given, and the refund ends the order. */
  coinsGiven: z.optional(z.boolean()),
})
export type RefundCreate = z.infer<typeof refundCreate>

/** `POST /api/orders/{id}/settle-attention`, staff: the causes as of this revision are dealt with. */
export const settleAttention = z.strictObject({ revision: z.int().check(z.minimum(0)) })
export type SettleAttention = z.infer<typeof settleAttention>
