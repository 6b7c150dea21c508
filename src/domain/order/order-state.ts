import type { PaymentMethod } from '../payment-methods.ts'
import type { AttentionReason, DeliveryMode, DisputeOutcome, Outcome, RefundFailure } from '../words.ts'
import type { OrderEventData } from './events.ts'

/** A payment that was requested of a provider; numbered from 1. */
export interface Attempt extends Readonly<Omit<OrderEventData<'PaymentRequested'>, 'orderId' | 'at'>> {
  readonly requestedAt: string
  /** A late reply of the provider may still set it after the attempt has failed. */
  readonly started: OrderEventData<'PaymentStarted'> | undefined
  readonly money: AttemptMoney
  /** Transfers that hold money and are no receipt, if the provider names them. */
  readonly parts: readonly SeenPart[]
  readonly isWatched: boolean
  /** Errors held up its watch beyond its end. */
  readonly isHeldUp: boolean
  /** Its watch ended, and the payment's outcome is unknown. */
  readonly isUnclear: boolean
}

/** The provider's reports about an attempt's money. */
type AttemptMoney =
  | { readonly kind: 'awaited' }
  /** Seen, but not received yet. */
  | { readonly kind: 'seen'; readonly sighting: Sighting }
  /** At least one receipt; `sighting` is the last report of money not received yet. */
  | { readonly kind: 'received'; readonly sighting: Sighting | undefined }
  | { readonly kind: 'failed'; readonly reason: OrderEventData<'PaymentFailed'>['reason'] }

export type SeenPart = OrderEventData<'PaymentSeen'>['parts'][number]

export type Sighting = Readonly<Pick<OrderEventData<'PaymentSeen'>, 'status' | 'amountPaid' | 'seenCents'>>

export interface ReceivedReceipt extends Pick<
  OrderEventData<'PaymentReceived'>,
  'receiptId' | 'attempt' | 'amount' | 'askedAmount' | 'currency' | 'sellerProtection'
> {
  /** By its provider. */
  readonly back: PaidBack
  /** The most that another payment than the one that holds it reported as paid back. */
  readonly backByOthers: string
  /** What counts as reversed: what went back, less the refunds of it that staff had noted by then. */
  readonly reversed: { readonly amount: string; readonly refundedCents: number }
}

/** Money that went back of a receipt, as plain decimal text in its currency. What is under way counts as gone. */
export type PaidBack = Pick<OrderEventData<'RefundReported'>, 'done' | 'pending' | 'failed'>

export const nothingBack: PaidBack = { done: '0', pending: '0', failed: '0' }

export type OpenLife = {
  readonly kind: 'open'
  /** Approved, and not reversed since. */
  readonly isApproved: boolean
  /** The bot is not called, since the buyer cannot be read; approving the order tries again. */
  readonly isHeld: boolean
  /** It had ended, and was reinstated or approved. */
  readonly isReopened: boolean
  readonly stage: Stage
}

/** An open order's progress from payment to delivery. */
export type Stage =
  | { readonly kind: 'waiting' }
  /** A capture call may be in progress. */
  | { readonly kind: 'capturing'; readonly capture: OrderEventData<'CaptureRequested'> }
  /** It can be delivered. */
  | { readonly kind: 'ready'; readonly ready: Ready }
  /** A delivery call may be in progress; `ready` is undefined if a reversal came in between. */
  | {
      readonly kind: 'delivering'
      readonly delivery: OrderEventData<'DeliveryRequested'>
      readonly ready: Ready | undefined
    }
  /** The coins may have been given: a call without an answer, or an order that left the staff's list unmarked. */
  | { readonly kind: 'delivery-unknown' }

/** Since when it can be delivered, and how. */
export interface Ready {
  readonly deliveryMode: Exclude<DeliveryMode, 'instant'>
  readonly since: string
}

type LifeBeforeDeletion =
  | OpenLife
  | { readonly kind: 'completed'; readonly at: string }
  | {
      readonly kind: 'ended'
      readonly as: Exclude<Outcome, 'completed'>
      readonly at: string
      /** `refused`: no stock or buyer, refunded, or settled; only an approval delivers it. */
      readonly lateMoney: 'reinstates' | 'refused'
    }

export type Life =
  LifeBeforeDeletion | { readonly kind: 'deleted'; readonly at: string; readonly before: LifeBeforeDeletion }

/** The coins of an order. */
export type Holding =
  | { readonly kind: 'none' }
  /** `quantityM` is 0 for a pre-order that waits for stock. */
  | { readonly kind: 'reserved'; readonly serial: number; readonly quantityM: number }
  /** Delivered from this reservation. */
  | { readonly kind: 'committed'; readonly serial: number }
  /** The answer to a delivery call came after the order had ended otherwise. */
  | { readonly kind: 'given-after-end' }

/** When each rule's extension ends. */
export type Patience = Readonly<Partial<Record<'received' | 'seen' | 'unknown', string>>>

export interface RefundWish extends Readonly<OrderEventData<'RefundRequested'>> {
  /** Undefined while it is open. */
  readonly failed: RefundFailure | undefined
  /** Other money went back since staff asked for it. */
  readonly isOvertaken: boolean
}

export interface PlacedOrder {
  readonly kind: 'placed'
  /** Number of events in the stream, which is the next claim's revision. */
  readonly next: number
  readonly placed: OrderEventData<'OrderPlaced'>
  readonly life: Life
  readonly holding: Holding
  /** Every claim in this stream, by its revision. */
  readonly claims: readonly { readonly claimAt: number; readonly serial: number }[]
  readonly paymentMethod: PaymentMethod | null
  /** How often a method was chosen. */
  readonly methodChanges: number
  /** Number of attempts when a method was last chosen: their failures no longer count. */
  readonly attemptsAtChoice: number
  readonly attempts: readonly Attempt[]
  readonly receipts: readonly ReceivedReceipt[]
  /** The sum of `addedCents`: all that was received, without subtracting reversals and refunds. */
  readonly receivedCents: number
  readonly refunds: readonly OrderEventData<'RefundRecorded'>[]
  /** Refunds that the shop was to send and that are not recorded, the open one too. */
  readonly wishes: readonly RefundWish[]
  /** Of the money held, what staff settled as staying with the shop. In cents. */
  readonly stayingCents: number
  /** Ids of sent refunds that are still under way at the provider. */
  readonly refundsUnderWay: readonly string[]
  /** Whether any receipt was ever reversed, even if the reversal was undone. */
  readonly wasReversed: boolean
  readonly disputes: readonly {
    readonly disputeId: string
    readonly attempt: number
    readonly outcome: DisputeOutcome
    readonly respondBy?: string
  }[]
  /** Its buyer or payer was found to be blocked. */
  readonly isBlocked: boolean
  readonly unusableReceipts: readonly (Pick<OrderEventData<'ReceiptUnusable'>, 'attempt' | 'receiptId' | 'why'> & {
    readonly isGone: boolean
  })[]
  /** When money was first seen, or last received, while pending. */
  readonly moneySeenAt: string | undefined
  readonly expiresAt: string
  /** A started payment extends the deadline once. */
  readonly isExtended: boolean
  /** Extensions by money that it was granted. */
  readonly patience: Patience
  readonly attention: readonly { readonly reason: AttentionReason; readonly since: string }[]
  /** When the mark of each cause last grew, present or not. */
  readonly grewAt: CauseRevisions
  /** Up to where staff answered each cause, by settling or by a refund. */
  readonly answeredTo: CauseRevisions
  /** The same by approvals; a reversal or dispute revokes them with the approval. */
  readonly approvedTo: CauseRevisions
  /** Of its delivery, sealed. */
  readonly deliveryNote?: { readonly note: string; readonly isShown: boolean }
  readonly updatedAt: string
}

export type OrderState = { readonly kind: 'none'; readonly next: number } | PlacedOrder

/** Revisions of the order's stream, by cause. */
export type CauseRevisions = Readonly<Partial<Record<AttentionReason, number>>>

/** Compared by identity. */
export const noRevisions: CauseRevisions = {}
export const noPatience: Patience = {}

/** What nothing has happened to yet. An order is stored without the fields that still have these values. */
export const untouched = {
  methodChanges: 0,
  attemptsAtChoice: 0,
  attempts: [],
  receipts: [],
  receivedCents: 0,
  refunds: [],
  wishes: [],
  refundsUnderWay: [],
  wasReversed: false,
  disputes: [],
  isBlocked: false,
  stayingCents: 0,
  unusableReceipts: [],
  moneySeenAt: undefined,
  isExtended: false,
  patience: noPatience,
  attention: [],
  grewAt: noRevisions,
  answeredTo: noRevisions,
  approvedTo: noRevisions,
} as const satisfies Partial<PlacedOrder>

export const noOrder: OrderState = { kind: 'none', next: 0 }

/** Pending, and not deleted. */
export function isOpen(order: PlacedOrder): boolean {
  return order.life.kind === 'open'
}

export function isDeleted(order: PlacedOrder): boolean {
  return order.life.kind === 'deleted'
}

/** A deleted order is shown as before its deletion. */
export function lifeBeforeDeletion({ life }: PlacedOrder): LifeBeforeDeletion {
  return life.kind === 'deleted' ? life.before : life
}

/** An order's outcome; undefined while it is pending. */
export function outcomeOf(order: PlacedOrder): Outcome | undefined {
  const life = lifeBeforeDeletion(order)
  if (life.kind === 'open') return undefined
  return life.kind === 'ended' ? life.as : life.kind
}

export function isApproved(order: PlacedOrder): boolean {
  const life = lifeBeforeDeletion(order)
  return life.kind === 'open' && life.isApproved
}

export function endedAt({ life }: PlacedOrder): string | undefined {
  return life.kind === 'open' ? undefined : life.at
}

/** An open order's progress; an ended order has none. */
export function stageOf({ life }: PlacedOrder): Stage {
  return life.kind === 'open' ? life.stage : waiting
}

export const waiting: Stage = { kind: 'waiting' }

export function openCapture(order: PlacedOrder): OrderEventData<'CaptureRequested'> | undefined {
  const stage = stageOf(order)
  return stage.kind === 'capturing' ? stage.capture : undefined
}

export function openDelivery(order: PlacedOrder): OrderEventData<'DeliveryRequested'> | undefined {
  const stage = stageOf(order)
  return stage.kind === 'delivering' ? stage.delivery : undefined
}

/** Its provider is asked about it: it is watched, or a refund of it is under way, or unknown and asks a person. */
export function isChecked(order: PlacedOrder, { attempt, isWatched }: Attempt): boolean {
  const { receipts, refunds, refundsUnderWay, wishes, attention } = order
  const isUnknown = attention.some(({ reason }) => reason === 'refund-unknown')
  if (isWatched || (refundsUnderWay.length === 0 && !isUnknown)) return isWatched
  const ids = new Set(receipts.flatMap((receipt) => (receipt.attempt === attempt ? [receipt.receiptId] : [])))
  const own = refunds.filter(({ refundId }) => refundsUnderWay.includes(refundId)).flatMap(({ parts }) => parts)
  const unknown = wishes.filter(({ failed }) => isUnknown && failed === 'unknown')
  return [...own, ...unknown].some(({ receiptId }) => ids.has(receiptId))
}

/** A call that sends a refund may be in progress. */
export function openRefund({ wishes }: PlacedOrder): RefundWish | undefined {
  return wishes.find(({ failed }) => failed === undefined)
}

/** It is unknown whether a refund was made. */
export function isRefundUnknown({ wishes }: PlacedOrder): boolean {
  return wishes.some(({ failed }) => failed === 'unknown')
}

export function isDeliveryUnknown(order: PlacedOrder): boolean {
  return stageOf(order).kind === 'delivery-unknown'
}

export function isDeliveryHeld({ life }: PlacedOrder): boolean {
  return life.kind === 'open' && life.isHeld
}

export function readinessOf(order: PlacedOrder): Ready | undefined {
  const stage = stageOf(order)
  return stage.kind === 'ready' || stage.kind === 'delivering' ? stage.ready : undefined
}

export function heldSerial({ holding }: PlacedOrder): number | undefined {
  return holding.kind === 'reserved' ? holding.serial : undefined
}

export function heldM({ holding }: PlacedOrder): number {
  return holding.kind === 'reserved' ? holding.quantityM : 0
}

/** The reservation whose coins were delivered. */
export function committedSerial({ holding }: PlacedOrder): number | undefined {
  return holding.kind === 'committed' ? holding.serial : undefined
}

export function hasReceipt({ money }: Attempt): boolean {
  return money.kind === 'received'
}

export function hasAttemptFailed({ money }: Attempt): boolean {
  return money.kind === 'failed'
}

/** It is unknown whether money was captured. */
export function isCaptureUnknown({ money }: Attempt): boolean {
  return money.kind === 'failed' && money.reason === 'capture-unknown'
}

/** The last report of an attempt's money that is not received yet. */
export function sightingOf({ money }: Attempt): Sighting | undefined {
  return money.kind === 'seen' || money.kind === 'received' ? money.sighting : undefined
}

/** It has money that the provider has not confirmed. */
export function isSeen({ money, parts }: Attempt): boolean {
  return money.kind === 'seen' || parts.length > 0
}

/** Money is seen of it, and its provider names no part. */
export function hasPlainSighting(attempt: Attempt | undefined): boolean {
  return attempt?.money.kind === 'seen' && attempt.parts.length === 0
}

/** A payer disputes money of this order, and we have not won. */
export function isDisputed({ disputes }: PlacedOrder): boolean {
  return disputes.some(({ outcome }) => outcome !== 'won')
}

/** A dispute about this receipt's payment is still open. */
export function isDisputedReceipt({ disputes }: PlacedOrder, { attempt }: Pick<ReceivedReceipt, 'attempt'>): boolean {
  return disputes.some((dispute) => dispute.outcome === 'open' && dispute.attempt === attempt)
}

/** The outcome of a dispute is still open. */
export function hasOpenDispute({ disputes }: PlacedOrder): boolean {
  return disputes.some(({ outcome }) => outcome === 'open')
}

/** When the first answer to an open dispute is due; undefined if no provider says so. */
export function answerDueAt({ disputes }: PlacedOrder): string | undefined {
  return disputes.flatMap(({ outcome, respondBy }) => (outcome === 'open' ? (respondBy ?? []) : [])).sort()[0]
}

/** How much of the total the shop may keep: nothing if it ended without its coins. */
export function keepsCents(order: PlacedOrder): number {
  if (isOpen(order)) return order.placed.totalCents
  return committedSerial(order) === undefined ? 0 : revenueLeftCents(order)
}

/** A delivered order's revenue less refunds. */
export function revenueLeftCents({ placed, refunds }: PlacedOrder): number {
  return refunds.reduce((left, { revenueCents }) => left - revenueCents, placed.totalCents)
}

export function isMoneyOnItsWay(order: PlacedOrder): boolean {
  return order.attempts.some(isSeen)
}

/** All its coins are reserved. */
export function holdsStock(order: PlacedOrder): boolean {
  return order.holding.kind === 'reserved' && order.holding.quantityM === order.placed.quantityM
}

/** Serials of earlier claims that are neither held nor delivered. */
export function outdatedSerials(order: OrderState): number[] {
  if (order.kind === 'none') return []
  return order.claims
    .map(({ serial }) => serial)
    .filter((serial) => serial !== heldSerial(order) && serial !== committedSerial(order))
}

/** What to do with a reservation: `fence` if its claim may still be appended, `stay` while the order holds it, else how it ends. */
export function fateOf(
  order: OrderState,
  reservation: { claimAt: number; serial: number },
): 'fence' | 'stay' | 'commit' | 'release' {
  if (order.next <= reservation.claimAt) return 'fence'
  if (order.kind === 'none') return 'release'
  const { claimAt, serial } = reservation
  if (!order.claims.some((claim) => claim.claimAt === claimAt && claim.serial === serial)) return 'release'
  if (committedSerial(order) === serial) return 'commit'
  return heldSerial(order) === serial ? 'stay' : 'release'
}

export function currentAttempt(order: PlacedOrder): Attempt | undefined {
  return order.attempts.at(-1)
}

/** The last attempt failed, and no method was chosen since. */
export function hasFailed(order: PlacedOrder): boolean {
  const current = currentAttempt(order)
  return current !== undefined && hasAttemptFailed(current) && current.attempt > order.attemptsAtChoice
}
