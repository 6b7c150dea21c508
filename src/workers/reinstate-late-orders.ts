import { reinstateOrder } from '../commands/claim-coins.ts'
import type { Shop } from '../shop/shop.ts'
import type { OpenWork } from './open-work.ts'
import { CANDIDATES_MAX, jobFor, type Policy, textOf } from './policy.ts'

/** A payment after the order's end reinstates the order, if there is stock. */
export function reinstateLateOrders(shop: Shop, work: OpenWork): Policy {
  const name = 'reinstate-late-orders'
  return {
    name,
    concurrency: 2,
    timeoutMs: 30_000,
    async due() {
      const orderIds = await work.ordersToReinstate(CANDIDATES_MAX)
      return orderIds.map((orderId) => jobFor(name, { orderId }, orderId))
    },
    async run(job, caller) {
      await reinstateOrder(shop, caller, { orderId: textOf(job, 'orderId') })
    },
  }
}
