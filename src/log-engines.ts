import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { CLOCK_OFF_MS_MAX } from './domain/clocks-apart.ts'
import type { EventStore } from './event-store/event-store.ts'
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

interface LogEngine {
  /** A file of DATA_DIR, which this machine can look at and copy, and whose disk can be full. */
  readonly isFile: boolean
  /** Why the log cannot be at this address. */
  readonly wrongAddress: (at: string) => Promise<string | undefined>
  /** Loads its driver: large, and loaded per thread. */
  readonly open: (at: string, options: Opening) => Promise<EventStore>
  /** Refuses a server that keeps nothing on disk or has another time, as far as it tells this user. */
  readonly assertFits: (at: string) => Promise<void>
}

export const logEngines: Readonly<Record<LogEngineName, LogEngine>> = {
  sqlite: {
    isFile: true,
    wrongAddress: async () => undefined,
    open: async (file, options) => sqliteEventStore(file, options),
    assertFits: async () => undefined,
  },
  eventstoredb: {
    isFile: false,
    wrongAddress: async (url) => (await import('./eventstoredb/address.ts')).wrongAddress(url),
    async open(url, options) {
      const { eventstoredbEventStore } = await import('./event-store/eventstoredb-event-store.ts')
      return eventstoredbEventStore({ url, ...options })
    },
    async assertFits(url) {
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
    },
  },
}

export function logAddress({ DATA_DIR, EVENTSTOREDB_URL }: Config): LogAddress {
  if (EVENTSTOREDB_URL !== undefined) {
    const variable = 'EVENTSTOREDB_URL'
    return { engine: 'eventstoredb', variable, at: EVENTSTOREDB_URL, name: `the log at ${variable}` }
  }
  const file = join(DATA_DIR, EVENTS_FILE)
  return { engine: 'sqlite', variable: 'DATA_DIR', at: file, name: file }
}

export function isLogFile(config: Config): boolean {
  return logEngines[logAddress(config).engine].isFile
}

export async function openEventStore(config: Config, options: Opening = {}): Promise<EventStore> {
  const { engine, at } = logAddress(config)
  return logEngines[engine].open(at, options)
}

/** The driver takes fewer addresses than the configuration. */
export async function assertLogAddress(config: Config): Promise<void> {
  const { engine, variable, at } = logAddress(config)
  const why = await logEngines[engine].wrongAddress(at)
  if (why !== undefined) throw new ConfigError(`${variable} ${why}`)
}

/** Whether it is an engine that a shop can be opened on. */
export async function assertLogFits(config: Config): Promise<void> {
  const { engine, at } = logAddress(config)
  await logEngines[engine].assertFits(at)
}
