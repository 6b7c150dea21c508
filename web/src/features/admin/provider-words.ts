import type { GatewayName } from '#contract/settings.ts'

/** As each provider writes itself. */
const names: Readonly<Record<GatewayName, string>> = {
  nowpayments: 'NOWPayments',
  paypal: 'PayPal',
  upigateway: 'UPIGateway',
  cashfree: 'Cashfree',
}

/** The provider's own name; the sandbox's names are shown as they are. */
export function providerName(provider: string): string {
  const known: Readonly<Record<string, string>> = names
  return known[provider] ?? provider
}
