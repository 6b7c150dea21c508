import type { OrderEvent } from '../domain/order/events.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import type { Caller } from '../event-store/event-log.ts'
import type { Handled } from '../shop/handle-command.ts'
import { handleOrder } from '../shop/handle-order.ts'
import { assertMethodOn, retryOnFreshState } from '../shop/payment-methods.ts'
import { nowText, type Shop } from '../shop/shop.ts'

export async function choosePaymentMethod(
  shop: Shop,
  caller: Caller,
  { orderId, paymentMethod }: { orderId: string; paymentMethod: PaymentMethod },
): Promise<Handled<PlacedOrder, OrderEvent>> {
  await retryOnFreshState(shop, () => assertMethodOn(shop, paymentMethod))
  const command = { type: 'ChoosePaymentMethod', paymentMethod, at: nowText(shop) } as const
  return handleOrder(shop, { orderId, command, caller })
}
