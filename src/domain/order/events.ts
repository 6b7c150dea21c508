import * as z from 'zod'
import { paymentMethods } from '../payment-methods.ts'
import { amountText } from '../receipt/events.ts'
import {
  attentionReasons,
  currencies,
  deliveryModes,
  refundFailures,
  refundReasons,
  seenStatuses,
  sellerProtections,
  settlementReasons,
} from '../words.ts'
import type { EventsOf } from '../typed-events.ts'

/* This is the stored format. Stored events must stay readable for ever: change it only with a new version and an upcast. */

const at = z.iso.datetime()
const cents = z.int().min(0)
const serial = z.int().min(1)
const orderId = z.string()
const attempt = z.int().min(1)

const method = z.enum(paymentMethods)

/** The causes that this event answers: by name, so that a later change of a rule rewrites no history. */
const answers = z.array(z.enum(attentionReasons))
/** The revision of the order that staff saw: what grew later is not answered. */
const seenRevision = z.int().min(0)

export const orderEvents = {
  OrderPlaced: z.strictObject({
    orderId,
    /** The reservation that this order holds; a pre-order's has quantity 0. */
    serial,
    orderNumber: z.string(),
    customerId: z.string(),
    /** The buyer's texts and market ids, sealed under the customer's key. */
    personal: z.string(),
    /** HMAC of the request, which distinguishes a repeat from another order under the same key. */
    requestHash: z.string(),
    quantityM: z.int().min(1),
    unitPriceTenThousandths: z.int().min(0),
    discountPercent: z.int().min(0).max(100),
    totalCents: z.int().min(1),
    settingsRevision: z.int().min(0),
    /** The order's fixed rate for rupees. */
    paisePerUsd: z.int().min(1),
    paymentMethod: method.nullable(),
    preOrder: z.boolean(),
    /** Reserves much of the stock for one network, and so for a shorter time. */
    isLargeHold: z.boolean(),
    expiresAt: at,
    at,
  }),
  /** A fence: uses the revision of a claim, so that the claim can never be appended. */
  OrderAbandoned: z.strictObject({ orderId, serial, at }),
  PaymentMethodChosen: z.strictObject({ orderId, paymentMethod: method, at }),
  PaymentRequested: z.strictObject({
    orderId,
    attempt,
    method,
    provider: z.string(),
    /** Our name for the attempt. */
    reference: z.string(),
    /** The amount due, fee included: cents, or paise for INR. */
    askedMinor: z.int().min(1),
    currency: z.enum(currencies),
    /** How much of the order's total it covers when paid in full. */
    coversCents: cents,
    at,
  }),
  PaymentStarted: z.strictObject({
    orderId,
    attempt,
    paymentId: z.string(),
    /** The buyer's amount, as plain decimal text in `payCurrency`. */
    payAmount: z.string(),
    payCurrency: z.string(),
    address: z.string().nullable(),
    network: z.string().nullable(),
    url: z.string().nullable(),
    /** Links that open an app, by its name. */
    intents: z.record(z.string(), z.string()).nullable(),
    paymentExpiresAt: at.nullable(),
    /** Sent with the address, for coins whose addresses are shared. */
    memo: z.string().optional(),
    /** When the quote of `payAmount` expires. Later money is still counted by it. */
    quoteExpiresAt: at.optional(),
    /** The order's new deadline. */
    orderExpiresAt: at,
    at,
  }),
  PaymentSeen: z.strictObject({
    orderId,
    attempt,
    status: z.enum(seenStatuses),
    amountPaid: z.string().nullable(),
    /** What money seen but not received would cover, at most the asked amount; null if its amount is unknown. */
    seenCents: cents.nullable(),
    /** All transfers of the attempt that hold money and are no receipt, if the provider names them. */
    parts: z.array(z.strictObject({ id: z.string(), amount: z.string(), currency: z.string() })),
    at,
  }),
  CaptureRequested: z.strictObject({ orderId, attempt, requestId: z.string(), callsUntil: at, at }),
  PaymentReceived: z.strictObject({
    orderId,
    attempt,
    provider: z.string(),
    receiptId: z.string(),
    /** All that arrived under this id so far. */
    amount: amountText,
    /** What this report adds to it. */
    addedAmount: amountText,
    /** The full amount, of which `amount` is a share; in the same currency. */
    askedAmount: amountText,
    currency: z.string(),
    /** By how much the order holds more, in whole cents: 0 for less than one. */
    addedCents: cents,
    /** If the provider says how far it protects the seller. */
    sellerProtection: z.enum(sellerProtections).optional(),
    at,
  }),
  /** The attempt's awaited or seen money will not come; its receipts stay. */
  PaymentFailed: z.strictObject({
    orderId,
    attempt,
    reason: z.enum(['failed', 'expired', 'refunded', 'declined', 'cancelled', 'reference-used', 'capture-unknown']),
    at,
  }),
  /** What a provider says of money that went back, by refund or reversal; recorded when one of the amounts changes. */
  RefundReported: z.strictObject({
    orderId,
    receiptId: z.string(),
    /** Whether the payment that holds the receipt reported it. Another one's report only adds, and undoes nothing. */
    byHolder: z.boolean(),
    done: amountText,
    /** Under way. */
    pending: amountText,
    /** Refunds that failed: their money is still there. */
    failed: amountText,
    /** Refunds that the shop sent and that are done or have failed, by their ids. */
    ended: z.array(z.string()),
    at,
  }),
  /** Money went back, or came again, beyond what staff had noted as refunds. */
  PaymentReversed: z.strictObject({
    orderId,
    receiptId: z.string(),
    /** All that went back of the receipt, as its provider reports it. */
    reversedAmount: amountText,
    /** Refunds of it that staff had noted: that part is not counted twice. */
    refundedCents: cents,
    /** By how much the order holds less, in whole cents; negative if a reversal is undone. */
    takenCents: z.int(),
    at,
  }),
  /** Staff want the shop to pay money back through the provider. Until it is closed, the order neither ends nor is delivered. */
  RefundRequested: z.strictObject({
    orderId,
    /** The refund's name at the provider, too: letters and digits. */
    refundId: z.string(),
    requestHash: z.string(),
    receiptId: z.string(),
    /** In the receipt's currency, with the method's fee. */
    amount: amountText,
    currency: z.string(),
    reason: z.enum(refundReasons),
    /** Staff's answer if the coins may have been given. */
    coinsGiven: z.boolean().nullable(),
    callsUntil: at,
    seenRevision,
    adminId: z.string(),
    at,
  }),
  /** A refund was not sent, or it is unknown whether it was. */
  RefundFailed: z.strictObject({
    orderId,
    refundId: z.string(),
    why: z.enum(refundFailures),
    /** The provider's reason. */
    words: z.string().nullable(),
    at,
  }),
  /** Money was paid back: by the shop through the provider, or by staff themselves. */
  RefundRecorded: z.strictObject({
    orderId,
    /** Derives from the Idempotency-Key, or from the revision that staff saw: the same refund is recorded once. */
    refundId: z.string(),
    /** HMAC of the request, which distinguishes a repeat from another refund under the same id. */
    requestHash: z.string(),
    amountCents: z.int().min(1),
    /** Per receipt; adds up to `amountCents`. */
    parts: z.array(z.strictObject({ receiptId: z.string(), amountCents: z.int().min(1) })).min(1),
    reason: z.enum(refundReasons),
    /** Where the money went, sealed under the customer's key; null if nothing was noted. */
    whereTo: z.string().nullable(),
    /** How it was sent, in the receipt's currency; null if staff paid it back themselves. `isPending`: under way at the provider. */
    sent: z.strictObject({ providerRefundId: z.string(), amount: amountText, isPending: z.boolean() }).nullable(),
    /** Loss of revenue: none if the order was not delivered, or for money beyond its total. */
    revenueCents: cents,
    /** The method last chosen for the order. */
    paymentMethod: method.nullable(),
    /** The order ends, or stays ended, without its coins. */
    endsOrder: z.boolean(),
    /** Staff's answer if the coins may have been given. */
    coinsGiven: z.boolean().nullable(),
    answers,
    seenRevision,
    adminId: z.string(),
    at,
  }),
  /** A payer's complaint at the provider about money that was received; again once its answer is due at another time. */
  PaymentDisputed: z.strictObject({
    orderId,
    attempt,
    disputeId: z.string(),
    receiptId: z.string(),
    /** By when the provider wants the shop's answer, if it says so. */
    respondBy: at.optional(),
    at,
  }),
  /** `won`: in the shop's favour. Money taken by a lost dispute is in PaymentReversed. */
  DisputeClosed: z.strictObject({ orderId, disputeId: z.string(), outcome: z.enum(['won', 'lost']), at }),
  /** Its buyer or payer is blocked. Who that is, and by which block, is not in the log. */
  BlockFound: z.strictObject({ orderId, at }),
  PaymentWatchEnded: z.strictObject({
    orderId,
    attempt,
    /** The last report had an unknown status word, and no money. */
    isUnclear: z.boolean(),
    at,
  }),
  /** Errors hold up the checks of a payment, long after its watch should have ended. */
  PaymentWatchHeldUp: z.strictObject({ orderId, attempt, at }),
  /** Money that cannot pay this order. */
  ReceiptUnusable: z.strictObject({
    orderId,
    attempt,
    receiptId: z.string(),
    why: z.enum(['pays-another-order', 'another-coin']),
    /** `gone`: its money went back. `again`: it is there once more. */
    news: z.enum(['noted', 'gone', 'again']),
    /** The attempt is one transfer, so what was seen of it is this receipt. */
    endsSighting: z.boolean(),
    at,
  }),
  OrderApproved: z.strictObject({
    orderId,
    /** Set if the approval had to reserve stock. */
    serial: serial.nullable(),
    /** Up to this event itself. */
    answers,
    adminId: z.string(),
    at,
  }),
  PreOrderReserved: z.strictObject({ orderId, serial, at }),
  /** Paid or approved, with its coins reserved. The delivery mode is fixed now, whatever the configuration says later. */
  OrderReady: z.strictObject({ orderId, deliveryMode: z.enum(deliveryModes).exclude(['instant']), at }),
  /** The bot is not called, since the vault does not know the buyer; an approval tries again. */
  DeliveryHeld: z.strictObject({ orderId, at }),
  DeliveryRequested: z.strictObject({ orderId, callsUntil: at, at }),
  /** No call was answered in time: the coins may have been given. */
  DeliveryGivenUp: z.strictObject({ orderId, at }),
  /** The bot confirmed after the order had ended otherwise. */
  DeliveredAfterEnd: z.strictObject({ orderId, at }),
  OrderCompleted: z.strictObject({
    orderId,
    serial: serial.nullable(),
    customerId: z.string(),
    quantityM: z.int().min(1),
    totalCents: cents,
    paymentMethod: method.nullable(),
    /** What staff gave to whom, sealed under the customer's key. */
    note: z.string().optional(),
    /** The buyer may read the note. */
    isNoteShown: z.boolean().optional(),
    at,
  }),
  OrderExpired: z.strictObject({ orderId, at }),
  OrderCancelled: z.strictObject({ orderId, at }),
  OrderReinstated: z.strictObject({ orderId, serial, at }),
  /** Late money covers the order, but there is no stock, or no buyer: now only an approval delivers it. */
  ReinstatementRefused: z.strictObject({ orderId, at }),
  AttentionSettled: z.strictObject({
    orderId,
    /** What becomes of the money. */
    reason: z.enum(settlementReasons),
    answers,
    seenRevision,
    adminId: z.string(),
    at,
  }),
  OrderDeleted: z.strictObject({
    orderId,
    customerId: z.string(),
    quantityM: z.int().min(1),
    /** The order's total, less the revenue lost to refunds. */
    totalCents: cents,
    /** When it was completed: the figures are subtracted on that day. */
    completedAt: at.nullable(),
    paymentMethod: method.nullable(),
    receivedCents: cents,
    /** Staff's answer if the coins may have been given. */
    coinsGiven: z.boolean().nullable(),
    adminId: z.string(),
    at,
  }),
}

export type OrderEvent = EventsOf<typeof orderEvents>
export type OrderEventData<Type extends OrderEvent['type']> = Extract<OrderEvent, { type: Type }>['data']
