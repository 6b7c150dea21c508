import pLimit from 'p-limit'
import { ShopBusy } from '../../shop/shop-busy.ts'

/**
 * Runs at most `atOnce` tasks at a time, the others in the order in which they came. A task whose turn comes after `waitMs` is not run, and
 * throws `ShopBusy`.
 */
export function inTurn({ atOnce, waitMs }: { atOnce: number; waitMs: number }) {
  const limit = pLimit(atOnce)
  return async function run<T>(task: () => Promise<T>): Promise<T> {
    const arrivedAt = performance.now()
    return limit(async () => {
      if (performance.now() - arrivedAt > waitMs) throw new ShopBusy('too many ask at once')
      return task()
    })
  }
}
