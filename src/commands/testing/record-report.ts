import type { PaymentReport } from '../../payments/payment-provider.ts'
import { findPlacedOrder } from '../../shop/handle-order.ts'
import type { Caller } from '../../event-store/event-log.ts'
import type { Shop } from '../../shop/shop.ts'
import { recordPayment } from '../record-payment.ts'

interface ReportUpdate {
  readonly orderId: string
  readonly attempt: number
  readonly report: PaymentReport
}

/** Records a report that the provider gives at this moment. */
export async function recordReport(shop: Shop, caller: Caller, { orderId, ...news }: ReportUpdate) {
  const { state: asked } = await findPlacedOrder(shop, orderId)
  return recordPayment(shop, caller, { asked, ...news })
}
