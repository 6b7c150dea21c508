import { type EventLog, eventLog } from '../log/event-log.ts'
import type { EventStore } from '../engines/event-store/event-store.ts'
import type { Vault } from '../engines/vault/vault.ts'
import { type ShopKeys, shopKeys } from './keys.ts'
import type { Clock, Random } from '../ports/clock-and-random.ts'

/** The log, decoded into the shop's events, and the keys derived from the vault's secret. */
export async function logAndKeys(
  { store, vault }: { store: EventStore; vault: Vault },
  { clock, random }: { clock: Clock; random: Random },
): Promise<{ log: EventLog; keys: ShopKeys }> {
  const log = eventLog({ store, vault, sleep: clock.sleep })
  return { log, keys: await shopKeys(vault, (count) => random.bytes(count)) }
}
