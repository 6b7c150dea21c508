import { randomUUID } from 'node:crypto'
import { EventStoreDBClient, NO_STREAM } from '@eventstore/db-client'
import { type EventStore, type EventToAppend, NO_EVENTS, START } from '../../src/event-store/event-store.ts'
import { eventstoredbEventStore } from '../../src/event-store/eventstoredb-event-store.ts'
import { toServer } from '../../src/event-store/eventstoredb-events.ts'
import type { Round } from '../figures.ts'
import { CONNECTIONS } from '../load.ts'
import { percentile } from '../statistics.ts'

const WARM_UP = 300
const ONE_BY_ONE = 1_000
const SAMPLE_PAGE = 1_000

/** Prepares an append to a new stream that no shop reads; the returned function sends it. */
type Append = (event: EventToAppend) => () => Promise<unknown>

/** Some of the events by which orders were placed. */
export async function placedEvents(store: Pick<EventStore, 'readAll'>): Promise<EventToAppend[]> {
  for (let after = START; ;) {
    const page = await store.readAll({ after, limit: SAMPLE_PAGE })
    const placed = page.filter(({ type }) => type === 'OrderPlaced')
    if (placed.length > 0) return placed
    const last = page.at(-1)
    if (!last) throw new Error('no order was placed')
    after = last.position
  }
}

/** Appends by the shop's engine, as a command does them. */
export async function engineAppends(url: string, events: readonly EventToAppend[], seconds: number): Promise<Round> {
  const store = eventstoredbEventStore({ url })
  try {
    return await measureAppends(
      (event) => async () => store.append(`bench-${event.id}`, NO_EVENTS, [event]),
      events,
      seconds,
    )
  } finally {
    await store.close()
  }
}

/** The same bytes by the client alone, as its documentation shows it. */
export async function clientAppends(url: string, events: readonly EventToAppend[], seconds: number): Promise<Round> {
  const client = EventStoreDBClient.connectionString(url)
  const append: Append = (event) => {
    const stream = `bench-${event.id}`
    const sent = toServer(event, { stream, revision: 0, recordedAt: Date.now() })
    return async () => client.appendToStream(stream, sent, { expectedRevision: NO_STREAM })
  }
  try {
    return await measureAppends(append, events, seconds)
  } finally {
    await client.dispose()
  }
}

async function measureAppends(append: Append, events: readonly EventToAppend[], seconds: number): Promise<Round> {
  let count = 0
  const next = (): (() => Promise<unknown>) => {
    const event = events[count % events.length]
    count += 1
    if (!event) throw new TypeError('events to append')
    return append({ ...event, id: randomUUID() })
  }
  const delays: number[] = []
  for (let index = 0; index < WARM_UP + ONE_BY_ONE; index += 1) {
    const send = next()
    const sentAt = performance.now()
    await send()
    if (index >= WARM_UP) delays.push(performance.now() - sentAt)
  }
  const [beganAt, before] = [performance.now(), count]
  const sender = async (): Promise<void> => {
    while (performance.now() - beganAt < 1_000 * seconds) await next()()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sender))
  const perSecond = (1_000 * (count - before)) / (performance.now() - beganAt)
  return { 'append-p50': percentile(delays, 0.5), 'append-p99': percentile(delays, 0.99), append: perSecond }
}
