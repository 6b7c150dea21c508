import type { OrderEvent } from '../domain/order/events.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Caller } from '../event-store/event-log.ts'
import { AppendConflict } from '../event-store/event-store.ts'
import type { Handled } from '../shop/handle-command.ts'
import { handleOrder } from '../shop/handle-order.ts'
import { nowText, type Shop } from '../shop/shop.ts'

/** Staff have dealt with the causes as of this revision; refused if anything was added since. */
export async function settleAttention(
  shop: Shop,
  caller: Caller,
  request: { orderId: string; adminId: string; revision: number },
): Promise<Handled<PlacedOrder, OrderEvent>> {
  const { orderId, adminId, revision } = request
  try {
    const command = { type: 'SettleAttention', adminId, at: nowText(shop) } as const
    return await handleOrder(shop, { orderId, command, caller, atRevision: revision })
  } catch (error) {
    if (!(error instanceof AppendConflict)) throw error
    throw new Refusal('order/changed', 'Something happened to this order since you looked at it. Look again.')
  }
}
