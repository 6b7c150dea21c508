import type { LoadedShop } from './loaded-shop.ts'

const EVERY_MS = 1_000
/** The last quarter of a load against its second one; the first fills caches. */
const GROWTH_MAX = 1.15

/** Watches the memory of a shop from now on. */
export function memoryWatch({ megabytes }: Pick<LoadedShop, 'megabytes'>): {
  end(): { said: string; problems: string[] }
} {
  const samples: number[] = [megabytes()]
  const timer = setInterval(() => samples.push(megabytes()), EVERY_MS)
  return {
    end() {
      clearInterval(timer)
      const quarter = Math.ceil(samples.length / 4)
      const [before, after] = [mean(samples.slice(quarter, 2 * quarter)), mean(samples.slice(-quarter))]
      const said = `${before.toFixed(0)} MB in the second quarter, ${after.toFixed(0)} MB in the last, ${Math.max(...samples).toFixed(0)} MB at most`
      return { said, problems: after > before * GROWTH_MAX ? [`the memory is not flat: ${said}`] : [] }
    },
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
