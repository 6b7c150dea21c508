import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type FoldPast, OutOfMemory } from '../../projections/past-views.ts'
import type { Views } from '../../projections/shop-views.ts'
import { engineErrors } from '../../engines/testing/interposed.ts'
import { pastDays } from './past-days.ts'

const MINUTE_MS = 60_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function opened(gate: () => Promise<void> = async () => undefined, now = '2026-02-01T00:00:00.000Z') {
  let closed = 0
  const folds: string[] = []
  const foldPast: FoldPast = async ({ beforeMs, signal }) => {
    folds.push(new Date(beforeMs).toISOString())
    await Promise.race([
      gate(),
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    ])
    return {
      views: {} as Views,
      reached: { events: 1, position: '1', recordedAt: 0 },
      openM: 0,
      async close() {
        closed += 1
      },
    }
  }
  const days = pastDays({
    foldPast,
    timeZone: 'Asia/Kolkata',
    now: () => Date.parse(now),
    beganAt: async () => Date.parse('2025-12-31T20:00:00.000Z'),
    onFailed: () => undefined,
  })
  /** Reads until the fold has finished. */
  const read = async (day: string) => {
    let found = await days.look(day)
    for (; 'part' in found; found = await days.look(day)) await vi.advanceTimersByTimeAsync(0)
    return found
  }
  return { days, read, folds, closed: () => closed }
}

it('a past day is folded once and dropped ten minutes after the last read', async () => {
  const { days, read, folds, closed } = opened()
  await read('2026-01-01')
  await vi.advanceTimersByTimeAsync(9 * MINUTE_MS)
  await days.look('2026-01-01')
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS - 1)
  expect([folds.length, closed()]).toEqual([1, 0])
  await vi.advanceTimersByTimeAsync(1)
  expect(closed()).toBe(1)
  await read('2026-01-01')
  expect(folds).toHaveLength(2)
  await days.close()
  expect(closed()).toBe(2)
  await expect(read('2026-01-01')).rejects.toMatchObject({ code: 'as-of/ended' })
})

it('a past day replaces another one, unless someone still waits for the fold of that one', async () => {
  const { promise, resolve: open } = Promise.withResolvers<void>()
  let gate = promise
  const { days, read, folds, closed } = opened(async () => gate)
  expect(await days.look('2026-01-01')).toMatchObject({ events: 0, part: 0 })
  await expect(days.look('2026-01-02')).rejects.toMatchObject({ code: 'as-of/too-many-days' })
  vi.advanceTimersByTime(4_000)
  await days.look('2026-01-01')
  vi.advanceTimersByTime(4_000)
  await expect(read('2026-01-02')).rejects.toMatchObject({ code: 'as-of/too-many-days' })
  open()
  await read('2026-01-01')
  gate = new Promise(() => undefined)
  await days.look('2026-01-02')
  await vi.advanceTimersByTimeAsync(5_000)
  expect([folds.length, closed()]).toEqual([2, 1])
  await days.look('2026-01-03')
  expect(folds).toEqual(['2026-01-01', '2026-01-02', '2026-01-03'].map((day) => `${day}T18:30:00.000Z`))
})

it.for([
  ['2026-02-01', '2026-02-01 is not over yet in Asia/Kolkata. Choose an earlier day.'],
  ['2031-01-01', '2031-01-01 is not over yet in Asia/Kolkata. Choose an earlier day.'],
  ['2025-12-31', "The shop's log has nothing before the end of 2025-12-31. It begins on 2026-01-01."],
  ['2026-02-30', 'There is no such day.'],
] as const)('%s is no past day', async ([day, message]) => {
  const { read, folds } = opened()
  await expect(read(day)).rejects.toMatchObject({ code: 'request/invalid', message })
  expect(folds).toEqual([])
})

it.for([
  ['2026-01-01T18:30:00.000Z', 10],
  ['2026-01-01T18:30:09.999Z', 1],
] as const)('a past day waits at %s for a writer with a slow clock', async ([now, retryAfterS]) => {
  const message = `2026-01-01 has just ended in Asia/Kolkata, and its last events may still be written: try again in ${retryAfterS} s.`
  const { read } = opened(undefined, now)
  await expect(read('2026-01-01')).rejects.toMatchObject({ code: 'as-of/just-over', message, retryAfterS })
  expect(await opened(undefined, '2026-01-01T18:30:10.000Z').read('2026-01-01')).toHaveProperty('endsAt')
})

it('a past day that cannot be shown says why and is folded again on the next read', async () => {
  let error: Error | undefined = new OutOfMemory('the thread needs more')
  const { read, folds } = opened(async () => (error ? Promise.reject(error) : undefined))
  await expect(read('2026-01-01')).rejects.toBe(error)
  error = new Error('disk full')
  await expect(read('2026-01-01')).rejects.toMatchObject({ code: 'as-of/failed' })
  error = engineErrors.logAway
  await expect(read('2026-01-01')).rejects.toBe(error)
  error = undefined
  await read('2026-01-01')
  expect(folds).toHaveLength(4)
})
