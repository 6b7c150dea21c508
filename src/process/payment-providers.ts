import { LRUCache } from 'lru-cache'
import type { WebhookHandler } from '../api/api.ts'
import { providerWebhook, type WebhookOptions } from '../api/routes/provider-webhook.ts'
import { type Config, ConfigError, isLoopback, isTestAddress, type ProviderUrl, unreachableReason } from '../config.ts'
import {
  byMethod,
  type GatewayName,
  gatewayNames,
  type PaymentMethod,
  paymentMethods,
} from '../domain/payment-methods.ts'
import { gateways } from '../payments/gateways.ts'
import type { PaymentProvider, ProviderWindows } from '../payments/payment-provider.ts'
import { ProviderHealth } from '../payments/provider-health.ts'
import type { Pace } from '../payments/provider-pace.ts'
import { sandboxProviders } from '../payments/sandbox/sandbox.ts'
import type { Clock } from '../ports/clock-and-random.ts'
import type { PaymentProviders } from '../shop/command-context.ts'

/** Each unknown word is reported once; one evicted from the cache is reported again. */
const REPORTED_MAX = 1_000

/** Rate limiter and unknown-status callback of live gateways. */
export interface GatewayHooks {
  /** One per provider. */
  readonly paceOf?: (provider: string) => Pace
  readonly onUnknownStatus?: (provider: string, word: string) => void
}

/** A method without a provider is switched off, never simulated. */
export function providersFor(config: Config, clock: Clock, hooks: GatewayHooks = {}): PaymentProviders {
  if (config.PAYMENTS === 'live')
    return byMethod((method) => gatewaysOf(config, method).map((name) => openGateway(name, config, clock, hooks)))
  const sandbox = sandboxProviders({
    delayMs: config.SANDBOX_DELAY_MS,
    now: () => clock.now(),
    inrPerUsd: config.paisePerUsd / 100,
  })
  return byMethod((method) => [sandbox[method]])
}

function openGateway(name: GatewayName, config: Config, clock: Clock, hooks: GatewayHooks): PaymentProvider {
  const { paceOf, onUnknownStatus } = hooks
  const health = new ProviderHealth(() => clock.now())
  const reported = new LRUCache<string, true>({ max: REPORTED_MAX })
  const provider = gateways[name].open(config, {
    now: () => clock.now(),
    health,
    ...(paceOf && { pace: paceOf(name) }),
    onUnknownStatus(word) {
      if (!reported.has(word)) onUnknownStatus?.(name, word)
      reported.set(word, true)
    },
  })
  return { ...provider, health }
}

/** The method's gateways whose keys are set. */
function gatewaysOf(config: Config, method: PaymentMethod): GatewayName[] {
  if (config.PAYMENTS === 'sandbox') return []
  return gatewayNames[method].filter((name) => missingKeys(config, name).length === 0)
}

export function gatewaysInUse(config: Config): GatewayName[] {
  return paymentMethods.flatMap((method) => gatewaysOf(config, method))
}

/** Webhook handlers of the gateways in use, by provider. */
export function webhooksOf(config: Config, options: WebhookOptions): Readonly<Record<string, WebhookHandler>> {
  return Object.fromEntries(gatewaysInUse(config).map((name) => [name, providerWebhook(options, name)]))
}

/** What the payment windows of the gateways in use need from the page that opens them. */
export function windowsOf(config: Config): ProviderWindows {
  const windows = gatewaysInUse(config).flatMap((name) => gateways[name].windows?.(config) ?? [])
  return {
    hosts: windows.flatMap(({ hosts }) => hosts),
    hasInlineStyles: windows.some(({ hasInlineStyles }) => hasInlineStyles),
  }
}

/** What the screens say about the money; `test` if a gateway's address is not its provider's own. */
export function kindOfPayments(config: Config): 'sandbox' | 'test' | 'live' {
  if (config.PAYMENTS === 'sandbox') return 'sandbox'
  return addressesInUse(config).some((name) => isTestAddress(config, name)) ? 'test' : 'live'
}

/** Why webhooks cannot reach the shop, so that payments are only polled; undefined if they can. */
export function webhooksUnreachable(config: Config): string | undefined {
  const isElsewhere = addressesInUse(config).some((name) => !isLoopback(new URL(config[name]).hostname))
  return isElsewhere ? unreachableReason(config.PUBLIC_URL) : undefined
}

function addressesInUse(config: Config): ProviderUrl[] {
  return gatewaysInUse(config).map((name) => gateways[name].url)
}

/** Why a method cannot be used even if it is switched on; null if it can. */
type UnusableMethods = Readonly<Record<PaymentMethod, string | null>>

export function unusableMethods(config: Config, providers: PaymentProviders): UnusableMethods {
  return byMethod((method) => (providers[method].length === 0 ? reasonOf(config, method) : null))
}

/** A projector alone needs no provider's keys. */
export function callsProviders({ ROLES }: Config): boolean {
  return ROLES.includes('api') || ROLES.includes('worker')
}

/** Throws if a live shop has no usable payment method. */
export function assertTakesMoney(config: Config, unusable: UnusableMethods): void {
  if (config.PAYMENTS !== 'live' || !callsProviders(config)) return
  if (paymentMethods.some((method) => unusable[method] === null)) return
  const reasons = paymentMethods.map((method) => `${method}: ${unusable[method]}`)
  throw new ConfigError(
    `PAYMENTS is live, but no payment method can take money (${reasons.join('; ')}); PAYMENTS=sandbox plays it`,
  )
}

function reasonOf(config: Config, method: PaymentMethod): string {
  const sets = gatewayNames[method].map((name) => missingKeys(config, name))
  const [fewest = [], ...others] = sets.toSorted((one, other) => one.length - other.length)
  const or = others.map((keys) => `, or ${keys.join(' and ')}`).join('')
  return `${fewest.join(' and ')} ${fewest.length === 1 ? 'is' : 'are'} missing${or}`
}

export function missingKeys(config: Config, name: GatewayName): (keyof Config)[] {
  return gateways[name].keys.filter((key) => config[key] === undefined)
}
