import type { Decider } from '../decider.ts'
import { Refusal } from '../refusal.ts'
import type { AttentionReason, DeliveryMode, OrderEvent, OrderEventData } from './events.ts'
import {
  againstApproving,
  againstCancelling,
  againstMarkingDelivered,
  againstPaying,
  againstSettling,
  assertNo,
  ATTEMPTS_MAX,
  beingWorkedOn,
  isApprovedAlready,
  isBusy,
  mayBeAttempted,
  METHOD_CHANGES_MAX,
  noSuchOrder,
} from './may.ts'
import {
  type Attempt,
  evolve,
  hasFailed,
  holdsMoney,
  holdsStock,
  isCovered,
  isMoneyOnItsWay,
  isToBeDelivered,
  mayBeReinstated,
  noOrder,
  openAttempt,
  type Order,
  paidCents,
  type PlacedOrder,
  receivedCents,
} from './order-state.ts'
import type { PaymentMethod } from '../payment-methods.ts'

interface ReceiptNews {
  readonly attempt: number
  readonly provider: string
  readonly receiptId: string
  readonly amount: string
  readonly currency: string
  /** What the receipt covers all in all, as the provider tells it now. */
  readonly coversCents: number
}

export type OrderCommand =
  | { type: 'PlaceOrder'; placed: OrderEventData<'OrderPlaced'> }
  | { type: 'AbandonOrder'; orderId: string; claimAt: number; serial: number; at: string }
  | { type: 'ChoosePaymentMethod'; paymentMethod: PaymentMethod; at: string }
  | {
      type: 'RequestPayment'
      request: Pick<
        OrderEventData<'PaymentRequested'>,
        'attempt' | 'method' | 'provider' | 'reference' | 'askedMinor' | 'currency' | 'coversCents'
      >
      at: string
    }
  | {
      type: 'StartPayment'
      started: Omit<OrderEventData<'PaymentStarted'>, 'orderId' | 'orderExpiresAt' | 'at'>
      at: string
    }
  | {
      type: 'SeePayment'
      attempt: number
      status: OrderEventData<'PaymentSeen'>['status']
      amountPaid: string | null
      deliveryMode: DeliveryMode
      at: string
    }
  | {
      type: 'FailPayment'
      attempt: number
      reason: OrderEventData<'PaymentFailed'>['reason']
      deliveryMode: DeliveryMode
      at: string
    }
  | { type: 'RequestCapture'; attempt: number; requestId: string; callsUntil: string; at: string }
  | { type: 'GiveUpCapture'; attempt: number; deliveryMode: DeliveryMode; at: string }
  | { type: 'ReceivePayment'; receipt: ReceiptNews; deliveryMode: DeliveryMode; at: string }
  | { type: 'ReversePayment'; receipt: ReceiptNews; reversedCents: number; deliveryMode: DeliveryMode; at: string }
  | { type: 'NoteRefusedReceipt'; receiptId: string; claimedByOrderId: string; at: string }
  | { type: 'EndPaymentWatch'; attempt: number; pollBeganAt: string; at: string }
  | { type: 'ApproveOrder'; serial: number | null; adminId: string; deliveryMode: DeliveryMode; at: string }
  | { type: 'ReservePreOrder'; serial: number; deliveryMode: DeliveryMode; at: string }
  | { type: 'ReinstateOrder'; serial: number; deliveryMode: DeliveryMode; at: string }
  | { type: 'RefuseReinstatement'; at: string }
  | { type: 'MarkDelivered'; at: string }
  | { type: 'RequestDelivery'; callsUntil: string; at: string }
  | { type: 'ConfirmDelivery'; at: string }
  | { type: 'GiveUpDelivery'; at: string }
  | { type: 'ExpireOrder'; at: string }
  | { type: 'CancelOrder'; at: string }
  | { type: 'SettleAttention'; adminId: string; at: string }
  | { type: 'DeleteOrder'; coinsGiven: boolean | null; adminId: string; at: string }

/** A started payment moves the order's deadline once, to half its time from then on, but never beyond this many of its times after placing. */
export const LIFETIMES_MAX = 1.5
/** Money that was seen gets this long to be confirmed or completed. */
const MONEY_SEEN_HOURS = 24
/** A call that began in time may take this long: only then is its end unknown. */
export const CALL_TIMEOUT_MINUTES = 0.5
/** How long after its end an order's payments are still asked about. */
export const WATCH_DAYS = 7

function decide(command: OrderCommand, order: Order): OrderEvent[] {
  if (command.type === 'PlaceOrder') {
    if (order.kind === 'none') return [{ type: 'OrderPlaced', data: command.placed }]
    if (order.placed.requestHash === command.placed.requestHash) return []
    throw new Refusal('order/key-reused', 'This Idempotency-Key belongs to another order.')
  }
  if (command.type === 'AbandonOrder') {
    const { orderId, claimAt, serial, at } = command
    return order.next > claimAt ? [] : [{ type: 'OrderAbandoned', data: { orderId, serial, at } }]
  }
  if (order.kind === 'none') throw new Refusal(...noSuchOrder)
  return decidePlaced(command, order)
}

function decidePlaced(
  command: Exclude<OrderCommand, { type: 'PlaceOrder' | 'AbandonOrder' }>,
  order: PlacedOrder,
): OrderEvent[] {
  const { at } = command
  const { orderId } = order.placed
  switch (command.type) {
    case 'ChoosePaymentMethod': {
      const { paymentMethod } = command
      assertNo(againstPaying(order))
      if (order.paymentMethod === paymentMethod && !hasFailed(order)) return []
      if (order.methodChanges >= METHOD_CHANGES_MAX || !mayBeAttempted(order, paymentMethod)) {
        // The standing method can be paid all the same.
        if (order.paymentMethod === paymentMethod) return []
        throw new Refusal(
          'order/too-many-changes',
          'The payment method of this order was changed too often. Please pay with the one that stands.',
        )
      }
      return [{ type: 'PaymentMethodChosen', data: { orderId, paymentMethod, at } }]
    }

    case 'RequestPayment': {
      assertNo(againstPaying(order))
      if (openAttempt(order, command.request.method) || command.request.attempt !== order.attempts.length + 1) return []
      // What was owed when the amount was made up may be another by now: nobody is asked for it.
      if (command.request.coversCents !== order.placed.totalCents - paidCents(order)) return []
      if (order.attempts.length >= ATTEMPTS_MAX)
        throw new Refusal(
          'order/too-many-changes',
          'This order has seen too many payment attempts. Please contact support.',
        )
      return [{ type: 'PaymentRequested', data: { orderId, ...command.request, at } }]
    }

    case 'StartPayment': {
      const { started } = command
      if (attemptOf(order, started.attempt).started) return []
      const orderExpiresAt = movedDeadline(order, at)
      return [{ type: 'PaymentStarted', data: { orderId, ...started, orderExpiresAt, at } }]
    }

    case 'SeePayment': {
      const { status, amountPaid } = command
      const { attempt, seen, hasReceipt } = attemptOf(order, command.attempt)
      const isOldNews = hasReceipt || (seen !== undefined && !isNewer({ status, amountPaid }, seen))
      // The answer to an open capture closes it, whatever it tells.
      if (isOldNews && order.capture?.attempt !== attempt) return []
      return readied(order, [{ type: 'PaymentSeen', data: { orderId, attempt, status, amountPaid, at } }], command)
    }

    case 'FailPayment': {
      const { attempt, failure, hasReceipt, started } = attemptOf(order, command.attempt)
      if (failure !== undefined || hasReceipt) return []
      // Another call was faster to open it: its payment stands, and may be captured this very moment.
      if (command.reason === 'reference-used' && started) return []
      return readied(
        order,
        [{ type: 'PaymentFailed', data: { orderId, attempt, reason: command.reason, at } }],
        command,
      )
    }

    case 'RequestCapture': {
      const { requestId, callsUntil } = command
      const { attempt, hasReceipt, failure, started } = attemptOf(order, command.attempt)
      if (order.capture?.attempt === attempt || hasReceipt) return []
      assertNo(againstPaying(order))
      if (failure !== undefined || !started) throw new Refusal('order/no-payment', 'This payment is not open any more.')
      return [{ type: 'CaptureRequested', data: { orderId, attempt, requestId, callsUntil, at } }]
    }

    case 'GiveUpCapture': {
      const { attempt } = command
      if (order.capture?.attempt !== attempt || at <= plusMinutes(order.capture.callsUntil, CALL_TIMEOUT_MINUTES))
        return []
      const failed: OrderEvent = {
        type: 'PaymentFailed',
        data: { orderId, attempt, reason: 'capture-unknown', at },
      }
      return readied(order, [failed, attention(order, ['capture-unknown'], at)], command)
    }

    case 'ReceivePayment':
      return readied(order, received(order, command.receipt, at), command)

    case 'ReversePayment': {
      const { receipt } = command
      if (isRefused(order, receipt.receiptId)) return []
      const first = received(order, receipt, at)
      const known = order.receipts.find(({ receiptId }) => receiptId === receipt.receiptId)
      // A receipt cannot take away more than it brought: the other receipts of this order stay whole.
      const reversedCents = Math.min(command.reversedCents, Math.max(receipt.coversCents, known?.coversCents ?? 0))
      const takenCents = reversedCents - (known?.reversedCents ?? 0)
      if (takenCents <= 0) return readied(order, first, command)
      const { receiptId } = receipt
      return [
        ...first,
        { type: 'PaymentReversed', data: { orderId, receiptId, takenCents, reversedCents, at } },
        // Staff may have given the coins and not marked it yet.
        attention(order, mayBeGivenUnmarked(order) ? ['reversed', 'delivery-unknown'] : ['reversed'], at),
      ]
    }

    case 'NoteRefusedReceipt': {
      const { receiptId, claimedByOrderId } = command
      if (isRefused(order, receiptId)) return []
      const refusedReceipt = { receiptId, claimedByOrderId }
      return [{ type: 'OrderNeedsAttention', data: { orderId, reasons: ['receipt-refused'], refusedReceipt, at } }]
    }

    case 'EndPaymentWatch': {
      const { attempt, isWatched } = attemptOf(order, command.attempt)
      if (!isWatched || order.endedAt === undefined) return []
      // Only a question that was asked after the deadline can tell that nothing came before it.
      if (command.pollBeganAt < plusMinutes(order.endedAt, WATCH_DAYS * 24 * 60)) return []
      return [{ type: 'PaymentWatchEnded', data: { orderId, attempt, at } }]
    }

    case 'ApproveOrder':
      return approve(command, order)

    case 'ReservePreOrder':
      if (!isToBeDelivered(order) || holdsStock(order)) return []
      return readied(order, [{ type: 'PreOrderReserved', data: { orderId, serial: command.serial, at } }], command)

    case 'ReinstateOrder':
      if (!mayBeReinstated(order)) return []
      return readied(order, [{ type: 'OrderReinstated', data: { orderId, serial: command.serial, at } }], command)

    case 'RefuseReinstatement':
      return mayBeReinstated(order) ? [attention(order, ['paid-without-stock'], at)] : []

    case 'MarkDelivered':
      if (order.status === 'completed' && !order.isDeleted) return []
      assertNo(againstMarkingDelivered(order))
      return [completed(order, at)]

    case 'RequestDelivery':
      if (order.delivery || order.ready?.deliveryMode !== 'webhook') return []
      return [{ type: 'DeliveryRequested', data: { orderId, callsUntil: command.callsUntil, at } }]

    case 'ConfirmDelivery':
      // Staff may have said already that the coins were given.
      if (order.committedSerial !== undefined || order.wasDeliveredAfterEnd) return []
      if (order.isDeleted || order.status !== 'pending') return [attention(order, ['delivered-after-end'], at)]
      if (!order.delivery && !order.isDeliveryUnknown)
        throw new Refusal('order/not-paid', 'No delivery of this order was asked for.')
      return [completed(order, at)]

    case 'GiveUpDelivery':
      if (!order.delivery || at <= plusMinutes(order.delivery.callsUntil, CALL_TIMEOUT_MINUTES)) return []
      return [attention(order, ['delivery-unknown'], at)]

    case 'ExpireOrder':
      return expire(order, at)

    case 'CancelOrder':
      if (order.status === 'cancelled' && !order.isDeleted) return []
      assertNo(againstCancelling(order))
      return [{ type: 'OrderCancelled', data: { orderId, at } }]

    case 'SettleAttention': {
      if (order.attention.length === 0) return []
      assertNo(againstSettling(order))
      const reasons = order.attention.map(({ reason }) => reason)
      return [{ type: 'AttentionSettled', data: { orderId, reasons, adminId: command.adminId, at } }]
    }

    case 'DeleteOrder':
      return remove(command, order)
  }
}

/** What a receipt adds, and whom it must be shown to, in one append. */
function received(order: PlacedOrder, receipt: ReceiptNews, at: string): OrderEvent[] {
  if (isRefused(order, receipt.receiptId)) return []
  const { orderId, totalCents } = order.placed
  const known = order.receipts.find(({ receiptId }) => receiptId === receipt.receiptId)
  const addedCents = receipt.coversCents - (known?.coversCents ?? 0)
  if (addedCents <= 0) return []
  const event: OrderEvent = { type: 'PaymentReceived', data: { orderId, ...receipt, addedCents, at } }
  const after = evolvedBy(order, [event])

  const reasons: AttentionReason[] = []
  if (paidCents(after) > totalCents) reasons.push(isCovered(order) ? 'double' : 'over')
  if (order.isDeleted) reasons.push('money-on-deleted-order')
  else if (order.status === 'pending' && !isCovered(after) && !order.isApproved) reasons.push('short')
  else if (order.status === 'expired' || order.status === 'cancelled') {
    if (!isCovered(after)) reasons.push('late-and-short')
    if (order.wasSettled) reasons.push('paid-after-settling')
    else if (order.lateMoneyIsClosed || order.wasReversed) reasons.push('paid-without-stock')
  } else if (order.status === 'completed' && order.wasSettled) reasons.push('paid-after-settling')
  return reasons.length === 0 ? [event] : [event, attention(order, reasons, at)]
}

function approve(command: Extract<OrderCommand, { type: 'ApproveOrder' }>, order: PlacedOrder): OrderEvent[] {
  const { serial, adminId, at } = command
  if (isApprovedAlready(order) && !order.isDeleted) return []
  assertNo(againstApproving(order))
  if (serial === null && !holdsStock(order))
    throw new Refusal('inventory/insufficient-stock', 'This order holds no stock.')
  // A second reservation, made while somebody else's was claimed, is left to the sweep.
  const claim = holdsStock(order) ? null : serial
  const { orderId } = order.placed
  const approved: OrderEvent = { type: 'OrderApproved', data: { orderId, serial: claim, adminId, at } }
  // Staff say that the coins are given; where they may have been given already, nothing is called a second time.
  const deliveryMode = order.ready?.deliveryMode ?? command.deliveryMode
  if (order.isDeliveryUnknown || deliveryMode !== 'webhook')
    return [approved, completed(evolvedBy(order, [approved]), at)]
  return readied(order, [approved], command)
}

function expire(order: PlacedOrder, at: string): OrderEvent[] {
  const expiry = expiryOf(order)
  if (expiry === undefined || (at < expiry && !isOfAWrongClock(order, { at, expiry }))) return []
  const expired: OrderEvent = { type: 'OrderExpired', data: { orderId: order.placed.orderId, at } }
  const reasons: AttentionReason[] = []
  if (paidCents(order) > 0) reasons.push('late-and-short')
  if (isMoneyOnItsWay(order)) reasons.push('never-confirmed')
  return reasons.length === 0 ? [expired] : [expired, attention(order, reasons, at)]
}

/** It was placed further in the future than it may be open: the clock was ahead, and has come back since. */
function isOfAWrongClock({ placed }: PlacedOrder, { at, expiry }: { at: string; expiry: string }): boolean {
  const placedMs = Date.parse(placed.at)
  return placedMs - Date.parse(at) > Date.parse(expiry) - placedMs
}

/** When this order expires if nothing more happens; undefined while it cannot. */
export function expiryOf(order: PlacedOrder): string | undefined {
  if (order.status !== 'pending' || order.isDeleted || order.isApproved || isCovered(order)) return undefined
  if (order.capture || order.delivery || order.isDeliveryUnknown) return undefined
  if (!holdsMoney(order) || order.moneySeenAt === undefined) return order.expiresAt
  const patience = plusMinutes(order.moneySeenAt, MONEY_SEEN_HOURS * 60)
  return patience > order.expiresAt ? patience : order.expiresAt
}

function remove(command: Extract<OrderCommand, { type: 'DeleteOrder' }>, order: PlacedOrder): OrderEvent[] {
  const { adminId, at } = command
  if (order.isDeleted) return []
  assertNo(isBusy(order) ? beingWorkedOn : undefined)
  const mayBeGiven = order.isDeliveryUnknown || mayBeGivenUnmarked(order)
  if (mayBeGiven && command.coinsGiven === null)
    throw new Refusal(
      'order/coins-given-unknown',
      'The coins of this order may have been given. Say whether they were.',
    )
  const { orderId, customerId, quantityM, totalCents } = order.placed
  const completedAt = order.status === 'completed' ? (order.completedAt ?? null) : null
  const coinsGiven = mayBeGiven ? command.coinsGiven : null
  const deleted: OrderEvent = {
    type: 'OrderDeleted',
    data: {
      orderId,
      customerId,
      quantityM,
      totalCents,
      completedAt,
      coinsGiven,
      receivedCents: receivedCents(order),
      adminId,
      at,
    },
  }
  const keepsMoney = completedAt === null && coinsGiven !== true && holdsMoney(order)
  return keepsMoney ? [deleted, attention(order, ['money-on-deleted-order'], at)] : [deleted]
}

/** Where these events make the order ready, the same append records how it is handed over; `instant` completes it. */
function readied(
  order: PlacedOrder,
  events: OrderEvent[],
  { deliveryMode, at }: { deliveryMode: DeliveryMode; at: string },
): OrderEvent[] {
  const after = evolvedBy(order, events)
  if (order.ready || !after.ready) return events
  if (deliveryMode === 'instant') return [...events, completed(after, at)]
  return [...events, { type: 'OrderReady', data: { orderId: order.placed.orderId, deliveryMode, at } }]
}

/** Staff, who have it in their list, may have handed over the coins without marking it yet. */
function mayBeGivenUnmarked({ ready }: PlacedOrder): boolean {
  return ready?.deliveryMode === 'staff'
}

function completed(order: PlacedOrder, at: string): OrderEvent {
  const { orderId, customerId, quantityM, totalCents } = order.placed
  return {
    type: 'OrderCompleted',
    data: { orderId, serial: order.heldSerial ?? null, customerId, quantityM, totalCents, at },
  }
}

function attention(order: PlacedOrder, reasons: AttentionReason[], at: string): OrderEvent {
  return { type: 'OrderNeedsAttention', data: { orderId: order.placed.orderId, reasons, refusedReceipt: null, at } }
}

function evolvedBy(order: PlacedOrder, events: OrderEvent[]): PlacedOrder {
  let after: Order = order
  for (const event of events) after = evolve(after, event)
  return after as PlacedOrder
}

const seenStatuses = ['confirming', 'confirmed', 'sending', 'partially_paid']

/** News may come in any order: what was seen never goes back. */
function isNewer(news: NonNullable<Attempt['seen']>, seen: NonNullable<Attempt['seen']>): boolean {
  const steps = seenStatuses.indexOf(news.status) - seenStatuses.indexOf(seen.status)
  return steps > 0 || (steps === 0 && news.amountPaid !== null && news.amountPaid !== seen.amountPaid)
}

function attemptOf(order: PlacedOrder, number: number): Attempt {
  const attempt = order.attempts[number - 1]
  if (!attempt) throw new Refusal('payment/unknown', 'This order knows no such payment.')
  return attempt
}

function isRefused(order: PlacedOrder, receiptId: string): boolean {
  return order.refusedReceipts.some((refused) => refused.receiptId === receiptId)
}

/** Never earlier than it was. */
function movedDeadline(order: PlacedOrder, at: string): string {
  if (order.status !== 'pending' || order.extensions > 0) return order.expiresAt
  const { placed } = order
  const ttlMinutes = (Date.parse(placed.expiresAt) - Date.parse(placed.at)) / 60_000
  const later = plusMinutes(at, ttlMinutes / 2)
  const last = plusMinutes(placed.at, ttlMinutes * LIFETIMES_MAX)
  const moved = later < last ? later : last
  return moved > order.expiresAt ? moved : order.expiresAt
}

export function plusMinutes(at: string, minutes: number): string {
  return new Date(Date.parse(at) + minutes * 60_000).toISOString()
}

export const order: Decider<OrderCommand, Order, OrderEvent> = { initial: noOrder, decide, evolve }
