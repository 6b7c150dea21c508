import { expireOrder } from '../commands/order-verbs.ts'
import type { Shop } from '../shop/shop.ts'
import { LIFETIMES_MAX } from '../domain/order/deadline.ts'
import { plusMinutes } from '../domain/plus-minutes.ts'
import type { OpenWork } from './open-work.ts'
import { CANDIDATES_MAX, jobFor, type Policy, textOf } from './policy.ts'

export function expireUnpaidOrders(shop: Shop, work: OpenWork): Policy {
  const name = 'expire-unpaid-orders'
  return {
    name,
    concurrency: 8,
    timeoutMs: 30_000,
    async due(nowMs) {
      const now = new Date(nowMs).toISOString()
      const endsAfter = plusMinutes(now, LIFETIMES_MAX * shop.policy.orderTtlMinutes)
      const over = await work.ordersToExpire(now, CANDIDATES_MAX)
      const ahead = await work.ordersPlacedAhead({ now, endsAfter, limit: CANDIDATES_MAX })
      return [...over, ...ahead].map((orderId) => jobFor(name, { orderId }, orderId))
    },
    async run(job, caller) {
      await expireOrder(shop, caller, { orderId: textOf(job, 'orderId') })
    },
  }
}
