import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import { followedLog } from './followed-log.ts'
import { positionOf } from './limits.ts'

interface Event {
  readonly position: string
}

/** What becomes of one subscription: after so many events it ends, in one of these ways; `goesBack` events are sent again at its begin. */
interface Cut {
  readonly events: number
  readonly ends: 'error' | 'end' | 'silence' | 'refused'
  readonly goesBack: number
}

const cuts = fc.array(
  fc.record({
    events: fc.nat({ max: 6 }),
    ends: fc.constantFrom('error', 'end', 'silence', 'refused'),
    goesBack: fc.nat({ max: 3 }),
  }),
  { maxLength: 6 },
) as fc.Arbitrary<Cut[]>

let stop: (() => Promise<void>) | undefined

afterEach(async () => stop?.())

/** A log of so many events whose subscriptions meet these ends, one after the other; the last one stays. */
function brokenLog(count: number, ends: readonly Cut[]) {
  const log = Array.from({ length: count }, (_, index): Event => ({ position: positionOf(index + 1) }))
  const left = [...ends]
  return {
    head: async () => positionOf(count),
    async subscribe(after: string) {
      const cut = left.shift()
      if (cut?.ends === 'refused') throw new Error('away')
      const over = Promise.withResolvers<never>()
      over.promise.catch(() => undefined)
      async function* events() {
        const from = Math.max(0, Number(after) - (cut?.goesBack ?? 0))
        const sent = log.slice(from, cut ? Number(after) + cut.events : undefined)
        yield* sent
        if (cut?.ends === 'error') throw new Error('cut')
        if (cut?.ends !== 'end') await over.promise
      }
      return { events: events(), end: (error = new Error('ended')) => over.reject(error) }
    },
  }
}

it('brings every event once and in order, wherever and however its subscriptions end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 20 }), fc.nat({ max: 3 }), cuts, async (count, begun, ends) => {
      const seen: string[] = []
      const after = positionOf(Math.min(begun, count))
      const all = Promise.withResolvers<void>()
      const log = brokenLog(count, ends)
      const onEvent = ({ position }: Event): void => {
        seen.push(position)
        if (position === positionOf(count)) all.resolve()
      }
      if (after === positionOf(count)) all.resolve()
      const followed = followedLog({ ...log, after, onEvent, quietMs: 1, againMs: 1 })
      await all.promise
      await followed.stop()
      const expected = Array.from({ length: count - Math.min(begun, count) }, (_, index) =>
        positionOf(Math.min(begun, count) + index + 1),
      )
      expect(seen).toEqual(expected)
    }),
    { numRuns: 200 },
  )
})

it('leaves a quiet subscription alone while the log has nothing more', async () => {
  let subscriptions = 0
  const log = brokenLog(3, [])
  const drops: number[] = []
  const all = Promise.withResolvers<void>()
  let looks = 0
  const followed = followedLog({
    subscribe: async (after) => {
      subscriptions += 1
      return log.subscribe(after)
    },
    head: async () => {
      looks += 1
      if (looks === 20) all.resolve()
      return log.head()
    },
    after: '',
    onEvent: () => undefined,
    onDrop: () => drops.push(1),
    quietMs: 1,
  })
  stop = () => followed.stop()
  await all.promise
  expect([subscriptions, drops]).toEqual([1, []])
})
