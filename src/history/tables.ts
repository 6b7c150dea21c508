import { buyerTextNames } from '../domain/order/buyer-texts.ts'
import { centsToText } from '../domain/money.ts'
import { isCovered, refundedCents } from '../domain/order/order-money.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import {
  endedAt,
  hasFailed,
  isApproved,
  isDeleted,
  lifeBeforeDeletion,
  outcomeOf,
  revenueLeftCents,
} from '../domain/order/order-state.ts'
import { statusesOf } from '../domain/order/standing.ts'
import { decode, type EventMetadata } from '../log/event-codec.ts'
import type { Buyer, RecordedEvent } from '../log/event-log.ts'
import { EventStoreDamaged, type StoredEvent } from '../engines/event-store/event-store.ts'
import { orderAfter } from '../domain/order/evolve.ts'
import { isOrderEvent } from '../projections/order-events.ts'
import { type EventOf, isOf } from '../projections/projection.ts'

type Value = string | number | null
/** In the order of the columns. */
type TableRow = readonly Value[]

/** SQLite keeps the comments: `SELECT sql FROM sqlite_schema` shows the file's documentation. */
export const schema = `
CREATE TABLE orders (
  position INTEGER PRIMARY KEY, -- of its OrderPlaced event
  orderId TEXT NOT NULL UNIQUE,
  orderNumber TEXT NOT NULL, -- as the buyer reads it
  customerId TEXT NOT NULL, -- the same for all orders of one e-mail; identifies no person
  placedAt TEXT NOT NULL, -- ISO, UTC
  placedOn TEXT NOT NULL, -- its day on the shop's calendar
  status TEXT NOT NULL, -- pending, completed or failed
  paymentStatus TEXT NOT NULL, -- as the screens show it
  outcome TEXT, -- completed, expired, cancelled or refunded; NULL while pending
  ending TEXT, -- why it ended without delivery: never-begun (no payment), payment-failed (the last one failed), late (not paid in full in time), cancelled (by the buyer), by-staff
  endedAt TEXT, -- when it was completed, ended or deleted
  completedAt TEXT, -- when its coins were delivered
  completedOn TEXT, -- its day on the shop's calendar: the day of its revenue
  isPaid INTEGER NOT NULL, -- 1: paid in full, or approved by staff, at least once
  isDeleted INTEGER NOT NULL, -- 1: deleted by staff, not in any figure
  isPreOrder INTEGER NOT NULL, -- 1: placed without stock
  method TEXT, -- the last chosen payment method
  attempts INTEGER NOT NULL, -- how many payments were started
  quantityM INTEGER NOT NULL, -- coins, in millions
  discountPercent INTEGER NOT NULL, -- discount of the sale
  totalCents INTEGER NOT NULL, -- what it costs, in US cents
  receivedCents INTEGER NOT NULL, -- all money received for it
  refundedCents INTEGER NOT NULL, -- all money refunded by staff
  revenueCents INTEGER NOT NULL, -- its revenue less refunds; 0 unless completed and not deleted
  settingsRevision INTEGER NOT NULL, -- of the SettingsChanged event in force
  attention TEXT, -- why it needs a person, if it does
  ${buyerTextNames.map((name) => `${name} TEXT, -- only with --reveal, NULL for erased buyers`).join('\n  ')}
  marketIds TEXT -- JSON: where the coins go; as above
);
CREATE TABLE payments (
  position INTEGER NOT NULL, -- of the event; a refund of several receipts has a row for each
  at TEXT NOT NULL, -- ISO, UTC
  day TEXT NOT NULL, -- on the shop's calendar
  orderId TEXT NOT NULL,
  kind TEXT NOT NULL, -- requested, received, failed, reversed or refunded
  attempt INTEGER, -- which payment of the order, from 1
  method TEXT, -- requested: paypal, crypto or upi
  provider TEXT, -- requested, received: the payment provider
  receiptId TEXT, -- received, reversed, refunded: which receipt
  amountCents INTEGER, -- US cents asked for or received; negative if reversed or refunded. All but those asked for add up to what an order holds
  revenueCents INTEGER, -- refunded: by how much it changed the revenue, on the first row of the refund
  amount TEXT, -- requested, received: decimal text in the currency of the payment; each row of a receipt has what arrived with it
  currency TEXT, -- of amount
  reason TEXT -- failed, refunded: why
);
CREATE TABLE events (
  position INTEGER PRIMARY KEY, -- order of the whole log
  recordedAt TEXT NOT NULL, -- ISO, UTC
  stream TEXT NOT NULL, -- order-<id>, stock-main, settings-shop, ...
  revision INTEGER NOT NULL, -- place in the stream, from 0
  type TEXT NOT NULL, -- docs/events.md lists them
  version INTEGER NOT NULL, -- of the type's shape
  actor TEXT NOT NULL, -- buyer, staff, system or provider
  correlationId TEXT NOT NULL, -- shared by all events that one request caused
  causationId TEXT, -- the event that caused it, if any
  id TEXT NOT NULL,
  data TEXT NOT NULL -- JSON: its facts; sealed fields are null
);`

/** A JSON string that `seal` has written. */
const SEALED = /"v1\.[\w-]+\.[\w-]{38,}"/g

export function eventRow(event: StoredEvent): TableRow {
  const { position, recordedAt, stream, revision, type, version, id, data } = event
  const { actor, correlationId, causationId } = JSON.parse(event.metadata) as EventMetadata
  const facts = data.includes('"v1.') ? data.replaceAll(SEALED, 'null') : data
  const at = new Date(recordedAt).toISOString()
  return [Number(position), at, stream, revision, type, version, actor, correlationId, causationId, id, facts]
}

/** Throws `EventStoreDamaged` if this release cannot read the event: an export must be complete. */
export function readableEvent(stored: StoredEvent): RecordedEvent {
  const event = decode(stored)
  if (event.type !== 'unreadable') return event
  throw new EventStoreDamaged(
    `${event.storedType} at ${event.stream}:${event.revision} cannot be read (${event.reason}): npm run shop -- verify says what to do`,
  )
}

/** `events` are those of one order; `buyer` only with personal data. Undefined if they do not place it. */
export function orderRow(
  events: readonly StoredEvent[],
  { dayOf, buyer }: { dayOf: (at: string) => string; buyer?: Buyer | undefined },
): TableRow | undefined {
  let order: PlacedOrder | undefined
  let wasPaid = false
  for (const event of events.map(readableEvent)) {
    if (isOrderEvent(event)) order = orderAfter(order, event)
    wasPaid ||= order !== undefined && (isCovered(order) || isApproved(order))
  }
  if (!order) return undefined
  const { placed, life } = order
  const { status, paymentStatus } = statusesOf(order)
  const before = lifeBeforeDeletion(order)
  const completedAt = before.kind === 'completed' ? before.at : null
  return [
    Number(events[0]?.position),
    placed.orderId,
    placed.orderNumber,
    placed.customerId,
    placed.at,
    dayOf(placed.at),
    status,
    paymentStatus,
    outcomeOf(order) ?? null,
    endingOf(order),
    endedAt(order) ?? null,
    completedAt,
    completedAt === null ? null : dayOf(completedAt),
    Number(wasPaid),
    Number(isDeleted(order)),
    Number(placed.preOrder),
    order.paymentMethod,
    order.attempts.length,
    placed.quantityM,
    placed.discountPercent,
    placed.totalCents,
    order.receivedCents,
    refundedCents(order),
    life.kind === 'completed' ? revenueLeftCents(order) : 0,
    placed.settingsRevision,
    order.attention.map(({ reason }) => reason).join(' ') || null,
    ...personalOf(buyer),
  ]
}

/** Null for open and completed orders. Deleting an ended order keeps its first end. */
function endingOf(order: PlacedOrder): string | null {
  const before = lifeBeforeDeletion(order)
  if (before.kind === 'open' && order.life.kind === 'deleted') return 'by-staff'
  if (before.kind !== 'ended') return null
  if (before.as === 'cancelled') return 'cancelled'
  if (before.as === 'refunded') return 'by-staff'
  if (order.attempts.length === 0) return 'never-begun'
  return hasFailed(order) ? 'payment-failed' : 'late'
}

/** Null for erased buyers, and if the vault is an older copy. */
function personalOf(buyer: Buyer | undefined): TableRow {
  if (buyer === undefined || typeof buyer === 'string') return [...buyerTextNames.map(() => null), null]
  return [...buyerTextNames.map((name) => buyer[name]), JSON.stringify(buyer.marketIds)]
}

const moneyTypes = [
  'PaymentRequested',
  'PaymentReceived',
  'PaymentFailed',
  'PaymentReversed',
  'RefundRecorded',
] as const

/** By column; missing ones are NULL. */
type PaymentRow = Readonly<Record<string, Value>>

/** No row, one, or one for each part of a refund. */
export function paymentRows(stored: StoredEvent, dayOf: (at: string) => string): PaymentRow[] {
  if (!moneyTypes.some((type) => type === stored.type)) return []
  const event = readableEvent(stored)
  if (!isOf(moneyTypes, event)) return []
  const { at, orderId } = event.data
  return paymentFacts(event).map((facts) => ({
    position: Number(event.position),
    at,
    day: dayOf(at),
    orderId,
    ...facts,
  }))
}

function paymentFacts({ type, data }: EventOf<(typeof moneyTypes)[number]>): PaymentRow[] {
  switch (type) {
    case 'PaymentRequested': {
      const { attempt, method, provider, currency, coversCents, askedMinor } = data
      const amount = centsToText(askedMinor)
      return [{ kind: 'requested', attempt, method, provider, currency, amountCents: coversCents, amount }]
    }
    case 'PaymentReceived': {
      const { attempt, provider, receiptId, addedCents, addedAmount: amount, currency } = data
      return [{ kind: 'received', attempt, provider, receiptId, amountCents: addedCents, amount, currency }]
    }
    case 'PaymentFailed':
      return [{ kind: 'failed', attempt: data.attempt, reason: data.reason }]
    case 'PaymentReversed':
      return [{ kind: 'reversed', receiptId: data.receiptId, amountCents: -data.takenCents }]
    case 'RefundRecorded':
      return data.parts.map(({ receiptId, amountCents }, index) => ({
        kind: 'refunded',
        receiptId,
        amountCents: -amountCents,
        revenueCents: index === 0 ? -data.revenueCents : 0,
        reason: data.reason,
      }))
  }
}
