import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { type EventLog, eventLog } from './event-store/event-log.ts'
import type { EventStore } from './event-store/event-store.ts'
import { sqliteEventStore } from './event-store/sqlite-event-store.ts'
import { inProcessJobQueue } from './job-queue/in-process-job-queue.ts'
import type { JobQueue } from './job-queue/job-queue.ts'
import { systemClock } from './system.ts'
import { sqliteVault } from './vault/sqlite-vault.ts'
import type { Vault } from './vault/vault.ts'
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

/** The engines that the configuration asks for. Throws one clear line where one cannot be opened; what was opened is closed again. */
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
    const vault = keep(sqliteVault(join(config.DATA_DIR, VAULT_FILE)))
    const store = keep(sqliteEventStore(join(config.DATA_DIR, EVENTS_FILE)))
    const views = keep(sqliteViewStore(join(config.DATA_DIR, VIEWS_FILE)))
    const queue = inProcessJobQueue({ onFailed: onJobFailed })
    const log = eventLog({ store, vault, sleep: systemClock.sleep })
    return { store, vault, views, queue, log, close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
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
