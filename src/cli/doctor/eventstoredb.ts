import type { Config } from '../../config.ts'
import { addressOf, wrongAddress } from '../../engines/eventstoredb/address.ts'
import { serverFacts, type ServerFacts } from '../../engines/eventstoredb/server-facts.ts'
import { openEventStore } from '../../engines/open-engines.ts'
import { clockOf, type Finding } from './finding.ts'

/** The log on a server: what it says of itself, and whether the shop can read it. */
export async function lookAtEventstoredb(config: Config, url: string): Promise<Omit<Finding, 'part'>> {
  const why = wrongAddress(url)
  if (why !== undefined) return { facts: `EVENTSTOREDB_URL ${why}`, must: 'correct its address' }
  const before = Date.now()
  const told = await serverFacts(url).catch(() => undefined)
  const store = await openEventStore(config, { isReadOnly: true })
  try {
    await store.head()
  } finally {
    await store.close()
  }
  // A header's time has no milliseconds.
  const clock = told?.clockMs === undefined ? undefined : clockOf(told.clockMs, before - 1_000)
  const { shown, isSecure } = addressOf(url)
  return {
    facts: [
      `EventStoreDB ${told?.version ?? '(version not told)'} at ${shown}`,
      ...(told?.state === undefined ? [] : [told.state]),
      isSecure ? 'TLS' : 'without TLS',
      told?.isInMemory === undefined
        ? 'whether it keeps its events is not told'
        : told.isInMemory
          ? 'in memory'
          : 'on disk',
      clock?.facts ?? 'clock not told',
    ].join(', '),
    must:
      told?.isInMemory === true ? 'it runs with MemDb and keeps nothing: start it without that option' : clock?.must,
    note: noteOf(told),
  }
}

function noteOf(told: ServerFacts | undefined): string | undefined {
  if (told === undefined) return 'it says nothing of itself over http: see that it is not run with MemDb'
  if (told.isInMemory === undefined)
    return 'it does not tell this user its options: see that it is not run with MemDb (a user of $ops sees them)'
  return undefined
}
