import { withCauses } from './causes.ts'
import { withPatience } from './deadline.ts'
import type { AttentionReason, Outcome } from '../words.ts'
import type { ReceiptNews } from './commands.ts'
import type { OrderEvent, OrderEventData } from './events.ts'
import { goneOf, isCovered, isMoreReversed, paidCents } from './order-money.ts'
import {
  type Attempt,
  hasPlainSighting,
  hasReceipt,
  holdsStock,
  isApproved,
  type Holding,
  isMoneyOnItsWay,
  type Life,
  type CauseRevisions,
  nothingBack,
  noRevisions,
  type OpenLife,
  openCapture,
  type OrderState,
  type PlacedOrder,
  type ReceivedReceipt,
  readinessOf,
  type RefundWish,
  sightingOf,
  type Stage,
  stageOf,
  untouched,
  waiting,
} from './order-state.ts'
import { isToBeDelivered } from './standing.ts'

/** The order after an event that was read at this revision; undefined until it is placed. */
export function orderAfter(
  order: PlacedOrder | undefined,
  event: OrderEvent & { readonly revision: number },
): PlacedOrder | undefined {
  const next = event.revision
  const before: OrderState =
    order === undefined ? { kind: 'none', next } : order.next === next ? order : { ...order, next }
  const after = evolve(before, event)
  return after.kind === 'placed' ? after : undefined
}

export function evolve(order: OrderState, event: OrderEvent): OrderState {
  const next = order.next + 1
  if (order.kind === 'none')
    return event.type === 'OrderPlaced' ? newOrder(event.data, order.next) : { kind: 'none', next }
  // An existing order is neither placed again nor fenced.
  if (event.type === 'OrderPlaced' || event.type === 'OrderAbandoned') return { ...order, next }
  const after = withoutStaleReadiness({ ...evolvePlaced(order, event), next, updatedAt: event.data.at })
  return withCauses(order, after)
}

function newOrder(placed: OrderEventData<'OrderPlaced'>, claimAt: number): PlacedOrder {
  const { serial, paymentMethod, expiresAt } = placed
  return {
    ...untouched,
    kind: 'placed',
    next: claimAt + 1,
    placed,
    life: { kind: 'open', isApproved: false, isHeld: false, isReopened: false, stage: waiting },
    holding: { kind: 'reserved', serial, quantityM: placed.preOrder ? 0 : placed.quantityM },
    claims: [{ claimAt, serial }],
    paymentMethod,
    expiresAt,
    updatedAt: placed.at,
  }
}

/** An order that may not be delivered is not ready. */
function withoutStaleReadiness(order: PlacedOrder): PlacedOrder {
  const stage = stageOf(order)
  if (!readinessOf(order) || (isToBeDelivered(order) && holdsStock(order))) return order
  return withStage(order, stage.kind === 'delivering' ? { ...stage, ready: undefined } : waiting)
}

type Fold<Type extends FoldedType> = (order: PlacedOrder, data: OrderEventData<Type>) => PlacedOrder
type FoldedType = Exclude<OrderEvent['type'], 'OrderPlaced' | 'OrderAbandoned'>
type FoldedEvent<Type extends FoldedType = FoldedType> = {
  [Each in Type]: { type: Each; data: OrderEventData<Each> }
}[Type]

function evolvePlaced<Type extends FoldedType>(order: PlacedOrder, { type, data }: FoldedEvent<Type>): PlacedOrder {
  return onEvent[type](order, data)
}

const onEvent: { readonly [Type in FoldedType]: Fold<Type> } = {
  PaymentMethodChosen: (order, { paymentMethod }) => ({
    ...order,
    paymentMethod,
    methodChanges: order.methodChanges + 1,
    attemptsAtChoice: order.attempts.length,
  }),

  PaymentRequested(order, { orderId: _orderId, at: requestedAt, ...asked }) {
    const requested: Attempt = {
      ...asked,
      requestedAt,
      started: undefined,
      money: { kind: 'awaited' },
      parts: [],
      isWatched: true,
      isHeldUp: false,
      isUnclear: false,
    }
    return { ...order, paymentMethod: asked.method, attempts: [...order.attempts, requested] }
  },

  PaymentStarted(order, started) {
    const { attempt, orderExpiresAt } = started
    const isExtended = order.isExtended || orderExpiresAt > order.expiresAt
    return { ...withAttempt(order, attempt, () => ({ started })), expiresAt: orderExpiresAt, isExtended }
  },

  PaymentSeen(order, { attempt, status, amountPaid, seenCents, parts, at }) {
    const sighting = { status, amountPaid, seenCents }
    const seen = withAttempt(order, attempt, (known) => ({
      money: { kind: hasReceipt(known) ? 'received' : 'seen', sighting },
      parts,
    }))
    return withPatience({ ...withoutCapture(seen, attempt), moneySeenAt: order.moneySeenAt ?? at }, at)
  },

  CaptureRequested: (order, capture) => withStage(order, { kind: 'capturing', capture }),

  PaymentReceived(order, receipt) {
    const { attempt, receiptId, addedCents, at } = receipt
    const received = withAttempt(order, attempt, (asked) => ({
      money: { kind: 'received', sighting: sightingOf(asked) },
      parts: asked.parts.filter(({ id }) => id !== receiptId),
    }))
    const receipts = receiptsWith(order, receipt)
    const receivedCents = order.receivedCents + addedCents
    return withPatience({ ...withoutCapture(received, attempt), receipts, receivedCents, moneySeenAt: at }, at)
  },

  PaymentFailed(order, { attempt, reason }) {
    const failed = withAttempt(order, attempt, (known) => ({
      ...(!hasReceipt(known) && { money: { kind: 'failed', reason } }),
      parts: [],
    }))
    const hasMoney = failed.receipts.length > 0 || isMoneyOnItsWay(failed)
    return { ...withoutCapture(failed, attempt), moneySeenAt: hasMoney ? order.moneySeenAt : undefined }
  },

  RefundReported(order, { receiptId, byHolder, done, pending, failed, ended }) {
    const after = withReceipt(order, receiptId, ({ backByOthers }) => ({
      back: { done, pending, failed },
      backByOthers: byHolder ? backByOthers : goneOf({ done, pending, failed }),
    }))
    if (ended.length === 0) return after
    return { ...after, refundsUnderWay: order.refundsUnderWay.filter((id) => !ended.includes(id)) }
  },

  PaymentReversed(order, { receiptId, reversedAmount: amount, refundedCents }) {
    const after = withReceipt(order, receiptId, () => ({ reversed: { amount, refundedCents } }))
    if (!isMoreReversed(order, after)) return after
    const wishes = withOpenRefund(order, { isOvertaken: true })
    return { ...holdBack(after), wasReversed: true, wishes }
  },

  RefundRecorded(order, refund) {
    const { answers, seenRevision } = refund
    const answeredTo = withRevisions(order.answeredTo, answers, seenRevision)
    const refunded = {
      ...order,
      refunds: [...order.refunds, refund],
      answeredTo,
      wishes: order.wishes.filter(({ refundId }) => refundId !== refund.refundId),
      refundsUnderWay: refund.sent?.isPending ? [...order.refundsUnderWay, refund.refundId] : order.refundsUnderWay,
    }
    if (refund.endsOrder) return endByRefund(refunded, refund.at)
    // The provider's word about a sent refund may come when the coins may have been given.
    return isCovered(refunded) ? refunded : holdBack(refunded)
  },

  RefundRequested: (order, wish) => ({
    ...order,
    wishes: [...order.wishes, { ...wish, failed: undefined, isOvertaken: false }],
  }),

  RefundFailed(order, { why }) {
    const after = { ...order, wishes: withOpenRefund(order, { failed: why }) }
    return why === 'unknown' ? holdBack(after) : after
  },

  PaymentDisputed(order, { attempt, disputeId, respondBy }) {
    const due = respondBy !== undefined && { respondBy }
    const others = order.disputes.filter((known) => known.disputeId !== disputeId)
    const isOpen = order.disputes.some((known) => known.disputeId === disputeId && known.outcome === 'open')
    const disputes = [...others, { disputeId, attempt, outcome: 'open', ...due } as const]
    return { ...(isOpen ? order : holdBack(order)), disputes }
  },

  DisputeClosed(order, { disputeId, outcome }) {
    const disputes = order.disputes.map((known) => (known.disputeId === disputeId ? { ...known, outcome } : known))
    return { ...order, disputes }
  },

  // What staff have approved goes on.
  BlockFound: (order) => ({ ...(isApproved(order) ? order : holdBack(order)), isBlocked: true }),

  PaymentWatchEnded: (order, { attempt, isUnclear }) =>
    withAttempt(order, attempt, () => ({ isWatched: false, isUnclear })),

  PaymentWatchHeldUp: (order, { attempt }) => withAttempt(order, attempt, () => ({ isHeldUp: true })),

  ReceiptUnusable(order, { attempt, receiptId, why, news, endsSighting }) {
    const others = order.unusableReceipts.filter((known) => known.receiptId !== receiptId || known.why !== why)
    const unusableReceipts = [...others, { attempt, receiptId, why, isGone: news === 'gone' }]
    const known = { ...withoutPart(order, receiptId), unusableReceipts }
    return endsSighting ? withAttempt(known, attempt, withoutSighting) : known
  },

  OrderApproved(order, { answers, serial }) {
    const approvedTo = withRevisions(order.approvedTo, answers, order.next)
    const approved = withOpen(reopen({ ...order, approvedTo }), { isApproved: true, isHeld: false })
    return serial === null ? approved : claim(approved, serial)
  },

  PreOrderReserved: (order, { serial }) => claim(order, serial),

  OrderReinstated: (order, { serial }) => claim(reopen(order), serial),

  OrderReady: (order, { deliveryMode, at: since }) =>
    withStage(order, { kind: 'ready', ready: { deliveryMode, since } }),

  DeliveryHeld: (order) => withOpen(order, { isHeld: true }),

  DeliveryRequested: (order, delivery) =>
    withStage(withOpen(order, { isHeld: false }), { kind: 'delivering', delivery, ready: readinessOf(order) }),

  DeliveryGivenUp: (order) => withStage(order, { kind: 'delivery-unknown' }),

  DeliveredAfterEnd: (order) => ({ ...order, holding: { kind: 'given-after-end' } }),

  OrderCompleted: (order, { note, isNoteShown = false, at }) => ({
    ...order,
    ...(note !== undefined && { deliveryNote: { note, isShown: isNoteShown } }),
    life: { kind: 'completed', at },
    holding: deliveredHolding(order),
  }),

  OrderExpired: (order, { at }) => end(order, 'expired', at),

  OrderCancelled: (order, { at }) => end(order, 'cancelled', at),

  ReinstatementRefused: (order) => refuseLateMoney(order),

  AttentionSettled: (order, { answers, reason, seenRevision }) =>
    refuseLateMoney({
      ...order,
      answeredTo: withRevisions(order.answeredTo, answers, seenRevision),
      stayingCents: reason === 'to-pay-back' ? 0 : paidCents(order),
    }),

  OrderDeleted(order, { coinsGiven, at }) {
    const { life } = order
    if (life.kind === 'deleted') return order
    const deleted: PlacedOrder = {
      ...order,
      life: { kind: 'deleted', at, before: life.kind === 'open' ? { ...life, stage: waiting } : life },
    }
    if (coinsGiven === true) return { ...deleted, holding: deliveredHolding(order) }
    return order.holding.kind === 'reserved' ? { ...deleted, holding: { kind: 'none' } } : deleted
  },
}

/** The receipts of an order after more has arrived by one of them. */
export function receiptsWith(
  { receipts }: PlacedOrder,
  { receiptId, attempt, amount, askedAmount, currency, sellerProtection }: ReceiptNews,
): PlacedOrder['receipts'] {
  const known = receipts.find((other) => other.receiptId === receiptId) ?? nothingReversed
  const others = receipts.filter((other) => other.receiptId !== receiptId)
  const protection = sellerProtection && { sellerProtection }
  return [...others, { ...known, receiptId, attempt, amount, askedAmount, currency, ...protection }]
}

const nothingReversed = {
  back: nothingBack,
  backByOthers: '0',
  reversed: { amount: '0', refundedCents: 0 },
} satisfies Partial<ReceivedReceipt>

function withReceipt(
  order: PlacedOrder,
  receiptId: string,
  changes: (known: ReceivedReceipt) => Partial<ReceivedReceipt>,
): PlacedOrder {
  const receipts = order.receipts.map((known) =>
    known.receiptId === receiptId ? { ...known, ...changes(known) } : known,
  )
  return { ...order, receipts }
}

/** A sighting without parts ends; its money counts elsewhere. */
function withoutSighting(attempt: Attempt): Partial<Attempt> {
  return hasPlainSighting(attempt) ? { money: { kind: 'awaited' } } : {}
}

function withRevisions(known: CauseRevisions, reasons: readonly AttentionReason[], revision: number): CauseRevisions {
  return { ...known, ...Object.fromEntries(reasons.map((reason) => [reason, revision])) }
}

/** A reversal or dispute revokes an approval with its answers; staff may have given the coins without marking it. */
function holdBack(order: PlacedOrder): PlacedOrder {
  const held = readinessOf(order)?.deliveryMode === 'staff' ? withStage(order, { kind: 'delivery-unknown' }) : order
  if (held.life.kind !== 'open' || !held.life.isApproved) return held
  return { ...withOpen(held, { isApproved: false }), approvedTo: noRevisions }
}

/** A transfer that counts elsewhere or came in another coin is no longer expected. */
function withoutPart(order: PlacedOrder, partId: string): PlacedOrder {
  return {
    ...order,
    attempts: order.attempts.map((attempt) => {
      const parts = attempt.parts.filter(({ id }) => id !== partId)
      if (parts.length === attempt.parts.length) return attempt
      const isAwaited = parts.length === 0 && attempt.money.kind === 'seen'
      return { ...attempt, parts, ...(isAwaited && { money: { kind: 'awaited' } }) }
    }),
  }
}

function withOpenRefund({ wishes }: PlacedOrder, changes: Partial<RefundWish>): PlacedOrder['wishes'] {
  return wishes.map((wish) => (wish.failed === undefined ? { ...wish, ...changes } : wish))
}

function withStage(order: PlacedOrder, stage: Stage): PlacedOrder {
  return withOpen(order, { stage })
}

function withOpen(order: PlacedOrder, changes: Partial<OpenLife>): PlacedOrder {
  return order.life.kind === 'open' ? { ...order, life: { ...order.life, ...changes } } : order
}

/** A deleted order never opens again. */
function reopen(order: PlacedOrder): PlacedOrder {
  if (order.life.kind === 'open' || order.life.kind === 'deleted') return order
  return { ...order, life: { kind: 'open', isApproved: false, isHeld: false, isReopened: true, stage: waiting } }
}

function end(order: PlacedOrder, as: Exclude<Outcome, 'completed'>, at: string): PlacedOrder {
  const life: Life = { kind: 'ended', as, at, lateMoney: 'reinstates' }
  return { ...order, life, holding: { kind: 'none' } }
}

/** An ended order keeps its end, from which its payments' watch counts. */
function endByRefund(order: PlacedOrder, at: string): PlacedOrder {
  const { life } = order
  if (life.kind === 'open') return refuseLateMoney(end(order, 'refunded', at))
  return life.kind === 'ended' ? refuseLateMoney({ ...order, life: { ...life, as: 'refunded' } }) : order
}

function refuseLateMoney(order: PlacedOrder): PlacedOrder {
  return order.life.kind === 'ended' ? { ...order, life: { ...order.life, lateMoney: 'refused' } } : order
}

function deliveredHolding({ holding }: PlacedOrder): Holding {
  return holding.kind === 'reserved' ? { kind: 'committed', serial: holding.serial } : holding
}

function withAttempt(order: PlacedOrder, attempt: number, changes: (known: Attempt) => Partial<Attempt>): PlacedOrder {
  return {
    ...order,
    attempts: order.attempts.map((known) => (known.attempt === attempt ? { ...known, ...changes(known) } : known)),
  }
}

/** Any report about the attempt under capture closes its capture. */
function withoutCapture(order: PlacedOrder, attempt: number): PlacedOrder {
  return openCapture(order)?.attempt === attempt ? withStage(order, waiting) : order
}

function claim(order: PlacedOrder, serial: number): PlacedOrder {
  return {
    ...order,
    claims: [...order.claims, { claimAt: order.next, serial }],
    holding: { kind: 'reserved', serial, quantityM: order.placed.quantityM },
  }
}
