import pLimit from 'p-limit'
import { ShopBusy } from '../../shop/shop-busy.ts'

const PLACED_AT_ONCE = 64
const PLACED_LATER_MAX = 1_000

/**
 * Runs the placing of orders, a limited number at once: in a rush, orders that wait here may find no stock left, and are refused before their buyers' data
 * is stored. Of calls with one key the first runs alone: a parallel repeat would take a place among the unpaid orders.
 */
export function placingQueue() {
  const inTurn = pLimit(PLACED_AT_ONCE)
  const first = new Map<string, Promise<unknown>>()
  return async <Result>(key: string | undefined, place: () => Promise<Result>): Promise<Result> => {
    if (inTurn.pendingCount >= PLACED_LATER_MAX) throw new ShopBusy('too many orders are being placed')
    if (key === undefined) return inTurn(place)
    const before = first.get(key)
    if (before) {
      await before.catch(() => undefined)
      return inTurn(place)
    }
    const result = inTurn(place)
    first.set(key, result)
    return result.finally(() => first.delete(key))
  }
}
