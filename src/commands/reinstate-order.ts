import { mayBeReinstated } from '../domain/order/order-state.ts'
import { Refusal, type RefusalCode } from '../domain/refusal.ts'
import type { Caller } from '../event-store/event-log.ts'
import { handleOrder } from '../shop/handle-order.ts'
import { reserveForOrder } from '../shop/reserve-for-order.ts'
import { callerFor, nowText, type Shop } from '../shop/shop.ts'

/** No stock, or the buyer was erased. */
const unreinstatable: ReadonlySet<RefusalCode> = new Set(['inventory/insufficient-stock', 'order/not-approvable'])

/** Late money covers an ended order: it is reinstated if there is stock, else staff decide. */
export async function reinstateOrder(shop: Shop, caller: Caller, { orderId }: { orderId: string }): Promise<void> {
  const { deliveryMode } = shop.policy
  try {
    await reserveForOrder(shop, caller, {
      orderId,
      claim: (order, at) =>
        mayBeReinstated(order) ? (serial) => ({ type: 'ReinstateOrder', serial, deliveryMode, at }) : undefined,
    })
  } catch (error) {
    if (!(error instanceof Refusal) || !unreinstatable.has(error.code)) throw error
    const command = { type: 'RefuseReinstatement', at: nowText(shop) } as const
    await handleOrder(shop, { orderId, command, caller: callerFor(caller, 'refuse') })
  }
}
