/* Words that are stored, sent and shown. This file imports nothing, so that the browser has the same lists. */

export const currencies = ['USD', 'INR'] as const
export type Currency = (typeof currencies)[number]

/** The two words that a buyer and the staff see. */
export const orderStatuses = ['pending', 'completed', 'failed'] as const
export type OrderStatus = (typeof orderStatuses)[number]
export const paymentStatuses = ['pending', 'waiting', 'processing', 'partially_paid', 'completed', 'failed'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** Who causes an event. */
export const actors = ['buyer', 'staff', 'system', 'provider'] as const
export type Actor = (typeof actors)[number]

/** How an order ends. */
export const outcomes = ['completed', 'expired', 'cancelled', 'refunded'] as const
export type Outcome = (typeof outcomes)[number]

/** How coins are delivered: by staff in the game, by a call to the owner's bot, or at once with the payment. */
export const deliveryModes = ['staff', 'webhook', 'instant'] as const
export type DeliveryMode = (typeof deliveryModes)[number]

/** Why a person has to look at an order, by rank: staff read them in this order, and the buyer reads the first that has a sentence. */
export const attentionReasons = [
  'reversed',
  'disputed',
  'buyer-blocked',
  'delivery-unknown',
  'buyer-unreadable',
  'wrong-coin',
  'capture-unknown',
  'refund-unknown',
  'payment-unclear',
  'never-confirmed',
  'receipt-refused',
  'delivered-after-end',
  'refund-failed',
  'refund-refused',
  'short',
  'over',
  'unearned',
] as const
export type AttentionReason = (typeof attentionReasons)[number]
/** The coins may have been given already: approving the order completes it, and asks no bot. */
export const reasonsOfGivenCoins: readonly AttentionReason[] = ['delivery-unknown', 'delivered-after-end']

/**
 * Where an order stands, for its buyer: every screen and sentence depends on it. `refunding`: the shop is paying money back.
 * Of given coins: `completed` is paid in full, `delivered` was approved for
 * less, and of `taken-back` money went back.
 */
export const situations = [
  'to-pay',
  'pre-order-to-pay',
  'waiting',
  'seen',
  'short',
  'failed-payment',
  'approved',
  'delivering',
  'looked-into',
  'refunding',
  'pre-ordered',
  'completed',
  'delivered',
  'taken-back',
  'expired',
  'cancelled',
  'refunded',
  'partly-refunded',
] as const
export type Situation = (typeof situations)[number]

/** Why a refund that the shop was to send was given up. `unknown`: the provider did not say in time whether it was made. */
export const refundFailures = ['refused', 'disputed', 'changed', 'unknown'] as const
export type RefundFailure = (typeof refundFailures)[number]

/** Why staff paid money back. */
export const refundReasons = [
  'not-delivered',
  'paid-too-much',
  'paid-twice',
  'paid-late',
  'asked-for',
  'other',
] as const
export type RefundReason = (typeof refundReasons)[number]

/** How far a provider protects the seller against disputes of a payment. */
export const sellerProtections = ['full', 'partial', 'none'] as const
export type SellerProtection = (typeof sellerProtections)[number]

/** What becomes of an order's money when staff settle what it asks for. No free text: events stay for ever, and it might name a person. */
export const settlementReasons = [
  'to-pay-back',
  'left-to-shop',
  'pays-given-coins',
  'pays-another-order',
  'nothing-owed',
  'loss-accepted',
  'other',
] as const
export type SettlementReason = (typeof settlementReasons)[number]

/** Why staff block a buyer. */
export const blockReasons = ['chargeback', 'fraud', 'abuse', 'rules', 'asked-for', 'other'] as const
export type BlockReason = (typeof blockReasons)[number]
/** What of a buyer is blocked. */
export const blockKinds = ['email', 'name', 'payer'] as const
export type BlockKind = (typeof blockKinds)[number]

/** What staff did about money without an order. No free text: events stay for ever, and it might name a person. */
export const unplacedOutcomes = ['paid-back', 'coins-given', 'nothing-owed'] as const
export type UnplacedOutcome = (typeof unplacedOutcomes)[number]

/** A payer's complaint at the provider. `won`: in our favour. */
export type DisputeOutcome = 'open' | 'won' | 'lost'

/** Statuses of money that is seen but not received, in their order. */
export const seenStatuses = ['confirming', 'confirmed', 'sending', 'partially_paid'] as const
export type SeenStatus = (typeof seenStatuses)[number]
