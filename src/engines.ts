import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isBoundTo, vaultIdOf } from './commands/bind-vault.ts'
import { ADMIN_ID } from './commands/hot/hot-states.ts'
import { shopKeys } from './commands/keys.ts'
import { systemCaller } from './commands/shop.ts'
import { type Config, ConfigError } from './config.ts'
import { type EventLog, eventLog } from './event-store/event-log.ts'
import { type EventStore, EventStoreDamaged, START } from './event-store/event-store.ts'
import { sqliteEventStore } from './event-store/sqlite-event-store.ts'
import { inProcessJobQueue } from './job-queue/in-process-job-queue.ts'
import type { JobQueue } from './job-queue/job-queue.ts'
import { dropForeignViews } from './projections/builds.ts'
import { systemClock, systemRandom } from './system.ts'
import { sqliteVault } from './vault/sqlite-vault.ts'
import { type Vault, VaultDamaged } from './vault/vault.ts'
import { sqliteViewStore } from './view-store/sqlite-view-store.ts'
import type { ViewStore } from './view-store/view-store.ts'

export const EVENTS_FILE = 'events.sqlite'
export const VAULT_FILE = 'vault.sqlite'
export const VIEWS_FILE = 'views.sqlite'

export interface Engines {
  readonly store: EventStore
  readonly vault: Vault
  readonly views: ViewStore
  readonly queue: JobQueue
  readonly log: EventLog
  close(): Promise<void>
}

/**
 * The engines that the configuration asks for. Throws one clear line where one cannot be opened, is missing, or belongs to another shop than the others;
 * what was opened is closed again.
 */
export async function openEngines(
  config: Config,
  onJobFailed: (job: { type: string; id: string }, error: unknown) => void = () => undefined,
): Promise<Engines> {
  assertEmbedded(config)
  assertWritable(config.DATA_DIR)
  const opened: { close(): Promise<void> }[] = []
  const keep = <Engine extends { close(): Promise<void> }>(engine: Engine): Engine => {
    opened.unshift(engine)
    return engine
  }
  const closeAll = async (): Promise<void> => {
    for (const engine of opened) await engine.close()
  }
  try {
    const files = { vault: join(config.DATA_DIR, VAULT_FILE), events: join(config.DATA_DIR, EVENTS_FILE) }
    const vault = keep(sqliteVault(files.vault))
    // In this order, since another process may be opening the same new shop: the vault gets its secret, the log its first event, the vault its owner.
    const hasOwner = !isMissing(files.vault) && (await vault.passwordHash(ADMIN_ID)) !== undefined
    if (hasOwner && isMissing(files.events)) throw logMissing(files)
    const store = keep(sqliteEventStore(files.events))
    const isEmpty = (await store.head()) === START
    if (hasOwner && isEmpty) throw logMissing(files)
    if (!isEmpty && isMissing(files.vault)) throw vaultMissing(files)
    const log = eventLog({ store, vault, sleep: systemClock.sleep })
    const keys = await shopKeys(vault, (count) => systemRandom.bytes(count))
    if (!(await isBoundTo({ log, keys, clock: systemClock }, systemCaller(systemRandom)))) throw shopsMixed(files)
    const views = keep(sqliteViewStore(join(config.DATA_DIR, VIEWS_FILE)))
    const queue = inProcessJobQueue({ onFailed: onJobFailed })
    await dropForeignViews(views, { id: vaultIdOf(keys), head: () => store.head(), now: () => systemClock.now() })
    return { store, vault, views, queue, log, close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** What the projector's thread needs, on connections of its own; after `openEngines` has seen that these engines belong together. */
export async function openProjectorEngines(config: Config): Promise<Pick<Engines, 'log' | 'views' | 'close'>> {
  const opened: { close(): Promise<void> }[] = []
  const closeAll = async (): Promise<void> => {
    for (const engine of opened) await engine.close()
  }
  try {
    const vault = sqliteVault(join(config.DATA_DIR, VAULT_FILE))
    opened.unshift(vault)
    const store = sqliteEventStore(join(config.DATA_DIR, EVENTS_FILE))
    opened.unshift(store)
    const views = sqliteViewStore(join(config.DATA_DIR, VIEWS_FILE))
    opened.unshift(views)
    return { log: eventLog({ store, vault, sleep: systemClock.sleep }), views, close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** SQLite takes an empty file for a new one. */
function isMissing(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0
}

interface Files {
  readonly vault: string
  readonly events: string
}

function logMissing({ vault, events }: Files): EventStoreDamaged {
  return new EventStoreDamaged(
    `${events} is missing or empty, but ${vault} is of a shop that has been open: put the log back (its newest backup), or set DATA_DIR to an empty folder for a new shop`,
  )
}

function vaultMissing({ vault, events }: Files): VaultDamaged {
  return new VaultDamaged(
    `${vault} is missing or empty, and without it nobody can read who the buyers in ${events} are: put the vault back (its newest backup)`,
  )
}

function shopsMixed({ vault, events }: Files): VaultDamaged {
  return new VaultDamaged(
    `${vault} and ${events} are of two different shops: put back the vault that belongs to this log, or set DATA_DIR to the folder where both are`,
  )
}

function assertEmbedded(config: Config): void {
  for (const name of ['EVENTSTOREDB_URL', 'MONGODB_URL', 'VAULT_URL', 'REDIS_URL'] as const)
    if (config[name] !== undefined)
      throw new ConfigError(`${name} is set, but this release has only the embedded engine for it; remove the variable`)
}

function assertWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new ConfigError(
      `DATA_DIR ${folder} cannot be written (${code}); give this user the folder, or set DATA_DIR to another one`,
    )
  }
}
