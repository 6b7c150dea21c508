import type { Config } from '../../config.ts'
import { BYTES_PER_APPEND_MAX } from '../../event-store/limits.ts'
import { addressOf, wrongAddress } from '../../eventstoredb/address.ts'
import { serverFacts, type ServerFacts } from '../../eventstoredb/server-facts.ts'
import { openEventStore } from '../../log-engines.ts'
import { clockOf, type Finding } from './finding.ts'

const FREE_BYTES_MIN = 1e9

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
      diskOf(told),
      clock?.facts ?? 'clock not told',
    ].join(', '),
    must: mustOf(told) ?? clock?.must,
    note: noteOf(told),
  }
}

function mustOf(told: ServerFacts | undefined): string | undefined {
  if (told?.isInMemory === true) return 'it runs with MemDb and keeps nothing: start it without that option'
  if ((told?.maxAppendBytes ?? Infinity) < BYTES_PER_APPEND_MAX)
    return `it takes appends of ${told?.maxAppendBytes} bytes at most: set its MaxAppendSize to 1048576`
  if ((told?.freeBytes ?? Infinity) < FREE_BYTES_MIN) return 'make room on its disk: a full one stops the shop'
  return undefined
}

function noteOf(told: ServerFacts | undefined): string | undefined {
  if (told === undefined) return 'it says nothing of itself over http: see that it is not run with MemDb'
  if (told.isInMemory === undefined)
    return 'it does not tell this user its options: see that it is not run with MemDb (a user of $ops sees them)'
  return undefined
}

function diskOf(told: ServerFacts | undefined): string {
  if (told?.freeBytes === undefined || told.totalBytes === undefined) return 'disk not told'
  return `${(told.freeBytes / 1e9).toFixed(1)} GB free of ${(told.totalBytes / 1e9).toFixed(1)} GB`
}
