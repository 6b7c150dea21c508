import { reservePreOrder } from '../commands/reserve-pre-order.ts'
import type { Shop } from '../commands/shop.ts'
import { callerFor } from '../commands/shop.ts'
import { EventStoreDamaged } from '../event-store/event-store.ts'
import type { OpenWork } from './open-work.ts'
import { CANDIDATES_MAX, jobFor, type Policy } from './policy.ts'

/** Stock that came in goes to paid pre-orders, in the order of payment: nobody is passed over for a smaller one. */
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
      let damage: EventStoreDamaged | undefined
      for (const orderId of await work.preOrdersToReserve(CANDIDATES_MAX))
        try {
          const isServed = await reservePreOrder(shop, callerFor(caller, orderId), { orderId })
          if (!isServed) break
        } catch (error) {
          // An order that cannot be read is not served before it is mended; whoever is behind it does not wait for that.
          if (!(error instanceof EventStoreDamaged)) throw error
          damage ??= error
        }
      if (damage) throw damage
    },
  }
}
