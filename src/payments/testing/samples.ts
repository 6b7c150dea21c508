import { parseConfig } from '../../config.ts'
import type { GatewayName } from '../../domain/payment-methods.ts'
import { gateways } from '../gateways.ts'
import type { KnownPayment, PaymentProvider, PaymentRequest, StartedPayment } from '../payment-provider.ts'
import type { CallOptions } from '../provider-calls.ts'

export const START = Date.parse('2026-03-01T10:00:00.000Z')

/** A payment of 25.40 dollars, by a method that needs no phone number. */
export function paymentRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    reference: 'REFERENCE-1',
    askedMinor: 2_540,
    currency: 'USD',
    shopName: 'Coin & Shop',
    description: '5M, order A1B2C3D4',
    payCurrency: undefined,
    customer: { name: 'ash', email: 'ash@example.test', phone: undefined },
    returnUrl: 'https://shop.example/pay/REFERENCE-1',
    isFirst: true,
    requestedAt: new Date(START).toISOString(),
    ...changes,
  }
}

/** A payment as the log knows it. */
export function known(request: PaymentRequest, payment: StartedPayment): KnownPayment {
  const { reference, askedMinor, requestedAt } = request
  const { paymentId, payAmount, payCurrency } = payment
  const asked = { reference, requestedAt, startedAt: requestedAt, askedMinor }
  return { paymentId, ...asked, payAmount, payCurrency, otherIds: [] }
}

/** A gateway of a shop with this environment. */
export function gatewayOf(
  name: GatewayName,
  env: Readonly<Record<string, string>>,
  calls: CallOptions,
): PaymentProvider {
  return gateways[name].open(parseConfig({ PAYMENTS: 'live', PUBLIC_URL: 'https://shop.example', ...env }), calls)
}
