const names: Readonly<Record<string, string>> = {
  nowpayments: 'NOWPayments',
  paypal: 'PayPal',
  upigateway: 'UPIGateway',
  cashfree: 'Cashfree',
}

/** As the provider writes itself. */
export function providerName(provider: string): string {
  return names[provider] ?? provider
}
