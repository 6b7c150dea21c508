import type { OrderEvent } from '../domain/order/events.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import type { Caller } from '../event-store/event-log.ts'
import type { Handled } from '../shop/handle-command.ts'
import { handleOrder } from '../shop/handle-order.ts'
import { nowText, type Shop } from '../shop/shop.ts'

/** Staff gave the coins of an order that is approved, or paid and not reversed; a repeat changes nothing. */
export async function markDelivered(
  shop: Shop,
  caller: Caller,
  { orderId }: { orderId: string },
): Promise<Handled<PlacedOrder, OrderEvent>> {
  return handleOrder(shop, { orderId, command: { type: 'MarkDelivered', at: nowText(shop) }, caller })
}
