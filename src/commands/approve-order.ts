import type { OrderEvent } from '../domain/order/events.ts'
import { holdsStock, type PlacedOrder } from '../domain/order/order-state.ts'
import { objectionToApproving } from '../domain/order/may.ts'
import type { OrderCommand } from '../domain/order/commands.ts'
import type { Caller } from '../event-store/event-log.ts'
import { findPlacedOrder, handleOrder } from '../shop/handle-order.ts'
import type { Handled } from '../shop/handle-command.ts'
import { reserveForOrder } from '../shop/reserve-for-order.ts'
import { nowText, type Shop } from '../shop/shop.ts'

/** Staff approve delivery, paid or not. Reserves stock first if the order holds none. */
export async function approveOrder(
  shop: Shop,
  caller: Caller,
  { orderId, adminId }: { orderId: string; adminId: string },
): Promise<Handled<PlacedOrder, OrderEvent>> {
  const { deliveryMode } = shop.policy
  const command = (serial: number | null, at: string): OrderCommand => ({
    type: 'ApproveOrder',
    serial,
    adminId,
    deliveryMode,
    at,
  })
  const { state } = await findPlacedOrder(shop, orderId)
  if (!needsReservation(state)) return handleOrder(shop, { orderId, command: command(null, nowText(shop)), caller })
  const reserved = await reserveForOrder(shop, caller, {
    orderId,
    claim: (order, at) => (needsReservation(order) ? (serial) => command(serial, at) : undefined),
  })
  if (reserved.events.length > 0) return reserved
  return handleOrder(shop, {
    orderId,
    command: command(null, nowText(shop)),
    caller: { ...caller, requestId: `${caller.requestId}/held` },
  })
}

function needsReservation(order: PlacedOrder): boolean {
  return objectionToApproving(order) === undefined && !holdsStock(order)
}
