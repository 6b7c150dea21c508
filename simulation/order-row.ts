import type { AttentionReason } from '../src/domain/words.ts'
import type { OrderEventData } from '../src/domain/order/events.ts'
import { noOrder, type OrderState } from '../src/domain/order/order-state.ts'
import { OrderFacts } from '../src/words/testing/facts.ts'

/** What the ledger knows about one order, beyond the facts. */
export class OrderRow extends OrderFacts {
  /** Serials of claims in this order's stream. */
  readonly serials = new Set<number>()
  readonly watchEndedAt = new Map<number, string>()
  /** Set once staff have settled attention for payments with unclear errors. */
  unclearSettledAt: string | undefined
  /** The cents that unconfirmed money would cover, by attempt. */
  readonly seenCents = new Map<number, number | null>()
  readonly everSeen = new Set<number>()
  readonly everWished = new Map<string, OrderEventData<'RefundRequested'>>()
  /** Refunds that a provider has made. */
  readonly madeRefunds = new Set<string>()
  /** The refund that was to be sent, after each event. */
  readonly openRefundAt: (string | undefined)[] = []
  readonly everParts = new Set<string>()
  /** Staff have settled the unconfirmed money, and no more has appeared since. */
  isSeenSettled = false
  /** Unconfirmed parts at the time when staff settled them, by attempt and part. */
  readonly settledParts = new Set<string>()
  /** Receipts of which a reversal was undone. */
  readonly undone = new Set<string>()
  /** The latest delivery, open or not. */
  lastDelivery: OrderEventData<'DeliveryRequested'> | undefined
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
  /** All money that ever came, including what undone reversals returned. */
  cameCents = 0
  /** `cameCents` by the time staff last settled attention. */
  settledCents = 0
  /** Receipts with a failed refund, and those that staff have not answered since. */
  missing: ReadonlyMap<string, string> = new Map()
  readonly untoldMissing = new Set<string>()
  expiresAtMs: number
  /** How long money keeps the order open, by rule. */
  readonly grants = new Map<string, number>()
  readonly history: string[] = []
  /** Whether a delivery call would have been allowed, after each event. */
  readonly mayBeCalledFor: boolean[] = []
  /** Whether the buyer's data was still needed, after each event. */
  readonly neededItsBuyer: boolean[] = []

  constructor(placed: OrderEventData<'OrderPlaced'>) {
    super(placed)
    this.expiresAtMs = Date.parse(placed.expiresAt)
  }
}
