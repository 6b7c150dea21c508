import type { Answered, OrderEvent, OrderEventData } from '../order/events.ts'
import { fold } from '../decider.ts'
import type { PlacedOrder } from '../order/order-state.ts'
import { order } from '../order/order.ts'
import { plusMinutes } from '../plus-minutes.ts'
import type { PaymentMethod } from '../payment-methods.ts'

/* One order of 200M for 10.00. Each function gives one of its events, with defaults for every field. */

type Changes<Type extends OrderEvent['type']> = Partial<OrderEventData<Type>>

export const orderId = '7f8d5c9e-0000-4000-8000-000000000001'
export const adminId = 'owner'
export const TOTAL_CENTS = 1000
const TTL_MINUTES = 60

/** Minutes after the order was placed. */
export function minute(minutes: number): string {
  return plusMinutes('2026-03-01T12:00:00.000Z', minutes)
}

export const day = (days: number): string => minute(days * 24 * 60)

const by = { orderId, at: minute(1) }

export function orderAfter(...events: OrderEvent[]): PlacedOrder {
  const state = fold(order, events)
  if (state.kind === 'none') throw new Error('these events place no order')
  return state
}

export function placed(changes: Changes<'OrderPlaced'> = {}) {
  return {
    type: 'OrderPlaced',
    data: {
      orderId,
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
      ...changes,
    },
  } as const satisfies OrderEvent
}

export function abandoned(changes: Changes<'OrderAbandoned'> = {}) {
  return { type: 'OrderAbandoned', data: { ...by, serial: 7, ...changes } } as const satisfies OrderEvent
}

export function chosen(paymentMethod: PaymentMethod, at = minute(1)) {
  return { type: 'PaymentMethodChosen', data: { orderId, paymentMethod, at } } as const satisfies OrderEvent
}

export function requested(attempt: number, method: PaymentMethod, changes: Changes<'PaymentRequested'> = {}) {
  return {
    type: 'PaymentRequested',
    data: {
      ...by,
      attempt,
      method,
      provider: method,
      reference: `REF-${attempt}`,
      askedMinor: method === 'paypal' ? TOTAL_CENTS + 40 : TOTAL_CENTS,
      currency: 'USD',
      coversCents: TOTAL_CENTS,
      ...changes,
    },
  } as const satisfies OrderEvent
}

export function started(attempt: number, changes: Changes<'PaymentStarted'> = {}) {
  return {
    type: 'PaymentStarted',
    data: {
      ...by,
      attempt,
      paymentId: `payment-${attempt}`,
      payAmount: '0.1',
      payCurrency: 'ltc',
      address: 'ltc1',
      network: null,
      url: null,
      intents: null,
      paymentExpiresAt: null,
      orderExpiresAt: minute(1 + TTL_MINUTES),
      ...changes,
    },
  } as const satisfies OrderEvent
}

export function seen(attempt: number, changes: Changes<'PaymentSeen'> = {}) {
  return {
    type: 'PaymentSeen',
    data: {
      ...by,
      at: minute(5),
      attempt,
      status: 'confirming',
      amountPaid: null,
      seenCents: TOTAL_CENTS,
      parts: [],
      ...changes,
    },
  } as const satisfies OrderEvent
}

export function captureRequested(attempt: number, changes: Changes<'CaptureRequested'> = {}) {
  return {
    type: 'CaptureRequested',
    data: { ...by, at: minute(10), attempt, requestId: 'capture-1', callsUntil: minute(20), ...changes },
  } as const satisfies OrderEvent
}

export function received(attempt: number, coversCents: number, changes: Changes<'PaymentReceived'> = {}) {
  return {
    type: 'PaymentReceived',
    data: {
      ...by,
      at: minute(30),
      attempt,
      provider: 'crypto',
      receiptId: `receipt-${attempt}`,
      amount: '0.1',
      currency: 'ltc',
      addedCents: coversCents,
      coversCents,
      ...changes,
    },
  } as const satisfies OrderEvent
}

export function failed(
  attempt: number,
  reason: OrderEventData<'PaymentFailed'>['reason'] = 'expired',
  at = minute(40),
) {
  return { type: 'PaymentFailed', data: { orderId, attempt, reason, at } } as const satisfies OrderEvent
}

export function reversed(receiptId: string, reversedCents: number, changes: Changes<'PaymentReversed'> = {}) {
  return {
    type: 'PaymentReversed',
    data: { ...by, at: minute(50), receiptId, attempt: 1, takenCents: reversedCents, reversedCents, ...changes },
  } as const satisfies OrderEvent
}

export function refunded(amountCents: number, changes: Changes<'RefundRecorded'> = {}) {
  return {
    type: 'RefundRecorded',
    data: {
      ...by,
      at: minute(60),
      refundId: 'refund-1',
      requestHash: 'hash-1',
      amountCents,
      parts: [{ receiptId: 'receipt-1', amountCents }],
      reason: 'asked-for',
      whereTo: null,
      revenueCents: 0,
      paymentMethod: 'crypto',
      endsOrder: false,
      coinsGiven: null,
      answered: {},
      adminId,
      ...changes,
    },
  } as const satisfies OrderEvent
}

export function disputed(disputeId = 'PP-D-1', changes: Changes<'PaymentDisputed'> = {}) {
  return {
    type: 'PaymentDisputed',
    data: { ...by, at: minute(50), attempt: 1, disputeId, receiptId: 'receipt-1', ...changes },
  } as const satisfies OrderEvent
}

export function disputeClosed(outcome: 'won' | 'lost', disputeId = 'PP-D-1', at = minute(55)) {
  return { type: 'DisputeClosed', data: { orderId, disputeId, outcome, at } } as const satisfies OrderEvent
}

export function watchEnded(attempt: number, at: string, isUnclear = false) {
  return { type: 'PaymentWatchEnded', data: { orderId, attempt, isUnclear, at } } as const satisfies OrderEvent
}

export function watchHeldUp(attempt: number, at: string) {
  return { type: 'PaymentWatchHeldUp', data: { orderId, attempt, at } } as const satisfies OrderEvent
}

export function unusable(
  receiptId: string,
  why: OrderEventData<'ReceiptUnusable'>['why'] = 'pays-another-order',
  at = minute(50),
) {
  return { type: 'ReceiptUnusable', data: { orderId, receiptId, why, at } } as const satisfies OrderEvent
}

export function approved(serial: number | null = null, at = minute(70), answered: Answered = {}) {
  return { type: 'OrderApproved', data: { orderId, serial, answered, adminId, at } } as const satisfies OrderEvent
}

export function preOrderReserved(serial: number, at = minute(70)) {
  return { type: 'PreOrderReserved', data: { orderId, serial, at } } as const satisfies OrderEvent
}

export function reinstated(serial: number, at = minute(90)) {
  return { type: 'OrderReinstated', data: { orderId, serial, at } } as const satisfies OrderEvent
}

export function ready(deliveryMode: 'staff' | 'webhook', at = minute(30)) {
  return { type: 'OrderReady', data: { orderId, deliveryMode, at } } as const satisfies OrderEvent
}

export function deliveryRequested(changes: Changes<'DeliveryRequested'> = {}) {
  return {
    type: 'DeliveryRequested',
    data: { orderId, callsUntil: minute(100), at: minute(40), ...changes },
  } as const satisfies OrderEvent
}

export function deliveryHeld(at = minute(45)) {
  return { type: 'DeliveryHeld', data: { orderId, at } } as const satisfies OrderEvent
}

export function deliveryGivenUp(at = minute(101)) {
  return { type: 'DeliveryGivenUp', data: { orderId, at } } as const satisfies OrderEvent
}

export function deliveredAfterEnd(at = minute(45)) {
  return { type: 'DeliveredAfterEnd', data: { orderId, at } } as const satisfies OrderEvent
}

export function completed(changes: Changes<'OrderCompleted'> = {}) {
  return {
    type: 'OrderCompleted',
    data: {
      orderId,
      serial: 7,
      customerId: 'customer-1',
      quantityM: 200,
      totalCents: TOTAL_CENTS,
      paymentMethod: 'crypto',
      at: minute(30),
      ...changes,
    },
  } as const satisfies OrderEvent
}

export function expired(at = minute(60)) {
  return { type: 'OrderExpired', data: { orderId, at } } as const satisfies OrderEvent
}

export function cancelled(at = minute(30)) {
  return { type: 'OrderCancelled', data: { orderId, at } } as const satisfies OrderEvent
}

export function reinstatementRefused(at = minute(71)) {
  return { type: 'ReinstatementRefused', data: { orderId, at } } as const satisfies OrderEvent
}

export function settled(answered: Answered, at = day(1)) {
  return { type: 'AttentionSettled', data: { orderId, answered, adminId, at } } as const satisfies OrderEvent
}

export function deleted(changes: Changes<'OrderDeleted'> = {}) {
  return {
    type: 'OrderDeleted',
    data: {
      orderId,
      customerId: 'customer-1',
      quantityM: 200,
      totalCents: TOTAL_CENTS,
      completedAt: null,
      paymentMethod: 'crypto',
      receivedCents: 0,
      coinsGiven: null,
      adminId,
      at: minute(80),
      ...changes,
    },
  } as const satisfies OrderEvent
}

/** `causes.test.ts` says what is answered. */
export function withoutAnswers({ type, data }: OrderEvent) {
  return { type, data: { ...data, answered: {} } }
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
  PaymentReversed: reversed('receipt-1', 1000),
  PaymentDisputed: disputed(),
  DisputeClosed: disputeClosed('won'),
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
  AttentionSettled: settled({ unearned: { cents: 400 } }),
  OrderDeleted: deleted(),
} as const satisfies { [Type in OrderEvent['type']]: Extract<OrderEvent, { type: Type }> }
