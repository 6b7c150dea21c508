import {
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
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EventStoreDBDouble, eventstoredbDouble } from './eventstoredb-double.ts'

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
  let time: number
  let double: EventStoreDBDouble
  let client: EventStoreDBClient
  let stream: string

  beforeEach(async () => {
    time = Date.UTC(2026, 0, 1)
    double = await eventstoredbDouble({ now: () => time })
    client = EventStoreDBClient.connectionString(double.url)
    stream = `order-${randomUUID()}`
  })

  afterEach(async () => {
    await client.dispose()
    await double.crash()
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

    it('is answered as before when any part of it comes again at its revision', async () => {
      const written = events(3)
      await append(NO_STREAM, written)
      const stored = await readAllOf(client, stream)
      const parts = [
        [0, 3],
        [0, 2],
        [1, 2],
        [1, 3],
      ] as const
      for (const [from, to] of parts) {
        const again = await append(from === 0 ? NO_STREAM : BigInt(from - 1), written.slice(from, to))
        expect(again).toMatchObject({ nextExpectedRevision: BigInt(to - 1), position: stored[to - 1]?.position })
      }
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
  })

  it('tells over HTTP, on the same port, what it is', async () => {
    expect(await (await ask(double, '/info')).json()).toMatchObject({ esVersion: '24.2.0.0', state: 'leader' })
    expect(await (await ask(double, '/info/options')).json()).toContainEqual(
      expect.objectContaining({ name: 'MemDb', value: 'True' }),
    )
    expect((await ask(double, '/nothing')).status).toBe(404)
  })
})
