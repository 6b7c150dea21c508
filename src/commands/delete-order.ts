import type { OrderEvent } from '../domain/order/events.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import type { Caller } from '../event-store/event-log.ts'
import type { Handled } from '../shop/handle-command.ts'
import { handleOrder } from '../shop/handle-order.ts'
import { nowText, type Shop } from '../shop/shop.ts'

/** Takes an order off the shop's books. `coinsGiven` is required where the outcome of its delivery is unknown. */
export async function deleteOrder(
  shop: Shop,
  caller: Caller,
  request: { orderId: string; adminId: string; coinsGiven: boolean | null },
): Promise<Handled<PlacedOrder, OrderEvent>> {
  const { orderId, ...said } = request
  return handleOrder(shop, { orderId, command: { type: 'DeleteOrder', ...said, at: nowText(shop) }, caller })
}
