import type { OrderEvent } from '../domain/order/events.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import type { Caller } from '../event-store/event-log.ts'
import type { Handled } from '../shop/handle-command.ts'
import { handleOrder } from '../shop/handle-order.ts'
import { nowText, type Shop } from '../shop/shop.ts'

/** Expires an order past its deadline; one that is paid, busy, or has time left is not changed. */
export async function expireOrder(
  shop: Shop,
  caller: Caller,
  { orderId }: { orderId: string },
): Promise<Handled<PlacedOrder, OrderEvent>> {
  return handleOrder(shop, { orderId, command: { type: 'ExpireOrder', at: nowText(shop) }, caller })
}
