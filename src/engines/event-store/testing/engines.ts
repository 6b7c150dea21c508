import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { categories } from '../../../domain/stream-names.ts'
import type { EventStore } from '../event-store.ts'
import { type Missing, notSet } from '../../../ports/testing/missing.ts'
import { eventstoredbEventStore } from '../eventstoredb-event-store.ts'
import { eventstoredbDouble } from './eventstoredb-double.ts'
import { ownPlace } from './eventstoredb-server.ts'
import { memoryEventStore } from './memory-event-store.ts'
import { sqliteEventStore } from '../sqlite-event-store.ts'

export interface EngineUnderTest {
  readonly name: string
  /** Why it cannot be tested here. */
  readonly missing?: Missing
  /** An empty log; closed, it leaves no files. */
  readonly open: (options: { now: () => number }) => Promise<EventStore>
}

/** Of one process, on memory or files. */
export const embeddedEventStores: readonly EngineUnderTest[] = [
  { name: 'memory', open: async (options) => memoryEventStore(options) },
  {
    name: 'memory, with events of others in between',
    open: async (options) => {
      let others = 0
      return memoryEventStore({ ...options, othersBefore: () => (others = (others + 1) % 4) })
    },
  },
  { name: 'SQLite', open: async (options) => inFile((file) => sqliteEventStore(file, options)) },
]

export const eventstoredbStores: readonly EngineUnderTest[] = [
  {
    name: 'EventStoreDB, a double of it',
    open: async (options) => {
      const server = await eventstoredbDouble()
      return closing(eventstoredbEventStore({ url: server.url, categories, ...options }), () => server.stop())
    },
  },
  {
    name: 'EventStoreDB',
    missing: notSet('EVENTSTOREDB_URL'),
    open: async (options) =>
      eventstoredbEventStore({ url: ownPlace(process.env['EVENTSTOREDB_URL'] ?? ''), categories, ...options }),
  },
]

function inFile(open: (file: string) => EventStore): EventStore {
  const folder = mkdtempSync(join(tmpdir(), 'coinshop-events-'))
  return closing(open(join(folder, 'events.db')), async () => rmSync(folder, { recursive: true, force: true }))
}

function closing(store: EventStore, remove: () => Promise<void>): EventStore {
  return { ...store, close: async () => store.close().then(remove) }
}
