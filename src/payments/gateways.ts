import type { Config, ProviderUrl } from '../config.ts'
import type { GatewayName } from '../domain/payment-methods.ts'
import { cashfreeGateway } from './cashfree/cashfree.ts'
import type { Gateway } from './gateway.ts'
import { nowPaymentsGateway } from './nowpayments/nowpayments.ts'
import { paypalGateway } from './paypal/paypal.ts'
import { ekqrGateway } from './upigateway/upigateway.ts'

/** All gateways. The shop opens those whose keys are all set. */
export const gateways: Readonly<Record<GatewayName, Gateway<Config> & { readonly url: ProviderUrl }>> = {
  nowpayments: nowPaymentsGateway,
  upigateway: ekqrGateway,
  cashfree: cashfreeGateway,
  paypal: paypalGateway,
}
