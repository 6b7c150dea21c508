import type { OrderEvent, PaymentMethod } from '../domain/order/events.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import type { Caller } from '../event-store/event-log.ts'
import type { Handled } from './handle-command.ts'
import { handleOrder } from './handle-order.ts'
import { assertMethodOn, surely } from './payment-methods.ts'
import { nowText, type Shop } from './shop.ts'

export async function choosePaymentMethod(
  shop: Shop,
  caller: Caller,
  { orderId, paymentMethod }: { orderId: string; paymentMethod: PaymentMethod },
): Promise<Handled<PlacedOrder, OrderEvent>> {
  await surely(shop, () => assertMethodOn(shop, paymentMethod))
  const command = { type: 'ChoosePaymentMethod', paymentMethod, at: nowText(shop) } as const
  return handleOrder(shop, { orderId, command, caller })
}
