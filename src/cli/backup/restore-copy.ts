import { renameSync, rmSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { acceptLostCustomers } from '../../commands/accept-lost-customers.ts'
import { vaultIdOf } from '../../commands/bind-vault.ts'
import type { Config } from '../../config.ts'
import { headsOf, openEngines, openVault } from '../../engines.ts'
import { ADMIN_ID } from '../../shop/hot/hot-states.ts'
import { shopKeys } from '../../shop/keys.ts'
import { systemRandom } from '../../system.ts'
import { UsageError } from '../program.ts'
import { goOnWithout } from '../lost-events.ts'
import { assertLogIsFile, emptyFolder } from './folders.ts'
import { digestOf, FILE_OF, type Manifest, readManifest, syncFolder } from './manifest.ts'
import { type CopyRead, readCopy } from './read-copy.ts'

/** In DATA_DIR, which may be a disk of its own: what is not whole yet has another name than a shop's. */
const UNFINISHED = 'restore.unfinished'

export interface CopyFolders {
  readonly from: string
  /** Undefined where the vault is a server's to restore. */
  readonly vaultFrom: string | undefined
  /** Whom an older vault does not know counts as erased. */
  readonly mayLoseCustomers: boolean
}

export interface Restored extends CopyRead {
  readonly copy: Manifest
  /** Events after the copy of which vault or views know. */
  readonly lostEvents: number
}

/** Puts a backup into an empty DATA_DIR, and records that what came after it is lost. Leaves nothing there where it fails. */
export async function restoreCopy(
  config: Config,
  { from, vaultFrom, mayLoseCustomers }: CopyFolders,
  show: (text: string) => void,
): Promise<Restored> {
  assertLogIsFile(config, 'put its files back as its vendor says, then npm run shop -- admin accept-loss')
  assertVaultFolder(config, vaultFrom)
  const log = await readManifest(from, 'log')
  if (vaultFrom === undefined) await assertVaultServer(config, log)
  else assertPair(log, await readManifest(vaultFrom, 'vault'), { mayLoseCustomers })
  const { DATA_DIR } = config
  emptyFolder(DATA_DIR, 'move away what is there, or set DATA_DIR to another folder')
  const unfinished = join(DATA_DIR, UNFINISHED)
  const remove = (): void => rmSync(unfinished, { recursive: true, force: true })
  // Ctrl-C exits at once: log and vault must not stay side by side.
  process.once('exit', remove)
  await mkdir(unfinished, { mode: 0o700 })
  try {
    await copyPart(from, unfinished, log, show)
    if (vaultFrom !== undefined) await copyPart(vaultFrom, unfinished, await readManifest(vaultFrom, 'vault'), show)
    const restored = await madeReady({ ...config, DATA_DIR: unfinished }, { log, mayLoseCustomers }, show)
    // A write-ahead log, if closing has left one, before its file.
    const names = (await readdir(unfinished)).filter((name) =>
      Object.values(FILE_OF).some((own) => name.startsWith(own)),
    )
    // All of them before a signal is heard.
    for (const name of names.toSorted().toReversed()) renameSync(join(unfinished, name), join(DATA_DIR, name))
    syncFolder(DATA_DIR)
    return restored
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

function assertPair(log: Manifest, vault: Manifest, { mayLoseCustomers }: { mayLoseCustomers: boolean }): void {
  if (log.shopId !== vault.shopId)
    throw new Error('the copies are of two different shops: take the vault that belongs to this log')
  if (vault.backupId === log.backupId || vault.begunAt >= log.begunAt || mayLoseCustomers) return
  throw new Error(
    `the copy of the vault (${vault.begunAt}) is older than the log's (${log.begunAt}) and may lack its customers: ${olderVault(log)}`,
  )
}

function olderVault({ begunAt }: Manifest): string {
  return `take a copy of the vault of ${begunAt} or later; if there is none, add --accept-lost-customers, and who is not in the vault counts as erased`
}

/** Looked at first, since opening it with the log would give an empty vault a secret. */
async function assertVaultServer(config: Config, { shopId }: Manifest): Promise<void> {
  const vault = await openVault(config)
  try {
    if ((await vault.passwordHash(ADMIN_ID)) === undefined)
      throw new Error(
        'the vault at VAULT_URL is empty: put it back first (mongorestore --uri "$VAULT_URL" --drop --gzip --archive=FILE), then the log',
      )
    if (vaultIdOf(await shopKeys(vault, (count) => systemRandom.bytes(count))) !== shopId)
      throw new Error('the vault at VAULT_URL is of another shop than this copy: set VAULT_URL to the one of this log')
  } finally {
    await vault.close()
  }
}

/** Copies the file of this part; throws where it is not the one that was backed up. */
async function copyPart(from: string, to: string, copy: Manifest, show: (text: string) => void): Promise<void> {
  const { part } = copy
  const file = join(from, FILE_OF[part])
  const onProgress = (bytes: number): void => show(`copying the ${part}: ${Math.floor((bytes / copy.bytes) * 100)} %`)
  const digest = await digestOf(file, { to: join(to, FILE_OF[part]), onProgress }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (digest?.bytes === copy.bytes && digest.sha256 === copy.sha256) return
  const found = digest ? 'is not what was backed up (its checksum differs)' : 'is missing'
  throw new Error(`${file} ${found}: take another copy of the ${part}`)
}

/** Reads what was copied to its end, and has the shop go on with it. */
async function madeReady(
  config: Config,
  { log: copy, mayLoseCustomers }: { log: Manifest; mayLoseCustomers: boolean },
  show: (text: string) => void,
): Promise<Restored> {
  const engines = await openEngines(config, { mayHaveLostEvents: true })
  try {
    const read = await readCopy(engines, (events) => show(`reading what was copied: ${events} events`))
    if (read.unknownCustomers > 0) {
      if (!mayLoseCustomers)
        throw new Error(`the vault does not know ${read.unknownCustomers} customers of this log: ${olderVault(copy)}`)
      await acceptLostCustomers(engines)
    }
    const heads = await headsOf(engines)
    await goOnWithout(engines, heads)
    return { ...read, copy, lostEvents: Math.max(0, Number(heads.knownHead) - Number(heads.head)) }
  } finally {
    await engines.close()
  }
}
