import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { CLOCK_OFF_MS_MAX } from '../domain/clocks-apart.ts'
import { sqliteEventStore } from './event-store/sqlite-event-store.ts'
import { inProcessJobQueue } from './job-queue/in-process-job-queue.ts'
import type { JobQueue } from './job-queue/job-queue.ts'
import { clockOffMs } from '../ports/clock-and-random.ts'
import { sqliteVault } from './vault/sqlite-vault.ts'
import type { Vault } from './vault/vault.ts'
import { sqliteViewStore } from './view-store/sqlite-view-store.ts'
import type { ViewStore } from './view-store/view-store.ts'

export const EVENTS_FILE = 'events.sqlite'
export const VAULT_FILE = 'vault.sqlite'
/** May be removed at any time. */
export const VIEWS_FOLDER = 'views'

const DATABASES = ['MONGODB_URL', 'VAULT_URL'] as const

/** A whole page of the log is written at once. */
const FOLDED_MS = 20_000

/** The engines of the log. What each needs elsewhere stands in records over these names. */
export type LogEngineName = 'sqlite' | 'eventstoredb'

/** Where the configuration says that the log is. */
export interface LogAddress {
  readonly engine: LogEngineName
  readonly variable: 'DATA_DIR' | 'EVENTSTOREDB_URL'
  /** A file, or the address of a server. */
  readonly at: string
  /** In the operator's terms, without a password. */
  readonly name: string
}

interface Opening {
  /** Beside a shop that runs or not: nothing is made, migrated or wiped. */
  readonly isReadOnly?: boolean
  readonly now?: () => number
}

export function logAddress({ DATA_DIR, EVENTSTOREDB_URL }: Config): LogAddress {
  if (EVENTSTOREDB_URL !== undefined) {
    const variable = 'EVENTSTOREDB_URL'
    return { engine: 'eventstoredb', variable, at: EVENTSTOREDB_URL, name: `the log at ${variable}` }
  }
  const file = join(DATA_DIR, EVENTS_FILE)
  return { engine: 'sqlite', variable: 'DATA_DIR', at: file, name: file }
}

/** A file of DATA_DIR, which this machine can look at and copy, and whose disk can be full. */
export function isLogFile({ EVENTSTOREDB_URL }: Config): boolean {
  return EVENTSTOREDB_URL === undefined
}

// Drivers are loaded where they are used: large, and loaded per thread.

export async function openEventStore(config: Config, options: Opening = {}) {
  const { engine, at } = logAddress(config)
  if (engine === 'sqlite') return sqliteEventStore(at, options)
  const { eventstoredbEventStore } = await import('./event-store/eventstoredb-event-store.ts')
  return eventstoredbEventStore({ url: at, ...options })
}

export async function openVault(
  { DATA_DIR, VAULT_URL: url }: Config,
  options: Opening & { readonly mustExist?: boolean } = {},
): Promise<Vault> {
  if (url === undefined) return sqliteVault(join(DATA_DIR, VAULT_FILE), options)
  const { mongodbVault } = await import('./vault/mongodb-vault.ts')
  return mongodbVault({ url, ...options })
}

export async function openViews(
  { DATA_DIR, MONGODB_URL: url }: Config,
  { answerMs = FOLDED_MS, ...options }: Opening & { readonly answerMs?: number } = {},
): Promise<ViewStore> {
  if (url === undefined) return sqliteViewStore(join(DATA_DIR, VIEWS_FOLDER), options)
  const { mongodbViewStore } = await import('./view-store/mongodb-view-store.ts')
  return mongodbViewStore({ url, answerMs })
}

export interface QueueHooks {
  readonly onJobFailed: (job: { type: string; id: string }, error: unknown) => void
  /** Redis is away, or is not set up as a queue needs it. */
  readonly onTrouble: (error: Error) => void
}

/** The jobs of this shop: of this process alone, or of all that share a Redis. */
export async function openQueue({ REDIS_URL: url }: Config, prefix: string, hooks: QueueHooks): Promise<JobQueue> {
  const { onJobFailed: onFailed, onTrouble } = hooks
  if (url === undefined) return inProcessJobQueue({ onFailed })
  const { bullmqJobQueue } = await import('./job-queue/bullmq-job-queue.ts')
  return bullmqJobQueue({ url, prefix, onFailed, onTrouble })
}

/** Undefined where it is on a server. */
export function vaultFile({ DATA_DIR, VAULT_URL }: Config): string | undefined {
  return VAULT_URL === undefined ? join(DATA_DIR, VAULT_FILE) : undefined
}

/** The driver takes fewer addresses than the configuration. */
export async function assertLogAddress({ EVENTSTOREDB_URL: url }: Config): Promise<void> {
  if (url === undefined) return
  const { wrongAddress } = await import('./eventstoredb/address.ts')
  const why = wrongAddress(url)
  if (why !== undefined) throw new ConfigError(`EVENTSTOREDB_URL ${why}`)
}

/** Refuses a server that keeps nothing on disk or has another time, as far as it tells this user. */
export async function assertLogFits({ EVENTSTOREDB_URL: url }: Config): Promise<void> {
  if (url === undefined) return
  const { serverFacts } = await import('./eventstoredb/server-facts.ts')
  const askedAt = Date.now()
  const facts = await serverFacts(url).catch(() => undefined)
  // Its clock shows whole seconds.
  const offMs = facts?.clockMs === undefined ? 0 : clockOffMs(facts.clockMs, askedAt - 1_000)
  if (offMs > CLOCK_OFF_MS_MAX)
    throw new ConfigError(
      `this machine's clock and that of the server at EVENTSTOREDB_URL are ${offMs} ms apart: set both by a time server`,
    )
  if (facts?.isInMemory === true)
    throw new ConfigError(
      'the server at EVENTSTOREDB_URL runs with MemDb and keeps nothing on disk: start it without that option',
    )
}

/** The driver takes fewer addresses than the configuration. */
export async function assertDatabaseAddresses(config: Config): Promise<void> {
  for (const name of DATABASES) {
    const url = config[name]
    if (url === undefined) continue
    const { wrongAddress } = await import('./mongodb/address.ts')
    const why = wrongAddress(url)
    if (why !== undefined) throw new ConfigError(`${name} ${why}`)
  }
}
