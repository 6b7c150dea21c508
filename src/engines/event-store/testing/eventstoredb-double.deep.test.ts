import {
  type AppendExpectedRevision,
  ErrorType,
  type EventData,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  START,
  streamNameFilter,
} from '@eventstore/db-client'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type EventStoreDBDouble, eventstoredbDouble } from './eventstoredb-double.ts'

const CREDENTIALS = { credentials: { username: 'admin', password: 'changeit' } }
const KIB = 1_024

function events(count: number): EventData[] {
  return Array.from({ length: count }, (_, serial) =>
    jsonEvent({ id: randomUUID(), type: 'OrderPlaced', data: { serial } }),
  )
}

/** What a server does that the contract of the event store does not show, since the engine over it never asks for it alone. */

let double: EventStoreDBDouble
let client: EventStoreDBClient
let stream: string

beforeEach(async () => {
  double = await eventstoredbDouble()
  client = EventStoreDBClient.connectionString(double.url)
  stream = `order-${randomUUID()}`
})

afterEach(async () => {
  await client.dispose()
  await double.crash()
})

const append = async (expectedRevision: AppendExpectedRevision, list: EventData[], to = stream) =>
  client.appendToStream(to, list, { expectedRevision, ...CREDENTIALS })

async function read() {
  const found = []
  for await (const { event } of client.readStream(stream)) if (event) found.push(event)
  return found
}

it('the double writes the same events again at a later, correct revision', async () => {
  const written = events(2)
  await append(NO_STREAM, written)
  await append(1n, written)
  expect((await read()).map(({ id }) => id)).toEqual([...written, ...written].map(({ id }) => id))
})

it('the double takes other data under a known id for a repeat, and keeps the old data', async () => {
  const [written] = events(1) as [EventData]
  await append(NO_STREAM, [written])
  await append(NO_STREAM, [{ ...written, data: { serial: 'another' } } as EventData])
  expect((await read()).map(({ data }) => data)).toEqual([{ serial: 0 }])
})

it('the double takes an append of 1,023 KiB and rejects 1,024', async () => {
  const sized = (kib: number): EventData[] => [jsonEvent({ type: 'OrderPlaced', data: 'x'.repeat(kib * KIB) })]
  await append(NO_STREAM, sized(1_023))
  const refused = { type: ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED, maxAppendSize: 1_024 * KIB }
  await expect(append(0n, sized(1_024))).rejects.toMatchObject(refused)
})

it('a subscription to the double gets old and new events of its filter, checkpoints, and a notice when it has caught up', async () => {
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
