import * as z from 'zod/mini'
import { type BuyerTextName, buyerTexts, byBuyerText } from '../../domain/order/buyer-texts.ts'
import { paymentMethods } from '../../domain/payment-methods.ts'
import { MARKET_IDS_MAX, QUANTITY_MAX_M } from '../../domain/pricing.ts'
import {
  actors,
  attentionReasons,
  situations,
  currencies,
  deliveryModes,
  orderStatuses,
  outcomes,
  paymentStatuses,
  refundReasons,
  sellerProtections,
  settlementReasons,
} from '../../domain/words.ts'
import { pastDay } from './as-of.ts'
import { charsMax, emailPattern, visibleNamePattern, visibleTextPattern } from './formats.ts'
import { emailIn, emailProblem, hasHidden, idIn, isVisibleName, plainText, trimmed } from './typed-text.ts'

export type { PaymentMethod } from '../../domain/payment-methods.ts'
export {
  type Actor,
  type AttentionReason,
  type DeliveryMode,
  type OrderStatus,
  type PaymentStatus,
  reasonsOfGivenCoins,
  type RefundReason,
  type SellerProtection,
  type SettlementReason,
} from '../../domain/words.ts'

export const paymentMethod = z.enum(paymentMethods)
export const orderStatus = z.enum(orderStatuses)
export const deliveryMode = z.enum(deliveryModes)
export const paymentStatus = z.enum(paymentStatuses)

const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/
/** `3f2c...`: a UUID, and the buyer's only access to the order. */
export const orderId = z
  .string()
  .check(z.overwrite(plainText), z.toLowerCase(), z.regex(UUID, 'This is not an order id.'))

const marketId = z.string().check(z.overwrite(idIn), z.regex(/^[0-9]{8}$/, 'A market ID has exactly 8 digits.'))
const TOKEN_MAX = 100
const quantity = z.int().check(z.minimum(1), z.maximum(QUANTITY_MAX_M))

const AMOUNT = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,2})?$/
/** An amount as text (`"2.55"`) or as a number. */
const amountOr = (message: string) =>
  z.union([z.string().check(z.maxLength(20), z.overwrite(plainText), z.regex(AMOUNT)), z.number()], message)
export const amount = amountOr('This is not an amount.')
const INVALID_TOTAL = 'Invalid total amount'

/** Shared by API and browser: a number, or the text of one. */
export function isAmount(value: string | number): boolean {
  return typeof value === 'number' ? Number.isFinite(value) : AMOUNT.test(value)
}

const HIDDEN_REFUSED = 'This has characters that cannot be seen.'

const buyerFields = {
  customerEmail: z.string().check(
    ...charsMax(buyerTexts.customerEmail.charsMax),
    z.overwrite(emailIn),
    z.minLength(1),
    emailPattern,
    z.check(({ value, issues }) => {
      const message = emailProblem(value)
      if (message !== undefined) issues.push({ code: 'custom', input: value, message: `${message}.` })
    }),
  ),
  discordUsername: z
    .string()
    .check(
      ...charsMax(buyerTexts.discordUsername.charsMax),
      z.overwrite(trimmed),
      z.minLength(1),
      visibleNamePattern,
      z.refine(isVisibleName, HIDDEN_REFUSED),
    ),
} satisfies Record<BuyerTextName, unknown>

export const orderCreate = z.strictObject({
  ...buyerFields,
  marketId,
  /** Required above 99M; adds up to `pokecoinAmount`, at most 50M each. */
  marketIds: z.optional(z.array(z.strictObject({ marketId, amount: quantity })).check(z.maxLength(MARKET_IDS_MAX))),
  pokecoinAmount: quantity,
  /** The price shown to the buyer; refused if the server's differs. */
  totalAmount: amountOr(INVALID_TOTAL),
  paymentMethod: z.optional(z.nullable(paymentMethod)),
})
export type OrderCreate = z.infer<typeof orderCreate>

/** `POST /api/find-order`: the answer is the same for every address. */
export const orderFinding = z.strictObject({ customerEmail: buyerFields.customerEmail })

/** `POST /api/orders/:id/open`: the token of a link that the shop mailed. */
export const orderOpening = z.strictObject({ token: z.string().check(z.maxLength(TOKEN_MAX)) })

export const orderCreated = z.object({
  id: z.string(),
  orderNumber: z.string(),
  status: orderStatus,
  paymentStatus,
})
export type OrderCreated = z.infer<typeof orderCreated>

export const orderChange = z.strictObject({ paymentMethod })

export const attentionReason = z.enum(attentionReasons)

export type { Situation } from '../../domain/words.ts'

export const refundReason = z.enum(refundReasons)

/** Why a person has to look at an order. */
const attention = z.object({
  /** The first by rank. */
  reason: attentionReason,
  message: z.string(),
  /** When the oldest began. */
  since: z.string(),
  /** By rank. */
  reasons: z.array(attentionReason),
  /** Delivery waits, or the buyer should send nothing more, until staff decide. */
  isHeldBack: z.boolean(),
  /** For the buyer; null if only the rest must still be paid. */
  forBuyer: z.nullable(z.string()),
  /** Only for staff: each reason's name, what to do about it, its paragraph in the documentation, and the refund reason to record for it. */
  forStaff: z.optional(
    z.array(
      z.object({ name: z.string(), advice: z.string(), page: z.string(), refundReason: z.nullable(refundReason) }),
    ),
  ),
  /** Only for staff: by when a dispute must be answered at its provider, if that says so. */
  dueAt: z.optional(z.string()),
})

/** Money that was paid back. */
const refund = z.object({
  amountCents: z.number(),
  /** By the shop, in the receipt's currency; null if staff paid it back themselves. */
  sent: z.nullable(z.object({ amount: z.string(), isPending: z.boolean() })),
  reason: refundReason,
  /** Null if not recorded; `erased` or `not readable` if the buyer is. */
  whereTo: z.nullable(z.string()),
  at: z.string(),
})

/** The payment to make now, or whose money is on its way. */
const openPayment = z.object({
  attempt: z.number(),
  method: paymentMethod,
  /** `payment_id`, PayPal's order id, or the gateway's order id. */
  paymentId: z.nullable(z.string()),
  /** The amount due in `currency`, as plain decimal text. */
  amount: z.string(),
  currency: z.string(),
  address: z.nullable(z.string()),
  memo: z.nullable(z.string()),
  network: z.nullable(z.string()),
  url: z.nullable(z.string()),
  /** Links that open payment apps, by the gateway's names. */
  intents: z.nullable(z.record(z.string(), z.string())),
  /** Part of `amount` paid so far, if the provider reports it. */
  amountPaid: z.nullable(z.string()),
  /** A `CryptoPaymentStatus`, from the shop's own state. */
  status: z.string(),
  expiresAt: z.nullable(z.string()),
})
export type OpenPayment = z.infer<typeof openPayment>

/** One entry of the order's timeline. */
const timelineEntry = z.object({
  type: z.string(),
  at: z.string(),
  /** A short sentence without personal data. */
  text: z.string(),
  actor: z.enum(actors),
})

export const order = z.object({
  id: z.string(),
  orderNumber: z.string(),
  ...byBuyerText(() => z.string()),
  marketId: z.string(),
  marketIds: z.array(z.object({ marketId: z.string(), amount: z.number() })),
  /** The buyer's data is masked: the caller is neither staff nor the browser that placed the order. */
  isMasked: z.boolean(),
  /** The buyer's data cannot be decrypted, such as after restoring an older vault; its fields say `not readable`. */
  isUnreadable: z.boolean(),
  pokecoinAmount: z.number(),
  /** Dollars with two decimals, without a payment fee. */
  totalAmount: z.string(),
  paymentMethod: z.nullable(paymentMethod),
  paymentStatus,
  situation: z.enum(situations),
  /** How its payment stands, for its buyer. */
  paymentText: z.string(),
  status: orderStatus,
  paymentId: z.nullable(z.string()),
  /** Amount of the open or last payment, in its currency. */
  payAmount: z.nullable(z.string()),
  cryptoAmount: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.nullable(z.string()),
  /** Null until a payment is started. */
  transactionData: z.nullable(z.object({ id: z.string(), status: z.string(), method: z.nullable(paymentMethod) })),
  inrPerUsd: z.number(),
  preOrder: z.boolean(),
  expiresAt: z.nullable(z.string()),
  /** Received, less reversals and refunds. */
  paidCents: z.number(),
  /** Refunded by staff. */
  refundedCents: z.number(),
  /** Of each refund, for the buyer: how much, and where and when it arrives. */
  refundTexts: z.array(z.string()),
  /** Missing of the total: of an open order that is neither paid nor approved, and of coins that were given. */
  dueCents: z.number(),
  /** Held beyond what the shop may keep; 0 while a dispute is open. */
  toPayBackCents: z.number(),
  /** Paid by the buyer, less reversals: `amount` includes the `fee`, which is in dollars. In rupees if all of it came by UPI. */
  paid: z.nullable(z.object({ amount: z.string(), currency: z.enum(currencies), fee: z.string() })),
  /** Only for staff: each refund, and each receipt with what is left of it to refund. */
  refunds: z.optional(z.array(refund)),
  receipts: z.optional(
    z.array(
      z.object({
        receiptId: z.string(),
        method: z.nullable(paymentMethod),
        provider: z.string(),
        heldCents: z.number(),
        currency: z.string(),
        /** What the shop can send back of it through its provider, in its currency; null if the provider sends no refunds. */
        leftToSend: z.nullable(z.string()),
        /** Of that, what is to be paid back. */
        dueToSend: z.nullable(z.string()),
        /** Null if the provider says nothing of it. */
        sellerProtection: z.nullable(z.enum(sellerProtections)),
      }),
    ),
  ),
  /** Only for staff: a dispute about its money was decided for the payer. */
  hasLostDispute: z.optional(z.boolean()),
  /** What was given to whom, for staff, and if they want for the browser that placed the order; `erased` or `not readable` if the buyer is. */
  deliveryNote: z.optional(z.object({ text: z.string(), isShown: z.boolean() })),
  /** How the order ended. */
  endedAs: z.nullable(z.enum(outcomes)),
  attention: z.nullable(attention),
  payment: z.nullable(openPayment),
  /** Paid or approved, with its coins reserved: since when, and the delivery mode fixed then. */
  ready: z.nullable(z.object({ deliveryMode, since: z.string() })),
  /**
   * Requests that the rules accept now and that would change the order; stock and providers may still refuse. `approve`, `settle`, `deliver` and
   * `refund` are always false for a buyer.
   */
  may: z.object({
    /** Choose a method and pay by it: `PATCH /api/orders/{id}` and the routes of each method. */
    pay: z.boolean(),
    /** Replace the open quote by a fresh one: `POST /api/crypto/create-payment` with `replaces`. */
    requote: z.boolean(),
    /** `POST /api/orders/{id}/cancel`. */
    cancel: z.boolean(),
    /** `POST /api/complete-payment`. */
    approve: z.boolean(),
    /** `POST /api/orders/{id}/settle-attention`. */
    settle: z.boolean(),
    /** `POST /api/process-order`: mark as delivered. */
    deliver: z.boolean(),
    /** `POST /api/orders/{id}/refunds`: record money that was paid back at the provider. */
    refund: z.boolean(),
  }),
  /** Only staff can see a deleted order. */
  deleted: z.boolean(),
  /** Revision of the order's stream; settling and recording refunds need it. */
  revision: z.number(),
  /** Only for a single order: the provider of its open payment is away. */
  providerIsAway: z.optional(z.boolean()),
  /** Only for a single order: what each method charges now, and why one cannot be chosen. */
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
  /** Only for a single order, for staff and the browser that placed it, once the owner has said who sells. */
  seller: z.optional(z.object({ name: z.string(), address: z.string(), taxNumber: z.string(), line: z.string() })),
  /** Only for a single order. */
  events: z.optional(z.array(timelineEntry)),
})
export type Order = z.infer<typeof order>

/** `GET /api/orders/{id}`; only staff may read a past day. Other parameters are ignored. */
export const orderQuery = z.object({ asOf: z.optional(pastDay) })

const cursor = z.optional(z.string().check(...charsMax(500)))
const limit = z.prefault(
  z.pipe(
    z.string().check(z.regex(/^([1-9]|[1-9][0-9]|100)$/, 'A page has from 1 to 100 entries.')),
    z.transform((text) => Number(text)),
  ),
  '50',
)
/** A query parameter. */
export const flag = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
)

/** `GET /api/admin/to-deliver`: orders that staff must deliver, longest ready first. */
export const toDeliverList = z.object({
  orders: z.array(order),
  /** Counted up to 10,000. */
  total: z.number(),
  next: z.nullable(z.string()),
})
export type ToDeliverList = z.infer<typeof toDeliverList>

/** `GET /api/admin/waiting-for-stock`: paid pre-orders without coins, in the order of payment. */
export const waitingList = z.extend(toDeliverList, {
  /** Millions that all of them take; of the first 1,000, if there are more. */
  pokecoins: z.number(),
})
export type WaitingList = z.infer<typeof waitingList>

const staffText = z.string().check(
  ...charsMax(500),
  z.overwrite(trimmed),
  visibleTextPattern,
  z.refine((text) => !hasHidden(text), HIDDEN_REFUSED),
)

/** A page of a staff list. */
export const pageQuery = z.strictObject({ limit, cursor })

/** A page of a staff list, now or as of a past day. */
export const pageAsOfQuery = z.strictObject({ limit, cursor, asOf: z.optional(pastDay) })

/** For `POST /api/process-order` and `POST /api/complete-payment`. */
export const orderReference = z.strictObject({ orderId })

/** For `POST /api/process-order`; the note counts for staff only. */
export const handOver = z.extend(orderReference, {
  /** What was given to whom; sealed with the buyer's key. */
  note: z.optional(staffText),
  /** The buyer may read it. */
  isNoteShown: z.optional(z.boolean()),
})

export type HandOver = z.infer<typeof handOver>

export const done = z.object({ success: z.literal(true), message: z.string() })
export type Done = z.infer<typeof done>

/** `DELETE /api/orders/{id}`. */
export const orderDeleteQuery = z.strictObject({
  /** Required if the coins may have been given. */
  coinsGiven: z.optional(flag),
  /** The revision that staff saw: refused if the order has changed since. */
  revision: z.optional(
    z.pipe(
      z.string().check(z.regex(/^[0-9]{1,9}$/, 'This is not a revision.')),
      z.transform((text) => Number(text)),
    ),
  ),
})

/**
 * `POST /api/orders/{id}/refunds`, staff: records money that they paid back themselves, as of this revision; nothing is sent. A repeat with the
 * same Idempotency-Key, or at the same revision, adds nothing.
 */
export const refundCreate = z.strictObject({
  revision: z.int().check(z.minimum(0)),
  amountCents: z.int().check(z.minimum(1), z.maximum(100_000_000_000)),
  reason: refundReason,
  /** An address, account or transaction; sealed with the buyer's key. */
  whereTo: z.optional(staffText),
  /** The receipt that was refunded; by default the newest ones. */
  receiptId: z.optional(z.string().check(z.minLength(1), ...charsMax(300))),
  /** Required if the coins may have been given and the refund ends the order. */
  coinsGiven: z.optional(z.boolean()),
})
export type RefundCreate = z.infer<typeof refundCreate>

/**
 * `POST /api/orders/{id}/send-refund`, staff: pays money back through the provider, as of this revision. A repeat with the same Idempotency-Key, or at the
 * same revision, adds nothing.
 */
export const refundSend = z.strictObject({
  revision: z.int().check(z.minimum(0)),
  receiptId: z.string().check(z.minLength(1), ...charsMax(300)),
  /** In the receipt's currency, with the method's fee. */
  amount: z.string().check(z.regex(/^[0-9]{1,9}(\.[0-9]{1,2})?$/, 'This is not an amount.')),
  reason: refundReason,
  /** Required if the coins may have been given and the refund ends the order. */
  coinsGiven: z.optional(z.boolean()),
})
export type RefundSend = z.infer<typeof refundSend>

/** `POST /api/orders/{id}/settle-attention`, staff: the causes up to this revision are dealt with. */
export const attentionSettlement = z.strictObject({
  revision: z.int().check(z.minimum(0)),
  /** What becomes of the money; kept in the order's history. */
  reason: z.enum(settlementReasons),
})
export type AttentionSettlement = z.infer<typeof attentionSettlement>
