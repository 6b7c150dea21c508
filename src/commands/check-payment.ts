import { endedAt, openCapture } from '../domain/order/order-state.ts'
import { watchUntil } from '../domain/order/deadline.ts'
import type { Caller } from '../event-store/event-log.ts'
import { PaymentRejected, type PaymentReport } from '../payments/payment-provider.ts'
import { adoptByReference } from './adopt-payment.ts'
import { capturePayment, finishCapture, knownPayment, mayCapture, providerOf } from './capture-payment.ts'
import { findPlacedOrder, handleOrder } from '../shop/handle-order.ts'
import { recordPayment } from './record-payment.ts'
import { callerFor, nowText, type Shop } from '../shop/shop.ts'

/** Checks one payment at its provider and records the result; captures approved money, and ends the watch once it is over. */
export async function checkPayment(
  shop: Shop,
  caller: Caller,
  { orderId, attempt: number }: { orderId: string; attempt: number },
): Promise<void> {
  const pollBeganAt = nowText(shop)
  const { state: order, position } = await findPlacedOrder(shop, orderId)
  const attempt = order.attempts[number - 1]
  if (!attempt?.isWatched) return
  const payment = knownPayment(order, attempt)
  const provider = providerOf(shop, attempt)
  if (openCapture(order)?.attempt === number) {
    await finishCapture(shop, caller, { order, attempt, position })
    return
  }
  const end = endedAt(order)
  const isOverdue = end !== undefined && pollBeganAt >= watchUntil(end)
  if (payment) {
    // Without its provider the payment's state is unknown, so the watch continues until one is configured again.
    if (!provider) return
    const report = await lastReport(provider.check(payment), isOverdue)
    if (report.status === 'approved' && mayCapture(order, attempt)) {
      await capturePayment(shop, caller, { orderId, paymentId: payment.paymentId })
      return
    }
    await recordPayment(shop, caller, { orderId, attempt: number, report })
  } else if (provider?.isKnownByReference) {
    await adoptByReference(shop, caller, { order, attempt, provider })
  }
  if (isOverdue) {
    const command = { type: 'EndPaymentWatch', attempt: number, pollBeganAt, at: nowText(shop) } as const
    await handleOrder(shop, { orderId, command, caller: callerFor(caller, 'end-watch') })
  }
}

/** After the watch, a payment that its provider no longer knows counts as unchanged. */
async function lastReport(asked: Promise<PaymentReport>, isOverdue: boolean): Promise<PaymentReport> {
  try {
    return await asked
  } catch (error) {
    if (isOverdue && error instanceof PaymentRejected) return { status: 'unknown', amountPaid: null, receipts: [] }
    throw error
  }
}
