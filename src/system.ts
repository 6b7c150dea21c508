import { randomFillSync, randomInt, randomUUIDv7 } from 'node:crypto'
import type { Clock, Random } from './shop/clock-and-random.ts'

/** The machine's own time. */
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
  bytes: (count) => randomFillSync(new Uint8Array(count)),
  fraction: () => randomInt(2 ** 32) / 2 ** 32,
}
