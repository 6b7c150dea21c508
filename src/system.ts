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

const PORTION_BYTES = 4_096
const portion = new Uint8Array(PORTION_BYTES)
let usedBytes = PORTION_BYTES

/** Asked for in portions: to ask for 32 bytes costs ten times more than to copy them. */
function randomBytes(count: number): Uint8Array {
  if (count > PORTION_BYTES) return randomFillSync(new Uint8Array(count))
  if (usedBytes + count > PORTION_BYTES) {
    randomFillSync(portion)
    usedBytes = 0
  }
  const bytes = portion.slice(usedBytes, usedBytes + count)
  // Returned bytes may be a key, so no copy stays here.
  portion.fill(0, usedBytes, usedBytes + count)
  usedBytes += count
  return bytes
}

/** The machine's own randomness, fit for keys. */
export const systemRandom: Random = {
  uuid: () => randomUUIDv7(),
  bytes: randomBytes,
  fraction: () => randomInt(2 ** 32) / 2 ** 32,
}
