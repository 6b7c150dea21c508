import { noPatience, noRevisions, type PlacedOrder } from '../domain/order/order-state.ts'

/** The most frequent values. */
const usual = {
  kind: 'placed',
  paymentMethod: null,
  methodChanges: 0,
  attemptsAtChoice: 0,
  attempts: [],
  receipts: [],
  disputes: [],
  refunds: [],
  unusableReceipts: [],
  moneySeenAt: undefined,
  isExtended: false,
  patience: noPatience,
  attention: [],
  grewAt: noRevisions,
  answeredTo: noRevisions,
  approvedTo: noRevisions,
  wasReversed: false,
} as const satisfies Partial<PlacedOrder>

/** An order without its most frequent values. */
export type StoredOrder = Omit<PlacedOrder, keyof typeof usual> & Partial<PlacedOrder>

export function storedOrder(order: PlacedOrder): StoredOrder {
  return Object.fromEntries(Object.entries(order).filter((field) => !isUsual(field))) as unknown as StoredOrder
}

function isUsual([name, value]: [name: string, value: unknown]): boolean {
  if (!(name in usual)) return false
  return Array.isArray(value) ? value.length === 0 : value === usual[name as keyof typeof usual]
}

export function orderFrom(stored: StoredOrder): PlacedOrder {
  return { ...usual, ...stored }
}
