import { reservePreOrders } from '../commands/claim-coins.ts'
import type { Shop } from '../shop/shop.ts'
import type { OpenWork } from './open-work.ts'
import { CANDIDATES_MAX, jobFor, type Policy } from './policy.ts'

/** New stock goes to paid pre-orders in the order of payment: a smaller one never overtakes a larger one. */
export function reservePaidPreOrders(shop: Shop, work: OpenWork): Policy {
  const name = 'reserve-paid-pre-orders'
  return {
    name,
    concurrency: 1,
    timeoutMs: 60_000,
    async due() {
      const waiting = await work.preOrdersToReserve(1)
      return waiting.length > 0 && shop.hot.inventory.state.freeM > 0 ? [jobFor(name, {})] : []
    },
    async run(_job, caller) {
      await reservePreOrders(shop, caller, await work.preOrdersToReserve(CANDIDATES_MAX))
    },
  }
}
