import type { DeliveryMode, DisputeOutcome, Outcome } from '../../domain/words.ts'
import type { OrderEvent, OrderEventData } from '../../domain/order/events.ts'
import { Exact } from './exact.ts'
import { isCovered, type MoneyFacts, type ReceiptFacts, reportedReversalOf } from './money-facts.ts'

/* What is so of an order: from its events alone, without the order's own fold, its causes or its words. */

export class OrderFacts implements MoneyFacts {
  readonly placed: OrderEventData<'OrderPlaced'>
  status: 'pending' | Outcome = 'pending'
  isDeleted = false
  /** It has ended at least once. */
  hasEnded = false
  endedAt: string | undefined
  /** The reservation that it holds. */
  held: number | undefined
  heldM = 0
  readonly attempts: OrderEventData<'PaymentRequested'>[] = []
  readonly started = new Map<number, OrderEventData<'PaymentStarted'>>()
  readonly receipts = new Map<string, ReceiptFacts>()
  sums: MoneyFacts['sums']
  /** Receipts that pay another order. */
  readonly refused = new Set<string>()
  /** Money in another coin; true while it is gone. */
  readonly strays = new Map<string, boolean>()
  /** Attempts with unconfirmed money, and the ids of its parts. */
  readonly seen = new Map<number, Set<string>>()
  /** Attempts that reported a receipt, even if another attempt reported it later. */
  readonly brought = new Set<number>()
  /** Attempts that failed without bringing money, by the reason. */
  readonly failed = new Map<number, OrderEventData<'PaymentFailed'>['reason']>()
  /** Attempts whose last report was unknown, and those whose checks are held up. */
  readonly unclear = new Set<number>()
  readonly heldUp = new Set<number>()
  wasReversed = false
  readonly disputes = new Map<string, { readonly receiptId: string; outcome: DisputeOutcome }>()
  isBlocked = false
  isApproved = false
  wasApproved = false
  capture: OrderEventData<'CaptureRequested'> | undefined
  delivery: OrderEventData<'DeliveryRequested'> | undefined
  /** Refunds to be sent that are not recorded: open, or why they were given up. */
  readonly wishes = new Map<string, 'open' | OrderEventData<'RefundFailed'>['why']>()
  /** The coins may have been given. */
  isDeliveryUnknown = false
  isDeliveryHeld = false
  /** The coins were given, by the books: completed, or said so at the deletion. */
  isGiven = false
  isGivenAfterEnd = false
  /** The recorded delivery mode and time. */
  ready: { readonly deliveryMode: DeliveryMode; readonly since: string } | undefined
  /** Revenue lost by refunds. */
  lostCents = 0
  /** Late money no longer reinstates the order. */
  refusesLate = false
  /** Staff have dealt with the money that had come, and more has come since. */
  hasNewMoney = false

  constructor(placed: OrderEventData<'OrderPlaced'>) {
    this.placed = placed
    this.claim(placed.serial, placed.preOrder ? 0 : placed.quantityM)
  }

  take({ type, data }: OrderEvent): void {
    const take = takes[type] as (facts: OrderFacts, data: unknown) => void
    take(this, data)
    if (!isReady(this)) this.ready = undefined
  }

  claim(serial: number, quantityM: number): void {
    this.held = serial
    this.heldM = quantityM
  }

  end(as: Outcome, at: string): void {
    this.status = as
    this.endedAt = at
    this.hasEnded = true
    this.isDeliveryUnknown = false
    this.isDeliveryHeld = false
    this.delivery = undefined
  }

  release(): void {
    this.held = undefined
    this.heldM = 0
    this.isApproved = false
  }

  closeCapture(attempt: number): void {
    if (this.capture?.attempt === attempt) this.capture = undefined
  }

  /** Coins that staff were to hand over may have been given. */
  holdBack(): void {
    this.isDeliveryUnknown ||= isInList(this)
    this.isApproved = false
  }

  reopen(): void {
    this.status = 'pending'
    this.endedAt = undefined
  }

  reversedBy(receipt: ReceiptFacts, reversed: ReceiptFacts['reversed']): void {
    const before = reportedReversalOf(this, receipt)
    receipt.reversed = reversed
    this.sums = undefined
    const after = reportedReversalOf(this, receipt)
    if (after.isBelow(before)) this.hasNewMoney = true
    if (!before.isBelow(after)) return
    this.wasReversed = true
    this.holdBack()
  }
}

/** Undefined until the order is placed. */
export function factsOf(events: Iterable<OrderEvent>): OrderFacts | undefined {
  let facts: OrderFacts | undefined
  for (const event of events)
    if (facts) facts.take(event)
    else if (event.type === 'OrderPlaced') facts = new OrderFacts(event.data)
  return facts
}

const nothing = (): void => undefined

const takes: { readonly [Type in OrderEvent['type']]: (facts: OrderFacts, data: OrderEventData<Type>) => void } = {
  OrderPlaced: nothing,
  OrderAbandoned: nothing,
  PaymentMethodChosen: nothing,
  PaymentRequested: (facts, data) => void facts.attempts.push(data),
  PaymentStarted: (facts, data) => void facts.started.set(data.attempt, data),
  PaymentSeen(facts, { attempt, parts }) {
    facts.seen.set(attempt, new Set(parts.map(({ id }) => id)))
    facts.failed.delete(attempt)
    facts.closeCapture(attempt)
  },
  CaptureRequested: (facts, data) => void (facts.capture = data),
  PaymentReceived: (facts, data) => received(facts, data),
  PaymentFailed(facts, { attempt, reason }) {
    facts.seen.delete(attempt)
    if (!facts.brought.has(attempt)) facts.failed.set(attempt, reason)
    facts.closeCapture(attempt)
  },
  RefundReported(facts, { receiptId, done, pending, failed }) {
    const receipt = facts.receipts.get(receiptId)
    if (receipt) receipt.back = { done, pending, failed }
  },
  PaymentReversed(facts, { receiptId, reversedAmount, refundedCents }) {
    const receipt = facts.receipts.get(receiptId)
    if (receipt) facts.reversedBy(receipt, { reversedAmount, refundedCents })
  },
  PaymentDisputed(facts, { disputeId, receiptId }) {
    facts.disputes.set(disputeId, { receiptId, outcome: 'open' })
    facts.holdBack()
  },
  DisputeClosed(facts, { disputeId, outcome }) {
    const dispute = facts.disputes.get(disputeId)
    if (dispute) dispute.outcome = outcome
  },
  BlockFound(facts) {
    facts.isBlocked = true
    if (!facts.isApproved) facts.holdBack()
  },
  RefundRequested: (facts, { refundId }) => void facts.wishes.set(refundId, 'open'),
  RefundFailed(facts, { refundId, why }) {
    facts.wishes.set(refundId, why)
    if (why === 'unknown') facts.holdBack()
  },
  RefundRecorded: (facts, data) => refunded(facts, data),
  PaymentWatchEnded(facts, { attempt, isUnclear }) {
    if (isUnclear) facts.unclear.add(attempt)
    facts.heldUp.delete(attempt)
  },
  PaymentWatchHeldUp: (facts, { attempt }) => void facts.heldUp.add(attempt),
  ReceiptUnusable: (facts, data) => unusable(facts, data),
  OrderApproved(facts, { serial }) {
    facts.reopen()
    facts.isApproved = true
    facts.wasApproved = true
    facts.isDeliveryHeld = false
    facts.refusesLate = false
    if (serial !== null) facts.claim(serial, facts.placed.quantityM)
  },
  PreOrderReserved: (facts, { serial }) => facts.claim(serial, facts.placed.quantityM),
  OrderReinstated(facts, { serial }) {
    facts.reopen()
    facts.claim(serial, facts.placed.quantityM)
  },
  OrderReady: (facts, { deliveryMode, at }) => void (facts.ready = { deliveryMode, since: at }),
  DeliveryHeld: (facts) => void (facts.isDeliveryHeld = true),
  DeliveryRequested(facts, data) {
    facts.delivery = data
    facts.isDeliveryHeld = false
  },
  DeliveryGivenUp(facts) {
    facts.delivery = undefined
    facts.isDeliveryUnknown = true
  },
  DeliveredAfterEnd: (facts) => void (facts.isGivenAfterEnd = true),
  OrderCompleted(facts, { at }) {
    facts.end('completed', at)
    facts.isGiven = true
  },
  OrderExpired(facts, { at }) {
    facts.end('expired', at)
    facts.release()
  },
  OrderCancelled(facts, { at }) {
    facts.end('cancelled', at)
    facts.release()
  },
  ReinstatementRefused: (facts) => void (facts.refusesLate = true),
  AttentionSettled(facts) {
    facts.refusesLate = true
    facts.hasNewMoney = false
  },
  OrderDeleted(facts, { coinsGiven, at }) {
    facts.isDeleted = true
    facts.hasEnded = true
    facts.endedAt = at
    facts.isGiven ||= coinsGiven === true
    facts.isDeliveryUnknown = false
    facts.isDeliveryHeld = false
    if (!facts.isGiven) facts.release()
  },
}

const untouched = {
  back: { done: '0', pending: '0', failed: '0' },
  reversed: { reversedAmount: '0', refundedCents: 0 },
  refundedCents: 0,
} satisfies Partial<ReceiptFacts>

function received(facts: OrderFacts, data: OrderEventData<'PaymentReceived'>): void {
  const { attempt, receiptId, amount, askedAmount, currency } = data
  const known = facts.receipts.get(receiptId) ?? { ...untouched, attempt, askedAmount, currency, amount }
  known.amount = amount
  // The newest receipt is the last one.
  facts.receipts.delete(receiptId)
  facts.receipts.set(receiptId, known)
  facts.sums = undefined
  facts.brought.add(attempt)
  facts.seen.get(attempt)?.delete(receiptId)
  facts.failed.delete(attempt)
  facts.hasNewMoney = true
  facts.closeCapture(attempt)
}

function refunded(facts: OrderFacts, data: OrderEventData<'RefundRecorded'>): void {
  for (const { receiptId, amountCents } of data.parts) {
    const receipt = facts.receipts.get(receiptId)
    if (receipt) receipt.refundedCents += amountCents
  }
  facts.sums = undefined
  facts.lostCents += data.revenueCents
  facts.hasNewMoney = false
  facts.wishes.delete(data.refundId)
  if (!data.endsOrder) {
    if (!isCovered(facts)) facts.holdBack()
    return
  }
  facts.refusesLate = true
  facts.end('refunded', facts.endedAt ?? data.at)
  facts.release()
}

function unusable(facts: OrderFacts, data: OrderEventData<'ReceiptUnusable'>): void {
  const { attempt, receiptId, why, news, endsSighting } = data
  if (why === 'another-coin') facts.strays.set(receiptId, news === 'gone')
  else facts.refused.add(receiptId)
  for (const [each, parts] of facts.seen)
    if (parts.delete(receiptId) && parts.size === 0 && !facts.brought.has(each)) facts.seen.delete(each)
  if (endsSighting && facts.seen.get(attempt)?.size === 0 && !facts.brought.has(attempt)) facts.seen.delete(attempt)
}

export function isLiving({ status, isDeleted }: OrderFacts): boolean {
  return status === 'pending' && !isDeleted
}

/** A dispute is open, or lost. */
export function isDisputed({ disputes }: OrderFacts): boolean {
  return disputes.values().some(({ outcome }) => outcome !== 'won')
}

export function isDeliverable(facts: OrderFacts): boolean {
  const isHeldBack = facts.wasReversed || facts.isBlocked || isDisputed(facts) || isRefundUnknown(facts)
  return isLiving(facts) && (facts.isApproved || (isCovered(facts) && !isHeldBack))
}

export function isReady(facts: OrderFacts): boolean {
  const holdsAll = facts.heldM === facts.placed.quantityM
  return isDeliverable(facts) && holdsAll && !facts.capture && !facts.isDeliveryUnknown
}

/** A call that sends a refund may be under way. */
export function isRefundOpen({ wishes }: OrderFacts): boolean {
  return wishes.values().some((state) => state === 'open')
}

export function isRefundUnknown({ wishes }: OrderFacts): boolean {
  return wishes.values().some((state) => state === 'unknown')
}

/** Staff must deliver it, and have not marked it as delivered. */
export function isInList({ ready }: OrderFacts): boolean {
  return ready?.deliveryMode === 'staff'
}

/** Attempts with unconfirmed money, and the ids of its parts: neither received nor failed. */
export function seenAttempts({ seen, brought }: OrderFacts): [attempt: number, ids: ReadonlySet<string>][] {
  return [...seen].filter(([attempt, ids]) => ids.size > 0 || !brought.has(attempt))
}

export function isMoneySeen(facts: OrderFacts): boolean {
  return seenAttempts(facts).length > 0
}

/** More is reported as gone than staff have noted as refunds. */
export function isReversed(facts: OrderFacts): boolean {
  return facts.receipts.values().some((receipt) => Exact.of(0).isBelow(reportedReversalOf(facts, receipt)))
}

/** A delivered order's total, less the revenue lost by refunds. */
export function revenueLeftCents({ placed, lostCents }: OrderFacts): number {
  return placed.totalCents - lostCents
}
