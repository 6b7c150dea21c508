import { join } from 'node:path'
import type { DeliveryCall } from '../commands/deliver-order.ts'
import type { Config } from '../config.ts'
import { providersFor, type GatewayHooks } from './payment-providers.ts'
import type { Projection } from '../projections/projection.ts'
import { shapeOf } from '../projections/shape.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import type { Clock, Random } from '../ports/clock-and-random.ts'
import type { PaymentProviders } from '../shop/command-context.ts'
import { systemClock, systemRandom } from './system.ts'
import { deliveryCall } from '../workers/delivery-call.ts'

/** How often the sandbox is asked about a payment; live providers rate-limit polling. */
const SANDBOX_POLL_MS = 1_000
const LIVE_POLL_MS = 10_000

/** A shop's inputs besides its engines: time, randomness, external services, and the owner's configuration. */
export interface World {
  readonly clock: Clock
  readonly random: Random
  readonly providers: PaymentProviders
  /** How often a provider is asked about an open payment. */
  readonly pollMs: number
  /** The owner's bot, if any. */
  readonly deliveryCall: DeliveryCall | undefined
  readonly config: Config
  /** A cache of the stock's state; undefined without a folder. */
  readonly stockFile?: string
  readonly projections: readonly Projection[]
  /** Identifies the projections and their configuration. */
  readonly shape: string
}

/** The world as the configuration describes it. */
export function worldOf(
  config: Config,
  {
    clock = systemClock,
    random = systemRandom,
    hooks,
  }: { clock?: Clock | undefined; random?: Random | undefined; hooks?: GatewayHooks } = {},
): World & { readonly stockFile: string } {
  const { DELIVERY_WEBHOOK_URL: url, DELIVERY_WEBHOOK_SECRET: secret } = config
  return {
    clock,
    random,
    providers: providersFor(config, clock, hooks),
    pollMs: config.PAYMENTS === 'sandbox' ? SANDBOX_POLL_MS : LIVE_POLL_MS,
    deliveryCall: url === undefined || secret === undefined ? undefined : deliveryCall({ url, secret, clock }),
    config,
    stockFile: join(config.DATA_DIR, 'stock.json'),
    projections: shopProjections({ timeZone: config.SHOP_TIME_ZONE }),
    shape: shapeOf({ timeZone: config.SHOP_TIME_ZONE }),
  }
}
