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

const POOL_BYTES = 4_096
let pool = Buffer.alloc(0)

/** From a pool: asking the system takes 2 us a call, and an order makes three calls. */
function randomFromPool(count: number): Uint8Array {
  if (count > POOL_BYTES) return randomBytes(count)
  if (count > pool.length) pool = randomBytes(POOL_BYTES)
  const bytes = new Uint8Array(pool.subarray(0, count))
  // They may become a key.
  pool.fill(0, 0, count)
  pool = pool.subarray(count)
  return bytes
}

/** The machine's own randomness, fit for keys. */
export const systemRandom: Random = {
  uuid: () => randomUUIDv7(),
  bytes: randomFromPool,
  fraction: () => randomInt(2 ** 32) / 2 ** 32,
}
