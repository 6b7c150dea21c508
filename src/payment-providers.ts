import { type Config, ConfigError } from './config.ts'
import { byMethod, type PaymentMethod, paymentMethods } from './domain/payment-methods.ts'
import type { PaymentProvider } from './payments/payment-provider.ts'
import { sandboxProviders } from './payments/sandbox.ts'
import type { Clock } from './shop/clock-and-random.ts'
import type { PaymentProviders } from './shop/shop.ts'

interface Gateway {
  /** What it needs in the environment. */
  readonly keys: readonly (keyof Config)[]
  /** Left out where this release has no provider for it. */
  readonly open?: (config: Config, clock: Clock) => PaymentProvider
}

/** The gateways of each method: the first with all its keys takes real money. */
const gateways: Record<PaymentMethod, readonly Gateway[]> = {
  paypal: [{ keys: ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID'] }],
  crypto: [{ keys: ['NOWPAYMENTS_API_KEY', 'NOWPAYMENTS_IPN_SECRET'] }],
  upi: [{ keys: ['UPIGATEWAY_KEY'] }, { keys: ['CASHFREE_CLIENT_ID', 'CASHFREE_CLIENT_SECRET'] }],
}

/** A method without a provider is switched off, never simulated. */
export function providersFor(config: Config, secret: Uint8Array, clock: Clock): PaymentProviders {
  if (config.PAYMENTS === 'live')
    return byMethod((method) => {
      const gateway = gateways[method].find(({ keys }) => missing(config, keys).length === 0)
      return gateway?.open?.(config, clock)
    })
  return sandboxProviders({
    delayMs: config.SANDBOX_DELAY_MS,
    now: () => clock.now(),
    shopName: config.SHOP_NAME,
    secret,
    inrPerUsd: config.paisePerUsd / 100,
  })
}

/** Why a method cannot be used even if it is switched on; null if it can. */
export type UnusableMethods = Readonly<Record<PaymentMethod, string | null>>

export function unusableMethods(config: Config, providers: PaymentProviders): UnusableMethods {
  return byMethod((method) => (providers[method] === undefined ? reasonOf(config, method) : null))
}

/** A shop that is to take real money and cannot take any is not opened. */
export function assertTakesMoney({ PAYMENTS }: Config, unusable: UnusableMethods): void {
  if (PAYMENTS !== 'live' || paymentMethods.some((method) => unusable[method] === null)) return
  const reasons = paymentMethods.map((method) => `${method}: ${unusable[method]}`)
  throw new ConfigError(
    `PAYMENTS is live, but no payment method can take money (${reasons.join('; ')}); PAYMENTS=sandbox plays it`,
  )
}

function reasonOf(config: Config, method: PaymentMethod): string {
  const sets = gateways[method].map(({ keys }) => missing(config, keys))
  const fewest = sets.toSorted((one, other) => one.length - other.length)[0] ?? []
  if (fewest.length === 0) return 'this release has no provider for it'
  return `${fewest.join(' and ')} ${fewest.length === 1 ? 'is' : 'are'} missing`
}

function missing(config: Config, keys: Gateway['keys']): Gateway['keys'] {
  return keys.filter((key) => config[key] === undefined)
}
