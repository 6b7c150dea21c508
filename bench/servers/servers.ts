import { parseConfig } from '../../src/config.ts'
import { openEventStore } from '../../src/log-engines.ts'
import { START } from '../../src/event-store/event-store.ts'
import { redisMissing } from '../../src/job-queue/testing/redis-server.ts'
import { testDatabase, type TestDatabase } from '../../src/mongodb/testing/databases.ts'
import { serverMissing } from '../../src/mongodb/testing/document-server.ts'
import type { OwnServer } from '../../src/testing/own-server.ts'
import { ownServers, type ServerUrl } from '../../src/testing/own-servers.ts'
import { endWithBench } from '../leftovers.ts'

/** What is started where the environment names no server, and why it cannot be. */
const OWN: Readonly<Record<ServerUrl, { readonly what: string; readonly missing?: string | undefined }>> = {
  EVENTSTOREDB_URL: { what: 'a double of EventStoreDB, which is no measure of a real one' },
  MONGODB_URL: { what: "a server of MongoDB's protocol (.ci/mongodb)", missing: serverMissing },
  VAULT_URL: { what: "a server of MongoDB's protocol (.ci/mongodb)", missing: serverMissing },
  REDIS_URL: { what: 'a Redis', missing: redisMissing },
}

export interface BenchServers {
  /** The variables of a shop on these servers, with a new database for its vault. */
  readonly env: Readonly<Record<ServerUrl, string>>
  /** One line for each server. */
  readonly described: readonly string[]
  /** On the server of the views. */
  newDatabase(): TestDatabase
  end(): Promise<void>
}

/** Those that the environment names, and for each other one a server of the bench's own. */
export async function benchServers(): Promise<BenchServers> {
  const started: OwnServer[] = []
  const databases: TestDatabase[] = []
  const described: string[] = []

  async function urlOf(name: ServerUrl): Promise<string> {
    const named = process.env[name]
    if (named !== undefined && named !== '') {
      described.push(`${name}: the server that the environment names`)
      return named
    }
    const { what, missing } = OWN[name]
    if (missing !== undefined) throw new Error(`${name} is not set, and ${what} cannot be started: ${missing}`)
    const server = await ownServers[name].start()
    started.push(server)
    endWithBench(() => void server.kill())
    described.push(`${name}: ${what}, started for this run`)
    return server.url
  }

  function newDatabase(url: string): TestDatabase {
    const database = testDatabase(url)
    databases.push(database)
    return database
  }

  async function end(): Promise<void> {
    await Promise.allSettled(databases.map(async (database) => database.drop()))
    for (const server of started) await server.remove()
  }

  try {
    const log = await urlOf('EVENTSTOREDB_URL')
    await assertEmpty(log)
    const views = await urlOf('MONGODB_URL')
    const vault = newDatabase(await urlOf('VAULT_URL'))
    const redis = await urlOf('REDIS_URL')
    const env = { EVENTSTOREDB_URL: log, MONGODB_URL: views, VAULT_URL: vault.url, REDIS_URL: redis }
    return { env, described, newDatabase: () => newDatabase(views), end }
  } catch (error) {
    await end()
    throw error
  }
}

/** The bench must not write into the log of a real shop. */
async function assertEmpty(url: string): Promise<void> {
  const store = await openEventStore(parseConfig({ EVENTSTOREDB_URL: url }), { isReadOnly: true })
  try {
    if ((await store.head()) !== START)
      throw new Error(
        'the server at EVENTSTOREDB_URL holds the log of a shop: the bench fills one of its own, name an empty server',
      )
  } finally {
    await store.close()
  }
}
