import type { DeliveryMode } from '../domain/words.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import type { Caller, EventLog } from '../log/event-log.ts'
import type { PaymentProvider } from '../payments/payment-provider.ts'
import type { Vault } from '../engines/vault/vault.ts'
import type { Clock, Random } from '../ports/clock-and-random.ts'
import type { HotStates } from './hot/hot-states.ts'
import type { ShopKeys } from './keys.ts'

export type { Caller }

/** What the owner has configured for all orders, fixed at the start. */
export interface ShopTerms {
  /** May be fractional. */
  readonly orderTtlMinutes: number
  readonly openOrdersMax: number
  readonly paisePerUsd: number
  /** Of orders that become ready from now on. */
  readonly deliveryMode: DeliveryMode
  /** Where a provider sends the buyer's browser back to. */
  readonly publicUrl: string
  readonly shopName: string
}

/** The configured providers of each method: one opens its new payments, each checks those that it has opened. If empty, the method is off. */
export type PaymentProviders = Readonly<Record<PaymentMethod, readonly PaymentProvider[]>>

/** What every command works with. */
export interface Shop {
  readonly log: EventLog
  readonly vault: Vault
  readonly keys: ShopKeys
  readonly hot: HotStates
  readonly providers: PaymentProviders
  readonly terms: ShopTerms
  readonly clock: Clock
  readonly random: Random
}

export function nowText(shop: Pick<Shop, 'clock'>): string {
  return new Date(shop.clock.now()).toISOString()
}

/** A caller for background work. */
export function systemCaller(random: Random, causationId: string | null = null): Caller {
  const requestId = random.uuid()
  return { requestId, correlationId: requestId, causationId, actor: 'system' }
}

/** One step of a request: its writes need event ids of their own. */
export function callerFor(caller: Caller, step: string): Caller {
  return { ...caller, requestId: `${caller.requestId}/${step}` }
}
