import type { OrderEvent } from '../domain/order/events.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import type { Caller } from '../event-store/event-log.ts'
import type { Handled } from '../shop/handle-command.ts'
import { handleOrder } from '../shop/handle-order.ts'
import { nowText, type Shop } from '../shop/shop.ts'

/** The buyer cancels, as long as no money was seen. */
export async function cancelOrder(
  shop: Shop,
  caller: Caller,
  { orderId }: { orderId: string },
): Promise<Handled<PlacedOrder, OrderEvent>> {
  return handleOrder(shop, { orderId, command: { type: 'CancelOrder', at: nowText(shop) }, caller })
}
