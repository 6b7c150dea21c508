import { holdsStock } from '../domain/order/order-state.ts'
import { isToBeDelivered, mayBeReinstated } from '../domain/order/standing.ts'
import { Refusal, type RefusalCode } from '../domain/refusal.ts'
import type { Caller } from '../log/event-log.ts'
import { EventStoreDamaged } from '../engines/event-store/event-store.ts'
import { handleOrder } from '../shop/handle-order.ts'
import { reserveForOrder } from '../shop/reserve-for-order.ts'
import { callerFor, type CommandContext } from '../shop/command-context.ts'

/** No stock, or the buyer was erased. */
const reinstatementRefusals: ReadonlySet<RefusalCode> = new Set([
  'inventory/insufficient-stock',
  'order/not-approvable',
])

/** Reinstates an ended order that late money covers, if there is stock; else staff decide. */
export async function reinstateOrder(
  context: CommandContext,
  caller: Caller,
  { orderId }: { orderId: string },
): Promise<void> {
  try {
    await reserveForOrder(context, caller, {
      orderId,
      claim: (order) => (mayBeReinstated(order) ? (serial) => ({ type: 'ReinstateOrder', serial }) : undefined),
    })
  } catch (error) {
    if (!(error instanceof Refusal) || !reinstatementRefusals.has(error.code)) throw error
    await handleOrder(context, callerFor(caller, 'refuse'), { orderId, command: { type: 'RefuseReinstatement' } })
  }
}

/**
 * Reserves coins for paid pre-orders, one after the other, until the stock is too low for the next. Skips an unreadable
 * order, so that it does not block the others, and throws its error at the end.
 */
export async function reservePreOrders(
  context: CommandContext,
  caller: Caller,
  orderIds: readonly string[],
): Promise<void> {
  let damage: EventStoreDamaged | undefined
  for (const orderId of orderIds)
    try {
      await reserveForOrder(context, callerFor(caller, orderId), {
        orderId,
        claim: (order) =>
          isToBeDelivered(order) && !holdsStock(order) ? (serial) => ({ type: 'ReservePreOrder', serial }) : undefined,
      })
    } catch (error) {
      if (error instanceof Refusal && error.code === 'inventory/insufficient-stock') break
      if (!(error instanceof EventStoreDamaged)) throw error
      damage ??= error
    }
  if (damage) throw damage
}
