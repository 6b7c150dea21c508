import { SHOP_STREAM } from '../domain/stream-names.ts'
import type { Caller } from '../log/event-log.ts'
import { AppendConflict, NO_EVENTS } from '../engines/event-store/event-store.ts'
import type { ShopKeys } from '../shop/keys.ts'
import { nowText, type CommandContext } from '../shop/command-context.ts'

/** A vault's fingerprint: unique, and reveals nothing of its root secret. */
export function vaultIdOf(keys: Pick<ShopKeys, 'secretFor'>): string {
  return Buffer.from(keys.secretFor('vault-id')).toString('base64url')
}

/**
 * Binds a log that names no vault yet, as on the first start, to this one; false if it names another. Two processes may do it at once.
 */
export async function bindVault(
  context: Pick<CommandContext, 'log' | 'keys' | 'clock'>,
  caller: Caller,
): Promise<boolean> {
  const vaultId = vaultIdOf(context.keys)
  const standing = await boundVaultId(context)
  if (standing !== undefined) return standing === vaultId
  const event = { type: 'ShopOpened', data: { vaultId, at: nowText(context) } } as const
  try {
    await context.log.append(SHOP_STREAM, NO_EVENTS, [{ event, caller }])
    return true
  } catch (error) {
    if (!(error instanceof AppendConflict)) throw error
    return (await boundVaultId(context)) === vaultId
  }
}

/** The vault that this log names; undefined for a log without events. */
export async function boundVaultId({ log }: Pick<CommandContext, 'log'>): Promise<string | undefined> {
  const [opened] = await log.readStream(SHOP_STREAM, 0, 1)
  return opened?.type === 'ShopOpened' ? opened.data.vaultId : undefined
}
