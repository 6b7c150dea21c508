import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventStore } from '../event-store.ts'
import { type Missing, notSet } from '../../../ports/testing/missing.ts'
import { eventstoredbEventStore } from '../eventstoredb-event-store.ts'
import { ownPlace } from './own-place.ts'
import { eventstoredbDouble } from './eventstoredb-double.ts'
import { memoryEventStore } from './memory-event-store.ts'
import { sqliteEventStore } from '../sqlite-event-store.ts'

export interface OpenedEngine {
  readonly store: EventStore
  /** Closes the store and removes its files. */
  readonly remove: () => Promise<void>
}

export interface EngineUnderTest {
  readonly name: string
  /** Why it cannot be tested here. */
  readonly missing?: Missing
  /** An empty log. */
  readonly open: (options: { now: () => number }) => Promise<OpenedEngine>
}

/** Of one process, on memory or files. */
export const embeddedEventStores: readonly EngineUnderTest[] = [
  {
    name: 'memory',
    open: async (options) => {
      const store = memoryEventStore(options)
      return { store, remove: () => store.close() }
    },
  },
  {
    name: 'memory, with events of others in between',
    open: async (options) => {
      let others = 0
      const store = memoryEventStore({ ...options, othersBefore: () => (others = (others + 1) % 4) })
      return { store, remove: () => store.close() }
    },
  },
  { name: 'SQLite', open: async (options) => inFile((file) => sqliteEventStore(file, options)) },
  {
    // A second connection, since the first answers from its cache of newest events.
    name: 'SQLite, read by a second connection',
    open: async (options) =>
      inFile((file) => {
        const writer = sqliteEventStore(file, options)
        const reader = sqliteEventStore(file)
        const append: EventStore['append'] = async (...given) => writer.append(...given)
        return { ...reader, append, close: async () => void (await Promise.all([writer.close(), reader.close()])) }
      }),
  },
]

export const eventstoredbStores: readonly EngineUnderTest[] = [
  {
    name: 'EventStoreDB, a double of it',
    open: async (options) => {
      const server = await eventstoredbDouble()
      const store = eventstoredbEventStore({ url: server.url, ...options })
      const remove = async (): Promise<void> => {
        await store.close()
        await server.stop()
      }
      return { store, remove }
    },
  },
  {
    name: 'EventStoreDB',
    missing: notSet('EVENTSTOREDB_URL'),
    open: async (options) => {
      const store = eventstoredbEventStore({ url: ownPlace(process.env['EVENTSTOREDB_URL'] ?? ''), ...options })
      return { store, remove: () => store.close() }
    },
  },
]

function inFile(open: (file: string) => EventStore): OpenedEngine {
  const folder = mkdtempSync(join(tmpdir(), 'coinshop-events-'))
  const store = open(join(folder, 'events.db'))
  const remove = async (): Promise<void> => {
    await store.close()
    rmSync(folder, { recursive: true })
  }
  return { store, remove }
}
