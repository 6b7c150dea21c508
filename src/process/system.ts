import { randomBytes, randomInt, randomUUIDv7 } from 'node:crypto'
import type { Clock, Random } from '../ports/clock-and-random.ts'

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms) =>
    new Promise((resolve) => {
      setTimeout(resolve, ms)
    }),
}

/** The machine's own randomness, fit for keys. */
export const systemRandom: Random = {
  uuid: () => randomUUIDv7(),
  bytes: (count) => randomBytes(count),
  fraction: () => randomInt(2 ** 32) / 2 ** 32,
}
