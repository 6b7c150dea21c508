import { openDelivery, type PlacedOrder, readinessOf } from '../domain/order/order-state.ts'
import { isToBeDelivered } from '../domain/order/standing.ts'
import { plusMinutes } from '../domain/plus-minutes.ts'
import { type Caller, openSealed } from '../log/event-log.ts'
import { findPlacedOrder, handleOrder } from '../shop/handle-order.ts'
import { callerFor, nowText, type CommandContext } from '../shop/command-context.ts'

/** How long after DeliveryRequested the bot may still be called. */
export const DELIVERY_CALLS_MINUTES = 60

export interface Delivery {
  readonly orderId: string
  readonly orderNumber: string
  readonly quantityM: number
  readonly marketIds: readonly { readonly marketId: string; readonly amountM: number }[]
  readonly discordUsername: string
}

/** Asks the owner's bot to give the coins; resolves once it has confirmed. Must send `orderId` as the idempotency key. */
export type DeliveryCall = (delivery: Delivery) => Promise<void>

/**
 * Delivers a ready order by the owner's bot; DeliveryRequested is appended before the call. A failed call throws, and the
 * next run retries it. Staff decide if the vault lacks the buyer, no bot is configured any more, or the time runs out.
 */
export async function deliverOrder(
  context: CommandContext,
  caller: Caller,
  { orderId, call }: { orderId: string; call: DeliveryCall | undefined },
): Promise<void> {
  const { state: order } = await findPlacedOrder(context, orderId)
  if (openDelivery(order) === undefined) {
    if (readinessOf(order)?.deliveryMode !== 'webhook') return
    const { customerId } = order.placed
    if (call && !(await context.vault.keysOf([customerId])).has(customerId)) {
      await handleOrder(context, caller, { orderId, command: { type: 'HoldDelivery' } })
      return
    }
    const callsUntil = plusMinutes(nowText(context), DELIVERY_CALLS_MINUTES)
    await handleOrder(context, caller, { orderId, command: { type: 'RequestDelivery', callsUntil } })
  }
  await callForDelivery(context, callerFor(caller, 'call'), order.placed, call)
}

async function callForDelivery(
  context: CommandContext,
  caller: Caller,
  placed: PlacedOrder['placed'],
  call: DeliveryCall | undefined,
): Promise<void> {
  // The vault is read first, so that nothing slow lies between reading the order and calling the bot.
  const keys = call ? await context.vault.keysOf([placed.customerId]) : undefined
  // Read again: the delivery may have been stopped since.
  const { orderId } = placed
  const { state: order } = await findPlacedOrder(context, orderId)
  const delivery = openDelivery(order)
  if (!delivery) return
  const isOver = nowText(context) > delivery.callsUntil
  if (isOver || !call || !keys) {
    await handleOrder(context, caller, { orderId, command: { type: 'GiveUpDelivery' } })
    return
  }
  // Reversed since: no further call; the open delivery ends when its time has passed.
  if (!isToBeDelivered(order)) return
  const buyer = openSealed(placed, keys)
  // The key may come back while calls are still allowed.
  if (typeof buyer === 'string') return
  const { orderNumber, quantityM } = placed
  await call({ orderId, orderNumber, quantityM, marketIds: buyer.marketIds, discordUsername: buyer.discordUsername })
  await handleOrder(context, caller, { orderId, command: { type: 'ConfirmDelivery' } })
}
