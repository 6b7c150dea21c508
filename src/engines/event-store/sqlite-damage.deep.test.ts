import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { EventStore } from './event-store.ts'
import { EventStoreDamaged, NO_EVENTS, START } from './event-store.ts'
import { positionOf } from './limits.ts'
import { sqliteEventStore } from './sqlite-event-store.ts'
import { testFolder } from '../../ports/testing/test-folder.ts'
import { someEvent, someEvents, someStream, startStream } from './testing/some-events.ts'

let file: string
let store: EventStore
let other: DatabaseSync
let stream: string

beforeEach(async () => {
  file = join(testFolder(), 'events.db')
  store = sqliteEventStore(file)
  other = new DatabaseSync(file)
  stream = await startStream(store, someEvents(3))
})

afterEach(async () => {
  await store.close()
  if (other.isOpen) other.close()
})

it.for([
  ['data', "replace(data, '{', '[')"],
  ['metadata', "metadata || ' '"],
  ['type', "'OrderPlaceD'"],
  ['version', 'version + 1'],
  ['recorded_at', 'recorded_at + 1'],
  ['id', "replace(id, '-', '+')"],
  ['checksum', 'checksum + 1'],
  ['recorded_at', '1 << 60'],
  ['position', 'position + 5'],
])('an event whose %s is %s is reported with its file and place', async ([column, value]) => {
  other.exec(`UPDATE events SET ${column} = ${value} WHERE revision = 2`)
  const outcomes = await Promise.allSettled([
    store.readStream(stream, { fromRevision: 1, limit: 2 }),
    store.readAll({ after: positionOf(1), limit: 10 }),
  ])
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ reason: expect.any(EventStoreDamaged) })
    expect(outcome).toMatchObject({
      reason: { message: expect.stringMatching(/events\.db.*restore the newest backup/) },
    })
  }
  if (value === '1 << 60') return
  expect(outcomes[0]).toMatchObject({ reason: { message: expect.stringContaining(`event 2 of ${stream}`) } })
  if (column === 'position') return
  expect(outcomes[1]).toMatchObject({ reason: { message: expect.stringContaining(`event 2 of ${stream}`) } })
})

it('the events beside a damaged one can be read', async () => {
  other.exec("UPDATE events SET data = '{}' WHERE revision = 2")
  expect(await store.readStream(stream, { fromRevision: 0, limit: 2 })).toHaveLength(2)
  expect(await store.readAll({ after: START, limit: 2 })).toHaveLength(2)
  expect(await store.append(stream, 2, someEvents(1))).toMatchObject({ revision: 3 })
})

it('a repeated append finds its damaged event, and a concurrent append succeeds', async () => {
  const events = someEvents(1)
  await store.append(stream, 2, events)
  other.exec("UPDATE events SET data = '{}' WHERE revision = 3")
  const beside = store.append(someStream(), NO_EVENTS, someEvents(1))
  await expect(store.append(stream, 2, events)).rejects.toBeInstanceOf(EventStoreDamaged)
  expect(await beside).toMatchObject({ revision: 0 })
})

it.for([1, 2])('a missing event is reported as damage: revision %i', async (revision) => {
  other.exec(`DELETE FROM events WHERE revision = ${revision}`)
  const missing = {
    reason: { name: 'EventStoreDamaged', message: expect.stringMatching(/is not what was written/) },
  }
  expect(
    await Promise.allSettled([
      store.readStream(stream, { fromRevision: 0, limit: 10 }),
      store.readStream(stream, { fromRevision: revision, limit: 1 }),
      store.readAll({ after: START, limit: 10 }),
      store.readAll({ after: positionOf(revision), limit: 1 }),
    ]),
  ).toMatchObject([missing, missing, missing, missing])
})

it('a log without its last event takes no append', async () => {
  other.exec('DELETE FROM events WHERE revision = 2')
  await expect(store.append(stream, 2, someEvents(1))).rejects.toBeInstanceOf(EventStoreDamaged)
  await expect(store.append(someStream(), NO_EVENTS, someEvents(1))).rejects.toBeInstanceOf(EventStoreDamaged)
  await expect(store.head()).rejects.toBeInstanceOf(EventStoreDamaged)
})

it.for(['UPDATE heads SET revision = 1', 'DELETE FROM heads'])(
  'a damaged head of a stream stops readers and writers of only that stream: %s',
  async (sql) => {
    other.exec(`${sql} WHERE stream = '${stream}'`)
    const beside = store.append(someStream(), NO_EVENTS, someEvents(1))
    const calls = [
      store.append(stream, 1, someEvents(1)),
      store.append(stream, 2, someEvents(1)),
      store.append(stream, NO_EVENTS, someEvents(1)),
      store.readStream(stream, { fromRevision: 0, limit: 10 }),
    ]
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ reason: expect.any(EventStoreDamaged) })
    }
    await beside
  },
)

it.for(['UPDATE heads SET position = 2', 'UPDATE heads SET recorded_at = recorded_at + 1', 'DELETE FROM heads'])(
  'a damaged head of the log stops its readers and all writers: %s',
  async (sql) => {
    other.exec(`${sql} WHERE stream = ''`)
    const calls = [
      store.append(someStream(), NO_EVENTS, someEvents(1)),
      store.readAll({ after: START, limit: 10 }),
      store.head(),
    ]
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ reason: expect.any(EventStoreDamaged) })
    }
    // Nor does the refused writer keep the lock.
    other.exec('BEGIN IMMEDIATE; ROLLBACK')
  },
)

it('damage wakes waiting readers, whose next read reports it', async () => {
  const { signal } = new AbortController()
  const after = await store.head()
  const waiting = store.waitForEvents({ after, timeoutMs: 600_000, signal })
  other.exec('DELETE FROM events WHERE revision = 2')
  await waiting
  await expect(store.readAll({ after, limit: 1 })).rejects.toBeInstanceOf(EventStoreDamaged)
})

it('a flipped bit in any byte of the file is reported, or changes nothing that is read', async () => {
  const streams = [stream, await startStream(store, [someEvent({ text: 'x'.repeat(6_000) })])]
  for (let count = 0; count < 12; count++) streams.push(await startStream(store, someEvents(2)))
  await store.close()
  other.close()
  const whole = readFileSync(file)
  const readEverything = async (): Promise<unknown> => {
    const store = sqliteEventStore(file)
    try {
      const eachStream = []
      for (const stream of streams) eachStream.push(await store.readStream(stream, { fromRevision: 0, limit: 100 }))
      return [await store.readAll({ after: START, limit: 100 }), eachStream]
    } finally {
      await store.close()
    }
  }
  const healthy = await readEverything()
  let noticed = 0
  // The head of a page says how many rows it has; the rest is sampled.
  const bytes = [...whole.keys()].filter((at) => at % 4_096 < 12 || at % 131 === 0)
  for (const at of bytes) {
    const bent = Uint8Array.from(whole)
    bent[at] = (bent[at] ?? 0) ^ (1 << (at % 8))
    writeFileSync(file, bent)
    const read = await readEverything().catch((error: unknown) => {
      expect(error).toMatchObject({ message: expect.stringContaining(file) })
      noticed += 1
      return healthy
    })
    expect(read, `byte ${at}`).toEqual(healthy)
  }
  expect(noticed).toBeGreaterThan(bytes.length / 4)
})
