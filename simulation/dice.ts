import { seededRandom } from '../src/ports/testing/clock.ts'

/** The randomness of one part of a simulation. */
export interface Dice {
  /** At least 0, less than 1. */
  fraction(): number
  below(count: number): number
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item | undefined
}

export function diceFor(seed: number): Dice {
  const random = seededRandom(seed)
  const fraction = (): number => random.fraction()
  const below = (count: number): number => Math.floor(fraction() * count)
  return {
    fraction,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (probability) => probability > 0 && fraction() < probability,
    pick: (items) => items[below(items.length)],
  }
}

/** A seed for each part, so that disabling one part does not change what the others draw. */
export function seedOf(seed: number, part: string): number {
  let hash = 2_166_136_261 ^ seed
  for (let index = 0; index < part.length; index += 1) hash = Math.imul(hash ^ part.charCodeAt(index), 16_777_619)
  hash ^= seed >>> 16
  return Math.imul(hash ^ (hash >>> 15), 2_246_822_507) >>> 0
}
