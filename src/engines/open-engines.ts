import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
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
/** May be deleted at any time. */
export const VIEWS_FOLDER = 'views'

const DATABASES = ['MONGODB_URL', 'VAULT_URL'] as const

/** One write may hold the views of a whole page of the log. */
const VIEWS_ANSWER_MS = 20_000

/** The log's engines. Records keyed by these names hold what each needs elsewhere. */
export type LogEngineName = 'sqlite' | 'eventstoredb'

/** The configured place of the log. */
interface LogAddress {
  readonly engine: LogEngineName
  readonly variable: 'DATA_DIR' | 'EVENTSTOREDB_URL'
  /** A file, or the address of a server. */
  readonly at: string
  /** For messages, without a password. */
  readonly name: string
}

export interface Opening {
  /** Creates, migrates and wipes nothing; the shop may be running. */
  readonly isReadOnly?: boolean
  readonly now?: () => number
  /** Called once if a shared server has events of others in a stream with a name of the shop's. */
  readonly onForeign?: (stream: string) => void
}

export function logAddress({ DATA_DIR, EVENTSTOREDB_URL }: Config): LogAddress {
  if (EVENTSTOREDB_URL !== undefined) {
    const variable = 'EVENTSTOREDB_URL'
    return { engine: 'eventstoredb', variable, at: EVENTSTOREDB_URL, name: `the log at ${variable}` }
  }
  const file = join(DATA_DIR, EVENTS_FILE)
  return { engine: 'sqlite', variable: 'DATA_DIR', at: file, name: file }
}

/** Whether the log is a file in DATA_DIR, which can be copied and can fill the disk. */
export function isLogFile({ EVENTSTOREDB_URL }: Config): boolean {
  return EVENTSTOREDB_URL === undefined
}

// Drivers are imported only if used: they are large, and each thread loads its own.

/** `categories`: on a server that others share, only streams whose names begin with one of these and a dash are read. */
export async function openEventStore(
  config: Config,
  { categories, ...options }: Opening & { readonly categories: readonly string[] },
) {
  const { engine, at } = logAddress(config)
  if (engine === 'sqlite') return sqliteEventStore(at, options)
  const { eventstoredbEventStore } = await import('./event-store/eventstoredb-event-store.ts')
  return eventstoredbEventStore({ url: at, categories, ...options })
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
  { answerMs = VIEWS_ANSWER_MS, ...options }: Opening & { readonly answerMs?: number } = {},
): Promise<ViewStore> {
  if (url === undefined) return sqliteViewStore(join(DATA_DIR, VIEWS_FOLDER), options)
  const { mongodbViewStore } = await import('./view-store/mongodb-view-store.ts')
  return mongodbViewStore({ url, answerMs })
}

export interface QueueHooks {
  readonly onJobFailed: (job: { type: string; id: string }, error: unknown) => void
  /** Redis is away, or its settings do not suit a queue. */
  readonly onTrouble: (error: Error) => void
  /** Whether this process runs the jobs while Redis does not work. */
  readonly mayRun: () => Promise<boolean>
}

/** A queue for this process alone, or for all that share a Redis. */
export async function openQueue({ REDIS_URL: url }: Config, prefix: string, hooks: QueueHooks): Promise<JobQueue> {
  const { onJobFailed: onFailed, onTrouble, mayRun } = hooks
  if (url === undefined) return inProcessJobQueue({ onFailed })
  const { bullmqJobQueue } = await import('./job-queue/bullmq-job-queue.ts')
  const { jobQueueWithFallback } = await import('./job-queue/job-queue-with-fallback.ts')
  return jobQueueWithFallback(bullmqJobQueue({ url, prefix, onFailed, onTrouble }), { mayRun, onFailed })
}

/** Undefined if the vault is on a server. */
export function vaultFile({ DATA_DIR, VAULT_URL }: Config): string | undefined {
  return VAULT_URL === undefined ? join(DATA_DIR, VAULT_FILE) : undefined
}

/** Throws if the driver rejects an address that the configuration accepts. */
async function assertAccepted(
  name: 'EVENTSTOREDB_URL' | (typeof DATABASES)[number],
  config: Config,
  driver: () => Promise<{ wrongAddress(url: string): string | undefined }>,
): Promise<void> {
  const url = config[name]
  if (url === undefined) return
  const why = (await driver()).wrongAddress(url)
  if (why !== undefined) throw new ConfigError(`${name} ${why}`)
}

export async function assertLogAddress(config: Config): Promise<void> {
  await assertAccepted('EVENTSTOREDB_URL', config, async () => import('./eventstoredb/address.ts'))
}

export async function assertDatabaseAddresses(config: Config): Promise<void> {
  for (const name of DATABASES) await assertAccepted(name, config, async () => import('./mongodb/address.ts'))
}

/** Rejects a server that stores nothing on disk or whose clock is off by more than `clockOffMsMax`, if it shows these to this user. */
export async function assertLogFits({ EVENTSTOREDB_URL: url }: Config, clockOffMsMax: number): Promise<void> {
  if (url === undefined) return
  const { serverFacts } = await import('./eventstoredb/server-facts.ts')
  const askedAt = Date.now()
  const facts = await serverFacts(url).catch(() => undefined)
  // The server's clock has whole seconds.
  const offMs = facts?.clockMs === undefined ? 0 : clockOffMs(facts.clockMs, askedAt - 1_000)
  if (offMs > clockOffMsMax)
    throw new ConfigError(
      `this machine's clock and that of the server at EVENTSTOREDB_URL are ${offMs} ms apart: set both by a time server`,
    )
  if (facts?.isInMemory === true)
    throw new ConfigError(
      'the server at EVENTSTOREDB_URL runs with MemDb and keeps nothing on disk: start it without that option',
    )
}
