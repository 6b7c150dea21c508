import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Limit, memoryLimiter, type Taken } from './limit.ts'

const MAX = 3
const WINDOW_S = 60
const networks = [
  ['a1', 'a', 'wide'],
  ['a2', 'a', 'wide'],
  ['b1', 'b', 'wide'],
] as const
const maxOf = { a1: MAX, a2: MAX, b1: MAX, a: 4 * MAX, b: 4 * MAX, wide: 16 * MAX }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const act = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ take: fc.nat(networks.length - 1), points: fc.integer({ min: 1, max: MAX + 1 }) }),
  },
  { weight: 4, arbitrary: fc.record({ giveBack: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.constant('the window ends' as const) },
)

it('a limit counts permits taken in its window and not returned, but no rejected ones', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 60, size: 'max' }), async (acts) => {
      const limit = new Limit(memoryLimiter, { name: 'test', max: MAX, windowS: WINDOW_S })
      const places: { taken: Taken; keys: readonly (keyof typeof maxOf)[]; points: number; isHeld: boolean }[] = []
      const heldBy = (key: string) =>
        places
          .filter(({ isHeld, keys }) => isHeld && keys.some((one) => one === key))
          .reduce((sum, { points }) => sum + points, 0)
      for (const one of acts) {
        if (one === 'the window ends') {
          await vi.advanceTimersByTimeAsync(WINDOW_S * 1_000)
          for (const place of places) place.isHeld = false
        } else if ('giveBack' in one) {
          const index = one.giveBack % Math.max(1, places.length)
          const place = places[index]
          if (!place) continue
          await place.taken.giveBack()
          // Callers give back once.
          places.splice(index, 1)
        } else {
          const keys = networks[one.take] ?? networks[0]
          const before = keys.map(heldBy)
          const taken = await limit.take(keys, one.points)
          const fits = keys.every((key, tier) => (before[tier] ?? 0) + one.points <= maxOf[key])
          if (typeof taken === 'number') expect(fits).toBe(false)
          else {
            expect({ fits, before: taken.before }).toEqual({ fits: true, before })
            places.push({ taken, keys, points: one.points, isHeld: true })
          }
        }
      }
    }),
  )
})

it('a full limit says how long to wait, and starts again afterwards', async () => {
  const limit = new Limit(memoryLimiter, { name: 'test', max: 1, windowS: WINDOW_S })
  await limit.consume(['here'])
  await vi.advanceTimersByTimeAsync(20_000)
  await expect(limit.consume(['here'])).rejects.toMatchObject({ code: 'request/too-many', retryAfterS: 40 })
  expect(await limit.secondsFull(['here'])).toBe(40)
  await vi.advanceTimersByTimeAsync(40_000)
  await limit.consume(['here'])
})
