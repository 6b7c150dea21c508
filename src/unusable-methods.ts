import type { PaymentProviders } from './shop/shop.ts'
import { type Config, ConfigError } from './config.ts'
import { type PaymentMethod, paymentMethods } from './domain/payment-methods.ts'

/** What a method needs in the environment: any of these sets of keys, whole. */
const keysOf: Record<PaymentMethod, readonly (readonly (keyof Config)[])[]> = {
  paypal: [['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID']],
  crypto: [['NOWPAYMENTS_API_KEY', 'NOWPAYMENTS_IPN_SECRET']],
  upi: [['UPIGATEWAY_KEY'], ['CASHFREE_CLIENT_ID', 'CASHFREE_CLIENT_SECRET']],
}

export type UnusableMethods = { readonly [Method in PaymentMethod]?: string }

/** Why a method takes no money, whatever its switch says; nothing for one that does. */
export function unusableMethods(config: Config, providers: PaymentProviders): UnusableMethods {
  const reasons = paymentMethods.flatMap((method): [PaymentMethod, string][] =>
    providers[method] === undefined ? [[method, reasonOf(config, method)]] : [],
  )
  return Object.fromEntries(reasons)
}

/** A shop that is to take real money and cannot take any is not opened. */
export function assertTakesMoney({ PAYMENTS }: Config, unusable: UnusableMethods): void {
  if (PAYMENTS !== 'live' || paymentMethods.some((method) => unusable[method] === undefined)) return
  const reasons = Object.entries(unusable).map(([method, reason]) => `${method}: ${reason}`)
  throw new ConfigError(
    `PAYMENTS is live, but no payment method can take money (${reasons.join('; ')}); PAYMENTS=sandbox plays it`,
  )
}

function reasonOf(config: Config, method: PaymentMethod): string {
  const sets = keysOf[method].map((keys) => keys.filter((key) => config[key] === undefined))
  const fewest = sets.toSorted((one, other) => one.length - other.length)[0] ?? []
  if (fewest.length === 0) return 'this release has no provider for it'
  return `${fewest.join(' and ')} ${fewest.length === 1 ? 'is' : 'are'} missing`
}
