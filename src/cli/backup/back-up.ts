import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { assertShop } from '../../process/shop-engines.ts'
import { logFileOptions } from '../../engines/event-store/sqlite-log-file.ts'
import { copyFile } from '../../engines/sqlite/copy-file.ts'
import { vaultFileOptions } from '../../engines/vault/sqlite-vault.ts'
import { UsageError } from '../program.ts'
import { areNested, assertLogIsFile, ensureEmptyFolder, FILE_OF, type Part, placeOf, sync } from './folders.ts'
import { type CopyRead, readCopy } from './read-copy.ts'

interface BackupFolders {
  readonly to: string
  /** Undefined if the vault is on a server. */
  readonly vaultTo: string | undefined
}

const optionsOf = { log: logFileOptions(), vault: vaultFileOptions() }
const verifyShop = 'npm run shop -- verify says what to do about the shop'
const remedies = { log: verifyShop, vault: verifyShop }

interface Copy {
  readonly part: Part
  readonly folder: string
  /** The copy's path until it is verified. */
  readonly file: string
}

/**
 * Copies log and vault of a shop that may be running, the log first, so that the copied vault knows every customer in it.
 * Gives the copies their final names once they are verified. Removes them if it fails.
 */
export async function backUp(
  config: Config,
  { to, vaultTo }: BackupFolders,
  show: (text: string) => void,
): Promise<CopyRead> {
  assertLogIsFile(config, 'back it up as its vendor says')
  await assertShop(config)
  assertApart(config, { to, vaultTo })
  const log = copyIn(to, 'log')
  const vault = vaultTo === undefined ? undefined : copyIn(vaultTo, 'vault')
  const copies = vault ? [log, vault] : [log]
  for (const { folder } of copies) ensureEmptyFolder(folder, 'name a folder that is empty or not there yet')
  const remove = (): void => {
    for (const { folder, part, file } of copies)
      for (const made of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`, join(folder, FILE_OF[part])])
        rmSync(made, { force: true })
  }
  // Ctrl-C exits without running the `catch` below.
  process.once('exit', remove)
  try {
    for (const { part, file } of copies) {
      show(`copying the ${part}`)
      await copyFile(join(config.DATA_DIR, FILE_OF[part]), file, optionsOf[part], (share) =>
        show(`copying the ${part}: ${Math.floor(share * 100)} %`),
      )
    }
    show('checking the copy')
    const read = await readCopy(config, { log: log.file, vault: vault?.file }, { remedies, show })
    for (const { part, folder, file } of copies.toReversed()) {
      renameSync(file, join(folder, FILE_OF[part]))
      sync(folder)
    }
    return read
  } catch (error) {
    remove()
    throw error
  } finally {
    process.off('exit', remove)
  }
}

function copyIn(folder: string, part: Part): Copy {
  return { part, folder, file: join(folder, `${FILE_OF[part]}.unfinished`) }
}

function assertApart({ DATA_DIR, VAULT_URL }: Config, { to, vaultTo }: BackupFolders): void {
  if (VAULT_URL === undefined && vaultTo === undefined)
    throw new UsageError('--vault-to is missing: an empty folder for the copy of the vault, apart from the log')
  if (VAULT_URL !== undefined && vaultTo !== undefined)
    throw new UsageError('--vault-to copies a file, and the vault is at VAULT_URL: leave it out, use mongodump')
  const data = placeOf(DATA_DIR)
  for (const folder of [to, ...(vaultTo === undefined ? [] : [vaultTo])])
    if (areNested(placeOf(folder), data))
      throw new UsageError(`${folder} and DATA_DIR ${DATA_DIR} overlap: take a folder on another disk`)
  if (vaultTo !== undefined && areNested(placeOf(to), placeOf(vaultTo)))
    throw new UsageError('--to and --vault-to overlap: keep them apart, since both copies together reveal every buyer')
}
