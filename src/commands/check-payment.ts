import { paidBackOf } from '../domain/order/order-money.ts'
import { endedAt, isChecked, openCapture } from '../domain/order/order-state.ts'
import { watchUntil } from '../domain/order/deadline.ts'
import type { Caller } from '../log/event-log.ts'
import { ProviderAway, unlessRejected } from '../payments/payment-provider.ts'
import { NotAsked } from '../payments/provider-pace.ts'
import { adoptByReference } from './adopt-payment.ts'
import { capturePayment, finishCapture, knownPayment, mayCapture } from './capture-payment.ts'
import { findPlacedOrder, handleOrder } from '../shop/handle-order.ts'
import { providerNamed } from '../shop/providers.ts'
import { recordPayment } from './record-payment.ts'
import { callerFor, nowText, type CommandContext } from '../shop/command-context.ts'

/** Checks all watched payments of an order. A failed check does not block the others; its error is thrown at the end. */
export async function checkPaymentsOf(
  context: CommandContext,
  caller: Caller,
  { orderId }: { orderId: string },
): Promise<void> {
  const { state: order } = await findPlacedOrder(context, orderId)
  const end = endedAt(order)
  const isOver = end !== undefined && nowText(context) >= watchUntil(end)
  // Unstarted attempts are checked once, when their watch ends.
  const due = order.attempts.filter((attempt) =>
    attempt.started === undefined ? attempt.isWatched && isOver : isChecked(order, attempt),
  )
  const failures: unknown[] = []
  for (const { attempt } of due)
    await checkPayment(context, callerFor(caller, String(attempt)), { orderId, attempt }).catch((error: unknown) =>
      failures.push(error),
    )
  if (failures.length > 0) throw failures[0]
}

/** Checks one payment at its provider and records the result; captures approved money, and ends the watch once it is over. */
export async function checkPayment(
  context: CommandContext,
  caller: Caller,
  { orderId, attempt: number }: { orderId: string; attempt: number },
): Promise<void> {
  const pollBeganAt = nowText(context)
  const { state: order, position } = await findPlacedOrder(context, orderId)
  const attempt = order.attempts[number - 1]
  if (!attempt || !isChecked(order, attempt)) return
  const payment = knownPayment(order, attempt)
  const provider = providerNamed(context, attempt.provider)
  if (openCapture(order)?.attempt === number) {
    await finishCapture(context, caller, { order, attempt, position })
    return
  }
  const end = endedAt(order)
  // Without its provider the payment's state is unknown, so the watch continues until one is configured again.
  if (payment && !provider) return
  let isUnclear = false
  try {
    if (payment && provider) {
      const report = await provider.check(payment, 'checks').catch(unlessRejected)
      if (report?.status === 'approved' && mayCapture(order, attempt)) {
        await capturePayment(context, caller, { orderId, paymentId: payment.paymentId })
        return
      }
      // A payment unknown to its provider stays as it is.
      if (report) await recordPayment(context, caller, { asked: order, attempt: number, report })
      isUnclear = report?.isUnclear === true
    } else if (provider?.isKnownByReference) {
      const report = await adoptByReference(context, caller, { order, attempt, provider }, 'checks')
      isUnclear = report?.isUnclear === true
    }
  } catch (error) {
    if (error instanceof ProviderAway && !(error instanceof NotAsked) && end !== undefined) {
      const command = { type: 'NoteHeldUpWatch', attempt: number, at: pollBeganAt } as const
      await handleOrder(context, callerFor(caller, 'held-up'), { orderId, command })
    }
    throw error
  }
  if (end === undefined || pollBeganAt < watchUntil(end) || !attempt.isWatched) return
  const backBefore = paidBackOf(order)
  const command = { type: 'EndPaymentWatch', attempt: number, pollBeganAt, backBefore, isUnclear } as const
  await handleOrder(context, callerFor(caller, 'end-watch'), { orderId, command })
}
