import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeUnless } from '../testing/describe-unless.ts'
import { withoutFileModes } from '../testing/missing.ts'
import type { EventStore } from './event-store.ts'
import { AppendAmbiguous, AppendConflict, EventStoreAway, EventStoreDamaged, NO_EVENTS, START } from './event-store.ts'
import type { SqliteEventStoreOptions } from './sqlite-event-store.ts'
import { sqliteEventStore } from './sqlite-event-store.ts'
import { temporaryFolder } from './testing/engines.ts'
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

const tooMuch = () => [someEvent('x'.repeat(400_000))]

describe('the SQLite event store', () => {
  let folder: string
  let file: string
  let store: EventStore
  let disk: Disk
  let other: DatabaseSync

  function open(options: SqliteEventStoreOptions = {}): EventStore {
    return sqliteEventStore(file, { open: (file) => (disk = new Disk(file)), ...options })
  }

  beforeEach(() => {
    folder = temporaryFolder()
    file = join(folder, 'events.db')
    store = open()
    other = new DatabaseSync(file)
  })

  afterEach(async () => {
    await store.close()
    if (other.isOpen) other.close()
    rmSync(folder, { recursive: true })
  })

  it('begins with an empty log', async () => {
    expect(await store.head()).toBe(START)
    expect(await everything(store)).toEqual([])
  })

  const beginningOf = async (stream: string) => store.readStream(stream, { fromRevision: 0, limit: 10 })

  it('answers concurrent reads, each of its own stream, also when it is closed meanwhile', async () => {
    const written = [someEvents(1), someEvents(2), someEvents(3)]
    const streams = await Promise.all(written.map(async (events) => startStream(store, events)))
    const asked = streams.map(beginningOf)
    const closed = store.close()
    expect((await Promise.all(asked)).map(idsOf)).toEqual(written.map(idsOf))
    await closed
    store = open()
  })

  it('fails only the concurrent read whose stream is damaged', async () => {
    const streams = [await startStream(store, someEvents(1)), await startStream(store, someEvents(1))]
    other.prepare("UPDATE events SET data = '{}' WHERE stream = ?").run(streams[0] ?? '')
    const [damaged, sound] = await Promise.allSettled(streams.map(beginningOf))
    expect(damaged).toMatchObject({ status: 'rejected', reason: expect.any(EventStoreDamaged) as unknown })
    expect(sound).toMatchObject({ status: 'fulfilled' })
  })

  it('keeps events, dates and snapshots when it is closed and opened again', async () => {
    await store.close()
    store = open({ now: () => 5_000 })
    const stream = await startStream(store, someEvents(3))
    const snapshot = { schemaVersion: 1, revision: 2, eventId: someEvent().id, state: '{}' }
    await store.writeSnapshot(stream, snapshot)
    const before = await wholeStream(store, stream)
    await store.close()
    store = open({ now: () => 4_000 })
    expect(await wholeStream(store, stream)).toEqual(before)
    expect(await store.readSnapshot(stream)).toEqual(snapshot)
    const { position } = await store.append(stream, 2, someEvents(1))
    expect(await store.head()).toBe(position)
    expect((await wholeStream(store, stream)).map(({ recordedAt }) => recordedAt)).toEqual([5_000, 5_000, 5_000, 5_000])
  })

  it('syncs the disk once for concurrent appends, at most 512', async () => {
    const before = disk.commits
    await Promise.all(Array.from({ length: 700 }, () => startStream(store, someEvents(1))))
    expect(disk.commits).toBe(before + 2)
    expect(await everything(store)).toHaveLength(700)
  })

  it('puts appends of one turn of the event loop into one commit', async () => {
    const before = disk.commits
    const writers = Array.from({ length: 20 }, async (_, index) => {
      for (let step = 0; step < index; step++) await Promise.resolve()
      await startStream(store, someEvents(1))
    })
    await Promise.all(writers)
    expect(disk.commits).toBe(before + 1)
  })

  it('does not read back what it has just written, until another process has written too', async () => {
    const stream = await startStream(store, someEvents(2))
    const written = await everything(store)
    disk.exec("UPDATE events SET data = '{}'")
    expect(await wholeStream(store, stream)).toEqual(written)
    expect(await everything(store)).toEqual(written)
    other.exec('UPDATE events SET version = 2 WHERE revision = 0')
    await expect(wholeStream(store, stream)).rejects.toBeInstanceOf(EventStoreDamaged)
    await expect(everything(store)).rejects.toBeInstanceOf(EventStoreDamaged)
  })

  it('puts no more than 4 MiB into one commit', async () => {
    const before = disk.commits
    await Promise.all(Array.from({ length: 5 }, () => startStream(store, [someEvent('x'.repeat(1_000_000))])))
    expect(disk.commits).toBe(before + 2)
  })

  it('syncs every commit to the disk', () => {
    expect(disk.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    // 2 is FULL: in NORMAL a loss of power takes answered appends with it.
    expect(disk.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 })
  })

  it('does not sync the disk for a repeat or a conflict', async () => {
    const events = someEvents(1)
    const stream = await startStream(store, events)
    const before = disk.commits
    await store.append(stream, NO_EVENTS, events)
    await expect(store.append(stream, 1, events)).rejects.toBeInstanceOf(AppendConflict)
    expect(disk.commits).toBe(before)
  })

  it('refuses appends when more are waiting than it can hold', async () => {
    const appends = Array.from({ length: 10_001 }, () => store.append(someStream(), NO_EVENTS, [someEvent()]))
    const outcomes = await Promise.allSettled(appends)
    expect(outcomes.at(-1)).toMatchObject({ reason: expect.any(EventStoreAway) })
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10_000)
  })

  it('refuses appends when more bytes are waiting than it can hold, until those are gone', async () => {
    const slow = open({ waitMs: 0 })
    const big = [someEvent('x'.repeat(1_000_000))]
    other.exec('BEGIN IMMEDIATE')
    const appends = Array.from({ length: 68 }, () => slow.append(someStream(), NO_EVENTS, big))
    const outcomes = (await Promise.allSettled(appends)).map((outcome) => String('reason' in outcome && outcome.reason))
    expect(outcomes.filter((reason) => reason.includes('is locked'))).toHaveLength(67)
    expect(outcomes.at(-1)).toContain('EventStoreAway: ' + file + ' cannot keep up')
    other.exec('COMMIT')
    await startStream(slow, big)
    await slow.close()
  })

  describe('a new file', () => {
    it('is made once when another process makes it at the same moment', async () => {
      file = join(folder, 'new.db')
      let rival: EventStore | undefined
      class Raced extends DatabaseSync {
        override exec(sql: string): void {
          if (sql === 'BEGIN IMMEDIATE') rival ??= sqliteEventStore(file)
          super.exec(sql)
        }
      }
      const raced = sqliteEventStore(file, { open: (file) => new Raced(file) })
      await raced.append(someStream(), NO_EVENTS, someEvents(1))
      expect(await rival?.readAll({ after: START, limit: 10 })).toHaveLength(1)
      await Promise.all([raced.close(), rival?.close()])
    })

    it('is waited for while another process holds it', async () => {
      file = join(folder, 'new.db')
      const rival = new DatabaseSync(file)
      rival.exec('BEGIN IMMEDIATE')
      let tries = 0
      class Held extends DatabaseSync {
        override prepare(sql: string) {
          if (sql.includes('journal_mode') && ++tries === 3) rival.exec('COMMIT')
          return super.prepare(sql)
        }
      }
      const held = sqliteEventStore(file, { open: (file) => new Held(file) })
      expect(await held.head()).toBe(START)
      await held.close()
      rival.close()
    })
  })

  describe('a file that is not for this release', () => {
    it.for([
      {
        what: 'a newer log',
        sql: 'PRAGMA user_version = 2',
        says: /events\.db was written by a newer version.*start that/,
      },
      {
        what: "another program's",
        sql: 'PRAGMA application_id = 0; PRAGMA user_version = 0',
        says: /events\.db is not the event log of this shop.*another folder/,
      },
      {
        what: 'a log without its tables',
        sql: 'DROP TABLE heads',
        says: /events\.db is damaged.*no such table.*backup/,
      },
    ])('refuses $what file', async ({ sql, says }) => {
      await store.close()
      other.exec(sql)
      expect(() => open()).toThrow(says)
      expect(() => open()).not.toThrow(/\n/)
    })

    it('refuses a file that is no database, and leaves it as it was', () => {
      const text = join(folder, 'notes.txt')
      writeFileSync(text, 'Buy coins. '.repeat(1_000))
      expect(() => sqliteEventStore(text)).toThrow(/notes\.txt is damaged.*not a database/)
      expect(readFileSync(text, 'utf8')).toBe('Buy coins. '.repeat(1_000))
    })

    describeUnless(withoutFileModes, 'its file', () => {
      it('is kept from others, whatever the folder is', async () => {
        chmodSync(folder, 0o755)
        const file = join(folder, 'private.db')
        const store = sqliteEventStore(file)
        await startStream(store, someEvents(1))
        const modes = () => [file, `${file}-wal`, `${file}-shm`].map((path) => statSync(path).mode & 0o777)
        expect(modes()).toEqual([0o600, 0o600, 0o600])
        for (const path of [file, `${file}-wal`, `${file}-shm`]) chmodSync(path, 0o644)
        const again = sqliteEventStore(file)
        expect(modes()).toEqual([0o600, 0o600, 0o600])
        await Promise.all([store.close(), again.close()])
      })
    })

    it('says so when the folder does not exist', () => {
      expect(() => sqliteEventStore(join(folder, 'none', 'events.db'))).toThrow(/cannot be made.*folder exists/)
    })
  })

  describe('a full or failing disk', () => {
    it('writes nothing on a full disk, and goes on when there is room', async () => {
      const stream = await startStream(store, someEvents(1))
      const before = await everything(store)
      disk.exec('PRAGMA max_page_count = 20')
      const outcomes = await Promise.allSettled([
        store.append(someStream(), NO_EVENTS, someEvents(1)),
        store.append(stream, 0, tooMuch()),
      ])
      for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(EventStoreAway) })
      expect(await everything(store)).toEqual(before)
      await store.append(stream, 0, someEvents(1))
      disk.exec('PRAGMA max_page_count = 1000000')
      await store.append(stream, 1, tooMuch())
      expect(await wholeStream(store, stream)).toHaveLength(3)
    })

    it.for(['after the commit', 'before the commit'] as const)(
      'does not guess whether the disk failed %s, and takes the repeat',
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
  })

  describe('a locked file', () => {
    it('waits for the lock of another process, and reads meanwhile', async () => {
      const stream = await startStream(store, someEvents(1))
      other.exec('BEGIN IMMEDIATE')
      const append = store.append(stream, 0, someEvents(1))
      expect(await wholeStream(store, stream)).toHaveLength(1)
      other.exec('COMMIT')
      expect(await append).toMatchObject({ revision: 1 })
    })

    it('answers a waiting call before it is closed', async () => {
      other.exec('BEGIN IMMEDIATE')
      const stream = someStream()
      const snapshot = { schemaVersion: 1, revision: 0, eventId: someEvent().id, state: '{}' }
      const writing = store.writeSnapshot(stream, snapshot)
      const closed = store.close()
      other.exec('COMMIT')
      await Promise.all([writing, closed])
      store = open()
      expect(await store.readSnapshot(stream)).toEqual(snapshot)
    })

    it('says that nothing was written when the lock is never given back', async () => {
      const stream = await startStream(store, someEvents(1))
      const impatient = open({ waitMs: 50 })
      other.exec('BEGIN IMMEDIATE')
      const snapshot = { schemaVersion: 1, revision: 0, eventId: someEvent().id, state: '{}' }
      await expect(impatient.append(stream, 0, someEvents(1))).rejects.toThrow(EventStoreAway)
      await expect(impatient.writeSnapshot(stream, snapshot)).rejects.toThrow(/locked by another process/)
      other.exec('ROLLBACK')
      expect(await impatient.append(stream, 0, someEvents(1))).toMatchObject({ revision: 1 })
      await impatient.close()
    })
  })
})
