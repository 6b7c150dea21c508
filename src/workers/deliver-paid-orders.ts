import { type DeliveryCall, deliverOrder } from '../commands/deliver-order.ts'
import type { Shop } from '../shop/shop.ts'
import type { OpenWork } from './open-work.ts'
import { CANDIDATES_MAX, jobFor, type Policy, textOf } from './policy.ts'

export function deliverPaidOrders(shop: Shop, work: OpenWork, call: DeliveryCall | undefined): Policy {
  const name = 'deliver-paid-orders'
  return {
    name,
    concurrency: 4,
    timeoutMs: 60_000,
    async due() {
      const orderIds = await work.ordersToCallFor(CANDIDATES_MAX)
      return orderIds.map((orderId) => jobFor(name, { orderId }, orderId))
    },
    async run(job, caller) {
      await deliverOrder(shop, caller, { orderId: textOf(job, 'orderId'), call })
    },
  }
}
