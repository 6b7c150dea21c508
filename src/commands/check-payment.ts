import { WATCH_DAYS, plusMinutes } from '../domain/order/order.ts'
import type { Caller } from '../event-store/event-log.ts'
import { capturePayment, finishCapture, knownPayment } from './capture-payment.ts'
import { findPlacedOrder, handleOrder } from './handle-order.ts'
import { recordPayment } from './record-payment.ts'
import { callerFor, nowText, providerOf, type Shop } from './shop.ts'

/** Asks the provider about one payment and records what it says; takes approved money, and ends the watch once its time has passed. */
export async function checkPayment(
  shop: Shop,
  caller: Caller,
  { orderId, attempt: number }: { orderId: string; attempt: number },
): Promise<void> {
  const pollBeganAt = nowText(shop)
  const { state: order, position } = await findPlacedOrder(shop, orderId)
  const attempt = order.attempts[number - 1]
  if (!attempt?.isWatched) return
  const payment = knownPayment(attempt)
  const provider = providerOf(shop, attempt.method)
  if (order.capture?.attempt === number) {
    await finishCapture(shop, caller, { order, attempt, position })
    return
  }
  if (payment && provider) {
    const report = await provider.check(payment)
    const mayCapture =
      order.status === 'pending' && !order.isDeleted && !attempt.hasReceipt && attempt.failure === undefined
    if (report.status === 'approved' && mayCapture) {
      await capturePayment(shop, caller, { orderId, paymentId: payment.paymentId })
      return
    }
    await recordPayment(shop, caller, { orderId, attempt: number, report })
  }
  if (order.endedAt !== undefined && pollBeganAt >= plusMinutes(order.endedAt, WATCH_DAYS * 24 * 60)) {
    const command = { type: 'EndPaymentWatch', attempt: number, pollBeganAt, at: nowText(shop) } as const
    await handleOrder(shop, { orderId, command, caller: callerFor(caller, 'end-watch') })
  }
}
