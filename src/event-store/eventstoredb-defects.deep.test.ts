import type streams from '@eventstore/db-client/generated/streams_pb.js'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppendAmbiguous, type EventStore, EventStoreAway, NO_EVENTS, START } from './event-store.ts'
import { eventstoredbEventStore } from './eventstoredb-event-store.ts'
import { answerAppend } from './testing/eventstoredb-double/appends.ts'
import { openDoubleLog } from './testing/eventstoredb-double/log.ts'
import { idsOf, someEvent, someEvents, someStream, startStream, wholeStream } from './testing/some-events.ts'
import { type EventStoreDBDouble, eventstoredbDouble } from './testing/eventstoredb-double.ts'
import {
  AWAY,
  type BatchCall,
  batchConflict,
  batchSuccess,
  batchTimeout,
  type HostileServer,
  type HostileServices,
  hostileServer,
} from './testing/hostile-server.ts'

const LATE_MS = 600
/** Long enough for what is read before an append, on a busy machine. */
const ANSWER_MS = 2_000
const AGAIN = { timeout: 20_000, interval: 50 }

/** For an answer that comes, however slow the machine is. */
const PATIENT_MS = 20_000
/** For what begins, and then stays as it is. */
const WATCHED_MS = 4_000
/** For what never comes. */
const SHORT_MS = 1_500

/** What a use of the client after its documentation comes to within a time, in words. */
const naively = async (scenario: string, address: string, ms = PATIENT_MS): Promise<string[]> =>
  printed('naive-writer.ts', scenario, address, String(ms))

async function printed(program: string, ...args: string[]): Promise<string[]> {
  const file = join(import.meta.dirname, 'testing', program)
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  const words = await child.stdout.setEncoding('utf8').toArray()
  return words.join('').split('\n').slice(0, -1)
}

/** The client sends all of a small append in one message. */
const answerBatch = (answer: (request: streams.BatchAppendReq, call: BatchCall) => void): HostileServices => ({
  batchAppend(call: BatchCall) {
    call.on('data', (request: streams.BatchAppendReq) => answer(request, call)).on('end', () => call.end())
  },
})
const isOf = (stream: string, request: streams.BatchAppendReq): boolean =>
  Buffer.from(request.getOptions()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString() === stream

describe('the client of EventStoreDB as its documentation shows it', { timeout: 60_000 }, () => {
  let stop: () => Promise<void>

  beforeEach(() => {
    stop = async () => undefined
  })

  afterEach(async () => stop())

  async function against(services: HostileServices): Promise<HostileServer> {
    const server = await hostileServer(services)
    stop = () => server.stop()
    return server
  }

  async function double(): Promise<EventStoreDBDouble> {
    const started = await eventstoredbDouble()
    stop = () => started.crash()
    return started
  }

  const working = answerBatch((request, call) => call.write(batchSuccess(request)))

  it('has none of them where all is well', async () => {
    expect(await naively('append', (await against(working)).url)).toEqual(['revision 0'])
  })

  it('1: data that is no JSON leaves the append pending, and a rejection that ends the process', async () => {
    const { url } = await against(working)
    expect(await naively('append what is no JSON', url, SHORT_MS)).toEqual(['unhandled rejection', 'never settled'])
  })

  it('2: an append that a silent server does not answer never ends, whatever its deadline', async () => {
    const { url } = await against(answerBatch(() => undefined))
    expect(await naively('append', url, SHORT_MS)).toEqual(['never settled'])
  })

  it('3: a shared stream that ends in order leaves the appends on it pending', async () => {
    const { url } = await against(answerBatch((_, call) => call.end()))
    expect(await naively('append', url, SHORT_MS)).toEqual(['never settled'])
  })

  it('4: the broken stream of one client fails the appends of another, whose next append never ends', async () => {
    const [begun, broken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { url } = await against(
      answerBatch((request, call) => {
        if (isOf('order-bad', request)) {
          void begun.promise.then(() => call.emit('error', AWAY)).then(() => broken.resolve())
          return
        }
        begun.resolve()
        void broken.promise.then(() => pause(LATE_MS)).then(() => call.write(batchSuccess(request)))
      }),
    )
    expect(await naively('append by two clients', url, WATCHED_MS)).toEqual([
      'unavailable',
      'unhandled rejection',
      'never settled',
    ])
  })

  it('5: an append that found no cluster fails all later ones, though the cluster is back', async () => {
    // Two nodes are asked twice each.
    const { clusterUrl } = await against({ ...working, gossipFailures: 4 })
    const failed = 'untyped error'
    expect(await naively('append again and again', clusterUrl)).toEqual([failed, failed, failed, 'revision 0'])
  })

  it('6: a loop that is left early leaves its call open on the server', async () => {
    const server = await double()
    const event = { id: crypto.randomUUID(), type: 'OrderPlaced', contentType: 'application/json' }
    const content = { data: Buffer.from(JSON.stringify('x'.repeat(100_000))), metadata: Buffer.alloc(0) }
    for (let count = 0; count < 60; count += 1) {
      await server.log().append('order-1', count - 1, [{ ...event, ...content, id: crypto.randomUUID() }])
    }
    const words = naively('leave a loop early', server.url, WATCHED_MS)
    await expect.poll(() => server.openCalls('read'), AGAIN).toBe(1)
    await pause(LATE_MS)
    expect(server.openCalls('read')).toBe(1)
    expect(await words).toEqual(['revision 0', 'done'])
  })

  it('7: a checkpoint that cannot be kept leaves the subscription stuck, and not destroyed', async () => {
    const server = await double()
    const event = {
      type: 'OrderPlaced',
      contentType: 'application/json',
      data: Buffer.from('{}'),
      metadata: Buffer.alloc(0),
    }
    for (let count = 0; count < 120; count += 1) {
      await server.log().append('order-1', count - 1, [{ ...event, id: crypto.randomUUID() }])
    }
    const words = await naively('fail at a checkpoint', server.url, WATCHED_MS)
    expect(words.slice(-2)).toEqual(['unhandled rejection', 'not destroyed'])
    expect(words.filter((word) => word === 'event').length).toBeLessThan(120)
  })

  it('8: a conflict that is no exception tells a wrong revision', async () => {
    const { url } = await against(answerBatch((request, call) => call.write(batchConflict(request, '41'))))
    expect(await naively('append without exceptions', url)).toEqual(['revision 1'])
  })

  it('9: an append to a server that is down fails with an error that has no type', async () => {
    const server = await against(working)
    await server.stop()
    stop = async () => undefined
    expect(await naively('append', server.url)).toEqual(['untyped error 14'])
  })

  it('10: an append by a clock that is late is past its deadline at once', async () => {
    const { url } = await against(
      answerBatch((request, call) => {
        const deadline = request.getOptions()?.getDeadline()?.toDate().getTime() ?? Infinity
        call.write(deadline < Date.now() ? batchTimeout(request) : batchSuccess(request))
      }),
    )
    expect(await naively('append', url)).toEqual(['revision 0'])
    expect(await naively('append by a clock that is late', url)).toEqual(['deadline-exceeded'])
  })

  it('11: a process that has appended does not end', async () => {
    const { url } = await against(working)
    expect(await naively('append and return', url, SHORT_MS)).toEqual(['revision 0', 'still running'])
  })
})

describe('the engine over the same client', { timeout: 60_000 }, () => {
  let server: EventStoreDBDouble
  let opened: EventStore[]

  beforeEach(async () => {
    server = await eventstoredbDouble()
    opened = []
  })

  afterEach(async () => {
    await Promise.all(opened.map(async (store) => store.close()))
    await server.crash()
  })

  function open(url = server.url, options: { answerMs?: number } = {}): EventStore {
    const store = eventstoredbEventStore({ url, ...options })
    opened.push(store)
    return store
  }

  it('1: refuses data that is no JSON, and goes on', async () => {
    const store = open()
    const wrong = { ...someEvent(), data: '{"amount":1n}' }
    await expect(store.append(someStream(), NO_EVENTS, [wrong])).rejects.toBeInstanceOf(TypeError)
    await startStream(store, someEvents(1))
  })

  it('2: gives an append up that a silent server does not answer, and can repeat it', async () => {
    const [store, stream, events] = [open(server.url, { answerMs: ANSWER_MS }), someStream(), someEvents(2)]
    server.fates.append = ({ number }) => (number === 1 ? { answers: 'never' } : undefined)
    await expect(store.append(stream, NO_EVENTS, events)).rejects.toBeInstanceOf(AppendAmbiguous)
    const repeat = async () => store.append(stream, NO_EVENTS, events).catch(() => undefined)
    await expect.poll(repeat, AGAIN).toMatchObject({ revision: 1 })
    expect(idsOf(await wholeStream(store, stream))).toEqual(idsOf(events))
  })

  it('3: shares no stream among its appends', async () => {
    const hostile = await hostileServer({
      read: (call) => call.end(),
      append: (call, answer) => void answerAppend(log, { call, answer, fateOf: () => undefined }),
      batchAppend: (call) => void call.on('data', () => call.end()),
    })
    const log = await openDoubleLog({})
    expect(await open(hostile.url).append(someStream(), NO_EVENTS, someEvents(2))).toMatchObject({ revision: 1 })
    await hostile.stop()
  })

  it('4: has no part in what befalls another of its kind', async () => {
    const [ours, theirs] = [open(), open()]
    const [slow, bad] = [someStream(), someStream()]
    server.fates.append = ({ stream }) =>
      stream === bad ? { writes: 'never', answers: 'unavailable' } : { writes: { afterMs: 100 } }
    const appending = ours.append(slow, NO_EVENTS, someEvents(1))
    await expect(theirs.append(bad, NO_EVENTS, someEvents(1))).rejects.toBeInstanceOf(EventStoreAway)
    await theirs.close()
    expect(await appending).toMatchObject({ revision: 0 })
    expect(await ours.append(slow, 0, someEvents(1))).toMatchObject({ revision: 1 })
  })

  it('5: finds a cluster again that it did not find at first', async () => {
    const { port } = new URL(server.url.replace('esdb:', 'http:'))
    await server.crash()
    const nodes = `127.0.0.1:${port},localhost:${port}`
    const store = open(`esdb://${nodes}?tls=false&maxDiscoverAttempts=2&discoveryInterval=20`)
    const append = async () => store.append(someStream(), NO_EVENTS, someEvents(1))
    await expect(append()).rejects.toBeInstanceOf(EventStoreAway)
    await server.start()
    await expect.poll(async () => append().catch(() => undefined), AGAIN).toMatchObject({ revision: 0 })
  })

  it('6: leaves no call open when it has read what it wants, and none when it is closed', async () => {
    const store = open()
    const stream = await startStream(store, someEvents(1))
    for (let count = 0; count < 10; count += 1) await store.append(stream, count, [someEvent('x'.repeat(800_000))])
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

  it('7: follows the log past checkpoints of events that are not its own', async () => {
    const [store, writer] = [open(), open()]
    await startStream(writer, someEvents(1))
    const after = await store.head()
    const waiting = store.waitForEvents({ after, timeoutMs: 600_000, signal: new AbortController().signal })
    server.fates.append = () => ({ strangersBefore: 120 })
    const stream = await startStream(writer, someEvents(1))
    await waiting
    expect((await store.readAll({ after, limit: 10 })).map((event) => event.stream)).toEqual([stream])
  })

  it('8: tells in a conflict where the stream is', async () => {
    const store = open()
    const stream = await startStream(store, someEvents(42))
    const conflict = { code: 'append-conflict', actualRevision: 41 }
    await expect(store.append(stream, NO_EVENTS, someEvents(1))).rejects.toMatchObject(conflict)
  })

  it('9: says of a server that is down that it is away, reading and writing', async () => {
    await server.crash()
    const store = open()
    await expect(store.append(someStream(), NO_EVENTS, someEvents(1))).rejects.toBeInstanceOf(EventStoreAway)
    await expect(open().readAll({ after: START, limit: 1 })).rejects.toBeInstanceOf(EventStoreAway)
    await server.start()
  })

  it('10: appends by a clock that is late', async () => {
    expect(await printed('engine-writer.ts', server.url, '60000')).toEqual(['revision 0'])
  })

  it('11: lets a process end that has closed it', async () => {
    expect(await printed('engine-writer.ts', server.url)).toEqual(['revision 0'])
  })
})
