import type { AttentionReason, OrderEvent, OrderEventData } from './events.ts'
import {
  type Attempt,
  committedSerial,
  hasReceipt,
  holdsStock,
  type Holding,
  isCovered,
  isCaptureUnknown,
  isDeliveryUnknown,
  isDisputed,
  isMoneyOnItsWay,
  isOpen,
  isToBeDelivered,
  keepsCents,
  type Life,
  openCapture,
  type Order,
  paidCents,
  type PlacedOrder,
  readinessOf,
  sightingOf,
  type Stage,
  stageOf,
  waiting,
} from './order-state.ts'

export function evolve(order: Order, event: OrderEvent): Order {
  const next = order.next + 1
  if (order.kind === 'none')
    return event.type === 'OrderPlaced' ? newOrder(event.data, order.next) : { kind: 'none', next }
  // An existing order is neither placed again nor fenced.
  if (event.type === 'OrderPlaced' || event.type === 'OrderAbandoned') return { ...order, next }
  return withReadiness(withTrueReasons({ ...evolved(order, event), next, updatedAt: event.data.at }))
}

function newOrder(placed: OrderEventData<'OrderPlaced'>, claimAt: number): PlacedOrder {
  const { serial, paymentMethod, expiresAt } = placed
  return {
    kind: 'placed',
    next: claimAt + 1,
    placed,
    life: { kind: 'open', isApproved: false, stage: waiting },
    holding: { kind: 'reserved', serial, quantityM: placed.preOrder ? 0 : placed.quantityM },
    claims: [{ claimAt, serial }],
    paymentMethod,
    methodChanges: 0,
    attemptsAtChoice: 0,
    attempts: [],
    receipts: [],
    refunds: [],
    wasReversed: false,
    disputes: [],
    refusedReceipts: [],
    moneySeenAt: undefined,
    expiresAt,
    extensions: 0,
    attention: [],
    wasSettled: false,
    updatedAt: placed.at,
  }
}

/** Logs older than OrderReady have orders that are ready without it: staff deliver these. */
function withReadiness(order: PlacedOrder): PlacedOrder {
  const stage = stageOf(order)
  if (stage.kind === 'capturing' || stage.kind === 'delivery-unknown') return order
  const isReady = isToBeDelivered(order) && holdsStock(order)
  if (stage.kind === 'delivering')
    return isReady || !stage.ready ? order : withStage(order, { ...stage, ready: undefined })
  if (isReady === (stage.kind === 'ready')) return order
  return withStage(
    order,
    isReady ? { kind: 'ready', ready: { deliveryMode: 'staff', since: order.updatedAt } } : waiting,
  )
}

type Mark<Type extends MarkingType> = (order: PlacedOrder, data: OrderEventData<Type>) => PlacedOrder
type MarkingType = Exclude<OrderEvent['type'], 'OrderPlaced' | 'OrderAbandoned'>
type MarkingEvent<Type extends MarkingType = MarkingType> = {
  [Each in Type]: { type: Each; data: OrderEventData<Each> }
}[Type]

function evolved<Type extends MarkingType>(order: PlacedOrder, { type, data }: MarkingEvent<Type>): PlacedOrder {
  return marks[type](order, data)
}

/** What each event changes. */
const marks: { readonly [Type in MarkingType]: Mark<Type> } = {
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
      isUnclear: false,
    }
    return { ...order, paymentMethod: asked.method, attempts: [...order.attempts, requested] }
  },

  PaymentStarted(order, started) {
    const { attempt, orderExpiresAt } = started
    const extensions = order.extensions + (orderExpiresAt > order.expiresAt ? 1 : 0)
    return { ...withAttempt(order, attempt, () => ({ started })), expiresAt: orderExpiresAt, extensions }
  },

  PaymentSeen(order, { attempt, status, amountPaid, parts, at }) {
    const sighting = { status, amountPaid }
    const seen = withAttempt(order, attempt, (known) => ({
      money: { kind: hasReceipt(known) ? 'received' : 'seen', sighting },
      parts,
    }))
    return { ...withoutCapture(seen, attempt), moneySeenAt: order.moneySeenAt ?? at }
  },

  CaptureRequested: (order, capture) => withStage(order, { kind: 'capturing', capture }),

  PaymentReceived(order, { attempt, receiptId, coversCents, at }) {
    const { reversedCents = 0, reversedBy = null } = order.receipts.find((other) => other.receiptId === receiptId) ?? {}
    const others = order.receipts.filter((other) => other.receiptId !== receiptId)
    const received = withAttempt(order, attempt, (known) => ({
      money: { kind: 'received', sighting: sightingOf(known) },
      parts: known.parts.filter(({ id }) => id !== receiptId),
    }))
    const paid: PlacedOrder = {
      ...withoutCapture(received, attempt),
      receipts: [...others, { receiptId, attempt, coversCents, reversedCents, reversedBy }],
      moneySeenAt: at,
    }
    return isCovered(paid) ? withoutReasons(paid, ['late-and-short']) : paid
  },

  PaymentFailed(order, { attempt, reason }) {
    const failed = withAttempt(order, attempt, (known) => ({
      ...(!hasReceipt(known) && { money: { kind: 'failed', reason } }),
      parts: [],
    }))
    const hasMoney = failed.receipts.length > 0 || isMoneyOnItsWay(failed)
    return { ...withoutCapture(failed, attempt), moneySeenAt: hasMoney ? order.moneySeenAt : undefined }
  },

  PaymentReversed(order, { receiptId, attempt: reversedBy, takenCents, reversedCents }) {
    const receipts = order.receipts.map((receipt) =>
      receipt.receiptId === receiptId ? { ...receipt, reversedCents, reversedBy } : receipt,
    )
    if (takenCents > 0) return { ...withApproval(order, false), receipts, wasReversed: true }
    const isWhole = order.life.kind === 'completed' && receipts.every((receipt) => receipt.reversedCents === 0)
    return { ...(isWhole ? withoutReasons(order, ['reversed']) : order), receipts }
  },

  RefundRecorded(order, refund) {
    const { endsOrder, at } = refund
    const refunded: PlacedOrder = { ...order, refunds: [...order.refunds, refund], wasSettled: true }
    const after = endsOrder ? endedByRefund(refunded, at) : refunded
    const isReturned = paidCents(after) <= 0 && !isOpen(after) && committedSerial(after) === undefined
    return isReturned ? withoutReasons(after, ['reversed']) : after
  },

  PaymentDisputed: (order, { attempt, disputeId }) => ({
    ...withApproval(order, false),
    disputes: [
      ...order.disputes.filter((known) => known.disputeId !== disputeId),
      { disputeId, attempt, outcome: 'open' },
    ],
  }),

  DisputeClosed(order, { disputeId, outcome }) {
    const disputes = order.disputes.map((known) => (known.disputeId === disputeId ? { ...known, outcome } : known))
    return { ...order, disputes }
  },

  PaymentWatchEnded: (order, { attempt, isUnclear }) =>
    withAttempt(order, attempt, () => ({ isWatched: false, isUnclear })),

  OrderApproved(order, { serial }) {
    const approved = withApproval(reopened(withoutReasons(order, answeredByApproval)), true)
    return serial === null ? approved : claimed(approved, serial)
  },

  PreOrderReserved: (order, { serial }) => claimed(order, serial),

  OrderReinstated: (order, { serial }) => claimed(reopened(order), serial),

  OrderReady(order, { deliveryMode }) {
    const stage = stageOf(order)
    return stage.kind === 'ready' ? withStage(order, { ...stage, ready: { ...stage.ready, deliveryMode } }) : order
  },

  DeliveryRequested(order, delivery) {
    const ready = readinessOf(order)
    return withStage(order, {
      kind: 'delivering',
      delivery,
      ready: ready && { ...ready, deliveryMode: 'webhook' },
    })
  },

  OrderCompleted: (order, { at }) => ({
    ...withoutReasons(order, ['delivered-after-end']),
    life: { kind: 'completed', at },
    holding: given(order),
  }),

  OrderExpired: (order, { at }) => ended(order, 'expired', at),

  OrderCancelled: (order, { at }) => ended(order, 'cancelled', at),

  OrderNeedsAttention(order, { reasons, refusedReceipt, at }) {
    const added = reasons.filter((reason) => !order.attention.some((cause) => cause.reason === reason))
    const known = refusedReceipt ? withoutPart(order, refusedReceipt.receiptId) : order
    const raised: PlacedOrder = {
      ...known,
      attention: [...order.attention, ...added.map((reason) => ({ reason, since: at }))],
      refusedReceipts: refusedReceipt ? [...order.refusedReceipts, refusedReceipt] : order.refusedReceipts,
    }
    if (reasons.includes('paid-without-stock')) return refusingLateMoney(raised)
    if (reasons.includes('delivery-unknown')) return withStage(raised, { kind: 'delivery-unknown' })
    const isGivenAfterEnd = reasons.includes('delivered-after-end') && order.holding.kind === 'none'
    return isGivenAfterEnd ? { ...raised, holding: { kind: 'given-after-end' } } : raised
  },

  AttentionSettled: (order) => ({ ...refusingLateMoney(order), attention: [], wasSettled: true }),

  OrderDeleted(order, { coinsGiven, at }) {
    const { life } = order
    if (life.kind === 'deleted') return order
    const deleted: PlacedOrder = {
      ...order,
      life: { kind: 'deleted', at, before: life.kind === 'open' ? { ...life, stage: waiting } : life },
    }
    if (coinsGiven === true) return { ...deleted, holding: given(order) }
    return order.holding.kind === 'reserved' ? { ...deleted, holding: { kind: 'none' } } : deleted
  },
}

/** Causes that only asked for this decision. What may have to be refunded stays. */
const answeredByApproval: readonly AttentionReason[] = [
  'short',
  'reversed',
  'disputed',
  'capture-unknown',
  'payment-unclear',
  'buyer-unreadable',
]

/** When each of these is no longer so. All others stay until they are answered. */
const untrueWhen: Readonly<Partial<Record<AttentionReason, (order: PlacedOrder) => boolean>>> = {
  short: (order) => !isOpen(order) || isCovered(order),
  over: keepsAll,
  double: keepsAll,
  'paid-without-stock': deliversOrKeepsAll,
  'late-and-short': deliversOrKeepsAll,
  'money-on-deleted-order': keepsAll,
  'paid-after-settling': keepsAll,
  'never-confirmed': (order) => !isMoneyOnItsWay(order),
  'payment-unclear': ({ attempts }) => !attempts.some(({ isWatched, isUnclear }) => isWatched || isUnclear),
  'capture-unknown': ({ attempts }) => !attempts.some(isCaptureUnknown),
  'delivery-unknown': (order) => !isDeliveryUnknown(order),
  'buyer-unreadable': (order) => !isOpen(order),
  disputed: (order) => !isDisputed(order),
}

/** Nothing is held that the shop may not keep. */
function keepsAll(order: PlacedOrder): boolean {
  return paidCents(order) <= keepsCents(order)
}

function deliversOrKeepsAll(order: PlacedOrder): boolean {
  return isOpen(order) || committedSerial(order) !== undefined || keepsAll(order)
}

function withTrueReasons(order: PlacedOrder): PlacedOrder {
  const attention = order.attention.filter(({ reason }) => untrueWhen[reason]?.(order) !== true)
  return attention.length === order.attention.length ? order : { ...order, attention }
}

/** A transfer that counts elsewhere, or in another coin, is not on its way any more. */
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

function withStage(order: PlacedOrder, stage: Stage): PlacedOrder {
  return order.life.kind === 'open' ? { ...order, life: { ...order.life, stage } } : order
}

function withApproval(order: PlacedOrder, isApproved: boolean): PlacedOrder {
  return order.life.kind === 'open' ? { ...order, life: { ...order.life, isApproved } } : order
}

/** A deleted order never opens again. */
function reopened(order: PlacedOrder): PlacedOrder {
  if (order.life.kind === 'open' || order.life.kind === 'deleted') return order
  return { ...order, life: { kind: 'open', isApproved: false, stage: waiting } }
}

function ended(order: PlacedOrder, as: 'expired' | 'cancelled' | 'refunded', at: string): PlacedOrder {
  const life: Life = { kind: 'ended', as, at, lateMoney: 'reinstates' }
  return { ...order, life, holding: { kind: 'none' } }
}

/** One that had ended keeps its end, from which its payments' watch counts. */
function endedByRefund(order: PlacedOrder, at: string): PlacedOrder {
  const { life } = order
  if (life.kind === 'open') return refusingLateMoney(ended(order, 'refunded', at))
  return life.kind === 'ended' ? refusingLateMoney({ ...order, life: { ...life, as: 'refunded' } }) : order
}

function refusingLateMoney(order: PlacedOrder): PlacedOrder {
  return order.life.kind === 'ended' ? { ...order, life: { ...order.life, lateMoney: 'refused' } } : order
}

function given({ holding }: PlacedOrder): Holding {
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

function withoutReasons(order: PlacedOrder, reasons: readonly AttentionReason[]): PlacedOrder {
  return { ...order, attention: order.attention.filter(({ reason }) => !reasons.includes(reason)) }
}

function claimed(order: PlacedOrder, serial: number): PlacedOrder {
  return {
    ...order,
    claims: [...order.claims, { claimAt: order.next, serial }],
    holding: { kind: 'reserved', serial, quantityM: order.placed.quantityM },
  }
}
