import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { sqliteEventStore } from '../../event-store/sqlite-event-store.ts'
import type { Call, FromStore, ToStore } from './store-thread.ts'

/* The thread of `storeInThread`. */

if (!parentPort) throw new Error('this is a thread of the seeding')
const port = parentPort
const { file } = workerData as { file: string }
/** What lies in memory of a file that is filled at random places. */
const CACHE_KIB = 786_432
let nowMs = 0
const database = new DatabaseSync(file)
const store = sqliteEventStore(file, { now: () => nowMs, open: () => database })
// A folder that a power cut leaves half filled is filled again from nothing: only the end waits for the disk.
database.exec(`
  PRAGMA cache_size = -${CACHE_KIB};
  PRAGMA journal_mode = MEMORY;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA synchronous = OFF;
`)
const methods = store as unknown as Record<Call['name'], (...args: readonly unknown[]) => Promise<unknown>>

port.on('message', ({ nowMs: asOf, calls }: ToStore) => {
  nowMs = asOf
  void Promise.all(calls.map(answered)).then((answers: FromStore) => port.postMessage(answers))
})

async function answered({ id, name, args }: Call): Promise<FromStore[number]> {
  try {
    if (name === 'close') keepFromNowOn()
    return { id, result: await methods[name](...args) }
  } catch (error) {
    return { id, error }
  }
}

/** As the shop keeps it: the switch writes the first page, and waits until the disk has the whole file. */
function keepFromNowOn(): void {
  database.exec('PRAGMA synchronous = FULL; PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL')
}
