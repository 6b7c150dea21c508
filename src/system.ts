import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Clock, Random } from './commands/shop.ts'

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
  uuid: () => randomUUID(),
  bytes: (count) => randomBytes(count),
  fraction: () => randomInt(2 ** 32) / 2 ** 32,
}
