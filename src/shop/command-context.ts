import type { Config } from '../config.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import type { Caller, EventLog } from '../log/event-log.ts'
import type { PaymentProvider } from '../payments/payment-provider.ts'
import type { Vault } from '../engines/vault/vault.ts'
import type { Clock, Random } from '../ports/clock-and-random.ts'
import type { HotStates } from './hot/hot-states.ts'
import type { ShopKeys } from './keys.ts'

export type { Caller }

/** The configured providers of each method: one opens its new payments, each checks those that it has opened. If empty, the method is off. */
export type PaymentProviders = Readonly<Record<PaymentMethod, readonly PaymentProvider[]>>

/** What every command works with. */
export interface CommandContext {
  readonly log: EventLog
  readonly vault: Vault
  readonly keys: ShopKeys
  readonly hot: HotStates
  readonly providers: PaymentProviders
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
}

export function nowText(context: Pick<CommandContext, 'clock'>): string {
  return new Date(context.clock.now()).toISOString()
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
