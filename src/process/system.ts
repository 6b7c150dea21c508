import { randomFillSync, randomInt, randomUUIDv7 } from 'node:crypto'
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
const pool = new Uint8Array(POOL_BYTES)
let taken = POOL_BYTES

/** From a pool: getting 32 bytes from the system takes ten times as long as copying them. */
function randomBytes(count: number): Uint8Array {
  if (count > POOL_BYTES) return randomFillSync(new Uint8Array(count))
  if (taken + count > POOL_BYTES) {
    randomFillSync(pool)
    taken = 0
  }
  const bytes = pool.slice(taken, taken + count)
  // The bytes may become a key, so no copy stays in the pool.
  pool.fill(0, taken, taken + count)
  taken += count
  return bytes
}

/** The machine's own randomness, fit for keys. */
export const systemRandom: Random = {
  uuid: () => randomUUIDv7(),
  bytes: randomBytes,
  fraction: () => randomInt(2 ** 32) / 2 ** 32,
}
