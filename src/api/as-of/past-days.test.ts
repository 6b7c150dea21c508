import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { memoryViewStore } from '../../view-store/testing/memory-view-store.ts'
import { pastDays } from './past-days.ts'

const MINUTE_MS = 60_000
const DAY = '2026-01-01'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function opened() {
  const views = {
    store: memoryViewStore(),
    collection: async () => Promise.reject(new Error('no view is read')),
    isStanding: async () => true,
    waitFor: async () => true,
  }
  let closed = 0
  const days = pastDays({
    async foldPast() {
      const { promise: ended, resolve } = Promise.withResolvers<undefined>()
      return {
        views,
        reached: { events: 1, position: '1', recordedAt: 0 },
        openM: 0,
        revenue: async () => ({ byDay: [], byMethod: [] }),
        ended,
        async close() {
          closed += 1
          resolve(undefined)
        },
      }
    },
    timeZone: 'Asia/Kolkata',
    now: () => Date.parse('2026-02-01T00:00:00.000Z'),
    beganAt: async () => 0,
    customersNamed: async () => [],
    onFailed: () => undefined,
  })
  /** Answers how to leave. */
  const come = async (): Promise<() => void> => {
    const controller = new AbortController()
    await (
      await days.hold(DAY, controller.signal)
    ).folded
    return () => controller.abort()
  }
  const isDroppedAfter = async (ms: number): Promise<boolean> => {
    await vi.advanceTimersByTimeAsync(ms)
    return closed > 0
  }
  return { come, isDroppedAfter }
}

describe('a past day', () => {
  it('is kept for a minute after its last reader has left', async () => {
    const { come, isDroppedAfter } = opened()
    const leave = await come()
    leave()
    expect(await isDroppedAfter(MINUTE_MS - 1)).toBe(false)
    const leaveAgain = await come()
    expect(await isDroppedAfter(MINUTE_MS)).toBe(false)
    leaveAgain()
    expect(await isDroppedAfter(MINUTE_MS - 1)).toBe(false)
    expect(await isDroppedAfter(1)).toBe(true)
  })

  it('is kept for 30 minutes after the last read while a page shows it', async () => {
    const { come, isDroppedAfter } = opened()
    await come()
    expect(await isDroppedAfter(20 * MINUTE_MS)).toBe(false)
    const read = await come()
    read()
    expect(await isDroppedAfter(30 * MINUTE_MS - 1)).toBe(false)
    expect(await isDroppedAfter(1)).toBe(true)
  })
})
