import { holdsStock, type PlacedOrder } from '../domain/order/order-state.ts'
import { objectionToApproving } from '../domain/order/may.ts'
import type { Caller } from '../log/event-log.ts'
import { findPlacedOrder, type HandledOrder, handleOrder, type OrderWish } from '../shop/handle-order.ts'
import { reserveForOrder } from '../shop/reserve-for-order.ts'
import { callerFor, type CommandContext } from '../shop/command-context.ts'

/** Approves an order for delivery, paid or not. Reserves stock first if the order holds none. */
export async function approveOrder(
  context: CommandContext,
  caller: Caller,
  { orderId, adminId }: { orderId: string; adminId: string },
): Promise<HandledOrder> {
  const command = (serial: number | null): OrderWish => ({ type: 'ApproveOrder', serial, adminId })
  const { state } = await findPlacedOrder(context, orderId)
  if (!needsReservation(state)) return handleOrder(context, caller, { orderId, command: command(null) })
  const reserved = await reserveForOrder(context, caller, {
    orderId,
    claim: (order) => (needsReservation(order) ? command : undefined),
  })
  if (reserved.events.length > 0) return reserved
  return handleOrder(context, callerFor(caller, 'held'), { orderId, command: command(null) })
}

function needsReservation(order: PlacedOrder): boolean {
  return objectionToApproving(order) === undefined && !holdsStock(order)
}
