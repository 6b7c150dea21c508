import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { headsOf, openShopEngines } from '../../process/shop-engines.ts'
import { ADMIN_ID } from '../../shop/hot/hot-states.ts'
import { turnMessagesOff } from '../../shop/message-notes.ts'
import { goOnWithout } from '../lost-events.ts'
import { UsageError } from '../program.ts'
import { assertLogIsFile, ensureEmptyFolder, FILE_OF, type Part, sync } from './folders.ts'
import { type CopyRead, readCopy } from './read-copy.ts'
import { openVault } from '../../engines/open-engines.ts'

/** Staging folder inside DATA_DIR (same file system, so that rename is atomic), under a name that no shop opens. */
const UNFINISHED = 'restore.unfinished'
const PRIVATE = 0o600

const remedies = {
  log: 'take another copy of the log',
  vault:
    'take another copy of the vault, not older than the log; if there is none, add --accept-lost-customers, and who is not in the vault counts as erased',
}

interface CopyFolders {
  readonly from: string
  /** Undefined if the vault is on a server. */
  readonly vaultFrom: string | undefined
  /** Customers missing from an older vault count as erased. */
  readonly mayLoseCustomers: boolean
}

export interface Restored extends CopyRead {
  /** Events after the copy that vault or views know of. */
  readonly lostEvents: number
}

/** Restores a backup into an empty DATA_DIR, and records that what came after it is lost. Leaves nothing there if it fails. */
export async function restoreCopy(
  config: Config,
  { from, vaultFrom, mayLoseCustomers }: CopyFolders,
  show: (text: string) => void,
): Promise<Restored> {
  assertLogIsFile(config, 'put its files back as its vendor says, then npm run shop -- admin accept-loss')
  assertVaultFolder(config, vaultFrom)
  if (vaultFrom === undefined) await assertVaultServer(config)
  const { DATA_DIR } = config
  ensureEmptyFolder(DATA_DIR, 'move away what is there, or set DATA_DIR to another folder')
  const unfinished = join(DATA_DIR, UNFINISHED)
  const remove = (): void => rmSync(unfinished, { recursive: true, force: true })
  // Ctrl-C exits at once: log and vault must not stay side by side.
  process.once('exit', remove)
  mkdirSync(unfinished, { mode: 0o700 })
  try {
    show('copying the log')
    const log = await copyPart('log', { from, to: unfinished })
    if (vaultFrom !== undefined) show('copying the vault')
    const vault = vaultFrom === undefined ? undefined : await copyPart('vault', { from: vaultFrom, to: unfinished })
    show('checking the copy')
    const read = await readCopy(config, { log, vault }, { remedies, mayLoseCustomers, show })
    const lostEvents = await acceptLoss({ ...config, DATA_DIR: unfinished })
    // Moves each leftover write-ahead log before its file.
    const names = readdirSync(unfinished).filter((name) => Object.values(FILE_OF).some((own) => name.startsWith(own)))
    // Synchronous, so that no signal can interrupt it.
    for (const name of names.toSorted().toReversed()) renameSync(join(unfinished, name), join(DATA_DIR, name))
    sync(DATA_DIR)
    return { ...read, lostEvents }
  } finally {
    process.off('exit', remove)
    remove()
  }
}

function assertVaultFolder({ VAULT_URL }: Config, vaultFrom: string | undefined): void {
  if (VAULT_URL === undefined && vaultFrom === undefined)
    throw new UsageError('--vault-from is missing: the folder with the copy of the vault')
  if (VAULT_URL !== undefined && vaultFrom !== undefined)
    throw new UsageError('--vault-from copies a file, and the vault is at VAULT_URL: leave it out, use mongorestore')
}

/** Checked first, since opening it with the log would give an empty vault a secret. */
async function assertVaultServer(config: Config): Promise<void> {
  const vault = await openVault(config)
  try {
    if ((await vault.passwordHash(ADMIN_ID)) === undefined)
      throw new Error(
        'the vault at VAULT_URL is empty: put it back first (mongorestore --uri "$VAULT_URL" --drop --gzip --archive=FILE), then the log',
      )
  } finally {
    await vault.close()
  }
}

async function copyPart(part: Part, { from, to }: { from: string; to: string }): Promise<string> {
  const [source, file] = [join(from, FILE_OF[part]), join(to, FILE_OF[part])]
  try {
    await copyFile(source, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    throw new Error(`${source} is missing: take a folder with a finished copy of the ${part}`, { cause: error })
  }
  chmodSync(file, PRIVATE)
  sync(file)
  return file
}

/** Lets the shop continue with the copy; returns the number of lost events. */
async function acceptLoss(config: Config): Promise<number> {
  const engines = await openShopEngines(config, { mayHaveLostEvents: true })
  try {
    const heads = await headsOf(engines)
    await goOnWithout(engines, heads)
    // The same events may have been told from the shop that this copy is of.
    await turnMessagesOff(engines.vault)
    return Math.max(0, Number(heads.knownHead) - Number(heads.head))
  } finally {
    await engines.close()
  }
}
