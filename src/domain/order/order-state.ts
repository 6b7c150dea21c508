import type { AttentionReason, DeliveryMode, OrderEvent, OrderEventData } from './events.ts'
import { methodRows, type PaymentMethod } from '../payment-methods.ts'

/** A payment that was requested of a provider; numbered from 1. */
export interface Attempt {
  readonly attempt: number
  readonly method: PaymentMethod
  readonly provider: string
  readonly reference: string
  readonly askedMinor: number
  readonly currency: 'USD' | 'INR'
  readonly coversCents: number
  readonly requestedAt: string
  readonly started: OrderEventData<'PaymentStarted'> | undefined
  readonly seen: { readonly status: string; readonly amountPaid: string | null } | undefined
  readonly failure: OrderEventData<'PaymentFailed'>['reason'] | undefined
  readonly hasReceipt: boolean
  readonly isWatched: boolean
}

interface ReceivedReceipt {
  readonly receiptId: string
  readonly attempt: number
  readonly coversCents: number
  readonly reversedCents: number
}

export interface PlacedOrder {
  readonly kind: 'placed'
  /** How many events the stream has: the next claim would stand here. */
  readonly next: number
  readonly placed: OrderEventData<'OrderPlaced'>
  readonly status: 'pending' | 'completed' | 'expired' | 'cancelled'
  readonly isDeleted: boolean
  readonly paymentMethod: PaymentMethod | null
  readonly attempts: readonly Attempt[]
  /** How often a method was chosen. */
  readonly methodChanges: number
  /** How many there were when a method was last chosen: a failure of theirs is answered. */
  readonly attemptsAtChoice: number
  readonly receipts: readonly ReceivedReceipt[]
  readonly refusedReceipts: readonly { readonly receiptId: string; readonly claimedByOrderId: string }[]
  readonly expiresAt: string
  /** How often a started payment has moved the deadline; twice in logs of earlier releases. */
  readonly extensions: number
  /** When money was first seen, or last received, while pending. */
  readonly moneySeenAt: string | undefined
  /** Approved, and not reversed since. */
  readonly isApproved: boolean
  readonly wasReversed: boolean
  /** Since when it can be handed over, and how. */
  readonly ready: { readonly deliveryMode: Exclude<DeliveryMode, 'instant'>; readonly since: string } | undefined
  readonly capture: OrderEventData<'CaptureRequested'> | undefined
  readonly delivery: OrderEventData<'DeliveryRequested'> | undefined
  /** The coins may have been given: a call without an answer, or an order that left the list of staff without being marked. */
  readonly isDeliveryUnknown: boolean
  /** The answer to a delivery call came when the order had ended otherwise. */
  readonly wasDeliveredAfterEnd: boolean
  readonly attention: readonly { readonly reason: AttentionReason; readonly since: string }[]
  readonly wasSettled: boolean
  /** Stock was lacking, or staff settled it after the end: only Approve delivers. */
  readonly lateMoneyIsClosed: boolean
  /** Every claim that this stream has seen, by the revision at which it stands. */
  readonly claims: readonly { readonly claimAt: number; readonly serial: number }[]
  readonly heldSerial: number | undefined
  /** What `heldSerial` is over: 0 for a pre-order that waits for stock. */
  readonly heldM: number
  /** The reservation whose coins were given away. */
  readonly committedSerial: number | undefined
  readonly completedAt: string | undefined
  readonly endedAt: string | undefined
  readonly updatedAt: string
}

export type Order = { readonly kind: 'none'; readonly next: number } | PlacedOrder

export const noOrder: Order = { kind: 'none', next: 0 }

export function evolve(order: Order, event: OrderEvent): Order {
  const next = order.next + 1
  if (event.type === 'OrderPlaced')
    return order.kind === 'placed' ? { ...order, next } : newOrder(event.data, order.next)
  if (order.kind === 'none') return { kind: 'none', next }
  // A fence changes nothing in an order that stands.
  if (event.type === 'OrderAbandoned') return { ...order, next }
  return withReadiness({ ...evolved(order, event), next, updatedAt: event.data.at })
}

/** Logs older than OrderReady have orders that are ready without it: staff hand these over. */
function withReadiness(order: PlacedOrder): PlacedOrder {
  if (!isReady(order)) return order.ready ? { ...order, ready: undefined } : order
  return order.ready ? order : { ...order, ready: { deliveryMode: 'staff', since: order.updatedAt } }
}

function isReady(order: PlacedOrder): boolean {
  return isToBeDelivered(order) && holdsStock(order) && order.capture === undefined
}

function newOrder(placed: OrderEventData<'OrderPlaced'>, claimAt: number): PlacedOrder {
  return {
    kind: 'placed',
    next: claimAt + 1,
    placed,
    status: 'pending',
    isDeleted: false,
    paymentMethod: placed.paymentMethod,
    attempts: [],
    methodChanges: 0,
    attemptsAtChoice: 0,
    receipts: [],
    refusedReceipts: [],
    expiresAt: placed.expiresAt,
    extensions: 0,
    moneySeenAt: undefined,
    isApproved: false,
    wasReversed: false,
    ready: undefined,
    capture: undefined,
    delivery: undefined,
    isDeliveryUnknown: false,
    wasDeliveredAfterEnd: false,
    attention: [],
    wasSettled: false,
    lateMoneyIsClosed: false,
    claims: [{ claimAt, serial: placed.serial }],
    heldSerial: placed.serial,
    heldM: placed.preOrder ? 0 : placed.quantityM,
    committedSerial: undefined,
    completedAt: undefined,
    endedAt: undefined,
    updatedAt: placed.at,
  }
}

function evolved(
  order: PlacedOrder,
  event: Exclude<OrderEvent, { type: 'OrderPlaced' | 'OrderAbandoned' }>,
): PlacedOrder {
  switch (event.type) {
    case 'PaymentMethodChosen':
      return {
        ...order,
        paymentMethod: event.data.paymentMethod,
        methodChanges: order.methodChanges + 1,
        attemptsAtChoice: order.attempts.length,
      }

    case 'PaymentRequested': {
      const { orderId: _orderId, at: requestedAt, ...asked } = event.data
      const { method } = asked
      const news = { started: undefined, seen: undefined, failure: undefined, hasReceipt: false, isWatched: true }
      const requested: Attempt = { ...asked, requestedAt, ...news }
      return { ...order, paymentMethod: method, attempts: [...order.attempts, requested] }
    }

    case 'PaymentStarted': {
      const { attempt, orderExpiresAt } = event.data
      const extensions = order.extensions + (orderExpiresAt > order.expiresAt ? 1 : 0)
      return { ...withAttempt(order, attempt, { started: event.data }), expiresAt: orderExpiresAt, extensions }
    }

    case 'PaymentSeen': {
      const { attempt, status, amountPaid, at } = event.data
      const seen = withAttempt(order, attempt, { seen: { status, amountPaid }, failure: undefined })
      return { ...closedCapture(seen, attempt), moneySeenAt: order.moneySeenAt ?? at }
    }

    case 'CaptureRequested':
      return { ...order, capture: event.data }

    case 'PaymentReceived': {
      const { attempt, receiptId, coversCents, at } = event.data
      const reversedCents = order.receipts.find((other) => other.receiptId === receiptId)?.reversedCents ?? 0
      const others = order.receipts.filter((other) => other.receiptId !== receiptId)
      const received = withAttempt(order, attempt, { hasReceipt: true, failure: undefined })
      const paid: PlacedOrder = {
        ...closedCapture(received, attempt),
        receipts: [...others, { receiptId, attempt, coversCents, reversedCents }],
        moneySeenAt: at,
      }
      return isCovered(paid) ? withoutReasons(paid, ['short', 'never-confirmed', 'late-and-short']) : paid
    }

    case 'PaymentFailed': {
      const { attempt, reason } = event.data
      const failed = closedCapture(withAttempt(order, attempt, { failure: reason, seen: undefined }), attempt)
      return hasMoney(failed) ? failed : { ...failed, moneySeenAt: undefined }
    }

    case 'PaymentReversed': {
      const { receiptId, reversedCents } = event.data
      const receipts = order.receipts.map((receipt) =>
        receipt.receiptId === receiptId ? { ...receipt, reversedCents } : receipt,
      )
      return { ...order, receipts, wasReversed: true, isApproved: false }
    }

    case 'PaymentWatchEnded':
      return withAttempt(order, event.data.attempt, { isWatched: false })

    case 'OrderApproved': {
      const { serial } = event.data
      // Staff looked at it: what only asked for this decision is answered. What may have to be paid back stays.
      const settled = withoutReasons(order, answeredByApproval)
      const approved: PlacedOrder = { ...settled, status: 'pending', isApproved: true, endedAt: undefined }
      return serial === null ? approved : claimed(approved, serial)
    }

    case 'PreOrderReserved':
      return claimed(order, event.data.serial)

    case 'OrderReinstated': {
      const reinstated: PlacedOrder = { ...order, status: 'pending', endedAt: undefined }
      return claimed(withoutReasons(reinstated, ['late-and-short', 'paid-without-stock']), event.data.serial)
    }

    case 'OrderReady':
      return withMode(order, event.data.deliveryMode)

    case 'DeliveryRequested':
      return { ...withMode(order, 'webhook'), delivery: event.data }

    case 'OrderCompleted':
      return {
        ...withoutReasons(order, [
          'delivery-unknown',
          'short',
          'never-confirmed',
          'paid-without-stock',
          'late-and-short',
        ]),
        status: 'completed',
        delivery: undefined,
        isDeliveryUnknown: false,
        completedAt: event.data.at,
        endedAt: event.data.at,
        committedSerial: order.heldSerial,
        heldSerial: undefined,
        heldM: 0,
      }

    case 'OrderExpired':
      return { ...order, ...ended(event.data.at), status: 'expired' }

    case 'OrderCancelled':
      return { ...order, ...ended(event.data.at), status: 'cancelled' }

    case 'OrderNeedsAttention': {
      const { reasons, refusedReceipt, at } = event.data
      const added = reasons.filter((reason) => !order.attention.some((cause) => cause.reason === reason))
      const raised: PlacedOrder = {
        ...order,
        attention: [...order.attention, ...added.map((reason) => ({ reason, since: at }))],
        refusedReceipts: refusedReceipt ? [...order.refusedReceipts, refusedReceipt] : order.refusedReceipts,
        lateMoneyIsClosed: order.lateMoneyIsClosed || reasons.includes('paid-without-stock'),
        wasDeliveredAfterEnd: order.wasDeliveredAfterEnd || reasons.includes('delivered-after-end'),
      }
      return reasons.includes('delivery-unknown') ? { ...raised, delivery: undefined, isDeliveryUnknown: true } : raised
    }

    case 'AttentionSettled':
      return {
        ...order,
        attention: [],
        wasSettled: true,
        lateMoneyIsClosed: order.lateMoneyIsClosed || order.status === 'expired' || order.status === 'cancelled',
      }

    case 'OrderDeleted': {
      const deleted: PlacedOrder = {
        ...withoutReasons(order, ['short', 'delivery-unknown']),
        isDeleted: true,
        isDeliveryUnknown: false,
        endedAt: event.data.at,
      }
      if (order.status === 'completed') return deleted
      const committedSerial = event.data.coinsGiven === true ? order.heldSerial : order.committedSerial
      return { ...deleted, committedSerial, heldSerial: undefined, heldM: 0 }
    }
  }
}

const answeredByApproval: readonly AttentionReason[] = [
  'short',
  'late-and-short',
  'paid-without-stock',
  'reversed',
  'never-confirmed',
  'capture-unknown',
  'delivery-unknown',
]

function withMode(order: PlacedOrder, deliveryMode: NonNullable<PlacedOrder['ready']>['deliveryMode']): PlacedOrder {
  return order.ready ? { ...order, ready: { ...order.ready, deliveryMode } } : order
}

function ended(at: string): Pick<PlacedOrder, 'endedAt' | 'heldSerial' | 'heldM' | 'isApproved'> {
  return { endedAt: at, heldSerial: undefined, heldM: 0, isApproved: false }
}

function withAttempt(order: PlacedOrder, attempt: number, changes: Partial<Attempt>): PlacedOrder {
  return {
    ...order,
    attempts: order.attempts.map((other) => (other.attempt === attempt ? { ...other, ...changes } : other)),
  }
}

function closedCapture(order: PlacedOrder, attempt: number): PlacedOrder {
  return order.capture?.attempt === attempt ? { ...order, capture: undefined } : order
}

function withoutReasons(order: PlacedOrder, reasons: readonly AttentionReason[]): PlacedOrder {
  return { ...order, attention: order.attention.filter(({ reason }) => !reasons.includes(reason)) }
}

function claimed(order: PlacedOrder, serial: number): PlacedOrder {
  const claims = [...order.claims, { claimAt: order.next, serial }]
  return { ...order, claims, heldSerial: serial, heldM: order.placed.quantityM }
}

/** All that was ever received, reversals not taken off. */
export function receivedCents(order: PlacedOrder): number {
  return order.receipts.reduce((sum, receipt) => sum + receipt.coversCents, 0)
}

/** What of the total is paid and still ours. */
export function paidCents(order: PlacedOrder): number {
  return order.receipts.reduce((sum, receipt) => sum + receipt.coversCents - receipt.reversedCents, 0)
}

/** Paid in full, but for what the methods that it was paid by forgive. */
export function isCovered(order: PlacedOrder): boolean {
  const { totalCents } = order.placed
  const basisPoints = order.receipts.map(({ attempt, coversCents, reversedCents }) => {
    const method = order.attempts[attempt - 1]?.method
    return method !== undefined && coversCents > reversedCents ? methodRows[method].toleranceBasisPoints : 0
  })
  const toleranceCents = Math.floor((totalCents * Math.max(0, ...basisPoints)) / 10_000)
  return paidCents(order) >= totalCents - toleranceCents
}

function hasMoney(order: PlacedOrder): boolean {
  return order.receipts.length > 0 || order.attempts.some((attempt) => attempt.seen !== undefined)
}

/** Money was seen on this order: received, or on its way and not failed. */
export function holdsMoney(order: PlacedOrder): boolean {
  return paidCents(order) > 0 || isMoneyOnItsWay(order)
}

export function isMoneyOnItsWay(order: PlacedOrder): boolean {
  return order.attempts.some(({ seen, hasReceipt }) => seen !== undefined && !hasReceipt)
}

/** It has the coins that it needs. */
export function holdsStock(order: PlacedOrder): boolean {
  return order.heldSerial !== undefined && order.heldM === order.placed.quantityM
}

/** Covered and never reversed, or approved and not reversed since: whoever looks next may deliver. */
export function isToBeDelivered(order: PlacedOrder): boolean {
  return (
    order.status === 'pending' &&
    !order.isDeleted &&
    !order.isDeliveryUnknown &&
    (order.isApproved || (isCovered(order) && !order.wasReversed))
  )
}

/** Late money covers an order that has ended: it may come back if there is stock. */
export function mayBeReinstated(order: PlacedOrder): boolean {
  return (
    (order.status === 'expired' || order.status === 'cancelled') &&
    !order.isDeleted &&
    !order.lateMoneyIsClosed &&
    !order.wasReversed &&
    isCovered(order)
  )
}

/** Serials that earlier claims name and that are neither held nor given away. */
export function outdatedSerials(order: Order): number[] {
  if (order.kind === 'none') return []
  return order.claims
    .map(({ serial }) => serial)
    .filter((serial) => serial !== order.heldSerial && serial !== order.committedSerial)
}

/**
 * What becomes of a reservation, as the order's own stream tells it: `fence` when its claim may still come, `stay` while the order holds it, else how it ends.
 */
export function fateOf(
  order: Order,
  reservation: { claimAt: number; serial: number },
): 'fence' | 'stay' | 'commit' | 'release' {
  if (order.next <= reservation.claimAt) return 'fence'
  if (order.kind === 'none') return 'release'
  const { claimAt, serial } = reservation
  if (!order.claims.some((claim) => claim.claimAt === claimAt && claim.serial === serial)) return 'release'
  if (order.committedSerial === serial) return 'commit'
  return order.heldSerial === serial ? 'stay' : 'release'
}

export function currentAttempt(order: PlacedOrder): Attempt | undefined {
  return order.attempts.at(-1)
}

/** The payment of this method that can still be paid. */
export function openAttempt(order: PlacedOrder, method: PaymentMethod): Attempt | undefined {
  const current = currentAttempt(order)
  if (current?.method !== method || current.failure !== undefined) return undefined
  if (current.hasReceipt) return methodRows[method].isToppedUp ? current : undefined
  // What another payment has brought since must not be asked for again.
  return current.coversCents > order.placed.totalCents - paidCents(order) ? undefined : current
}

/** The last attempt failed, and no method was chosen since. */
export function hasFailed(order: PlacedOrder): boolean {
  const current = currentAttempt(order)
  return current?.failure !== undefined && current.attempt > order.attemptsAtChoice
}

export type PaymentStatus = 'pending' | 'waiting' | 'processing' | 'partially_paid' | 'completed' | 'failed'

/** The two words that a buyer and the staff see. */
export function statusesOf(order: PlacedOrder): {
  status: 'pending' | 'completed' | 'failed'
  paymentStatus: PaymentStatus
} {
  if (order.status === 'completed') return { status: 'completed', paymentStatus: 'completed' }
  if (order.status === 'expired' || order.status === 'cancelled') return { status: 'failed', paymentStatus: 'failed' }
  return { status: 'pending', paymentStatus: pendingPaymentStatus(order) }
}

function pendingPaymentStatus(order: PlacedOrder): PaymentStatus {
  if (order.isApproved || isCovered(order)) return 'completed'
  if (paidCents(order) > 0) return 'partially_paid'
  if (isMoneyOnItsWay(order)) return 'processing'
  if (hasFailed(order)) return 'failed'
  const current = currentAttempt(order)
  return current?.started && current.failure === undefined ? 'waiting' : 'pending'
}
