import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { CLOCK_OFF_MS_MAX } from './domain/clocks-apart.ts'
import { sqliteEventStore } from './event-store/sqlite-event-store.ts'
import { clockOffMs } from './shop/clock-and-random.ts'

export const EVENTS_FILE = 'events.sqlite'

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

export async function openEventStore({ DATA_DIR, EVENTSTOREDB_URL: url }: Config, options: Opening = {}) {
  if (url === undefined) return sqliteEventStore(join(DATA_DIR, EVENTS_FILE), options)
  const { eventstoredbEventStore } = await import('./event-store/eventstoredb-event-store.ts')
  return eventstoredbEventStore({ url, ...options })
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
