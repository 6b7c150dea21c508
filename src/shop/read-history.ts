import { orderStream } from '../domain/stream-names.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import { type Buyer, type CustomerKeys, keysOf, openSealed } from '../log/event-log.ts'
import { unseal, SealBroken } from '../log/sealing.ts'
import type { CommandContext } from './command-context.ts'

export type { Buyer } from '../log/event-log.ts'

/** An order's sealed data, opened. */
export interface OpenedHistory {
  readonly buyer: Buyer
  /** Where the money of each refund went. */
  readonly refundsTo: readonly (string | null)[]
}

/** Opens the data of all these orders with one vault read. Damaged data of one order does not affect the others. */
export async function openedOrders(
  { vault }: Pick<CommandContext, 'vault'>,
  orders: readonly PlacedOrder[],
): Promise<{ order: PlacedOrder; opened: OpenedHistory }[]> {
  const customers = orders.map(({ placed }) => placed.customerId)
  const keys = await keysOf(vault, customers)
  return orders.map((order) => {
    const buyer = orUnreadable(() => openSealed(order.placed, keys))
    const refundsTo = order.refunds.map(({ refundId, whereTo }) =>
      whereTo === null ? null : orUnreadable(() => openText(order, keys, { refundId, whereTo })),
    )
    return { order, opened: { buyer, refundsTo } }
  })
}

function openText(
  { placed: { orderId, customerId } }: PlacedOrder,
  keys: CustomerKeys,
  { refundId, whereTo }: { refundId: string; whereTo: string },
): string {
  const key = keys.get(customerId) ?? 'unreadable'
  return typeof key === 'string' ? key : unseal(whereTo, key, refundPlace(orderId, refundId))
}

/** Binds a sealed text to its refund: it cannot be opened as another refund's. */
export function refundPlace(orderId: string, refundId: string): string {
  return `${orderStream(orderId)}/${refundId}`
}

function orUnreadable<Value>(open: () => Value): Value | 'unreadable' {
  try {
    return open()
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    return 'unreadable'
  }
}
