import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { EventStore } from './event-store.ts'
import { AppendAmbiguous, AppendConflict, EventStoreDamaged, NO_EVENTS } from './event-store.ts'
import type { SqliteEventStoreOptions } from './sqlite-event-store.ts'
import { sqliteEventStore } from './sqlite-event-store.ts'
import { testFolder } from '../../ports/testing/test-folder.ts'
import {
  everything,
  idsOf,
  someEvent,
  someEvents,
  someStream,
  startStream,
  wholeStream,
} from './testing/some-events.ts'

/** A disk that fails at the moment of the commit, and says too little about it. */
class Disk extends DatabaseSync {
  /** Those of a transaction that has changed something: SQLite writes nothing for the others. */
  commits = 0
  private changes: unknown = 0
  failure: 'after the commit' | 'before the commit' | undefined

  override exec(sql: string): void {
    if (sql !== 'COMMIT') return super.exec(sql)
    const { changes } = this.prepare('SELECT total_changes() AS changes').get() ?? {}
    if (changes !== this.changes) this.commits += 1
    this.changes = changes
    if (this.failure === undefined) return super.exec(sql)
    super.exec(this.failure === 'after the commit' ? 'COMMIT' : 'ROLLBACK')
    throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 1034 })
  }
}

let file: string
let store: EventStore
let disk: Disk
let other: DatabaseSync

function open(options: SqliteEventStoreOptions = {}): EventStore {
  return sqliteEventStore(file, { open: (file) => (disk = new Disk(file)), ...options })
}

beforeEach(async () => {
  file = join(testFolder(), 'events.db')
  store = open()
  // Creates the file.
  await store.head()
  other = new DatabaseSync(file)
})

afterEach(async () => {
  await store.close()
  if (other.isOpen) other.close()
})

const beginningOf = async (stream: string) => store.readStream(stream, { fromRevision: 0, limit: 10 })

it('concurrent reads of the SQLite log each get their own stream, also when it is closed meanwhile', async () => {
  const written = [someEvents(1), someEvents(2), someEvents(3)]
  const streams = await Promise.all(written.map(async (events) => startStream(store, events)))
  const asked = streams.map(beginningOf)
  const closed = store.close()
  expect((await Promise.all(asked)).map(idsOf)).toEqual(written.map(idsOf))
  await closed
  store = open()
})

it('of concurrent reads only that of a damaged stream fails', async () => {
  const streams = [await startStream(store, someEvents(1)), await startStream(store, someEvents(1))]
  other.prepare("UPDATE events SET data = '{}' WHERE stream = ?").run(streams[0] ?? '')
  const [damaged, sound] = await Promise.allSettled(streams.map(beginningOf))
  expect(damaged).toMatchObject({ status: 'rejected', reason: expect.any(EventStoreDamaged) as unknown })
  expect(sound).toMatchObject({ status: 'fulfilled' })
})

it('the SQLite log keeps events, dates and its identity after a restart', async () => {
  await store.close()
  store = open({ now: () => 5_000 })
  const stream = await startStream(store, someEvents(3))
  const before = [await store.identity(), ...(await wholeStream(store, stream))]
  await store.close()
  store = open({ now: () => 4_000 })
  expect([await store.identity(), ...(await wholeStream(store, stream))]).toEqual(before)
  const { position } = await store.append(stream, 2, someEvents(1))
  expect(await store.head()).toBe(position)
  expect((await wholeStream(store, stream)).map(({ recordedAt }) => recordedAt)).toEqual([5_000, 5_000, 5_000, 5_000])
})

it('up to 512 concurrent appends share one sync of the disk', async () => {
  const before = disk.commits
  await Promise.all(Array.from({ length: 700 }, () => startStream(store, someEvents(1))))
  expect(disk.commits).toBe(before + 2)
  expect(await everything(store)).toHaveLength(700)
})

it('appends of one turn of the event loop share a commit', async () => {
  const before = disk.commits
  const writers = Array.from({ length: 20 }, async (_, index) => {
    for (let step = 0; step < index; step++) await Promise.resolve()
    await startStream(store, someEvents(1))
  })
  await Promise.all(writers)
  expect(disk.commits).toBe(before + 1)
})

it('a commit has at most 4 MiB', async () => {
  const before = disk.commits
  await Promise.all(Array.from({ length: 5 }, () => startStream(store, [someEvent({ text: 'x'.repeat(1_000_000) })])))
  expect(disk.commits).toBe(before + 2)
})

it('every commit is synced to the disk', () => {
  expect(disk.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  // 2 is FULL: in NORMAL a loss of power takes answered appends with it.
  expect(disk.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 })
})

it('a repeat or a conflict does not sync the disk', async () => {
  const events = someEvents(1)
  const stream = await startStream(store, events)
  const before = disk.commits
  await store.append(stream, NO_EVENTS, events)
  await expect(store.append(stream, 1, events)).rejects.toBeInstanceOf(AppendConflict)
  expect(disk.commits).toBe(before)
})

it.for(['after the commit', 'before the commit'] as const)(
  'an append is ambiguous when the disk fails %s, and its repeat succeeds',
  async (moment) => {
    const [stream, events, before] = [someStream(), someEvents(2), someEvents(1)]
    await startStream(store, before)
    disk.failure = moment
    await expect(store.append(stream, NO_EVENTS, events)).rejects.toBeInstanceOf(AppendAmbiguous)
    disk.failure = undefined
    expect(await everything(store)).toHaveLength(moment === 'after the commit' ? 3 : 1)
    expect(await store.append(stream, NO_EVENTS, events)).toMatchObject({ revision: 1 })
    expect(idsOf(await everything(store))).toEqual(idsOf([...before, ...events]))
  },
)
