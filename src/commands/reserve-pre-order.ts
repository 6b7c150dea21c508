import { holdsStock, isToBeDelivered } from '../domain/order/order-state.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Caller } from '../event-store/event-log.ts'
import { reserveForOrder } from './reserve-for-order.ts'
import type { Shop } from './shop.ts'

/** A paid pre-order takes its coins if there are enough by now; says whether there were. */
export async function reservePreOrder(shop: Shop, caller: Caller, { orderId }: { orderId: string }): Promise<boolean> {
  const { handover } = shop.policy
  try {
    await reserveForOrder(shop, caller, {
      orderId,
      claim: (order, at) =>
        isToBeDelivered(order) && !holdsStock(order)
          ? (serial) => ({ type: 'ReservePreOrder', serial, handover, at })
          : undefined,
    })
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'inventory/insufficient-stock') return false
    throw error
  }
}
