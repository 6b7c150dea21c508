import type { PlacedOrder } from '../domain/order/order-state.ts'
import {
  endedAt,
  isDeleted,
  lifeBeforeDeletion,
  outcomeOf,
  receivedCents,
  refundedCents,
  revenueLeftCents,
  statusesOf,
} from '../domain/order/order-state.ts'
import { orderStream } from '../domain/stream-names.ts'
import type { Buyer, RecordedEvent } from '../event-store/event-log.ts'
import type { EventStore, Position } from '../event-store/event-store.ts'
import { isOrderEvent, orderAfter } from '../projections/order-events.ts'
import type { Column, Row } from './columns.ts'
import { endOf } from './endings.ts'
import { isPaid } from './figures.ts'
import { isBy, type Moment } from './moment.ts'
import { readable } from './readable.ts'

export const orderColumns: readonly Column[] = [
  { name: 'position', type: 'integer', says: 'of its placing in the log' },
  { name: 'orderId', type: 'text', says: 'its id' },
  { name: 'orderNumber', type: 'text', says: 'as the buyer reads it' },
  { name: 'customerId', type: 'text', says: 'the same for all orders of one e-mail; names nobody' },
  { name: 'placedAt', type: 'timestamp', says: 'when it was placed' },
  { name: 'placedOn', type: 'date', says: "the same on the shop's own calendar" },
  { name: 'status', type: 'text', says: '`pending`, `completed` or `failed`' },
  { name: 'paymentStatus', type: 'text', says: 'as the screens have it' },
  { name: 'outcome', type: 'text', says: '`completed`, `expired`, `cancelled` or `refunded`; empty while pending' },
  { name: 'ending', type: 'text', says: 'why it ended without its coins, as `history -- ended` counts it' },
  { name: 'endedAt', type: 'timestamp', says: 'when it was completed, ended or deleted' },
  { name: 'completedAt', type: 'timestamp', says: 'when it was completed' },
  { name: 'completedOn', type: 'date', says: "the same on the shop's own calendar: the day of its revenue" },
  { name: 'isPaid', type: 'boolean', says: 'paid in full, or approved, at least once' },
  { name: 'isDeleted', type: 'boolean', says: 'taken off the books: no figure counts it' },
  { name: 'isPreOrder', type: 'boolean', says: 'placed without stock' },
  { name: 'method', type: 'text', says: 'the last one chosen' },
  { name: 'attempts', type: 'integer', says: 'how many payments were begun' },
  { name: 'quantityM', type: 'integer', says: 'coins, in millions' },
  { name: 'discountPercent', type: 'integer', says: 'at which it was sold' },
  { name: 'totalCents', type: 'integer', says: 'what it costs' },
  { name: 'receivedCents', type: 'integer', says: 'all money that came for it' },
  { name: 'refundedCents', type: 'integer', says: 'all that staff paid back' },
  {
    name: 'revenueCents',
    type: 'integer',
    says: 'what it counts as revenue, less refunds; 0 unless completed and not deleted',
  },
  { name: 'settingsRevision', type: 'integer', says: 'the settings that it was placed at' },
  { name: 'attention', type: 'text', says: 'why it needs a person, if it does' },
  { name: 'customerEmail', type: 'text', says: 'the buyer', isPersonal: true },
  { name: 'discordUsername', type: 'text', says: 'the buyer', isPersonal: true },
  { name: 'marketIds', type: 'json', says: 'where the coins go', isPersonal: true },
]

/** An order as of a moment. */
export interface OrderAsOf {
  readonly order: PlacedOrder
  readonly wasPaid: boolean
  readonly events: readonly RecordedEvent[]
}

/** Events of one order, read at once. */
const EVENTS_MAX = 10_000

/** Folds the stream of an order up to a moment; undefined where it was not placed by then. Throws `EventStoreDamaged` where one of its events cannot be read. */
export async function orderAsOf(
  store: Pick<EventStore, 'readStream'>,
  orderId: string,
  moment: Moment,
): Promise<OrderAsOf | undefined> {
  const stored = await store.readStream(orderStream(orderId), { fromRevision: 0, limit: EVENTS_MAX })
  const events = stored.filter((event) => isBy(event, moment)).map(readable)
  let order: PlacedOrder | undefined
  let wasPaid = false
  for (const event of events) {
    if (isOrderEvent(event)) order = orderAfter(order, event)
    wasPaid ||= order !== undefined && isPaid(order)
  }
  return order && { order, wasPaid, events }
}

/** `buyer` only where personal fields are asked for. */
export function orderRow(
  { order, wasPaid }: OrderAsOf,
  { position, dayOf, buyer }: { position: Position; dayOf: (at: string) => string; buyer: Buyer | undefined },
): Row {
  const { placed, life } = order
  const { status, paymentStatus } = statusesOf(order)
  const before = lifeBeforeDeletion(order)
  const completedAt = before.kind === 'completed' ? before.at : null
  return [
    Number(position),
    placed.orderId,
    placed.orderNumber,
    placed.customerId,
    placed.at,
    dayOf(placed.at),
    status,
    paymentStatus,
    outcomeOf(order) ?? null,
    endOf(order)?.ending ?? null,
    endedAt(order) ?? null,
    completedAt,
    completedAt === null ? null : dayOf(completedAt),
    wasPaid,
    isDeleted(order),
    placed.preOrder,
    order.paymentMethod,
    order.attempts.length,
    placed.quantityM,
    placed.discountPercent,
    placed.totalCents,
    receivedCents(order),
    refundedCents(order),
    life.kind === 'completed' ? revenueLeftCents(order) : 0,
    placed.settingsRevision,
    order.attention.map(({ reason }) => reason).join(' ') || null,
    ...personalOf(buyer),
  ]
}

/** Empty for the erased, and where the vault is an older copy. */
function personalOf(buyer: Buyer | undefined): Row {
  if (buyer === undefined) return []
  if (typeof buyer === 'string') return [null, null, null]
  return [buyer.customerEmail, buyer.discordUsername, JSON.stringify(buyer.marketIds)]
}
