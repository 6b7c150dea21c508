import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EventStore, EventStoreAway, NO_EVENTS, START } from './event-store.ts'
import { eventstoredbEventStore } from './eventstoredb-event-store.ts'
import { answerAppend } from './testing/eventstoredb-double/appends.ts'
import { openDoubleLog } from './testing/eventstoredb-double/log.ts'
import { someEvent, someEvents, someStream, startStream } from './testing/some-events.ts'
import { type EventStoreDBDouble, eventstoredbDouble } from './testing/eventstoredb-double.ts'
import { hostileServer } from './testing/hostile-server.ts'

const AGAIN = { timeout: 20_000, interval: 50 }

async function printed(program: string, ...args: string[]): Promise<string[]> {
  const file = join(import.meta.dirname, 'testing', program)
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  const words = await child.stdout.setEncoding('utf8').toArray()
  return words.join('').split('\n').slice(0, -1)
}

describe('the engine, where the client of EventStoreDB has a fault', { timeout: 60_000 }, () => {
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

  function open(url = server.url): EventStore {
    const store = eventstoredbEventStore({ url })
    opened.push(store)
    return store
  }

  it('refuses data that is no JSON, and goes on', async () => {
    const store = open()
    const wrong = { ...someEvent(), data: '{"amount":1n}' }
    await expect(store.append(someStream(), NO_EVENTS, [wrong])).rejects.toBeInstanceOf(SyntaxError)
    await startStream(store, someEvents(1))
  })

  it('shares no stream among its appends', async () => {
    const hostile = await hostileServer({
      read: (call) => call.end(),
      append: (call, answer) => void answerAppend(log, { call, answer, fateOf: () => undefined }),
      batchAppend: (call) => void call.on('data', () => call.end()),
    })
    const log = await openDoubleLog({})
    expect(await open(hostile.url).append(someStream(), NO_EVENTS, someEvents(2))).toMatchObject({ revision: 1 })
    await hostile.stop()
  })

  it('has no part in what befalls another of its kind', async () => {
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

  it('finds a cluster again that it did not find at first', async () => {
    const { port } = new URL(server.url.replace('esdb:', 'http:'))
    await server.crash()
    const nodes = `127.0.0.1:${port},localhost:${port}`
    const store = open(`esdb://${nodes}?tls=false&maxDiscoverAttempts=2&discoveryInterval=20`)
    const append = async () => store.append(someStream(), NO_EVENTS, someEvents(1))
    await expect(append()).rejects.toBeInstanceOf(EventStoreAway)
    await server.start()
    await expect.poll(async () => append().catch(() => undefined), AGAIN).toMatchObject({ revision: 0 })
  })

  it('leaves no call open when it has read what it wants, and none when it is closed', async () => {
    const store = open()
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

  it('follows the log past checkpoints of events that are not its own', async () => {
    const [store, writer] = [open(), open()]
    await startStream(writer, someEvents(1))
    const after = await store.head()
    const waiting = store.waitForEvents({ after, timeoutMs: 600_000, signal: new AbortController().signal })
    server.fates.append = () => ({ strangersBefore: 120 })
    const stream = await startStream(writer, someEvents(1))
    await waiting
    expect((await store.readAll({ after, limit: 10 })).map((event) => event.stream)).toEqual([stream])
  })

  it('tells in a conflict where the stream is', async () => {
    const store = open()
    const stream = await startStream(store, someEvents(42))
    const conflict = { code: 'append-conflict', actualRevision: 41 }
    await expect(store.append(stream, NO_EVENTS, someEvents(1))).rejects.toMatchObject(conflict)
  })

  it('appends by a clock that is late', async () => {
    expect(await printed('engine-writer.ts', server.url, '60000')).toEqual(['revision 0'])
  })

  it('lets a process end that has closed it', async () => {
    expect(await printed('engine-writer.ts', server.url)).toEqual(['revision 0'])
  })
})
