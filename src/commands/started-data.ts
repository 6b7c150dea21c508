import type { PlacedOrderCommand } from '../domain/order/commands.ts'
import type { Attempt } from '../domain/order/order-state.ts'
import type { StartedPayment } from '../payments/payment-provider.ts'

/** A provider's payment as PaymentStarted stores it. */
export function startedData(
  payment: StartedPayment,
  { attempt }: Attempt,
): PlacedOrderCommand<'StartPayment'>['started'] {
  const { paymentId, payAmount, payCurrency, address, network, url, memo, quoteExpiresAt } = payment
  return {
    attempt,
    paymentId,
    payAmount,
    payCurrency,
    address,
    network,
    url,
    intents: payment.intents ? { ...payment.intents } : null,
    paymentExpiresAt: payment.expiresAt,
    ...(memo && { memo }),
    ...(quoteExpiresAt && { quoteExpiresAt }),
  }
}
