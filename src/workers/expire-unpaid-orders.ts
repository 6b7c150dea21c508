import { expireOrder } from '../commands/expire-order.ts'
import type { Shop } from '../commands/shop.ts'
import type { OpenWork } from './open-work.ts'
import { CANDIDATES_MAX, jobFor, type Policy, textOf } from './policy.ts'

export function expireUnpaidOrders(shop: Shop, work: OpenWork): Policy {
  const name = 'expire-unpaid-orders'
  return {
    name,
    concurrency: 8,
    timeoutMs: 30_000,
    async due(nowMs) {
      const orderIds = await work.ordersToExpire(new Date(nowMs).toISOString(), CANDIDATES_MAX)
      return orderIds.map((orderId) => jobFor(name, { orderId }, orderId))
    },
    async run(job, caller) {
      await expireOrder(shop, caller, { orderId: textOf(job, 'orderId') })
    },
  }
}
