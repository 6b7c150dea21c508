import { vaultIdOf } from '../../commands/bind-vault.ts'
import type { EventStore, Position } from '../../engines/event-store/event-store.ts'
import { ADMIN_ID } from '../../shop/hot/hot-states.ts'
import { shopKeys } from '../../shop/keys.ts'
import { knownHead, namedLog } from '../../shop/log-head.ts'
import { systemRandom } from '../../process/system.ts'
import type { Vault } from '../../engines/vault/vault.ts'

export interface VaultRead {
  readonly vault: Vault
  readonly vaultId: string
  /** The id of the shop's log; undefined before the first start. */
  readonly log: string | undefined
  /** The log's head, as the vault knows it. */
  readonly known: Position
}

/** Reads all but the customers, who are checked with the events that need them. */
export async function readVault(vault: Vault): Promise<VaultRead> {
  // A running shop raises both heads, so the vault's is read first.
  const log = await namedLog(vault)
  const known = await knownHead(vault, log ?? '')
  await vault.passwordHash(ADMIN_ID)
  await vault.detached({ before: Number.MAX_SAFE_INTEGER, limit: 1 })
  const keys = await shopKeys(vault, (count) => systemRandom.bytes(count))
  return { vault, vaultId: vaultIdOf(keys), known, log }
}

/** Whether the vault names another log than this one. */
export async function namesAnother({ log }: VaultRead, store: Pick<EventStore, 'identity'>): Promise<boolean> {
  return log !== undefined && log !== (await store.identity())
}
