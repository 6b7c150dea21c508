import type { Config } from '../../config.ts'
import { parseAddress, wrongAddress } from '../../engines/eventstoredb/address.ts'
import { CallFailed } from '../../engines/eventstoredb/connection.ts'
import { SETTINGS_STREAM, STOCK_STREAM } from '../../domain/stream-names.ts'
import { EventStoreAway, EventStoreDamaged } from '../../engines/event-store/event-store.ts'
import { serverFacts, type ServerFacts } from '../../engines/eventstoredb/server-facts.ts'
import { openLogStore } from '../../log/open-log-store.ts'
import { logRemedies } from '../verify/remedies.ts'
import { clockOf, type Finding } from './finding.ts'

/** Checks the log on a server: its own facts, and whether the shop can read it. */
export async function lookAtEventstoredb(config: Config, url: string): Promise<Omit<Finding, 'part'>> {
  const why = wrongAddress(url)
  if (why !== undefined) return { facts: `EVENTSTOREDB_URL ${why}`, must: 'correct its address' }
  const before = Date.now()
  const server = await serverFacts(url).catch(() => undefined)
  const store = await openLogStore(config, { isReadOnly: true })
  try {
    await store.head()
    for (const stream of [STOCK_STREAM, SETTINGS_STREAM]) await store.readStream(stream, { fromRevision: 0, limit: 1 })
  } catch (error) {
    if (error instanceof EventStoreDamaged) return { facts: error.message, must: logRemedies.eventstoredb.log }
    const { trouble } = error instanceof EventStoreAway && error.cause instanceof CallFailed ? error.cause : {}
    if (trouble?.wayOut === undefined) throw error
    return { facts: `the server at ${parseAddress(url).shown} ${trouble.what}`, must: trouble.wayOut }
  } finally {
    await store.close()
  }
  // A header's time has no milliseconds.
  const clock = server?.clockMs === undefined ? undefined : clockOf(server.clockMs, before - 1_000)
  const { shown, isSecure } = parseAddress(url)
  return {
    facts: [
      `EventStoreDB ${server?.version ?? '(version unknown)'} at ${shown}`,
      ...(server?.state === undefined ? [] : [server.state]),
      isSecure ? 'TLS' : 'without TLS',
      server?.isInMemory === undefined ? 'durability unknown' : server.isInMemory ? 'in memory' : 'on disk',
      clock?.facts ?? 'clock unknown',
    ].join(', '),
    must:
      server?.isInMemory === true ? 'it runs with MemDb and keeps nothing: start it without that option' : clock?.must,
    note: noteOf(server),
  }
}

function noteOf(server: ServerFacts | undefined): string | undefined {
  if (server === undefined) return 'it does not answer over http: check that it does not run with MemDb'
  if (server.isInMemory === undefined)
    return 'it does not show its options to this user (a member of $ops sees them): check that it does not run with MemDb'
  return undefined
}
