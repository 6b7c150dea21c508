import pLimit from 'p-limit'
import { TryAgain } from '../../ports/try-again.ts'
import { ShopBusy } from '../../shop/shop-busy.ts'

const PLACED_AT_ONCE = 64
const PLACED_LATER_MAX = 1_000
/** A failure that took longer is shared with the orders that wait: each of them would take as long. */
const SHARED_FAILURE_MS = 1_000

/**
 * Runs the placing of orders, a limited number at once: in a rush, orders that wait here may find no stock left, and are refused before their buyers' data
 * is stored. Of calls with one key the first runs alone: a parallel repeat would take a place among the unpaid orders. Orders that wait while an engine
 * is away fail with those that have found it away.
 */
export function placingQueue() {
  const limit = pLimit(PLACED_AT_ONCE)
  const first = new Map<string, Promise<unknown>>()
  let failed = { at: -Infinity, error: undefined as unknown }

  async function inTurn<Result>(place: () => Promise<Result>): Promise<Result> {
    const askedAt = performance.now()
    return limit(async () => {
      if (failed.at > askedAt) throw failed.error
      const beganAt = performance.now()
      try {
        return await place()
      } catch (error) {
        const at = performance.now()
        if (isAway(error) && at - beganAt > SHARED_FAILURE_MS) failed = { at, error }
        throw error
      }
    })
  }

  return async <Result>(key: string | undefined, place: () => Promise<Result>): Promise<Result> => {
    if (limit.pendingCount >= PLACED_LATER_MAX) throw new ShopBusy('too many orders are being placed')
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

function isAway(error: unknown): boolean {
  return error instanceof TryAgain && (error.code === 'event-store-away' || error.code === 'vault-away')
}
