import {
  ANY,
  STREAM_EXISTS,
  type AppendExpectedRevision,
  END,
  ErrorType,
  type EventData,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  START,
  streamNameFilter,
} from '@eventstore/db-client'
import { randomUUID } from 'node:crypto'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from './engines.ts'
import { type EventStoreDBDouble, eventstoredbDouble } from './eventstoredb-double.ts'
import { eventstoredbServer } from './eventstoredb-server.ts'

const CREDENTIALS = { credentials: { username: 'admin', password: 'changeit' } }
const KIB = 1_024

function events(count: number): EventData[] {
  return Array.from({ length: count }, (_, serial) =>
    jsonEvent({ id: randomUUID(), type: 'OrderPlaced', data: { serial } }),
  )
}

const idsOf = (list: readonly { id: string | undefined }[]): (string | undefined)[] => list.map(({ id }) => id)

async function readAllOf(client: EventStoreDBClient, stream: string) {
  const found = []
  for await (const { event } of client.readStream(stream)) if (event) found.push(event)
  return found
}

const ask = async ({ url }: EventStoreDBDouble, path: string): Promise<Response> =>
  fetch(url.replace('esdb:', 'http:').replace(/\?.*/, path))

describe('the double of EventStoreDB', () => {
  let folder: string
  let time: number
  let double: EventStoreDBDouble
  let client: EventStoreDBClient
  let stream: string

  beforeEach(async () => {
    folder = temporaryFolder()
    time = Date.UTC(2026, 0, 1)
    double = await eventstoredbDouble({ file: join(folder, 'log'), now: () => time })
    client = EventStoreDBClient.connectionString(double.url)
    stream = `order-${randomUUID()}`
  })

  afterEach(async () => {
    await client.dispose()
    await double.crash()
    rmSync(folder, { recursive: true })
  })

  const append = async (expectedRevision: AppendExpectedRevision, list: EventData[], to = stream) =>
    client.appendToStream(to, list, { expectedRevision, ...CREDENTIALS })

  describe('an append', () => {
    it('stands with its place, its content and its date', async () => {
      const written = events(2)
      const { success, nextExpectedRevision, position } = await append(NO_STREAM, written)
      expect({ success, nextExpectedRevision }).toEqual({ success: true, nextExpectedRevision: 1n })
      const read = await readAllOf(client, stream)
      expect(read).toMatchObject([
        { id: written[0]?.id, revision: 0n, type: 'OrderPlaced', data: { serial: 0 }, isJson: true },
        { id: written[1]?.id, revision: 1n, position },
      ])
      expect(read.map(({ created }) => created.getTime())).toEqual([time, time])
    })

    it.for([
      { part: 'the whole', from: 0, to: 3 },
      { part: 'the beginning', from: 0, to: 2 },
      { part: 'the middle', from: 1, to: 2 },
      { part: 'the end', from: 1, to: 3 },
    ])('is answered as before when $part of it comes again at its revision', async ({ from, to }) => {
      const written = events(3)
      await append(NO_STREAM, written)
      const stored = await readAllOf(client, stream)
      const again = await append(from === 0 ? NO_STREAM : BigInt(from - 1), written.slice(from, to))
      expect(again).toEqual({
        success: true,
        nextExpectedRevision: BigInt(to - 1),
        position: stored[to - 1]?.position,
      })
      expect(await readAllOf(client, stream)).toHaveLength(3)
    })

    it('is refused with the stream that it met, when it brings other ids', async () => {
      const written = events(2)
      await append(NO_STREAM, written)
      const conflict = { type: ErrorType.WRONG_EXPECTED_VERSION, streamName: stream, actualVersion: 1n }
      await expect(append(NO_STREAM, events(1))).rejects.toMatchObject(conflict)
      await expect(append(NO_STREAM, [...written, ...events(1)])).rejects.toMatchObject(conflict)
      await expect(append(0n, written)).rejects.toMatchObject(conflict)
      await expect(append(7n, events(1))).rejects.toMatchObject({ ...conflict, expectedVersion: 7n })
      const missing = { ...conflict, streamName: 'order-none', actualVersion: 'no_stream' }
      await expect(append(0n, events(1), 'order-none')).rejects.toMatchObject(missing)
    })

    it('is written once more at a later revision that is right', async () => {
      const written = events(2)
      await append(NO_STREAM, written)
      await append(1n, written)
      expect(idsOf(await readAllOf(client, stream))).toEqual(idsOf([...written, ...written]))
    })

    it('succeeds with other data under an id that stands there, and the old data stays', async () => {
      const [written] = events(1) as [EventData]
      await append(NO_STREAM, [written])
      await append(NO_STREAM, [{ ...written, data: { serial: 'another' } } as EventData])
      expect((await readAllOf(client, stream)).map(({ data }) => data)).toEqual([{ serial: 0 }])
    })

    it('is taken for a repeat without a revision, too, where the stream has all of its ids', async () => {
      const written = events(2)
      await append(ANY, written)
      expect(await append(ANY, written)).toMatchObject({ nextExpectedRevision: 1n })
      const [first, last] = written as [EventData, EventData]
      await expect(append(ANY, [first, ...events(1), last])).rejects.toMatchObject({ actualVersion: 1n })
      await append(STREAM_EXISTS, events(1))
      expect(await readAllOf(client, stream)).toHaveLength(3)
      await expect(append(STREAM_EXISTS, events(1), 'order-none')).rejects.toMatchObject({ actualVersion: 'no_stream' })
    })

    it('takes 1,023 KiB and refuses 1,024', async () => {
      const sized = (kib: number): EventData[] => [jsonEvent({ type: 'OrderPlaced', data: 'x'.repeat(kib * KIB) })]
      await append(NO_STREAM, sized(1_023))
      const refused = { type: ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED, maxAppendSize: 1_024 * KIB }
      await expect(append(0n, sized(1_024))).rejects.toMatchObject(refused)
    })
  })

  describe('reading', () => {
    it('tells of a stream that is not there, and answers nothing behind the end of one that is', async () => {
      await expect(readAllOf(client, stream)).rejects.toMatchObject({
        type: ErrorType.STREAM_NOT_FOUND,
        streamName: stream,
      })
      await append(NO_STREAM, events(2))
      expect(await Array.fromAsync(client.readStream(stream, { fromRevision: 2n }))).toEqual([])
    })

    it('reads a stream from both ends', async () => {
      const written = events(5)
      await append(NO_STREAM, written)
      const forwards = await Array.fromAsync(client.readStream(stream, { fromRevision: 1n, maxCount: 3 }))
      const backwards = await Array.fromAsync(
        client.readStream(stream, { fromRevision: END, direction: 'backwards', maxCount: 2 }),
      )
      expect(forwards.map(({ event }) => event?.revision)).toEqual([1n, 2n, 3n])
      expect(backwards.map(({ event }) => event?.revision)).toEqual([4n, 3n])
    })

    it('reads everything in one order, with what is not ours among it', async () => {
      await append(NO_STREAM, events(2))
      const all = await Array.fromAsync(client.readAll({ fromPosition: START }))
      const positions = all.map(({ event }) => event?.position?.commit ?? 0n)
      expect(positions.toSorted((a, b) => Number(a - b))).toEqual(positions)
      expect(all.filter(({ event }) => event?.type.startsWith('$'))).not.toEqual([])
      const [newest] = await Array.fromAsync(client.readAll({ direction: 'backwards', fromPosition: END, maxCount: 1 }))
      expect(newest?.event).toMatchObject({ streamId: stream, revision: 1n })
      const from = all.at(-2)?.event?.position ?? START
      expect(await Array.fromAsync(client.readAll({ fromPosition: from }))).toHaveLength(2)
    })

    it('shows the newest of a stream alone where $maxCount says so, and the rest on $all', async () => {
      await client.setStreamMetadata(stream, { maxCount: 1 }, CREDENTIALS)
      await append(NO_STREAM, events(3))
      expect((await readAllOf(client, stream)).map(({ revision }) => revision)).toEqual([2n])
      expect((await client.getStreamMetadata(stream, CREDENTIALS)).metadata).toEqual({ maxCount: 1 })
      const all = await Array.fromAsync(client.readAll())
      expect(all.filter(({ event }) => event?.streamId === stream)).toHaveLength(3)
      expect(all.some(({ event }) => event?.streamId === `$$${stream}`)).toBe(true)
    })
  })

  describe('a subscription to all', () => {
    it('gives what its filter wants, then new events, with checkpoints and word of having caught up', async () => {
      await append(NO_STREAM, events(3))
      await append(NO_STREAM, events(5), 'stranger-1')
      const heard: string[] = []
      const filter = streamNameFilter({
        prefixes: ['order-'],
        checkpointInterval: 1,
        maxSearchWindow: 2,
        checkpointReached: () => void heard.push('checkpoint'),
      })
      const subscription = client.subscribeToAll({ fromPosition: START, filter })
      subscription.on('caughtUp', () => heard.push('caught up'))
      subscription.on('data', ({ event }) => heard.push(`${event?.revision}`))
      await expect.poll(() => heard).toContain('caught up')
      await append(2n, events(1))
      await append(4n, events(2), 'stranger-1')
      await expect.poll(() => heard.at(-1)).toBe('checkpoint')
      expect(heard.filter((word) => word !== 'checkpoint')).toEqual(['0', '1', '2', 'caught up', '3'])
      await subscription.unsubscribe()
      await expect.poll(() => double.openCalls('subscription')).toBe(0)
    })

    it('begins after its position', async () => {
      const { position } = await append(NO_STREAM, events(2))
      await append(1n, events(1))
      const subscription = client.subscribeToAll({ fromPosition: position ?? START })
      for await (const { event } of subscription) {
        expect(event?.revision).toBe(2n)
        break
      }
      await subscription.unsubscribe()
    })
  })

  it('tells over HTTP, on the same port, what it is', async () => {
    expect(await (await ask(double, '/info')).json()).toMatchObject({ esVersion: '24.2.0.0', state: 'leader' })
    expect(await (await ask(double, '/info/options')).json()).toContainEqual(
      expect.objectContaining({ name: 'MemDb', value: 'False' }),
    )
    expect((await ask(double, '/nothing')).status).toBe(404)
  })

  describe('faults', () => {
    it('loses the answer of an append that was written, which is one copy when it comes again', async () => {
      double.fates.append = ({ number }) => (number === 1 ? { answers: 'unavailable' } : undefined)
      const written = events(2)
      await expect(append(NO_STREAM, written)).rejects.toMatchObject({ type: ErrorType.UNAVAILABLE })
      expect(await append(NO_STREAM, written)).toMatchObject({ success: true, nextExpectedRevision: 1n })
      expect(await readAllOf(client, stream)).toHaveLength(2)
    })

    it('writes an append long after it was answered with a timeout', async () => {
      const isAnswered = Promise.withResolvers<void>()
      double.fates.append = () => ({ writes: { after: isAnswered.promise }, answers: 'timeout', strangersBefore: 2 })
      await expect(append(NO_STREAM, events(1))).rejects.toMatchObject({ type: ErrorType.TIMEOUT })
      await expect(readAllOf(client, stream)).rejects.toMatchObject({ type: ErrorType.STREAM_NOT_FOUND })
      isAnswered.resolve()
      await expect.poll(() => double.log().readStream(stream)).toHaveLength(1)
      const strangers = double.log().all.filter((event) => event.stream.startsWith('stranger'))
      expect(strangers).toHaveLength(2)
    })

    it('never writes nor answers', async () => {
      double.fates.append = () => ({ writes: 'never' })
      const silent = client.appendToStream(stream, events(1), {
        expectedRevision: NO_STREAM,
        deadline: 200,
        ...CREDENTIALS,
      })
      await expect(silent).rejects.toMatchObject({ type: ErrorType.DEADLINE_EXCEEDED })
      expect(double.log().readStream(stream)).toBeUndefined()
    })

    it('cuts a read with an error, and ends a subscription without one', async () => {
      await append(NO_STREAM, events(3))
      double.fates.read = () => ({ messages: 2, ends: 'unavailable' })
      await expect(readAllOf(client, stream)).rejects.toMatchObject({ type: ErrorType.UNAVAILABLE })
      double.fates.subscription = () => ({ messages: 3, ends: 'cleanly' })
      const filter = streamNameFilter({ prefixes: ['order-'] })
      const seen = await Array.fromAsync(client.subscribeToAll({ filter }))
      expect(seen).toHaveLength(2)
    })

    it('dates events by a clock that may go back', async () => {
      await append(NO_STREAM, events(1))
      time -= 60_000
      await append(0n, events(1))
      const [first, second] = await readAllOf(client, stream)
      expect(Number(second?.created) - Number(first?.created)).toBe(-60_000)
    })

    it('comes back with all that was answered, without the rest of an append that was cut off', async () => {
      const written = events(2)
      const { position } = await append(NO_STREAM, written)
      await double.crash()
      const cut = { ...written[0], stream, revision: 2, data: '', metadata: '', createdMs: time, isLastOfAppend: false }
      appendFileSync(join(folder, 'log'), `${JSON.stringify(cut)}\n{"id":"`)
      await double.start()
      await expect.poll(async () => readAllOf(client, stream).catch(() => [])).toHaveLength(2)
      expect(await append(NO_STREAM, written)).toMatchObject({ position })
      await append(1n, events(1))
      await double.crash()
      await double.start()
      await expect.poll(async () => readAllOf(client, stream).catch(() => [])).toHaveLength(3)
    })
  })

  it('has every answered append after it was killed, in a process of its own', { timeout: 60_000 }, async () => {
    const server = await eventstoredbServer()
    const other = EventStoreDBClient.connectionString(server.url)
    try {
      const acknowledged: string[] = []
      const writing = (async () => {
        for (let serial = 0; ; serial += 1) {
          const expectedRevision = serial === 0 ? NO_STREAM : BigInt(serial - 1)
          const [event] = events(1) as [EventData]
          await other.appendToStream(stream, event, { expectedRevision, ...CREDENTIALS })
          acknowledged.push(event.id)
        }
      })()
      const end = writing.catch((error: unknown) => error)
      await expect.poll(() => acknowledged.length).toBeGreaterThan(20)
      await server.kill()
      expect(await end).toMatchObject({ code: 14 })
      await server.start()
      const kept = () => readAllOf(other, stream).catch(() => [])
      await expect.poll(kept).not.toEqual([])
      expect(idsOf(await kept()).slice(0, acknowledged.length)).toEqual(acknowledged)
    } finally {
      await other.dispose()
      await server.remove()
    }
  })
})
