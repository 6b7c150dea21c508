import { plusMinutes } from '../plus-minutes.ts'
import { Refusal } from '../refusal.ts'
import { answersOfApproval, everMarked } from './causes.ts'
import type { Decisions } from './commands.ts'
import { CALLS_OVER_MINUTES, expiryOf, isLongOverdue, wasPlacedAhead } from './deadline.ts'
import type { OrderEvent } from './events.ts'
import {
  objectionToApproving,
  objectionToCancelling,
  objectionToMarkingDelivered,
  objectionToSettling,
  assertAllowed,
  orderBusy,
  isApprovedAlready,
  isBusy,
} from './may.ts'
import { assertCoinsGivenKnown, complete, evolveAll, coinsMayBeGiven, withReadiness } from './readiness.ts'
import {
  endedAt,
  holdsStock,
  isDeliveryHeld,
  isDeliveryUnknown,
  isOpen,
  openDelivery,
  type PlacedOrder,
  readinessOf,
  revenueLeftCents,
} from './order-state.ts'
import { isToBeDelivered, mayBeReinstated } from './standing.ts'

/** Ends watches that errors held up, since staff have checked these payments. */
function endHeldUpWatches(order: PlacedOrder, at: string): OrderEvent[] {
  const { orderId } = order.placed
  const end = endedAt(order)
  const isHeldUp = order.attention.some(({ reason }) => reason === 'payment-unclear')
  if (!isHeldUp || end === undefined || !isLongOverdue(end, at)) return []
  const watched = order.attempts.filter(({ isWatched }) => isWatched)
  return watched.map(({ attempt }) => ({ type: 'PaymentWatchEnded', data: { orderId, attempt, isUnclear: false, at } }))
}

export const lifeDecisions = {
  ApproveOrder(order, command) {
    const { serial, adminId, at } = command
    if (isApprovedAlready(order)) return []
    assertAllowed(objectionToApproving(order))
    if (serial === null && !holdsStock(order))
      throw new Refusal('inventory/insufficient-stock', 'This order holds no stock.')
    // A concurrent claim was faster: the sweep releases this second reservation.
    const claim = holdsStock(order) ? null : serial
    const { orderId } = order.placed
    const answers = answersOfApproval(order)
    const approved: OrderEvent = { type: 'OrderApproved', data: { orderId, serial: claim, answers, adminId, at } }
    // If the coins may have been given already, the bot is not called again.
    const deliveryMode = readinessOf(order)?.deliveryMode ?? command.deliveryMode
    const mayBeGiven = isDeliveryUnknown(order) || order.holding.kind === 'given-after-end'
    if (mayBeGiven || deliveryMode !== 'webhook') return [approved, ...complete(evolveAll(order, [approved]), at)]
    return withReadiness(order, [approved], command)
  },

  ReservePreOrder(order, command) {
    if (!isToBeDelivered(order) || holdsStock(order)) return []
    const { serial, at } = command
    const { orderId } = order.placed
    return withReadiness(order, [{ type: 'PreOrderReserved', data: { orderId, serial, at } }], command)
  },

  ReinstateOrder(order, command) {
    if (!mayBeReinstated(order)) return []
    const { serial, at } = command
    const { orderId } = order.placed
    return withReadiness(order, [{ type: 'OrderReinstated', data: { orderId, serial, at } }], command)
  },

  RefuseReinstatement(order, { at }) {
    return mayBeReinstated(order) ? [{ type: 'ReinstatementRefused', data: { orderId: order.placed.orderId, at } }] : []
  },

  MarkDelivered(order, { at, note, isNoteShown }) {
    if (order.life.kind === 'completed') return []
    assertAllowed(objectionToMarkingDelivered(order))
    return complete(order, at, note === undefined ? {} : { note, isNoteShown })
  },

  RequestDelivery(order, { callsUntil, at }) {
    if (isBusy(order) || readinessOf(order)?.deliveryMode !== 'webhook') return []
    return [{ type: 'DeliveryRequested', data: { orderId: order.placed.orderId, callsUntil, at } }]
  },

  HoldDelivery(order, { at }) {
    const isDue = readinessOf(order)?.deliveryMode === 'webhook' && !openDelivery(order) && !isDeliveryHeld(order)
    return isDue ? [{ type: 'DeliveryHeld', data: { orderId: order.placed.orderId, at } }] : []
  },

  ConfirmDelivery(order, { at }) {
    // Staff may have marked it as delivered already.
    if (order.holding.kind === 'committed' || order.holding.kind === 'given-after-end') return []
    if (!isOpen(order)) return [{ type: 'DeliveredAfterEnd', data: { orderId: order.placed.orderId, at } }]
    if (!openDelivery(order) && !isDeliveryUnknown(order))
      throw new Refusal('order/not-paid', 'No delivery of this order was asked for.')
    return complete(order, at)
  },

  GiveUpDelivery(order, { at }) {
    const delivery = openDelivery(order)
    if (!delivery || at <= plusMinutes(delivery.callsUntil, CALLS_OVER_MINUTES)) return []
    return [{ type: 'DeliveryGivenUp', data: { orderId: order.placed.orderId, at } }]
  },

  ExpireOrder(order, { at }) {
    const expiry = expiryOf(order)
    if (expiry === undefined || (at < expiry && !wasPlacedAhead(order, { at, expiry }))) return []
    return [{ type: 'OrderExpired', data: { orderId: order.placed.orderId, at } }]
  },

  CancelOrder(order, { at }) {
    if (order.life.kind === 'ended' && order.life.as === 'cancelled') return []
    assertAllowed(objectionToCancelling(order))
    return [{ type: 'OrderCancelled', data: { orderId: order.placed.orderId, at } }]
  },

  SettleAttention(order, { reason, adminId, at }) {
    if (order.attention.length === 0) return []
    assertAllowed(objectionToSettling(order))
    const seenRevision = order.next - 1
    const { orderId } = order.placed
    const data = { orderId, reason, answers: everMarked(order), seenRevision, adminId, at }
    return [{ type: 'AttentionSettled', data }, ...endHeldUpWatches(order, at)]
  },

  DeleteOrder(order, command) {
    const { life } = order
    if (life.kind === 'deleted') return []
    assertAllowed(isBusy(order) ? orderBusy : undefined)
    assertCoinsGivenKnown(order, command.coinsGiven)
    const { adminId, at } = command
    const { orderId, customerId, quantityM } = order.placed
    const completedAt = life.kind === 'completed' ? life.at : null
    const coinsGiven = coinsMayBeGiven(order) ? command.coinsGiven : null
    const cents = { totalCents: revenueLeftCents(order), receivedCents: order.receivedCents }
    const figures = { quantityM, ...cents, completedAt, paymentMethod: order.paymentMethod }
    return [{ type: 'OrderDeleted', data: { orderId, customerId, ...figures, coinsGiven, adminId, at } }]
  },
} satisfies Partial<Decisions>
