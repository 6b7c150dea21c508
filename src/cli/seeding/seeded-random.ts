import type { Clock, Random } from '../../ports/clock-and-random.ts'
import { systemRandom } from '../../process/system.ts'

/** From 0 to below 1: the same numbers for the same seed (mulberry32). */
export function seededFractions(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Ids begin with the story's time and are the same for the same seed; keys are not, since a seeded shop is a shop. */
export function seededRandom(seed: number, { now }: Pick<Clock, 'now'>): Random {
  const fraction = seededFractions(seed)
  const hex = (digits: number): string =>
    Math.floor(fraction() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0')
  return {
    fraction,
    bytes: (count) => systemRandom.bytes(count),
    uuid() {
      const time = now().toString(16).padStart(12, '0')
      const variant = (8 + Math.floor(fraction() * 4)).toString(16)
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant}${hex(3)}-${hex(6)}${hex(6)}`
    },
  }
}
