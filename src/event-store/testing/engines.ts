import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventStore } from '../event-store.ts'
import { type Missing, notSet } from '../../testing/missing.ts'
import { eventstoredbEventStore } from '../eventstoredb-event-store.ts'
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
  /** Takes the time from `now`, not from a server. */
  readonly takesClock: boolean
  /** The log may hold other tests' events, but has no other writer. */
  readonly open: (options: { now: () => number }) => Promise<OpenedEngine>
}

export const eventStores: readonly EngineUnderTest[] = [
  {
    name: 'memory',
    takesClock: true,
    open: async (options) => {
      const store = memoryEventStore(options)
      return { store, remove: () => store.close() }
    },
  },
  {
    name: 'memory, with events of others in between',
    takesClock: true,
    open: async (options) => {
      let others = 0
      const store = memoryEventStore({ ...options, othersBefore: () => (others = (others + 1) % 4) })
      return { store, remove: () => store.close() }
    },
  },
  {
    name: 'SQLite',
    takesClock: true,
    open: async (options) => {
      const folder = temporaryFolder()
      const store = sqliteEventStore(join(folder, 'events.db'), options)
      const remove = async (): Promise<void> => {
        await store.close()
        rmSync(folder, { recursive: true })
      }
      return { store, remove }
    },
  },
  {
    // A second connection, since the first answers from its cache of newest events.
    name: 'SQLite, read by a second connection',
    takesClock: true,
    open: async (options) => {
      const folder = temporaryFolder()
      const writer = sqliteEventStore(join(folder, 'events.db'), options)
      const reader = sqliteEventStore(join(folder, 'events.db'))
      const close = async (): Promise<void> => {
        await Promise.all([writer.close(), reader.close()])
      }
      const remove = async (): Promise<void> => {
        await close()
        rmSync(folder, { recursive: true })
      }
      const store: EventStore = {
        ...writer,
        readStream: (stream, page) => reader.readStream(stream, page),
        readAll: (page) => reader.readAll(page),
        head: () => reader.head(),
        waitForEvents: (wait) => reader.waitForEvents(wait),
        close,
      }
      return { store, remove }
    },
  },
  {
    name: 'EventStoreDB, a double of it',
    takesClock: true,
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
    // The newest event of the tests before may be of a later time.
    takesClock: false,
    open: async (options) => {
      const store = eventstoredbEventStore({ url: process.env['EVENTSTOREDB_URL'] ?? '', ...options })
      return { store, remove: () => store.close() }
    },
  },
]

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'coinshop-events-'))
