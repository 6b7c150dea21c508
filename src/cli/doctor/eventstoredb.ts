import { randomUUID } from 'node:crypto'
import { FORWARDS, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import type { Config } from '../../config.ts'
import { boundTo, openVault } from '../../engines.ts'
import { openEventStore } from '../../log-engines.ts'
import { BYTES_PER_APPEND_MAX } from '../../event-store/limits.ts'
import { addressOf, wrongAddress } from '../../eventstoredb/address.ts'
import { eventstoredbConnection } from '../../eventstoredb/connection.ts'
import { serverFacts, type ServerFacts } from '../../eventstoredb/server-facts.ts'
import { knownHead } from '../../shop/log-head.ts'
import { clockOf, type Finding } from './finding.ts'
import type { LogEnd } from './log-end.ts'

const FREE_BYTES_MIN = 1e9
/** The server drops it by itself. */
const SCRATCH_SECONDS = 60

/** The log on a server: what it says of itself, whether the shop can read it, and with `writes` whether it keeps and gives back an event. */
export async function lookAtEventstoredb(
  config: Config,
  url: string,
  { writes }: { readonly writes: boolean },
): Promise<Omit<Finding, 'part'> & { readonly end?: LogEnd }> {
  const why = wrongAddress(url)
  if (why !== undefined) return { facts: `EVENTSTOREDB_URL ${why}`, must: 'correct its address' }
  const before = Date.now()
  const told = await serverFacts(url).catch(() => undefined)
  const end = await endOf(config)
  const scratch = writes ? await scratched(url) : undefined
  // A header's time has no milliseconds.
  const headerClock = told?.clockMs === undefined ? undefined : clockOf(told.clockMs, before - 1_000)
  const clock = scratch?.clock ?? headerClock
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
      writes ? 'an event was written and read' : 'nothing written (--write does)',
    ].join(', '),
    must: mustOf(told) ?? clock?.must,
    note: noteOf(told),
    ...(end && { end }),
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

/** Where the log ends, and where it ends as the vault knows it. The vault is asked first, since a running shop raises both. */
async function endOf(config: Config): Promise<LogEnd | undefined> {
  const store = await openEventStore(config, { isReadOnly: true })
  try {
    const identity = await store.identity?.()
    const known = await knownTo(config, identity)
    const head = await store.head()
    return head === '' ? undefined : { head: Number(head), knownHead: Number(known) }
  } finally {
    await store.close()
  }
}

async function knownTo(config: Config, identity: string | undefined): Promise<string> {
  try {
    const vault = await openVault(config, { isReadOnly: true })
    try {
      return await knownHead(boundTo(vault, identity))
    } finally {
      await vault.close()
    }
  } catch {
    // The line of the vault says why.
    return ''
  }
}

/** Writes an event to a stream of its own and reads it back. */
async function scratched(url: string): Promise<{ clock: ReturnType<typeof clockOf> }> {
  const connection = eventstoredbConnection({ url, assertSame: async () => undefined })
  const stream = `coinshop-doctor-${randomUUID()}`
  const event = jsonEvent({ type: 'DoctorLooked', data: {}, id: randomUUID() })
  try {
    await connection.ask((client, given) => client.setStreamMetadata(stream, { maxAge: SCRATCH_SECONDS }, given))
    const before = Date.now()
    await connection.ask((client, given) =>
      client.appendToStream(stream, event, { ...given, expectedRevision: NO_STREAM }),
    )
    let createdMs: number | undefined
    await connection.read(
      (client, given) => client.readStream(stream, { ...given, direction: FORWARDS, maxCount: 1 }),
      ({ event: read }) => {
        if (read?.id === event.id) createdMs = read.created.getTime()
        return 'more'
      },
    )
    if (createdMs === undefined) throw new Error('an event that was written is not there')
    return { clock: clockOf(createdMs, before) }
  } finally {
    await connection.close()
  }
}
