import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventstoredbName, someEventstoredb } from '../engines/event-store/testing/eventstoredb-server.ts'
import { testDatabase } from '../engines/mongodb/testing/databases.ts'
import { type Missing, notSet } from '../ports/testing/missing.ts'

/** The location of one shop's data, as environment variables of its processes. */
export interface ShopEnvironment {
  readonly env: Record<string, string>
  /** Deletes all its data. */
  remove(): Promise<void>
}

interface EngineSet {
  readonly name: string
  /** Why this machine cannot test it. */
  readonly missing?: Missing
  readonly isEmbedded: boolean
  /** Creates the storage of a new shop. */
  provision(): Promise<ShopEnvironment>
}

/** With these, only the log is on this machine's disk. */
const distributed = ['MONGODB_URL', 'VAULT_URL', 'REDIS_URL'] as const

/** The first missing one disables all three. */
const distributedMissing = distributed.map(notSet).find((reason) => reason !== undefined)
const distributedUrls = Object.fromEntries(distributed.map((name) => [name, process.env[name] ?? '']))

/** Engines to test whole shops on. */
export const engineSets: readonly EngineSet[] = [
  { name: 'embedded engines', isEmbedded: true, provision: async () => provisionWith({}) },
  {
    name: `${eventstoredbName}${distributedMissing === undefined ? ', MongoDB and Redis' : ''}`,
    isEmbedded: false,
    provision: async () => {
      const log = await someEventstoredb()
      const place = await provisionWith({
        ...(distributedMissing === undefined && distributedUrls),
        EVENTSTOREDB_URL: log.url,
      })
      return { env: place.env, remove: async () => void (await Promise.all([place.remove(), log.remove()])) }
    },
  },
  {
    name: 'MongoDB and Redis',
    isEmbedded: false,
    missing: distributedMissing,
    provision: async () => provisionWith(distributedUrls),
  },
]

/** Shops share servers but not databases. In Redis each shop has its own key prefix. */
export async function provisionWith(urls: Readonly<Record<string, string>>): Promise<ShopEnvironment> {
  const dataDir = await mkdtemp(join(tmpdir(), 'coinshop-place-'))
  const databases = Object.entries(urls)
    .filter(([, url]) => url.startsWith('mongodb'))
    .map(([name, url]) => [name, testDatabase(url)] as const)
  return {
    env: {
      DATA_DIR: dataDir,
      ...urls,
      ...Object.fromEntries(databases.map(([name, { url }]) => [name, url])),
    },
    async remove() {
      for (const [, database] of databases) await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
