import { holdsStock, isToBeDelivered } from '../domain/order/order-state.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Caller } from '../event-store/event-log.ts'
import { EventStoreDamaged } from '../event-store/event-store.ts'
import { reserveForOrder } from '../shop/reserve-for-order.ts'
import { callerFor, type Shop } from '../shop/shop.ts'

/**
 * Reserves for paid pre-orders, one after the other, until the stock is too low for the next. One that cannot be read is skipped, so that it does not
 * block the others, and thrown at the end.
 */
export async function reservePreOrders(shop: Shop, caller: Caller, orderIds: readonly string[]): Promise<void> {
  let damage: EventStoreDamaged | undefined
  for (const orderId of orderIds)
    try {
      const isServed = await reservePreOrder(shop, callerFor(caller, orderId), { orderId })
      if (!isServed) break
    } catch (error) {
      if (!(error instanceof EventStoreDamaged)) throw error
      damage ??= error
    }
  if (damage) throw damage
}

/** Reserves for a paid pre-order; false if the stock is too low. */
export async function reservePreOrder(shop: Shop, caller: Caller, { orderId }: { orderId: string }): Promise<boolean> {
  const { deliveryMode } = shop.policy
  try {
    await reserveForOrder(shop, caller, {
      orderId,
      claim: (order, at) =>
        isToBeDelivered(order) && !holdsStock(order)
          ? (serial) => ({ type: 'ReservePreOrder', serial, deliveryMode, at })
          : undefined,
    })
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'inventory/insufficient-stock') return false
    throw error
  }
}
