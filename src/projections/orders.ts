import type { AttentionReason, OrderStatus } from '../domain/words.ts'
import { isDeleted, type PlacedOrder } from '../domain/order/order-state.ts'
import { isToBeDelivered, isToPayBack, statusesOf } from '../domain/order/standing.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import { orderIdOf } from '../domain/stream-names.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import type { Collection, FoundRow, Query } from '../engines/view-store/view-store.ts'
import { orderAfter } from '../domain/order/evolve.ts'
import { isOrderEvent } from './order-events.ts'
import { type OrderWork, type WorkField, workFields, workOf } from './order-work.ts'
import type { Projection, Queries } from './projection.ts'
import { orderFrom, type StoredOrder, storedOrder } from './stored-order.ts'
import { all, bodiesOf, type Views } from './shop-views.ts'

/** An order for readers and the sweep: the domain's own state and its index fields. The buyer's data stays sealed. */
export interface OrderDocument extends OrderWork {
  readonly order: PlacedOrder
  readonly orderId: string
  /** Lower-case. */
  readonly number: string
  readonly customerId: string
  readonly method: PaymentMethod | null
  /** Sorts by total, then date. */
  readonly amount: string
  readonly createdAt: string
  readonly status: OrderStatus
  readonly isDeleted: boolean
  readonly isRefunded: boolean
  readonly isToPayBack: boolean
  /** Not deleted, or deleted and in need of attention. */
  readonly isListed: boolean
  readonly needsAttention: boolean
  readonly reasons: readonly AttentionReason[]
}

/** The folded state; everything else is derived from it. */
interface FoldedOrder {
  readonly order: PlacedOrder
  /** Position of the event that made the order paid or approved. */
  readonly payablePosition: Position | undefined
}

/** Lists are counted up to this. */
export const COUNTED_MAX = 10_000

type StoredDocument = Pick<FoldedOrder, 'payablePosition'> & { readonly order: StoredOrder }

/** Digits of the largest amount that can be searched for; the largest order's total has one digit less. */
const CENTS_DIGITS = 11

/** Filters of the list that have an index for each sort. */
export const filterFields = [
  'needsAttention',
  'isToPayBack',
  'status',
  'method',
] as const satisfies (keyof OrderDocument)[]

const listIndexes = [['isListed'], ['isDeleted'], ...filterFields.map((field) => ['isListed', field])].flatMap(
  (filters) => [
    [...filters, 'createdAt'],
    [...filters, 'amount'],
  ],
)

/** Fields that decide how often a payment is checked. */
const checkFields = ['polled', 'watchedSince', 'watchUntil']

export const orderQueries = {
  listed: () => ({ equal: { isListed: true }, range: { field: 'createdAt' }, direction: 'desc' }),
  needingAttention: () => ({
    equal: { isListed: true, needsAttention: true },
    range: { field: 'createdAt' },
    direction: 'desc',
  }),
  /** Deleted ones, or all others; the newest first. */
  kept: (isDeleted: boolean) => ({ equal: { isDeleted }, range: { field: 'createdAt' }, direction: 'desc' }),
  ofCustomer: (customerId: string) => ({ equal: { customerId }, range: { field: 'createdAt' } }),
  /** Orders with this work, oldest first; `below`: only work due before then. */
  due: (field: WorkField, below?: string) => ({ range: { field, below }, select: [field] }),
  /** Latest first. */
  expiringFrom: (from: string) => ({ range: { field: 'expiresAt', from }, direction: 'desc', select: ['createdAt'] }),
  /** Sorted by id. */
  polled: (polled: 'open' | 'ended') => ({ equal: { polled }, select: checkFields }),
  /** No provider's name begins with that of another. */
  polledBy: (provider: string) => ({ range: { field: 'polledBy', beginsWith: provider } }),
  awaitedFrom: (from: string) => ({
    range: { field: 'awaitedSince', from },
    direction: 'desc',
    select: checkFields,
  }),
} as const satisfies Queries

/** The fields that queries can name. */
const orderFields = {
  ...workFields,
  watchedSince: 'text',
  watchUntil: 'text',
  number: 'text',
  customerId: 'text',
  method: 'text',
  amount: 'text',
  createdAt: 'text',
  status: 'text',
  isDeleted: 'boolean',
  isRefunded: 'boolean',
  isToPayBack: 'boolean',
  isListed: 'boolean',
  needsAttention: 'boolean',
  reasons: 'text',
  polledBy: 'terms',
} satisfies Partial<Record<keyof OrderDocument, Collection['fields'][string]>>
export type OrderField = keyof typeof orderFields

export const ordersProjection: Projection<FoldedOrder> = {
  name: 'orders',
  fields: orderFields,
  indexes: [
    ...Object.keys(workFields).map((field) => [field]),
    ...listIndexes,
    ['customerId', 'createdAt'],
    ['number'],
  ],
  queries: orderQueries,

  keys(event) {
    const orderId = orderIdOf(event.stream)
    return orderId === undefined ? [] : [orderId]
  },

  evolve({ body }, event) {
    if (!isOrderEvent(event)) return body
    const order = orderAfter(body?.order, event)
    if (!order) return undefined
    return { order, payablePosition: isToBeDelivered(order) ? (body?.payablePosition ?? event.position) : undefined }
  },

  form: {
    toStored: ({ order, payablePosition }): StoredDocument => ({ order: storedOrder(order), payablePosition }),
    fromStored: (stored) => foldedFrom(stored as StoredDocument),
    fields(body) {
      const { reasons, ...fields } = documentOf(body)
      return { ...fields, reasons: reasons.join(' ') }
    },
  },
}

function foldedFrom({ order, payablePosition }: StoredDocument): FoldedOrder {
  return { order: orderFrom(order), payablePosition }
}

function documentOf({ order, payablePosition }: FoldedOrder): OrderDocument {
  const { placed, attention } = order
  const needsAttention = attention.length > 0
  return {
    order,
    orderId: placed.orderId,
    number: placed.orderNumber.toLowerCase(),
    customerId: placed.customerId,
    method: order.paymentMethod,
    amount: amountOf(placed.totalCents, placed.at),
    createdAt: placed.at,
    status: statusesOf(order).status,
    isDeleted: isDeleted(order),
    isRefunded: order.refunds.length > 0,
    isToPayBack: isToPayBack(order),
    isListed: !isDeleted(order) || needsAttention,
    needsAttention,
    reasons: attention.map(({ reason }) => reason),
    ...workOf(order, payablePosition),
  }
}

export function orderIn(stored: unknown): OrderDocument {
  return documentOf(foldedFrom(stored as StoredDocument))
}

/** Sorts orders of one total by date: new entries are adjacent in the index. */
export function amountOf(totalCents: number, at: string): string {
  return `${amountBeginning(totalCents)}${at}`
}

export function amountBeginning(totalCents: number): string {
  return `${String(totalCents).padStart(CENTS_DIGITS, '0')} `
}

export const ORDERS = ordersProjection.name

/** Throws `ViewBehind`, like the functions below. */
export async function findOrders(views: Views, query: Query, limit: number): Promise<readonly FoundRow[]> {
  return views.find(ORDERS, query, { limit })
}

/** The orders of these rows, in their order. */
export async function ordersOf(views: Views, rows: readonly { readonly id: string }[]): Promise<OrderDocument[]> {
  return (await bodiesOf(views, ORDERS, rows)).map(orderIn)
}

/** How many orders need attention, counted up to 10,000. */
export async function countNeedingAttention(views: Views): Promise<number> {
  return views.count(ORDERS, orderQueries.needingAttention(), COUNTED_MAX)
}

/** How many orders have payments that this provider is asked about, counted up to 10,000. */
export async function countPolled(views: Views, provider: string): Promise<number> {
  return views.count(ORDERS, orderQueries.polledBy(provider), COUNTED_MAX)
}

/** Whether any order was placed, deleted ones too. */
export async function hasAnyOrder(views: Views): Promise<boolean> {
  const found = await Promise.all(
    [true, false].map(async (isDeleted) => findOrders(views, orderQueries.kept(isDeleted), 1)),
  )
  return found.some((rows) => rows.length > 0)
}

/** The newest listed orders. */
export async function newestOrders(views: Views, limit: number): Promise<OrderDocument[]> {
  return ordersOf(views, await findOrders(views, orderQueries.listed(), limit))
}

/** All orders of a customer, deleted ones too. */
export async function orderIdsOfCustomer(views: Views, customerId: string): Promise<string[]> {
  const orderIds: string[] = []
  for await (const { id } of all(views, ORDERS, orderQueries.ofCustomer(customerId))) orderIds.push(id)
  return orderIds
}
