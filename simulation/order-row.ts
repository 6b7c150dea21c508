import type { AttentionReason, DeliveryMode } from '../src/domain/words.ts'
import type { OrderEventData } from '../src/domain/order/events.ts'
import { noOrder, type OrderState } from '../src/domain/order/order-state.ts'

export interface ReceiptRow {
  readonly attempt: number
  readonly askedAmount: string
  readonly currency: string
  amount: string
  /** As its provider reports it. */
  back: Pick<OrderEventData<'RefundReported'>, 'done' | 'pending' | 'failed'>
  /** What counts as reversed. */
  reversed: Pick<OrderEventData<'PaymentReversed'>, 'reversedAmount' | 'refundedCents'>
  /** The amount that staff have refunded. */
  refundedCents: number
}

/** What the ledger knows about one order. */
export class OrderRow {
  readonly placed: OrderEventData<'OrderPlaced'>
  status: 'pending' | 'completed' | 'expired' | 'cancelled' | 'refunded' = 'pending'
  isDeleted = false
  held: number | undefined
  heldM = 0
  /** Serials of claims in this order's stream. */
  readonly serials = new Set<number>()
  readonly attempts: OrderEventData<'PaymentRequested'>[] = []
  readonly paymentIds = new Map<number, string>()
  readonly started = new Map<number, OrderEventData<'PaymentStarted'>>()
  readonly watchEndedAt = new Map<number, string>()
  /** Set once staff have settled attention for payments with unclear errors. */
  unclearSettledAt: string | undefined
  readonly receipts = new Map<string, ReceiptRow>()
  /** Computed from the receipts; undefined once one has changed. */
  sums: { readonly paidCents: number; readonly isCovered: boolean } | undefined
  /** Receipts that pay another order. */
  readonly refused = new Set<string>()
  /** Money in another coin; true while it is gone. */
  readonly strays = new Map<string, boolean>()
  /** Attempts with unconfirmed money, and the ids of its parts. */
  readonly seen = new Map<number, Set<string>>()
  /** The cents that unconfirmed money would cover, by attempt. */
  readonly seenCents = new Map<number, number | null>()
  /** Attempts that reported a receipt, even if another attempt reported it later. */
  readonly brought = new Set<number>()
  /** Attempts whose outcome was unknown, or whose checks were held up, long after the end. */
  readonly unclear = new Set<number>()
  readonly everSeen = new Set<number>()
  readonly everParts = new Set<string>()
  /** Staff have settled the unconfirmed money, and no more has appeared since. */
  isSeenSettled = false
  /** Unconfirmed parts at the time when staff settled them, by attempt and part. */
  readonly settledParts = new Set<string>()
  wasReversed = false
  /** Receipts of which a reversal was undone. */
  readonly undone = new Set<string>()
  /** Disputes that are not won. */
  readonly openDisputes = new Set<string>()
  isApproved = false
  capture: OrderEventData<'CaptureRequested'> | undefined
  delivery: OrderEventData<'DeliveryRequested'> | undefined
  /** The latest delivery, open or not. */
  lastDelivery: OrderEventData<'DeliveryRequested'> | undefined
  isDeliveryUnknown = false
  /** The recorded delivery mode and time; `staff` if nothing is recorded. */
  ready: { readonly deliveryMode: DeliveryMode; readonly since: string } | undefined
  /** State before the last append. */
  before: Pick<OrderRow, 'ready' | 'delivery' | 'isDeliveryUnknown'> = {
    ready: undefined,
    delivery: undefined,
    isDeliveryUnknown: false,
  }
  /** The decider's state, which is compared with this ledger. */
  shown: OrderState = noOrder
  attention: ReadonlySet<AttentionReason> = new Set()
  readonly everRaised = new Set<AttentionReason>()
  /** Staff have refunded an order that was not delivered. */
  wasRefunded = false
  /** Revenue lost by refunds. */
  lostCents = 0
  /** All that the order's receipts added. */
  receivedCents = 0
  /** All money that ever came, including what undone reversals returned. */
  cameCents = 0
  /** `cameCents` by the time staff last settled attention. */
  settledCents = 0
  /** More of a receipt is reversed by the last append. */
  isMoreReversed = false
  /** Receipts with a failed refund, and those that staff have not answered since. */
  missing: ReadonlyMap<string, string> = new Map()
  readonly untoldMissing = new Set<string>()
  /** Late money no longer reinstates the order. */
  refusesLate = false
  completions = 0
  coinsGiven = false
  endedAt: string | undefined
  expiresAtMs: number
  /** How long money keeps the order open, by rule. */
  readonly grants = new Map<string, number>()
  readonly history: string[] = []
  /** Whether a delivery call would have been allowed, after each event. */
  readonly mayBeCalledFor: boolean[] = []
  /** Whether the buyer's data was still needed, after each event. */
  readonly neededItsBuyer: boolean[] = []

  constructor(placed: OrderEventData<'OrderPlaced'>) {
    this.placed = placed
    this.expiresAtMs = Date.parse(placed.expiresAt)
  }
}
