import { type PlacedOrder, untouched } from '../domain/order/order-state.ts'

/** The most frequent values. */
const usual = { ...untouched, kind: 'placed', paymentMethod: null } as const satisfies Partial<PlacedOrder>

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
