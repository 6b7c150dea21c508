import type { Position } from '../engines/event-store/event-store.ts'
import { orderIdsOfCustomer } from './orders.ts'
import { reservationsToEnd } from './reservations.ts'
import { ViewBehind, type Views } from './shop-views.ts'

const SEEN_TIMEOUT_MS = 5_000
/** Sorts after every time. */
const END_OF_TIME = '9999'

/** A customer's orders, and reservations without an order, in the views up to a position. Throws if they may be incomplete. */
export function knownOrders(views: Views) {
  /** A view that lags or has broken documents may be incomplete. */
  async function readComplete<Known>(name: string, upTo: Position, read: () => Promise<Known>): Promise<Known> {
    if (!(await views.waitFor(upTo, SEEN_TIMEOUT_MS))) throw new ViewBehind(name)
    const broken = await views.broken(name)
    if (broken.length > 0)
      throw new Error(`the view '${name}' could not read everything (${broken.length} documents are broken)`)
    return read()
  }

  return {
    async orderIdsOf(customerId: string, upTo: Position): Promise<readonly string[]> {
      return readComplete('orders', upTo, async () => orderIdsOfCustomer(views, customerId))
    },

    async unclaimedReservations(upTo: Position): Promise<readonly { orderId: string; claimAt: number }[]> {
      return readComplete('reservations', upTo, async () => {
        const open: { orderId: string; claimAt: number }[] = []
        for await (const { orderId, claimAt } of reservationsToEnd(views, END_OF_TIME)) open.push({ orderId, claimAt })
        return open
      })
    },
  }
}
