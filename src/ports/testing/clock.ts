import { seededFractions } from '../seeded-fractions.ts'
import type { Clock, Random } from '../clock-and-random.ts'

/** A manual clock; sleepers on it wake when it is moved past their time. */
export interface TestClock extends Clock {
  advance(ms: number): Promise<void>
}

export function testClock(startMs = Date.parse('2026-01-01T00:00:00Z')): TestClock {
  let now = startMs
  const sleepers = new Set<{ until: number; wake: () => void }>()
  return {
    now: () => now,
    sleep: async (ms) =>
      new Promise((resolve) => {
        const sleeper = { until: now + ms, wake: resolve }
        sleepers.add(sleeper)
      }),
    async advance(ms) {
      now += ms
      for (const sleeper of sleepers) {
        if (sleeper.until > now) continue
        sleepers.delete(sleeper)
        sleeper.wake()
      }
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
    },
  }
}

/** The same numbers for the same seed. */
export function seededRandom(seed: number): Random {
  const fraction = seededFractions(seed)
  const bytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => Math.floor(fraction() * 256))
  return {
    fraction,
    bytes,
    uuid() {
      const hex = Buffer.from(bytes(16)).toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
    },
  }
}
