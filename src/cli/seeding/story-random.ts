import type { Clock, Random } from '../../ports/clock-and-random.ts'
import { seededFractions } from '../../ports/seeded-fractions.ts'
import { systemRandom } from '../../process/system.ts'

/** Ids begin with the story's time and repeat for the same seed. Keys do not, since a seeded shop is a real shop. */
export function storyRandom(seed: number, { now }: Pick<Clock, 'now'>): Random {
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
