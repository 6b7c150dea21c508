import { randomUUID } from 'node:crypto'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildOf } from '../../build.ts'
import { boundVaultId, vaultIdOf } from '../../commands/bind-vault.ts'
import type { Config } from '../../config.ts'
import { assertShop, openVault } from '../../engines.ts'
import { START } from '../../event-store/event-store.ts'
import { sqliteEventStore } from '../../event-store/sqlite-event-store.ts'
import { logFileOptions } from '../../event-store/sqlite-log-file.ts'
import { logAndKeys } from '../../shop/log-and-keys.ts'
import { copyFile } from '../../sqlite/copy-file.ts'
import { systemClock, systemRandom } from '../../system.ts'
import { sqliteVault, vaultFileOptions } from '../../vault/sqlite-vault.ts'
import { UsageError } from '../program.ts'
import { wrongInSqlite } from '../doctor/sqlite.ts'
import { areNested, assertLogIsFile, emptyFolder, placeOf } from './folders.ts'
import { digestOf, FILE_OF, type Manifest, MANIFEST_FILE, syncFolder, writeManifest } from './manifest.ts'
import { type CopyRead, readCopy } from './read-copy.ts'

export interface BackupFolders {
  readonly to: string
  /** Undefined where the vault is a server's to copy. */
  readonly vaultTo: string | undefined
}

const optionsOf = { log: logFileOptions(), vault: vaultFileOptions() }

/** A file that is copied. */
interface Part {
  readonly part: Manifest['part']
  readonly folder: string
  readonly file: string
  /** Its name until it is known to be whole. */
  readonly unfinished: string
}

/**
 * Copies log and vault of a shop that may be running, reads the copies back, and only then gives them their names. The log is first, so that the vault
 * knows every customer of it. What it made is removed where it fails.
 */
export async function backUp(
  config: Config,
  { to, vaultTo }: BackupFolders,
  show: (text: string) => void,
): Promise<CopyRead & Pick<Manifest, 'logHead'>> {
  const begunAt = new Date().toISOString()
  assertLogIsFile(config, 'back it up as its vendor says')
  await assertShop(config)
  assertApart(config, { to, vaultTo })
  const parts = [partOf('log', to), ...(vaultTo === undefined ? [] : [partOf('vault', vaultTo)])]
  for (const { folder } of parts) emptyFolder(folder, 'name a folder that is empty or not there yet')
  const made = new Set<string>()
  const remove = (): void => {
    for (const file of [...made].flatMap((file) => [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]))
      rmSync(file, { force: true })
  }
  // Ctrl-C exits at once.
  process.once('exit', remove)
  try {
    for (const { part, unfinished } of parts) {
      made.add(unfinished)
      show(`copying the ${part}`)
      await copyFile(join(config.DATA_DIR, FILE_OF[part]), unfinished, optionsOf[part], (share) =>
        show(`copying the ${part}: ${Math.floor(share * 100)} %`),
      )
    }
    for (const { part, unfinished } of parts) {
      show(`checking the copy of the ${part}`)
      const [wrong] = await wrongInSqlite(unfinished)
      if (wrong !== undefined)
        throw new Error(
          `the copy of the ${part} is damaged (${wrong}): npm run shop -- verify says whether the ${part} is`,
        )
    }
    const { shopId, logHead, ...read } = await readBack(config, parts, show)
    const { version, commit } = buildOf(config.COMMIT_SHA)
    const common = { format: 1, backupId: randomUUID(), shopId, version, commit, begunAt, logHead } as const
    for (const { part, folder, file, unfinished } of parts.toReversed()) {
      const digest = await digestOf(unfinished)
      renameSync(unfinished, file)
      made.add(file).add(join(folder, MANIFEST_FILE))
      await writeManifest(folder, { ...common, part, endedAt: new Date().toISOString(), ...digest })
      syncFolder(folder)
    }
    return { logHead, ...read }
  } catch (error) {
    remove()
    throw error
  } finally {
    process.off('exit', remove)
  }
}

function partOf(part: Manifest['part'], folder: string): Part {
  const file = join(folder, FILE_OF[part])
  return { part, folder, file, unfinished: `${file}.unfinished` }
}

function assertApart({ DATA_DIR, VAULT_URL }: Config, { to, vaultTo }: BackupFolders): void {
  if (VAULT_URL === undefined && vaultTo === undefined)
    throw new UsageError('--vault-to is missing: an empty folder for the copy of the vault, apart from the log')
  if (VAULT_URL !== undefined && vaultTo !== undefined)
    throw new UsageError('--vault-to copies a file, and the vault is at VAULT_URL: leave it out, use mongodump')
  const data = placeOf(DATA_DIR)
  for (const folder of [to, ...(vaultTo === undefined ? [] : [vaultTo])])
    if (areNested(placeOf(folder), data))
      throw new UsageError(`${folder} and DATA_DIR ${DATA_DIR} lie in each other: take a folder on another disk`)
  if (vaultTo !== undefined && areNested(placeOf(to), placeOf(vaultTo)))
    throw new UsageError(
      '--to and --vault-to lie in each other: keep them apart, since who has both copies can read every buyer',
    )
}

/** Opens the copies as the shop would, and reads them to their ends. */
async function readBack(
  config: Config,
  [log, vault]: readonly Part[],
  show: (text: string) => void,
): Promise<CopyRead & Pick<Manifest, 'shopId' | 'logHead'>> {
  const store = sqliteEventStore(log?.unfinished ?? '')
  const vaultCopy = vault ? sqliteVault(vault.unfinished) : await openVault(config)
  try {
    const logHead = await store.head()
    if (logHead === START) throw new Error(`${config.DATA_DIR} has no shop that has been open: nothing was copied`)
    const { log, keys } = await logAndKeys({ store, vault: vaultCopy }, { clock: systemClock, random: systemRandom })
    const shopId = vaultIdOf(keys)
    if ((await boundVaultId({ log })) !== shopId)
      throw new Error('log and vault are of two different shops: nothing was copied')
    const read = await readCopy({ log, vault: vaultCopy }, (events) => show(`reading the copy: ${events} events`))
    if (read.unknownCustomers > 0)
      throw new Error(
        `the vault does not know ${read.unknownCustomers} customers of the log (an older copy of it was put back): put its newest copy back, or npm run shop -- admin accept-loss`,
      )
    return { shopId, logHead, ...read }
  } finally {
    await store.close()
    await vaultCopy.close()
  }
}
