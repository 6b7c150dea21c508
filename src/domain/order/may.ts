import { Refusal, type RefusalCode } from '../refusal.ts'
import { methodRows, type PaymentMethod, paymentMethods } from '../payment-methods.ts'
import { isCovered, paidCents } from './order-money.ts'
import {
  type Attempt,
  isApproved,
  isDeleted,
  isDeliveryHeld,
  isDeliveryUnknown,
  isMoneyOnItsWay,
  isOpen,
  openRefund,
  type PlacedOrder,
  readinessOf,
  stageOf,
} from './order-state.ts'
import { holdsMoney, isToBeDelivered, openAttempt } from './standing.ts'

export type MayStaff = Omit<ReturnType<typeof may>, 'pay' | 'requote' | 'cancel'>

/** True if the decider accepts the command and it changes something. An approval may have to reserve stock first. */
export function may(order: PlacedOrder) {
  return {
    pay: objectionToPaying(order) === undefined && paymentMethods.some((method) => mayBeAttempted(order, method)),
    /** Replace the open quote with a new one. */
    requote: objectionToPaying(order) === undefined && paymentMethods.some((method) => mayBeRequoted(order, method)),
    cancel: objectionToCancelling(order) === undefined,
    approve: !isApprovedAlready(order) && objectionToApproving(order) === undefined,
    settle: order.attention.length > 0 && objectionToSettling(order) === undefined,
    deliver: objectionToMarkingDelivered(order) === undefined,
    refund: objectionToRefunding(order) === undefined,
  }
}

/** Payments, and changes of the method, that an unauthenticated buyer can append to one order. */
export const ATTEMPTS_MAX = 20

/** The code and the sentence of a refusal. */
type Objection = readonly [code: RefusalCode, sentence: string]

export function assertAllowed(objection: Objection | undefined): void {
  if (objection) throw new Refusal(...objection)
}

export const noSuchOrder: Objection = ['order/not-found', 'There is no such order.']

export function objectionToPaying(order: PlacedOrder): Objection | undefined {
  if (isDeleted(order)) return noSuchOrder
  if (!isOpen(order)) return notPending('It can no longer be paid.')
  if (isBusy(order)) return orderBusy
  if (isApproved(order) || isDeliveryUnknown(order) || isCovered(order))
    return ['order/already-paid', 'This order is paid.']
  return undefined
}

/** Whether a payment of this method is open or can be started. */
export function mayBeAttempted(order: PlacedOrder, method: PaymentMethod): boolean {
  return order.attempts.length < ATTEMPTS_MAX || openAttempt(order, method) !== undefined
}

function mayBeRequoted(order: PlacedOrder, method: PaymentMethod): boolean {
  return order.attempts.length < ATTEMPTS_MAX && mayBeReplaced(order, openAttempt(order, method))
}

/** No second amount while money is on its way: the buyer might send both. */
export function mayBeReplaced(order: PlacedOrder, open: Attempt | undefined): boolean {
  return open?.started !== undefined && methodRows[open.method].isQuoted && !isMoneyOnItsWay(order)
}

export function objectionToCancelling(order: PlacedOrder): Objection | undefined {
  if (isDeleted(order)) return noSuchOrder
  if (!isOpen(order)) return notPending('It can no longer be cancelled.')
  if (isBusy(order)) return orderBusy
  const hasMoney = order.receivedCents > 0 || holdsMoney(order)
  if (isApproved(order) || isDeliveryUnknown(order) || hasMoney)
    return ['order/money-seen', 'A payment for this order was seen; it can no longer be cancelled.']
  return undefined
}

/** Approving it again adds nothing. */
export function isApprovedAlready(order: PlacedOrder): boolean {
  return (
    order.life.kind === 'completed' ||
    (isApproved(order) && readinessOf(order)?.deliveryMode === 'webhook' && !isDeliveryHeld(order))
  )
}

/** Ignores stock: an order that holds none is approved once its coins are reserved. */
export function objectionToApproving(order: PlacedOrder): Objection | undefined {
  if (isDeleted(order)) return noSuchOrder
  if (isBusy(order)) return orderBusy
  // Pending, or ended and in need of attention.
  if (isOpen(order) || (order.life.kind === 'ended' && order.attention.length > 0)) return undefined
  return ['order/not-approvable', 'Only pending orders and those that need attention can be approved.']
}

export function objectionToSettling(order: PlacedOrder): Objection | undefined {
  if (openRefund(order)) return orderBusy
  if (!isOpen(order)) return undefined
  return ['order/busy', 'A pending order is settled by approving or deleting it.']
}

export function objectionToMarkingDelivered(order: PlacedOrder): Objection | undefined {
  if (isDeleted(order)) return noSuchOrder
  if (isBusy(order)) return orderBusy
  if (isDeliveryUnknown(order))
    return ['order/busy', 'The coins may have been given already. Approve this order if they were.']
  if (!isToBeDelivered(order)) return ['order/not-paid', 'This order is not paid.']
  const ready = readinessOf(order)
  if (!ready) return ['inventory/insufficient-stock', 'This order is delivered when there is stock for it.']
  // Only the call's answer can say whether the coins were given.
  if (ready.deliveryMode === 'webhook') return ['order/busy', 'This order is paid and is being delivered.']
  return undefined
}

/** In every state, even deleted: money that is held can be refunded. */
export function objectionToRefunding(order: PlacedOrder): Objection | undefined {
  if (isBusy(order)) return orderBusy
  if (paidCents(order) <= 0) return ['order/refund-too-large', 'No money of this order is left to be paid back.']
  return undefined
}

/** A call that captures, delivers or refunds is open, and its outcome decides what is next. */
export function isBusy(order: PlacedOrder): boolean {
  const { kind } = stageOf(order)
  return kind === 'capturing' || kind === 'delivering' || openRefund(order) !== undefined
}

export const orderBusy: Objection = ['order/busy', 'This order is being worked on. Try again in a moment.']

function notPending(consequence: string): Objection {
  return ['order/not-pending', `This order is not pending any more. ${consequence}`]
}
