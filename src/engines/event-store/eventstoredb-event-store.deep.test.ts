import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { describeUnless } from '../../testing/describe-unless.ts'
import type { OwnServer } from '../../ports/testing/own-server.ts'
import { freePort } from '../../ports/testing/free-port.ts'
import { testFolder } from '../../ports/testing/test-folder.ts'
import type { EventStore, EventToAppend } from './event-store.ts'
import { AppendAmbiguous, AppendConflict, EventStoreAway, EventStoreDamaged, NO_EVENTS, START } from './event-store.ts'
import { categories } from '../../domain/stream-names.ts'
import { eventstoredbEventStore } from './eventstoredb-event-store.ts'
import { answerAppend } from './testing/eventstoredb-double/appends.ts'
import { sizeOf } from '../../testing/tier.ts'
import { openDoubleLog } from './testing/eventstoredb-double/log.ts'
import { eventstoredbDouble, type EventStoreDBDouble } from './testing/eventstoredb-double.ts'
import { controlMissing, doubleOfTest, eventstoredbServer, someEventstoredb } from './testing/eventstoredb-server.ts'
import { type Services, startServer } from './testing/eventstoredb-double/services.ts'
import {
  everything,
  idsOf,
  someEvent,
  someEvents,
  someStream,
  startStream,
  wholeStream,
} from './testing/some-events.ts'

const ANSWER_MS = 1_500
const LONG_MS = 600_000
const PATIENT = { timeout: 20_000, interval: 20 }

function open({ url }: { url: string }, options: { answerMs?: number } = {}): EventStore {
  const store = eventstoredbEventStore({ url, categories, ...options })
  onTestFinished(() => store.close())
  return store
}

/** A server that answers as a test wants it to. It keeps nothing. */
async function hostileServer(services: Services): Promise<{ url: string }> {
  const server = await startServer(await freePort(), services)
  onTestFinished(() => server.close())
  return { url: `esdb://127.0.0.1:${server.port}?tls=false` }
}

async function sixAtOnceOnASlowDisk(): Promise<EventStore[]> {
  const double = await doubleOfTest({ file: join(testFolder(), 'events'), syncMs: 50 })
  return Array.from({ length: 6 }, () => open(double))
}

it('a call that the server ends is not cancelled: servers close the connection for that', async () => {
  const store = open(await doubleOfTest())
  await startStream(store, someEvents(20))
  // Node's server allows 1,000 cancellations at once, and 33 a second.
  for (let round = 0; round < 25; round += 1)
    await Promise.all(
      Array.from({ length: 100 }, async (_, call) => {
        if (call % 2 === 0) await store.head()
        else expect(await store.readStream(someStream(), { fromRevision: 0, limit: 10 })).toEqual([])
      }),
    )
})

it('a writer that lost a race can read what was in its way', async () => {
  const stores = await sixAtOnceOnASlowDisk()
  for (let round = 0; round < 5; round += 1) {
    const stream = someStream()
    const seen = await Promise.all(
      stores.map(async (store) => {
        await store.append(stream, NO_EVENTS, someEvents(2)).catch((error: unknown) => {
          if (!(error instanceof AppendConflict)) throw error
        })
        return store.readStream(stream, { fromRevision: 0, limit: 10 })
      }),
    )
    expect(seen.map((events) => events.length)).toEqual(stores.map(() => 2))
  }
})

it('an append is ambiguous while the event in its way cannot be read: it may be its own', async () => {
  const log = await openDoubleLog({})
  const server = await hostileServer({
    read: (call) => call.end(),
    append: (call, answer) => void answerAppend(log, { call, answer, fateOf: () => undefined }),
  })
  const stream = someStream()
  await open(server).append(stream, NO_EVENTS, someEvents(1))
  await expect(open(server).append(stream, NO_EVENTS, someEvents(1))).rejects.toBeInstanceOf(AppendAmbiguous)
})

it('of an append that is sent twice at the same moment one is answered, and the connection of the other is not doubted', async () => {
  const double = await doubleOfTest({ file: join(testFolder(), 'events'), syncMs: 100 })
  const store = open(double, { answerMs: 10_000 })
  await startStream(store, someEvents(1))
  const [stream, events] = [someStream(), someEvents(2)]
  const twice = Promise.allSettled([1, 2].map(async () => store.append(stream, NO_EVENTS, events)))
  // Another call is answered before the time of the second is over.
  await pause(500)
  await store.head()
  const before = double.counts.read
  const [answered, dropped] = (await twice).toSorted((one) => (one.status === 'fulfilled' ? -1 : 1))
  expect(dropped).toMatchObject({ status: 'rejected', reason: expect.any(AppendAmbiguous) as unknown })
  // A doubted connection would be probed by reads.
  await pause(500)
  expect(double.counts.read).toBe(before)
  expect(answered).toEqual({ status: 'fulfilled', value: await store.append(stream, NO_EVENTS, events) })
})

it('all who open a new log at the same time get one identity', async () => {
  const stores = await sixAtOnceOnASlowDisk()
  const identities = new Set(await Promise.all(stores.map(async (store) => store.identity())))
  expect(identities.size).toBe(1)
  expect([...identities]).not.toContain('')
})

describe('a server that others use, too', () => {
  let double: EventStoreDBDouble
  let store: EventStore

  beforeEach(async () => {
    double = await doubleOfTest()
    store = open(double)
  })

  async function strangers(count: number): Promise<void> {
    await double.log().append(
      `others_${randomUUID()}`,
      'no_stream',
      Array.from({ length: count }, (_, index) => foreign(index)),
    )
  }

  it('whole pages of events of other applications are skipped', async () => {
    await strangers(3_000)
    const [first, second] = [someEvents(2), someEvents(1)]
    await startStream(store, first)
    await strangers(2_500)
    await startStream(store, second)
    await strangers(1_500)
    expect(idsOf(await store.readAll({ after: START, limit: 3 }))).toEqual(idsOf([...first, ...second]))
    expect(idsOf(await store.readAll({ after: START, limit: 2 }))).toEqual(idsOf(first))
    const [last] = await store.readAll({ after: START, limit: 10 }).then((events) => events.slice(-1))
    expect(await store.head()).toBe(last?.position)
    expect(await open(double).head()).toBe(last?.position)
  })

  it('events of other applications are not received', async () => {
    await startStream(store, someEvents(1))
    const after = await store.head()
    await strangers(5_000)
    const before = double.counts.events
    expect(await store.readAll({ after, limit: 10 })).toEqual([])
    const own = someEvents(1)
    await startStream(open({ url: double.url }), own)
    const [event] = await store.readAll({ after, limit: 10 })
    expect(event?.id).toBe(own[0]?.id)
    expect(await store.head()).toBe(event?.position)
    // Of the others, only the newest are received, in search of the head.
    expect(double.counts.events - before).toBeLessThan(5_000)
  })

  it('several shops on one server do not see each other', async () => {
    const shops = ['', '/a', '/b', '/order'].map((path) => open({ url: double.url.replace('?', `${path}?`) }))
    const stream = someStream()
    const events = shops.map(() => someEvents(2))
    for (const [index, shop] of shops.entries()) await shop.append(stream, NO_EVENTS, events[index] ?? [])
    for (const [index, shop] of shops.entries()) {
      expect(idsOf(await everything(shop))).toEqual(idsOf(events[index] ?? []))
      const own = await wholeStream(shop, stream)
      expect(own).toMatchObject([{ stream }, { stream }])
      expect(await shop.head()).toBe(own.at(-1)?.position)
    }
    expect(new Set(await Promise.all(shops.map((shop) => shop.identity()))).size).toBe(shops.length)
    expect(double.log().readStream(`a.${stream}`)).toHaveLength(2)
  })

  it('only events of the shop itself wake its readers', async () => {
    const [shop, other] = ['/a', '/b'].map((path) => open({ url: double.url.replace('?', `${path}?`) }))
    if (!shop || !other) throw new Error('both are open')
    const { signal } = new AbortController()
    await startStream(shop, someEvents(1))
    let isAwake = false
    const waited = shop
      .waitForEvents({ after: await shop.head(), timeoutMs: LONG_MS, signal })
      .then(() => (isAwake = true))
    await startStream(other, someEvents(20))
    await pause(200)
    expect(isAwake).toBe(false)
    await startStream(open({ url: double.url.replace('?', '/a?') }), someEvents(1))
    await waited
  })

  it.for<[what: string, change: (event: { data: Uint8Array; metadata: Uint8Array }) => object]>([
    ['data that are not JSON', () => ({ data: Buffer.from('{"orderId":') })],
    [
      'a time that is none',
      ({ metadata }) => ({ metadata: replaced(metadata, /"recordedAt":\d+/, '"recordedAt":"x"') }),
    ],
    ['a content that is not JSON', () => ({ contentType: 'application/octet-stream' })],
  ])('an event with %s is reported as damaged, with its place', async ([, change]) => {
    const stream = await startStream(store, someEvents(2))
    const [whole, changed] = double.log().readStream(stream) ?? []
    if (!whole || !changed) throw new Error('both were appended')
    Object.assign(changed, change(changed))
    const damaged = await store.readStream(stream, { fromRevision: 0, limit: 10 }).catch((error: unknown) => error)
    expect(damaged).toBeInstanceOf(EventStoreDamaged)
    expect(String(damaged)).toContain(`event 1 of ${stream}, position ${changed.position}`)
    expect(damaged).toMatchObject({ position: String(changed.position).padStart(20, '0') })
    await expect(open(double).readAll({ after: START, limit: 10 })).rejects.toBeInstanceOf(EventStoreDamaged)
    expect(await store.readStream(stream, { fromRevision: 0, limit: 1 })).toHaveLength(1)
  })

  it('events without the mark of the shop, in streams with its names, are passed over and counted', async () => {
    const said: string[] = []
    const reader = eventstoredbEventStore({ url: double.url, categories, onForeign: (stream) => said.push(stream) })
    onTestFinished(() => reader.close())
    await double.log().append('order-42', 'no_stream', [foreign(0), foreign(1)])
    const events = someEvents(2)
    await startStream(store, events)
    await double.log().append('order-43', 'no_stream', [foreign(2)])
    expect(idsOf(await reader.readAll({ after: START, limit: 10 }))).toEqual(idsOf(events))
    expect(await reader.head()).toBe(await store.head())
    expect(reader.foreign?.()).toMatchObject({ events: 3, stream: 'order-42' })
    expect(said).toEqual(['order-42'])
    expect(await reader.readStream('order-42', { fromRevision: 0, limit: 10 })).toEqual([])
  })

  it('a stream that was deleted for good is damaged, and the events of all others are read', async () => {
    const [first, second] = [await startStream(store, someEvents(2)), someEvents(1)]
    double.log().tombstone(first)
    const reader = open(double)
    const head = await reader.head()
    await startStream(store, second)
    const read = await reader.readAll({ after: START, limit: 10, showsDamaged: true })
    expect(read.map(({ type }) => type)).toEqual(['OrderPlaced', 'OrderPlaced', 'damaged', 'OrderPlaced'])
    expect(read[2]).toMatchObject({ stream: first, position: head, damage: `${first} was deleted on the server` })
    await expect(reader.readAll({ after: START, limit: 10 })).rejects.toBeInstanceOf(EventStoreDamaged)
    await expect(reader.readStream(first, { fromRevision: 0, limit: 10 })).rejects.toThrow(/was deleted for good/)
    expect(idsOf(await reader.readAll({ after: head, limit: 10 }))).toEqual(idsOf(second))
  })

  it.for<[what: string, settings: object, says: RegExp]>([
    ['was soft-deleted', { $tb: 9_223_372_036_854_775_807n }, /was deleted on the server, which hides its events/],
    ['was cut', { $tb: 1 }, /has \$tb on the server/],
    ['has a maximal number of events', { $maxCount: 1 }, /has \$maxCount on the server/],
  ])('a stream that %s is damaged, not empty', async ([, settings, says]) => {
    const stream = await startStream(store, someEvents(2))
    await double.log().setMetadata(stream, settings)
    const read = store.readStream(stream, { fromRevision: 0, limit: 10 })
    await expect(read).rejects.toThrow(says)
    await expect(read).rejects.toBeInstanceOf(EventStoreDamaged)
    expect(await store.readAll({ after: START, limit: 10 })).toHaveLength(2)
  })

  it("an event has the server's names for its correlation and cause", async () => {
    const metadata = '{"correlationId":"c-1","causationId":null,"actor":"buyer"}'
    const stream = await startStream(store, [{ ...someEvent(), metadata }])
    const [stored] = double.log().readStream(stream) ?? []
    const kept = JSON.parse(Buffer.from(stored?.metadata ?? []).toString()) as unknown
    expect(kept).toMatchObject({ $correlationId: 'c-1', $causationId: null, actor: 'buyer', version: 1 })
    expect(await wholeStream(store, stream)).toMatchObject([{ metadata }])
  })
})

/** How many times the appends below are cut; more of them find rarer ones. */
const RUNS = sizeOf({ fast: 40, deep: 40, night: 400 })

const fate = fc.constantFrom(
  { answers: 'unavailable' },
  { answers: 'timeout' },
  { answers: 'never' },
  { writes: 'never' },
  { writes: 'never', answers: 'unavailable' },
  { writes: { afterMs: 30 }, answers: 'timeout' },
  { writes: { afterMs: 150 }, answers: 'never' },
  { strangersBefore: 2, answers: 'unavailable' },
  'restart',
) as fc.Arbitrary<object | 'restart'>

it(
  'an append with an unknown outcome leaves one copy when repeated, wherever the connection broke',
  { timeout: 7_500 * RUNS },
  async () => {
    const double = await doubleOfTest({ file: join(testFolder(), 'log') })
    const store = open(double, { answerMs: 100 })
    await fc.assert(
      fc.asyncProperty(fc.array(fate, { minLength: 1, maxLength: 4 }), fc.nat({ max: 2 }), async (cuts, there) => {
        const [stream, before, events, left] = [someStream(), someEvents(there), someEvents(2), [...cuts]]
        double.fates.append = undefined
        await appendOnceBack(store, stream, before)
        const restarts: Promise<void>[] = []
        double.fates.append = ({ stream: name }) => {
          const cut = name === stream ? left.shift() : undefined
          if (cut !== 'restart') return cut
          restarts.push(double.crash().then(() => double.start()))
          return { answers: 'never' }
        }
        for (;;) {
          try {
            expect(await store.append(stream, there - 1, events)).toMatchObject({ revision: there + 1 })
            break
          } catch (error) {
            expect([AppendAmbiguous, EventStoreAway]).toContain((error as Error).constructor)
            await pause(5)
          }
        }
        await Promise.all(restarts)
        // What was written late has come by then.
        await pause(160)
        // On a loaded machine a read, too, may have no answer in this store's short time.
        await expect
          .poll(async () => idsOf(await wholeStream(store, stream)), PATIENT)
          .toEqual(idsOf([...before, ...events]))
      }),
      { numRuns: RUNS },
    )
  },
)

it('an event after a broken subscription wakes the reader', async () => {
  const double = await doubleOfTest({ file: join(testFolder(), 'log') })
  const [writer, reader] = [open(double), open(double)]
  await startStream(writer, someEvents(1))
  const after = await reader.head()
  const waiting = reader.waitForEvents({ after, timeoutMs: LONG_MS, signal: new AbortController().signal })
  await expect.poll(() => double.openCalls('subscription')).toBe(1)
  await double.crash()
  await double.start()
  await appendOnceBack(writer, someStream(), someEvents(1))
  await waiting
  await expect.poll(async () => reader.readAll({ after, limit: 10 }).then(idsOf, String), PATIENT).toHaveLength(1)
})

it('a silent subscription is replaced once a read finds an event that it has not reported', async () => {
  const double = await doubleOfTest()
  const [writer, reader] = [open(double), open(double)]
  const { signal } = new AbortController()
  await startStream(writer, someEvents(1))
  const after = await reader.head()
  double.fates.areSubscriptionsSilent = true
  await reader.waitForEvents({ after, timeoutMs: 50, signal })
  double.fates.areSubscriptionsSilent = false
  await startStream(writer, someEvents(1))
  const [event] = await reader.readAll({ after, limit: 10 })
  const waiting = reader.waitForEvents({ after: event?.position ?? START, timeoutMs: LONG_MS, signal })
  await startStream(writer, someEvents(1))
  await waiting
})

describeUnless(controlMissing, 'a server that goes away', () => {
  let server: OwnServer
  let store: EventStore

  beforeEach(async () => {
    server = await someEventstoredb()
    onTestFinished(() => server.remove())
    store = open(server, { answerMs: ANSWER_MS })
  })

  const appends = async (): Promise<string> =>
    store.append(someStream(), NO_EVENTS, someEvents(1)).then(
      () => 'appended',
      (error: unknown) => (error as Error).name,
    )

  it.for<[how: string, leave: () => void | Promise<void>, comeBack: () => void | Promise<void>]>([
    ['is stopped', () => server.stop(), () => server.start()],
    ['is killed', () => server.kill(), () => server.start()],
    ['hangs', () => server.pause(), () => server.resume()],
  ])('refuses writes while it %s, and takes them again by itself', async ([, leave, comeBack]) => {
    const stream = await startStream(store, someEvents(1))
    await leave()
    const refused = new Set<string>()
    for (let count = 0; count < 10; count += 1) refused.add(await appends())
    expect([...refused].every((name) => ['AppendAmbiguous', 'EventStoreAway'].includes(name))).toBe(true)
    await expect(store.readAll({ after: START, limit: 1 })).rejects.toBeInstanceOf(EventStoreAway)
    await comeBack()
    await expect.poll(appends, PATIENT).toBe('appended')
    expect(await wholeStream(store, stream)).toHaveLength(1)
  })

  it('after the first failed call a server that is away rejects calls at once', async () => {
    server.pause()
    await appends()
    const outcomes = await Promise.all(Array.from({ length: 200 }, appends))
    expect(new Set(outcomes)).toEqual(new Set(['EventStoreAway']))
  })
})

it.for(['wiped', 'put back from an older copy, and grown past it again'])(
  'a server that lost what it had takes no more writes of this process when it was %s',
  async (how) => {
    const file = join(testFolder(), 'log')
    const double = await eventstoredbDouble({ file })
    const { port } = new URL(double.url)
    const store = open(double, { answerMs: ANSWER_MS })
    const older = someEvents(1)
    await startStream(store, older)
    await startStream(store, someEvents(3))
    await double.crash()
    rmSync(file)
    const other = await doubleOfTest({ file, port: Number(port) })
    if (how !== 'wiped') await appendOnceBack(open(other), someStream(), someEvents(20))
    const stream = someStream()
    const refusal = async (): Promise<string> =>
      store.append(stream, NO_EVENTS, someEvents(1)).then(
        () => 'appended',
        (error: unknown) => String(error),
      )
    await expect.poll(refusal, PATIENT).toMatch(/EventStoreAway: the log .* was wiped, or put back from an older copy/)
    await expect(store.head()).rejects.toBeInstanceOf(EventStoreAway)
    expect(await wholeStream(open(other), stream)).toEqual([])
  },
)

it('events are read at positions where a restored server had lost events of others', async () => {
  const file = join(testFolder(), 'log')
  const double = await doubleOfTest({ file })
  const store = open(double)
  await startStream(store, someEvents(1))
  const after = await store.head()
  copyFileSync(file, `${file}.older`)
  for (let count = 0; count < 5; count += 1)
    await double.log().append(
      `others-${count}`,
      'no_stream',
      Array.from({ length: 500 }, (_, index) => foreign(index)),
    )
  expect([await store.head(), await store.readAll({ after, limit: 10 })]).toEqual([after, []])
  await double.crash()
  copyFileSync(`${file}.older`, file)
  const [other, own] = [await eventstoredbDouble({ file }), someEvents(3)]
  await startStream(open(other), own)
  await other.stop()
  await double.start()
  await expect.poll(async () => store.readAll({ after, limit: 10 }).then(idsOf, String), PATIENT).toEqual(idsOf(own))
})

describe('the engine, where the client of EventStoreDB has a fault', { timeout: 60_000 }, () => {
  let server: EventStoreDBDouble

  beforeEach(async () => {
    server = await doubleOfTest()
  })

  it('data that are not JSON are rejected, and the next append succeeds', async () => {
    const store = open(server)
    const wrong = { ...someEvent(), data: '{"amount":1n}' }
    await expect(store.append(someStream(), NO_EVENTS, [wrong])).rejects.toBeInstanceOf(SyntaxError)
    await startStream(store, someEvents(1))
  })

  it('each append is a call of its own', async () => {
    const hostile = await hostileServer({
      read: (call) => call.end(),
      append: (call, answer) => void answerAppend(log, { call, answer, fateOf: () => undefined }),
      batchAppend: (call) => void call.on('data', () => call.end()),
    })
    const log = await openDoubleLog({})
    expect(await open(hostile).append(someStream(), NO_EVENTS, someEvents(2))).toMatchObject({ revision: 1 })
  })

  it('a failing connection does not affect another', async () => {
    const [ours, theirs] = [open(server), open(server)]
    const [slow, bad] = [someStream(), someStream()]
    server.fates.append = ({ stream }) =>
      stream === bad ? { writes: 'never', answers: 'unavailable' } : { writes: { afterMs: 100 } }
    const appending = ours.append(slow, NO_EVENTS, someEvents(1))
    await expect(theirs.append(bad, NO_EVENTS, someEvents(1))).rejects.toBeInstanceOf(EventStoreAway)
    await theirs.close()
    expect(await appending).toMatchObject({ revision: 0 })
    expect(await ours.append(slow, 0, someEvents(1))).toMatchObject({ revision: 1 })
  })

  it('a cluster that was not found at first is found later', async () => {
    const { port } = new URL(server.url.replace('esdb:', 'http:'))
    await server.crash()
    const nodes = `127.0.0.1:${port},localhost:${port}`
    const store = open({ url: `esdb://${nodes}?tls=false&maxDiscoverAttempts=2&discoveryInterval=20` })
    const append = async () => store.append(someStream(), NO_EVENTS, someEvents(1))
    await expect(append()).rejects.toBeInstanceOf(EventStoreAway)
    await server.start()
    await expect.poll(async () => append().catch(() => undefined), PATIENT).toMatchObject({ revision: 0 })
  })

  it('a partial read and a closed log leave no call open', async () => {
    const store = open(server)
    const stream = await startStream(store, someEvents(1))
    for (let count = 0; count < 10; count += 1)
      await store.append(stream, count, [someEvent({ text: 'x'.repeat(800_000) })])
    await store.readAll({ after: START, limit: 1 })
    await store.readStream(stream, { fromRevision: 0, limit: 2 })
    await expect.poll(() => server.openCalls('read')).toBe(0)
    const waiting = { after: await store.head(), timeoutMs: 600_000, signal: new AbortController().signal }
    const waited = store.waitForEvents(waiting)
    await expect.poll(() => server.openCalls('subscription')).toBe(1)
    await store.close()
    await waited
    await expect.poll(() => server.openCalls('subscription')).toBe(0)
  })

  it('the log is followed past checkpoints of events of other applications', async () => {
    const [store, writer] = [open(server), open(server)]
    await startStream(writer, someEvents(1))
    const after = await store.head()
    const waiting = store.waitForEvents({ after, timeoutMs: 600_000, signal: new AbortController().signal })
    server.fates.append = () => ({ strangersBefore: 120 })
    const stream = await startStream(writer, someEvents(1))
    await waiting
    expect((await store.readAll({ after, limit: 10 })).map((event) => event.stream)).toEqual([stream])
  })

  it('a conflict has the revision of the stream', async () => {
    const store = open(server)
    const stream = await startStream(store, someEvents(42))
    const conflict = { code: 'append-conflict', actualRevision: 41 }
    await expect(store.append(stream, NO_EVENTS, someEvents(1))).rejects.toMatchObject(conflict)
  })

  it('a clock that is behind the server can append', async () => {
    const elsewhere = await eventstoredbServer()
    onTestFinished(() => elsewhere.remove())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60_000 })
    onTestFinished(() => void vi.useRealTimers())
    await startStream(open(elsewhere), someEvents(1))
  })

  it('a process that has closed the log can end', async () => {
    const engine = JSON.stringify(new URL('eventstoredb-event-store.ts', import.meta.url).href)
    const script = `
      const store = (await import(${engine})).eventstoredbEventStore({ url: ${JSON.stringify(server.url)}, categories: [] })
      console.log('head', await store.head())
      await store.close()
      setTimeout(() => process.exit(9), 5_000).unref()`
    const ended = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    expect(await ended).toMatchObject({ stdout: 'head \n' })
  })
})

/** Connections to this address may still be those to the server before. */
async function appendOnceBack(store: EventStore, stream: string, events: readonly EventToAppend[]): Promise<void> {
  if (events.length > 0)
    await expect
      .poll(async () => store.append(stream, NO_EVENTS, events).then(() => 'there', String), PATIENT)
      .toBe('there')
}

/** As the double stores it. */
function foreign(index: number) {
  return {
    id: someEvent().id,
    type: 'Foreign',
    contentType: 'application/json',
    data: Buffer.from(`["not ours", ${index}]`),
    metadata: Buffer.alloc(0),
  }
}

function replaced(bytes: Uint8Array, pattern: RegExp, by: string): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString().replace(pattern, by))
}
