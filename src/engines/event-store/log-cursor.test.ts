import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { inTime } from '../../ports/in-time.ts'
import { type Position, START } from './event-store.ts'
import { positionOf } from './limits.ts'
import { type Delivered, type Listener, logCursor, type LogCursor, type Subscription } from './log-cursor.ts'
import { someEvent } from './testing/some-events.ts'

const STALLED_MS = 20
const STREAMS = 3

/** Appends of one to three events, to a few streams. */
function logOf(sizes: readonly number[]): Delivered[] {
  const revisions = new Map<string, number>()
  const log: Delivered[] = []
  for (const [index, size] of sizes.entries())
    for (let left = size; left > 0; left -= 1) {
      const stream = `order-${index % STREAMS}`
      const revision = revisions.get(stream) ?? 0
      revisions.set(stream, revision + 1)
      const event = someEvent()
      const place = { stream, revision, position: positionOf(log.length + 1), id: event.id, recordedAt: 0 }
      log.push({ ...place, isPart: left > 1, event: { ...event, ...place } })
    }
  return log
}

type Fault = { readonly what: 'skips' | 'doubles' | 'stalls' | 'ends' | 'is refused'; readonly at: number }

/** Each subscription has the next fault. */
function cursorWith(log: readonly Delivered[], faults: readonly Fault[], start: Position = START) {
  const [left, arrived] = [[...faults], [] as Position[]]

  async function subscribe(after: Position, listener: Listener): Promise<Subscription> {
    const fault = left.shift()
    if (fault?.what === 'is refused') throw new Error('away')
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const now = { isOver: false, isPaused: false }
    void ended.then(() => (now.isOver = true))
    void deliver()
    return { ended, end, pause: () => (now.isPaused = true), resume: () => (now.isPaused = false) }

    async function deliver(): Promise<void> {
      const first = log.findIndex(({ position }) => position > after)
      for (const [index, delivered] of first < 0 ? [] : log.slice(first).entries()) {
        do await turn()
        while (now.isPaused && !now.isOver)
        if (now.isOver) return
        if (index !== fault?.at) listener.onEvent(delivered)
        else if (fault.what === 'ends') return end()
        else if (fault.what === 'stalls') return
        else if (fault.what === 'doubles')
          for (const again of [...log.slice(0, first + index + 1), delivered]) listener.onEvent(again)
      }
      await turn()
      if (!now.isOver) listener.onCaughtUp()
    }
  }

  const cursor = logCursor({
    start,
    subscribe,
    onArrived: ({ position }) => arrived.push(position),
    onForeign: () => undefined,
    onPassed: () => undefined,
    onDrop: () => undefined,
  })
  onTestFinished(() => cursor.stop())
  return { cursor, arrived }
}

/** As the engine does: what delivers nothing for a while begins anew. */
async function readTo(
  cursor: LogCursor,
  { end, limit, after = START }: { end: Position; limit: number; after?: Position },
): Promise<Delivered[]> {
  const read: Delivered[] = []
  for (let reached = after; reached < end;) {
    const change = cursor.change()
    const page = cursor.read({ after: reached, limit })
    read.push(...page)
    reached = page.at(-1)?.position ?? reached
    if (page.length === 0 && !(await inTime(change, STALLED_MS, false))) cursor.beginAnew()
  }
  return read
}

const placeOf = ({ position }: Delivered) => position

const fault = fc.record({
  what: fc.constantFrom('skips', 'doubles', 'stalls', 'ends', 'is refused'),
  at: fc.nat({ max: 12 }),
}) as fc.Arbitrary<Fault>

it('every event is read once and in order from subscriptions that double, stall, end or are refused', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 12 })
  const faults = fc.array(
    fault.filter(({ what }) => what !== 'skips'),
    { maxLength: 4 },
  )
  await fc.assert(
    fc.asyncProperty(sizes, faults, fc.integer({ min: 1, max: 5 }), async (each, wrong, limit) => {
      const log = logOf(each)
      const { cursor } = cursorWith(log, wrong)
      const read = await readTo(cursor, { end: log.at(-1)?.position ?? START, limit })
      expect(read.map(placeOf)).toEqual(log.map(placeOf))
      cursor.stop()
    }),
    { numRuns: 40 },
  )
})

it('an event that a subscription skips is read when the next event of its stream shows the gap', async () => {
  const log = logOf([1, 3, 2])
  const same = log.map((delivered, revision) => ({ ...delivered, stream: 'order-0', revision }))
  const { cursor } = cursorWith(same, [{ what: 'skips', at: 2 }])
  const read = await readTo(cursor, { end: same.at(-1)?.position ?? START, limit: 10 })
  expect(read.map(placeOf)).toEqual(same.map(placeOf))
})

it('an event that is missing in the log itself is reported once, and the events after it are read', async () => {
  const log = logOf([1, 1, 1, 1, 1, 1, 1])
  const cut = log.filter((_, index) => index !== 3)
  const { cursor } = cursorWith(cut, [])
  const read = await readTo(cursor, { end: log.at(-1)?.position ?? START, limit: 10 })
  expect(read.map(placeOf)).toEqual(cut.map(placeOf))
  const damaged = read.flatMap(({ event }) => (event instanceof Error ? [event] : []))
  expect(damaged.map(String)).toEqual([expect.stringMatching(/event 1 of order-0 is not there/)])
})

it('appends arrive whole, and what nobody reads is not received', async () => {
  const log = logOf(Array.from({ length: 100 }, () => 3))
  const { cursor, arrived } = cursorWith(log, [])
  cursor.read({ after: START, limit: 6 })
  await inTime(new Promise(() => undefined), 200, undefined)
  expect(arrived).toEqual(
    log
      .filter(({ isPart }) => !isPart)
      .map(placeOf)
      .slice(0, 4),
  )
  expect(cursor.isAtEnd(START)).toBe(false)
})

it('a second reader near the first shares its subscription, one far from it does not', async () => {
  const log = logOf(Array.from({ length: 2_500 }, () => 1))
  const { cursor } = cursorWith(log, [])
  const end = log.at(-1)?.position ?? START
  await readTo(cursor, { end, limit: 500 })
  const after = positionOf(2_000)
  expect(cursor.covers(after)).toBe(true)
  expect(await readTo(cursor, { end, limit: 100, after })).toHaveLength(500)
  expect(cursor.covers(START)).toBe(false)
})
