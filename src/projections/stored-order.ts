import type { PlacedOrder } from '../domain/order/order-state.ts'

/** What most orders have, or have of it nothing: only what differs from this is stored. */
const usual = {
  kind: 'placed',
  isDeleted: false,
  paymentMethod: null,
  attempts: [],
  attemptsAtChoice: 0,
  receipts: [],
  refusedReceipts: [],
  extensions: 0,
  moneySeenAt: undefined,
  isApproved: false,
  wasReversed: false,
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
const usuals: Readonly<Record<string, unknown>> = usual

/** An order without what it has as most orders do: half of its text. */
export type StoredOrder = Omit<PlacedOrder, keyof typeof usual> & Partial<PlacedOrder>

export function storedOrder(order: PlacedOrder): StoredOrder {
  const differing: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(order)) if (!isUsual(name, value)) differing[name] = value
  return differing as unknown as StoredOrder
}

export function orderFrom(stored: StoredOrder): PlacedOrder {
  return { ...usual, ...stored }
}

function isUsual(name: string, value: unknown): boolean {
  const isEmpty = Array.isArray(value) && value.length === 0
  return isEmpty || (value === usuals[name] && Object.hasOwn(usuals, name))
}
