import { decimalText } from '../decimal.ts'
import type { OrderEvent, OrderEventData } from '../order/events.ts'
import { fold } from '../decider.ts'
import type { PlacedOrder } from '../order/order-state.ts'
import { order } from '../order/order.ts'
import type { AttentionReason, RefundFailure } from '../words.ts'
import { plusMinutes } from '../plus-minutes.ts'
import type { PaymentMethod } from '../payment-methods.ts'

/* One order of 200M for 10.00. Each function returns one of its events, with defaults for all fields. */

type Changes<Of extends OrderEvent['type']> = Partial<OrderEventData<Of>>
type Failure = OrderEventData<'PaymentFailed'>['reason']
type Why = OrderEventData<'ReceiptUnusable'>['why']

export const orderId = '7f8d5c9e-0000-4000-8000-000000000001'
export const adminId = 'owner'
export const TOTAL_CENTS = 1000
const TTL_MINUTES = 60

/** Minutes after the order was placed. */
export function minute(minutes: number): string {
  return plusMinutes('2026-03-01T12:00:00.000Z', minutes)
}

export const day = (days: number): string => minute(days * 24 * 60)

export function orderAfter(...events: OrderEvent[]): PlacedOrder {
  const state = fold(order, events)
  if (state.kind === 'none') throw new Error('these events place no order')
  return state
}

type Type = OrderEvent['type']
type Sample<Of extends Type> = Extract<OrderEvent, { type: Of }>

function event<Of extends Type>(type: Of, data: Omit<OrderEventData<Of>, 'orderId'>): Sample<Of> {
  return { type, data: { orderId, ...data } } as unknown as Sample<Of>
}

/** Returns a factory of events with these facts, which a test may change. */
function sample<Of extends Type>(type: Of, facts: Omit<OrderEventData<Of>, 'orderId'>) {
  return (changes: Changes<Of> = {}) => event(type, { ...facts, ...changes })
}

export const placed = sample('OrderPlaced', {
  serial: 7,
  orderNumber: '0000007X',
  customerId: 'customer-1',
  personal: 'sealed',
  requestHash: 'hash-1',
  quantityM: 200,
  unitPriceTenThousandths: 500,
  discountPercent: 0,
  totalCents: TOTAL_CENTS,
  settingsRevision: 0,
  paisePerUsd: 8650,
  paymentMethod: null,
  preOrder: false,
  isLargeHold: false,
  expiresAt: minute(TTL_MINUTES),
  at: minute(0),
})

export const abandoned = sample('OrderAbandoned', { serial: 7, at: minute(1) })

export const chosen = (paymentMethod: PaymentMethod, at = minute(1)) =>
  event('PaymentMethodChosen', { paymentMethod, at })

export const requested = (attempt: number, method: PaymentMethod, changes: Changes<'PaymentRequested'> = {}) =>
  event('PaymentRequested', {
    attempt,
    method,
    provider: method,
    reference: `REF-${attempt}`,
    askedMinor: method === 'paypal' ? TOTAL_CENTS + 40 : TOTAL_CENTS,
    currency: 'USD',
    coversCents: TOTAL_CENTS,
    at: minute(1),
    ...changes,
  })

const nowhere = { address: 'ltc1', network: null, url: null, intents: null, paymentExpiresAt: null }

export const started = (attempt: number, changes: Changes<'PaymentStarted'> = {}) =>
  event('PaymentStarted', {
    attempt,
    paymentId: `payment-${attempt}`,
    payAmount: '0.1',
    payCurrency: 'ltc',
    ...nowhere,
    orderExpiresAt: minute(1 + TTL_MINUTES),
    at: minute(1),
    ...changes,
  })

export const seen = (attempt: number, changes: Changes<'PaymentSeen'> = {}) => {
  const sighting = { status: 'confirming' as const, amountPaid: '0.1', seenCents: TOTAL_CENTS, parts: [] }
  return event('PaymentSeen', { attempt, ...sighting, at: minute(5), ...changes })
}

export const captureRequested = (attempt: number, changes: Changes<'CaptureRequested'> = {}) =>
  event('CaptureRequested', { attempt, requestId: 'capture-1', callsUntil: minute(20), at: minute(10), ...changes })

/** The share of 0.1 LTC that covers so many cents of 10.00. */
export const coins = (cents: number): string => decimalText({ units: BigInt(cents), decimals: 4 })

/** A receipt over `cents` of an attempt that asked for 10.00. */
export const received = (attempt: number, cents: number, changes: Changes<'PaymentReceived'> = {}) => {
  const money = { provider: 'crypto', receiptId: `receipt-${attempt}`, amount: coins(cents), currency: 'ltc' }
  const added = { addedAmount: coins(cents), addedCents: cents }
  return event('PaymentReceived', { attempt, ...money, ...added, askedAmount: '0.1', at: minute(30), ...changes })
}

export const failed = (attempt: number, reason: Failure = 'expired', at = minute(40)) =>
  event('PaymentFailed', { attempt, reason, at })

/** All that went back is `cents` of a receipt. */
export const reversed = (receiptId: string, cents: number, changes: Changes<'PaymentReversed'> = {}) => {
  const reversal = { reversedAmount: coins(cents), refundedCents: 0, takenCents: cents }
  return event('PaymentReversed', { receiptId, ...reversal, at: minute(50), ...changes })
}

export const paidBack = (receiptId: string, cents: number, changes: Changes<'RefundReported'> = {}) => {
  const back = { done: coins(cents), pending: '0', failed: '0' }
  return event('RefundReported', { receiptId, byHolder: true, ...back, ended: [], at: minute(50), ...changes })
}

export const refunded = (amountCents: number, changes: Changes<'RefundRecorded'> = {}) =>
  event('RefundRecorded', {
    refundId: 'refund-1',
    requestHash: 'hash-1',
    amountCents,
    parts: [{ receiptId: 'receipt-1', amountCents }],
    reason: 'asked-for',
    whereTo: null,
    sent: null,
    revenueCents: 0,
    paymentMethod: 'crypto',
    endsOrder: false,
    coinsGiven: null,
    answers: [],
    seenRevision: 50,
    adminId,
    at: minute(60),
    ...changes,
  })

/** A wish to send `cents` of a receipt back. */
export const refundRequested = (cents: number, changes: Changes<'RefundRequested'> = {}) =>
  event('RefundRequested', {
    refundId: 'refund-1',
    requestHash: 'hash-1',
    receiptId: 'receipt-1',
    amount: coins(cents),
    currency: 'ltc',
    reason: 'asked-for',
    coinsGiven: null,
    callsUntil: minute(70),
    seenRevision: 50,
    adminId,
    at: minute(60),
    ...changes,
  })
export const refundFailed = (why: RefundFailure, changes: Changes<'RefundFailed'> = {}) =>
  event('RefundFailed', { refundId: 'refund-1', why, words: null, at: minute(61), ...changes })

export const disputed = (disputeId = 'PP-D-1', changes: Changes<'PaymentDisputed'> = {}) =>
  event('PaymentDisputed', { attempt: 1, disputeId, receiptId: 'receipt-1', at: minute(50), ...changes })
export const disputeClosed = (outcome: 'won' | 'lost', disputeId = 'PP-D-1', at = minute(55)) =>
  event('DisputeClosed', { disputeId, outcome, at })
export const blockFound = (at = minute(20)) => event('BlockFound', { at })
export const watchEnded = (attempt: number, at: string, isUnclear = false) =>
  event('PaymentWatchEnded', { attempt, isUnclear, at })
export const watchHeldUp = (attempt: number, at: string) => event('PaymentWatchHeldUp', { attempt, at })
export const unusable = (
  receiptId: string,
  why: Why = 'pays-another-order',
  at = minute(50),
  changes: Changes<'ReceiptUnusable'> = {},
) => event('ReceiptUnusable', { attempt: 1, receiptId, why, news: 'noted', endsSighting: false, at, ...changes })
export const approved = (serial: number | null = null, at = minute(70), answers: AttentionReason[] = []) =>
  event('OrderApproved', { serial, answers, adminId, at })
export const preOrderReserved = (serial: number, at = minute(70)) => event('PreOrderReserved', { serial, at })
export const reinstated = (serial: number, at = minute(90)) => event('OrderReinstated', { serial, at })
export const ready = (deliveryMode: 'staff' | 'webhook', at = minute(30)) => event('OrderReady', { deliveryMode, at })
export const deliveryRequested = sample('DeliveryRequested', { callsUntil: minute(100), at: minute(40) })
export const deliveryHeld = (at = minute(45)) => event('DeliveryHeld', { at })
export const deliveryGivenUp = (at = minute(101)) => event('DeliveryGivenUp', { at })
export const deliveredAfterEnd = (at = minute(45)) => event('DeliveredAfterEnd', { at })
export const expired = (at = minute(60)) => event('OrderExpired', { at })
export const cancelled = (at = minute(30)) => event('OrderCancelled', { at })
export const reinstatementRefused = (at = minute(71)) => event('ReinstatementRefused', { at })
export const settled = (answers: AttentionReason[], changes: Changes<'AttentionSettled'> = {}) =>
  event('AttentionSettled', { reason: 'nothing-owed', answers, seenRevision: 50, adminId, at: day(1), ...changes })

const figures = { customerId: 'customer-1', quantityM: 200, totalCents: TOTAL_CENTS, paymentMethod: 'crypto' } as const
export const completed = sample('OrderCompleted', { serial: 7, ...figures, at: minute(30) })
const undelivered = { completedAt: null, receivedCents: 0, coinsGiven: null }
export const deleted = sample('OrderDeleted', { ...figures, ...undelivered, adminId, at: minute(80) })

/** Drops the answers of staff, which `causes.test.ts` covers. */
export function withoutAnswers({ type, data }: OrderEvent) {
  return { type, data: { ...data, answers: [], seenRevision: 0 } }
}

/** One event of every type that an order has. */
export const orderSamples = {
  OrderPlaced: placed(),
  OrderAbandoned: abandoned(),
  PaymentMethodChosen: chosen('upi'),
  PaymentRequested: requested(1, 'crypto'),
  PaymentStarted: started(1),
  PaymentSeen: seen(1),
  CaptureRequested: captureRequested(1),
  PaymentReceived: received(1, 1000),
  PaymentFailed: failed(1),
  RefundReported: paidBack('receipt-1', 1000),
  PaymentReversed: reversed('receipt-1', 1000),
  PaymentDisputed: disputed(),
  DisputeClosed: disputeClosed('won'),
  BlockFound: blockFound(),
  RefundRequested: refundRequested(1000),
  RefundFailed: refundFailed('refused'),
  RefundRecorded: refunded(1000, { revenueCents: 1000 }),
  PaymentWatchEnded: watchEnded(1, day(9)),
  PaymentWatchHeldUp: watchHeldUp(1, day(9)),
  ReceiptUnusable: unusable('receipt-2'),
  OrderApproved: approved(),
  PreOrderReserved: preOrderReserved(8),
  OrderReady: ready('staff'),
  DeliveryHeld: deliveryHeld(),
  DeliveryRequested: deliveryRequested(),
  DeliveryGivenUp: deliveryGivenUp(),
  DeliveredAfterEnd: deliveredAfterEnd(),
  OrderCompleted: completed(),
  OrderExpired: expired(),
  OrderCancelled: cancelled(),
  OrderReinstated: reinstated(9),
  ReinstatementRefused: reinstatementRefused(),
  AttentionSettled: settled(['unearned']),
  OrderDeleted: deleted(),
} as const satisfies { [Type in OrderEvent['type']]: Extract<OrderEvent, { type: Type }> }
