import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FoldPast } from '../../projections/past-views.ts'
import type { Views } from '../../projections/views.ts'
import { pastDays } from './past-days.ts'

const MINUTE_MS = 60_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function opened(gate: () => Promise<void> = async () => undefined) {
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
    timeZone: 'UTC',
    now: () => Date.parse('2026-02-01T00:00:00.000Z'),
    beganAt: async () => 0,
    onFailed: () => undefined,
  })
  return { days, folds, closed: () => closed }
}

describe('a past day', () => {
  it('is folded once, and dropped ten minutes after the last read', async () => {
    const { days, folds, closed } = opened()
    await days.read('2026-01-01')
    await vi.advanceTimersByTimeAsync(9 * MINUTE_MS)
    await days.look('2026-01-01')
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS - 1)
    expect([folds.length, closed()]).toEqual([1, 0])
    await vi.advanceTimersByTimeAsync(1)
    expect(closed()).toBe(1)
    await days.read('2026-01-01')
    expect(folds).toHaveLength(2)
    await days.close()
    expect(closed()).toBe(2)
    await expect(days.read('2026-01-01')).rejects.toMatchObject({ code: 'as-of/ended' })
  })

  it('takes the place of another one, but of one that is folded for somebody who asks how far it is', async () => {
    const { promise, resolve: open } = Promise.withResolvers<void>()
    let gate = promise
    const { days, folds, closed } = opened(async () => gate)
    expect(await days.look('2026-01-01')).toMatchObject({ events: 0, part: 0 })
    await expect(days.look('2026-01-02')).rejects.toMatchObject({ code: 'as-of/too-many-days' })
    vi.advanceTimersByTime(4_000)
    await days.look('2026-01-01')
    vi.advanceTimersByTime(4_000)
    await expect(days.read('2026-01-02')).rejects.toMatchObject({ code: 'as-of/too-many-days' })
    open()
    await days.read('2026-01-01')
    gate = new Promise(() => undefined)
    await days.look('2026-01-02')
    await vi.advanceTimersByTimeAsync(5_000)
    expect([folds.length, closed()]).toEqual([2, 1])
    await days.look('2026-01-03')
    expect(folds).toEqual(['2026-01-02', '2026-01-03', '2026-01-04'].map((day) => `${day}T00:00:00.000Z`))
  })
})
