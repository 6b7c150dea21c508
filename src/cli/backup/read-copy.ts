import { acceptLostCustomers } from '../../commands/accept-lost-customers.ts'
import { boundVaultId } from '../../commands/bind-vault.ts'
import type { Config } from '../../config.ts'
import { eventLog } from '../../log/event-log.ts'
import { sqliteEventStore } from '../../engines/event-store/sqlite-event-store.ts'
import { systemClock } from '../../process/system.ts'
import { sqliteVault } from '../../engines/vault/sqlite-vault.ts'
import { wrongInSqlite } from '../doctor/sqlite.ts'
import type { Report } from '../verify/report.ts'
import { type LogRead, verifyLog } from '../verify/verify-log.ts'
import { logRemedies } from '../verify/remedies.ts'
import { namesAnother, readVault } from '../verify/verify-vault.ts'
import { openVault } from '../../engines/open-engines.ts'

interface CopiedFiles {
  readonly log: string
  /** Undefined if the vault is on a server. */
  readonly vault: string | undefined
}

export interface CopyRead extends LogRead {
  /** Customers missing from the vault; they count as erased now. */
  readonly lostCustomers: number
}

interface Reading {
  /** What to do about a damaged log or vault. */
  readonly remedies: { readonly log: string; readonly vault: string }
  readonly mayLoseCustomers?: boolean
  readonly show: (text: string) => void
}

/** Reads all of the copies, as `verify` reads a shop. Throws at the first problem. */
export async function readCopy(
  config: Config,
  files: CopiedFiles,
  { remedies, mayLoseCustomers = false, show }: Reading,
): Promise<CopyRead> {
  for (const part of ['log', 'vault'] as const) {
    const [wrong] = files[part] === undefined ? [] : await wrongInSqlite(files[part])
    if (wrong !== undefined) throw new Error(`the copy of the ${part} is damaged (${wrong}): ${remedies[part]}`)
  }
  const store = sqliteEventStore(files.log)
  const vault = files.vault === undefined ? await openVault(config) : sqliteVault(files.vault)
  try {
    const known = await readVault(vault)
    const log = eventLog({ store, vault, sleep: systemClock.sleep })
    const boundTo = await boundVaultId({ log })
    if (boundTo === undefined) throw new Error(`the log has no event of a shop: ${remedies.log}`)
    if (boundTo !== known.vaultId) throw new Error(`log and vault are of two different shops: ${remedies.vault}`)
    if (await namesAnother(known, store))
      throw new Error(`the vault names another log than this one, which the shop has left: ${remedies.vault}`)
    const lostCustomers = mayLoseCustomers ? await acceptLostCustomers({ log, vault }) : 0
    const report: Report = {
      show: (text) => show(`reading the copy: ${text}`),
      wrong(part, facts) {
        throw new Error(
          `the copy of the ${part} is not whole (${facts}): ${part === 'vault' ? remedies.vault : remedies.log}`,
        )
      },
      notChecked: () => undefined,
      ended: () => undefined,
      count: () => 0,
    }
    const parts = { store, vault: known, audit: undefined, logRemedies: logRemedies.sqlite }
    return { ...(await verifyLog(parts, report)), lostCustomers }
  } finally {
    await store.close()
    await vault.close()
  }
}
