import type { PlacedOrder } from '../domain/order/order-state.ts'

/** What most orders have: false, nothing or empty. */
const usual = {
  kind: 'placed',
  isDeleted: false,
  paymentMethod: null,
  attempts: [],
  methodChanges: 0,
  attemptsAtChoice: 0,
  receipts: [],
  refusedReceipts: [],
  extensions: 0,
  moneySeenAt: undefined,
  isApproved: false,
  wasReversed: false,
  ready: undefined,
  capture: undefined,
  delivery: undefined,
  isDeliveryUnknown: false,
  wasDeliveredAfterEnd: false,
  attention: [],
  wasSettled: false,
  lateMoneyIsClosed: false,
  heldSerial: undefined,
  heldM: 0,
  committedSerial: undefined,
  completedAt: undefined,
  endedAt: undefined,
} as const satisfies Partial<PlacedOrder>

type Unusual = { readonly [Name in keyof typeof usual]?: PlacedOrder[Name] | undefined }

/** An order without what it has as most orders do. */
export type StoredOrder = Omit<PlacedOrder, keyof typeof usual> & Unusual

/** JSON leaves out what is undefined. */
export function storedOrder(order: PlacedOrder): StoredOrder {
  const unusual: Unusual = {
    kind: undefined,
    isDeleted: order.isDeleted || undefined,
    paymentMethod: order.paymentMethod ?? undefined,
    attempts: unlessEmpty(order.attempts),
    methodChanges: order.methodChanges || undefined,
    attemptsAtChoice: order.attemptsAtChoice || undefined,
    receipts: unlessEmpty(order.receipts),
    refusedReceipts: unlessEmpty(order.refusedReceipts),
    extensions: order.extensions || undefined,
    isApproved: order.isApproved || undefined,
    wasReversed: order.wasReversed || undefined,
    isDeliveryUnknown: order.isDeliveryUnknown || undefined,
    wasDeliveredAfterEnd: order.wasDeliveredAfterEnd || undefined,
    attention: unlessEmpty(order.attention),
    wasSettled: order.wasSettled || undefined,
    lateMoneyIsClosed: order.lateMoneyIsClosed || undefined,
    heldM: order.heldM || undefined,
  }
  return { ...order, ...unusual }
}

function unlessEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined
}

export function orderFrom(stored: StoredOrder): PlacedOrder {
  // Read as JSON, nothing in it is undefined.
  return { ...usual, ...stored } as PlacedOrder
}
