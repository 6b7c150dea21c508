import type { DeliveryCall } from '../commands/deliver-order.ts'
import type { Shop } from '../shop/shop.ts'
import { checkPayments } from './check-payments.ts'
import { deliverPaidOrders } from './deliver-paid-orders.ts'
import { endAbandonedReservations } from './end-abandoned-reservations.ts'
import { expireUnpaidOrders } from './expire-unpaid-orders.ts'
import { finishErasures } from './finish-erasures.ts'
import { finishReceipts } from './finish-receipts.ts'
import type { OpenWork } from './open-work.ts'
import type { Policy } from './policy.ts'
import { reinstateLateOrders } from './reinstate-late-orders.ts'
import { reservePaidPreOrders } from './reserve-paid-pre-orders.ts'

/** In the order in which a sweep asks them. */
export function allPolicies(
  shop: Shop,
  work: OpenWork,
  options: { pollMs: number; reservationTtlMinutes: number; deliveryCall: DeliveryCall | undefined },
): Policy[] {
  return [
    checkPayments(shop, work, options),
    finishReceipts(shop, work),
    deliverPaidOrders(shop, work, options.deliveryCall),
    reinstateLateOrders(shop, work),
    reservePaidPreOrders(shop, work),
    expireUnpaidOrders(shop, work),
    endAbandonedReservations(shop, work, options),
    finishErasures(shop, work),
  ]
}
