import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { sqliteEventStore } from '../../event-store/sqlite-event-store.ts'
import type { Call, FromStore, ToStore } from './store-thread.ts'

/* The thread of `storeInThread`. */

if (!parentPort) throw new Error('this is a thread of the seeding')
const port = parentPort
const { file } = workerData as { file: string }
/** What lies in memory of a file that is filled at random places, and how much is written before it is put where it belongs. */
const CACHE_KIB = 262_144
const PAGES_PER_CHECKPOINT = 65_536
let nowMs = 0
const store = sqliteEventStore(file, { now: () => nowMs, open: openForMuch })
const methods = store as unknown as Record<Call['name'], (...args: readonly unknown[]) => Promise<unknown>>

port.on('message', ({ nowMs: asOf, calls }: ToStore) => {
  nowMs = asOf
  void Promise.all(calls.map(answered)).then((answers: FromStore) => port.postMessage(answers))
})

async function answered({ id, name, args }: Call): Promise<FromStore[number]> {
  try {
    return { id, result: await methods[name](...args) }
  } catch (error) {
    return { id, error }
  }
}

function openForMuch(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${PAGES_PER_CHECKPOINT}`)
  return database
}
