import { centsToText } from '../domain/money.ts'
import type { Attempt, PlacedOrder } from '../domain/order/order-state.ts'
import type { Caller } from '../log/event-log.ts'
import {
  moneyIn,
  nowhere,
  type PaymentProvider,
  type PaymentReport,
  type StartedPayment,
  unlessRejected,
} from '../payments/payment-provider.ts'
import { handleOrder } from '../shop/handle-order.ts'
import { callerFor, type CommandContext } from '../shop/command-context.ts'
import { recordPayment } from './record-payment.ts'
import { startedData } from './started-data.ts'

export interface FoundAttempt {
  readonly order: PlacedOrder
  readonly attempt: Attempt
  readonly provider: PaymentProvider
}

/** Records a payment as the attempt's own, if its creation got no reply. */
export async function adoptPayment(
  context: CommandContext,
  caller: Caller,
  found: FoundAttempt,
  paymentId: string,
): Promise<'taken' | 'foreign'> {
  const { attempt, provider } = found
  if (provider.isKnownByReference) {
    const report = await adoptByReference(context, caller, found)
    return report && holdsMoney(report, attempt) ? 'taken' : 'foreign'
  }
  const named = await provider.find?.(paymentId)
  const parent = named?.parentId ? await provider.find?.(named.parentId) : named
  const payment = parent?.opened
  if (!payment) return 'foreign'
  // Only the check verifies its reference and price.
  const report = await provider.check({ ...payment, ...askedBy(attempt), otherIds: [paymentId] })
  return record(context, caller, found, { payment, report })
}

/** The same if a payment's id is our reference. Without money nothing is recorded, since no buyer has its page. */
export async function adoptByReference(
  context: CommandContext,
  caller: Caller,
  found: FoundAttempt,
  kind: 'looks' | 'checks' = 'looks',
): Promise<PaymentReport | undefined> {
  const { attempt, provider } = found
  const { reference: paymentId, askedMinor, currency: payCurrency } = attempt
  const payment = { ...nowhere, paymentId, payAmount: centsToText(askedMinor), payCurrency }
  const report = await provider.check({ ...payment, ...askedBy(attempt), otherIds: [] }, kind).catch(unlessRejected)
  if (report && holdsMoney(report, attempt)) await record(context, caller, found, { payment, report })
  return report
}

/** Received, seen or in another coin. */
function holdsMoney(report: PaymentReport, { reference, currency }: Attempt): boolean {
  return moneyIn(report, { paymentId: reference, payCurrency: currency }).length > 0
}

function askedBy({ reference, askedMinor, requestedAt }: Attempt) {
  return { reference, askedMinor, requestedAt, startedAt: requestedAt }
}

async function record(
  context: CommandContext,
  caller: Caller,
  { order, attempt }: FoundAttempt,
  { payment, report }: { payment: StartedPayment; report: PaymentReport },
): Promise<'taken'> {
  const { orderId } = order.placed
  const started = startedData(payment, attempt)
  await handleOrder(context, callerFor(caller, 'start'), { orderId, command: { type: 'StartPayment', started } })
  await recordPayment(context, caller, { asked: order, attempt: attempt.attempt, report })
  return 'taken'
}
