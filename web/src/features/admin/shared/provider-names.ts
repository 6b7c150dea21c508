import type { GatewayName } from '#contract/settings.ts'

/** Each provider's own spelling. */
const names: Readonly<Record<string, string>> = {
  nowpayments: 'NOWPayments',
  paypal: 'PayPal',
  upigateway: 'UPIGateway',
  cashfree: 'Cashfree',
} satisfies Record<GatewayName, string>

/** The provider's display name, or the given name for the sandbox. */
export function providerName(provider: string): string {
  return names[provider] ?? provider
}
