import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEach } from '../../testing/describe-unless.ts'
import { sizeOf } from '../../testing/tier.ts'
import type { AppendResult, EventStore, StoredEvent } from './event-store.ts'
import { AppendConflict, EventStoreAway, NO_EVENTS } from './event-store.ts'
import { BYTES_PER_APPEND_MAX, EVENTS_PER_APPEND_MAX } from './limits.ts'
import { embeddedEventStores, type EngineUnderTest } from './testing/engines.ts'
import {
  everything,
  idsOf,
  someEvent,
  someEvents,
  someStream,
  startStream,
  wholeStream,
} from './testing/some-events.ts'

const LONG_MS = 600_000

export function eventStoreContract(engine: EngineUnderTest): void {
  let store: EventStore
  let time = Date.UTC(2026, 0, 1)

  beforeAll(async () => {
    store = await engine.open({ now: () => time })
    return async () => store.close()
  })

  it('every event is read as it was appended, with its place', async () => {
    const events = [someEvent({ name: 'Ünïcode 🪙\u0000\n"' }), { ...someEvent(), type: 'PaymentReceived', version: 3 }]
    const stream = someStream()
    const { revision, position } = await store.append(stream, NO_EVENTS, events)
    const read = await wholeStream(store, stream)
    expect(read).toMatchObject(events.map((event, index) => ({ ...event, stream, revision: index })))
    expect(read.at(-1)).toMatchObject({ revision, position })
  })

  it('an append that expects another revision is rejected, also in a stream without events', async () => {
    const stream = await startStream(store, someEvents(2))
    for (const expected of [NO_EVENTS, 0, 2, 7]) {
      const refused = await store.append(stream, expected, [someEvent()]).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(AppendConflict)
      expect([1, undefined]).toContain((refused as AppendConflict).actualRevision)
    }
    expect(await wholeStream(store, stream)).toHaveLength(2)
    await expect(store.append(someStream(), 0, [someEvent()])).rejects.toBeInstanceOf(AppendConflict)
  })

  it('an append stores what its list held when it was called', async () => {
    const [stream, events] = [someStream(), someEvents(1)]
    const append = store.append(stream, NO_EVENTS, events)
    events.push(someEvent())
    expect(await append).toMatchObject({ revision: 0 })
    expect(await wholeStream(store, stream)).toHaveLength(1)
  })

  it('a stream has no events of another whose name begins alike', async () => {
    const stream = await startStream(store, someEvents(2))
    await store.append(`${stream}-b`, NO_EVENTS, someEvents(1))
    expect(await wholeStream(store, stream)).toHaveLength(2)
  })

  it('a repeated append gets the first result and writes nothing', async () => {
    const [stream, events] = [someStream(), someEvents(3)]
    const first = await store.append(stream, NO_EVENTS, events)
    await store.append(stream, 2, someEvents(1))
    const head = await store.head()
    expect(await store.append(stream, NO_EVENTS, events)).toEqual(first)
    expect(await store.head()).toBe(head)
  })

  it('any part of an earlier append, at its place, counts as a repeat', async () => {
    const events = someEvents(3)
    const stream = await startStream(store, events)
    for (const [from, to] of [
      [0, 2],
      [1, 2],
      [1, 3],
    ] as const)
      expect(await store.append(stream, from - 1, events.slice(from, to))).toMatchObject({ revision: to - 1 })
    expect(await wholeStream(store, stream)).toHaveLength(3)
  })

  it('an append with one event more, another order, revision or stream is no repeat', async () => {
    const events = someEvents(2)
    const stream = await startStream(store, events)
    const other = await startStream(store, someEvents(2))
    for (const [at, expected, repeated] of [
      [stream, NO_EVENTS, [...events, someEvent()]],
      [stream, NO_EVENTS, events.toReversed()],
      [stream, 0, events],
      [other, NO_EVENTS, events],
    ] as const)
      await expect(store.append(at, expected, repeated)).rejects.toBeInstanceOf(AppendConflict)
    expect(idsOf(await wholeStream(store, stream))).toEqual(idsOf(events))
    expect(await wholeStream(store, other)).toHaveLength(2)
  })

  const wrongNames = ['', 'order', 'order-', '$all', 'Order-1', 'order-1 2', 'order-ü', `order-${'x'.repeat(151)}`]
  it('a stream with an invalid name is rejected', async () => {
    for (const stream of wrongNames) {
      await expect(store.append(stream, NO_EVENTS, [someEvent()]), stream).rejects.toBeInstanceOf(TypeError)
      await expect(store.readStream(stream, { fromRevision: 0, limit: 1 }), stream).rejects.toBeInstanceOf(TypeError)
    }
  })

  it('one append takes 1 to 5,000 events', async () => {
    const stream = someStream()
    const tooMany = someEvents(EVENTS_PER_APPEND_MAX + 1)
    await expect(store.append(stream, NO_EVENTS, [])).rejects.toBeInstanceOf(RangeError)
    await expect(store.append(stream, NO_EVENTS, tooMany)).rejects.toBeInstanceOf(RangeError)
    await store.append(stream, NO_EVENTS, tooMany.slice(1))
    expect(await wholeStream(store, stream)).toHaveLength(EVENTS_PER_APPEND_MAX)
  })

  it('an append above the limit of bytes is rejected', async () => {
    const room = BYTES_PER_APPEND_MAX - 1_000
    const stream = await startStream(store, [
      someEvent({ text: 'x'.repeat(room / 2) }),
      someEvent({ text: 'x'.repeat(room / 2 - 1_000) }),
    ])
    const tooLong = [someEvent({ text: 'ü'.repeat(room / 4) }), someEvent({ text: 'ü'.repeat(room / 4 + 500) })]
    await expect(store.append(stream, 1, tooLong)).rejects.toBeInstanceOf(RangeError)
    expect(await wholeStream(store, stream)).toHaveLength(2)
  })

  it('a stream is read in pages', async () => {
    const events = someEvents(5)
    const stream = await startStream(store, events)
    const page = await store.readStream(stream, { fromRevision: 1, limit: 3 })
    expect(page.map(({ revision }) => revision)).toEqual([1, 2, 3])
    expect(idsOf(page)).toEqual(idsOf(events.slice(1, 4)))
    expect(await store.readStream(stream, { fromRevision: 4, limit: 3 })).toHaveLength(1)
  })

  it('a read of a missing stream, or after the end of a stream, is empty', async () => {
    const stream = await startStream(store, someEvents(2))
    expect(await store.readStream(someStream(), { fromRevision: 0, limit: 10 })).toEqual([])
    expect(await store.readStream(stream, { fromRevision: 2, limit: 10 })).toEqual([])
    expect(await store.readStream(stream, { fromRevision: 9, limit: 10 })).toEqual([])
  })

  it('the log is read in the order of the appends, by positions that sort as text', async () => {
    const after = await store.head()
    const [a, b] = [await startStream(store, someEvents(3)), await startStream(store, someEvents(2))]
    for (let revision = 2; revision < 12; revision += 1) await store.append(a, revision, someEvents(1))
    const read = await everything(store, { after })
    const places = read.map(({ stream, revision }) => `${stream} ${revision}`)
    const later = Array.from({ length: 10 }, (_, index) => `${a} ${index + 3}`)
    expect(places).toEqual([`${a} 0`, `${a} 1`, `${a} 2`, `${b} 0`, `${b} 1`, ...later])
    const positions = read.map(({ position }) => position)
    expect([after, ...positions].toSorted()).toEqual([after, ...positions])
    expect(new Set([after, ...positions]).size).toBe(16)
    for (const limit of [1, 2, 5]) expect(await everything(store, { after, limit })).toEqual(read)
  })

  it('a text that is no position is rejected', async () => {
    const { signal } = new AbortController()
    await expect(store.readAll({ after: 'yesterday', limit: 1 })).rejects.toBeInstanceOf(TypeError)
    const waiting = store.waitForEvents({ after: 'yesterday', timeoutMs: LONG_MS, signal })
    await expect(waiting).rejects.toBeInstanceOf(TypeError)
  })

  it('the head is the position of the newest event', async () => {
    const stream = await startStream(store, someEvents(2))
    const { position } = await store.append(stream, 1, someEvents(2))
    expect(await store.head()).toBe(position)
    expect(await store.readAll({ after: position, limit: 10 })).toEqual([])
  })

  it('a reader of pages sees every event once and no partial append during writes', async () => {
    const after = await store.head()
    const [writers, appendsEach, eventsEach] = [8, 25, 3]
    const write = async (): Promise<void> => {
      const stream = someStream()
      for (let count = 0; count < appendsEach; count++) {
        await store.append(stream, count * eventsEach - 1, someEvents(eventsEach))
      }
    }
    const written = Promise.all(Array.from({ length: writers }, write))
    const seen: StoredEvent[] = []
    const { signal } = new AbortController()
    while (seen.length < writers * appendsEach * eventsEach) {
      const from = seen.at(-1)?.position ?? after
      const page = await store.readAll({ after: from, limit: 100 })
      seen.push(...page)
      const newest = page.at(-1)
      if (newest !== undefined && page.length < 100) expect(newest.revision % eventsEach).toBe(eventsEach - 1)
      if (page.length === 0) await store.waitForEvents({ after: from, timeoutMs: LONG_MS, signal })
    }
    await written
    expect(idsOf(seen)).toEqual(idsOf(await everything(store, { after })))
  })

  it('the clock never dates an event before an earlier one', async () => {
    const after = await store.head()
    for (const hour of [3, 1, 2, 5]) {
      time = Date.UTC(2026, 0, 1, hour)
      await startStream(store, someEvents(2))
    }
    const dates = (await everything(store, { after })).map(({ recordedAt }) => recordedAt)
    expect(dates.toSorted((a, b) => a - b)).toEqual(dates)
    expect(dates.map((date) => new Date(date).getUTCHours())).toEqual([3, 3, 3, 3, 3, 3, 5, 5])
  })

  const { signal } = new AbortController()

  it('an append wakes every waiting reader', async () => {
    const after = await store.head()
    const waiting = [1, 2, 3].map(() => store.waitForEvents({ after, timeoutMs: LONG_MS, signal }))
    await startStream(store, someEvents(1))
    await Promise.all(waiting)
  })

  it('an append wakes a reader after a long wait, and the next wait ends at once', async () => {
    const after = await store.head()
    const waiting = store.waitForEvents({ after, timeoutMs: LONG_MS, signal })
    await store.waitForEvents({ after, timeoutMs: 60, signal })
    await startStream(store, someEvents(1))
    await waiting
    await store.waitForEvents({ after, timeoutMs: LONG_MS, signal })
  })

  it('a wait ends when its signal is aborted, also before it begins', async () => {
    const [after, reader] = [await store.head(), new AbortController()]
    const waiting = store.waitForEvents({ after, timeoutMs: LONG_MS, signal: reader.signal })
    reader.abort()
    await waiting
    await store.waitForEvents({ after, timeoutMs: LONG_MS, signal: reader.signal })
  })

  it('the identity of a log is none of its events', async () => {
    const head = await store.head()
    expect(await store.identity()).toMatch(/./)
    expect([await store.identity(), await store.head()]).toEqual([await store.identity(), head])
  })

  describe('closing', () => {
    let store: EventStore

    beforeEach(async () => {
      store = await engine.open({ now: () => time })
      return async () => store.close()
    })

    it('closing completes earlier appends and rejects later calls', async () => {
      const { signal } = new AbortController()
      const stream = someStream()
      const waiting = store.waitForEvents({ after: await store.head(), timeoutMs: LONG_MS, signal })
      const appends = [stream, someStream()].map((each) => store.append(each, NO_EVENTS, someEvents(2)))
      await Promise.all([store.close(), store.close()])
      expect(await Promise.all(appends)).toMatchObject([{ revision: 1 }, { revision: 1 }])
      await waiting
      const late = [
        store.append(stream, 1, someEvents(1)),
        store.readStream(stream, { fromRevision: 0, limit: 1 }),
        store.readAll({ after: '', limit: 1 }),
        store.head(),
        store.waitForEvents({ after: '', timeoutMs: LONG_MS, signal }),
        store.identity(),
      ]
      for (const { status, ...outcome } of await Promise.allSettled(late)) {
        expect([status, outcome]).toMatchObject(['rejected', { reason: expect.any(EventStoreAway) }])
      }
    })
  })

  const attempt = fc.record({
    stream: fc.nat({ max: 2 }),
    count: fc.integer({ min: 1, max: 3 }),
    offBy: fc.constantFrom(0, 0, 0, -1, 1),
    times: fc.constantFrom(1, 1, 2),
  })
  const rounds = fc.array(fc.array(attempt, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 })

  it('concurrent writers leave streams without gaps, with exactly the acknowledged events, in one log', async () => {
    await fc.assert(
      fc.asyncProperty(rounds, async (rounds) => {
        const after = await store.head()
        const streams = [someStream(), someStream(), someStream()]
        const answered = new Map<string, AppendResult>()
        const noted = (id: string, result: AppendResult): AppendResult | undefined =>
          answered.set(id, answered.get(id) ?? result).get(id)
        for (const round of rounds) {
          const lengths = await Promise.all(streams.map(async (stream) => (await wholeStream(store, stream)).length))
          const write = async (attempt: (typeof round)[number]): Promise<void> => {
            const [stream, events] = [streams[attempt.stream] ?? '', someEvents(attempt.count)]
            const expected = Math.max((lengths[attempt.stream] ?? 0) - 1 + attempt.offBy, NO_EVENTS)
            const appends = Array.from({ length: attempt.times }, () => store.append(stream, expected, events))
            for (const outcome of await Promise.allSettled(appends)) {
              if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(AppendConflict)
              else for (const { id } of events) expect(outcome.value).toEqual(noted(id, outcome.value))
            }
          }
          const before = answered.size
          await Promise.all(round.map(write))
          if (round.some(({ offBy }) => offBy === 0)) expect(answered.size).toBeGreaterThan(before)
        }
        const read = await Promise.all(streams.map((stream) => wholeStream(store, stream)))
        for (const events of read) expect(events.map(({ revision }) => revision)).toEqual([...events.keys()])
        const inOrder = read.flat().toSorted((a, b) => (a.position < b.position ? -1 : 1))
        expect(await everything(store, { after, limit: 4 })).toEqual(inOrder)
        expect(idsOf(inOrder).toSorted()).toEqual([...answered.keys()].toSorted())
        for (const event of inOrder) {
          const { revision, position } = answered.get(event.id) ?? { revision: -1, position: '' }
          expect(event.revision).toBeLessThanOrEqual(revision)
          expect(event.position <= position).toBe(true)
        }
      }),
      { numRuns: sizeOf({ fast: 15, deep: 60, night: 200 }) },
    )
  })
}

describeEach(embeddedEventStores, 'event store contract', eventStoreContract)
