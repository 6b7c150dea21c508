import type { GatewayName } from '#contract/settings.ts'

/** As each provider writes itself. */
const names: Readonly<Record<string, string>> = {
  nowpayments: 'NOWPayments',
  paypal: 'PayPal',
  upigateway: 'UPIGateway',
  cashfree: 'Cashfree',
} satisfies Record<GatewayName, string>

/** The provider's own name; the sandbox's names are shown as they are. */
export function providerName(provider: string): string {
  return names[provider] ?? provider
}
