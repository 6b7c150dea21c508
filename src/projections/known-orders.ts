import type { Position } from '../event-store/event-store.ts'
import { orderIdsOfCustomer } from './orders.ts'
import { reservationsToEnd } from './reservations.ts'
import { ViewBehind, type Views } from './views.ts'

const SEEN_TIMEOUT_MS = 5_000
/** Behind every moment. */
const WHENEVER = '9999'

/** What the views know of a person's orders up to a position of the log: all of it, or an error. */
export function knownOrders(views: Views) {
  /** A view that lags, or has left out what it could not read, must not pass for one that knows everything. */
  async function assertKnows(name: string, upTo: Position): Promise<void> {
    if (!(await views.waitFor(upTo, SEEN_TIMEOUT_MS, [name]))) throw new ViewBehind(name)
    const broken = await views.store.countBroken(await views.collection(name))
    if (broken > 0) throw new Error(`the view '${name}' could not read everything (${broken} documents are broken)`)
  }

  return {
    async orderIdsOf(customerId: string, upTo: Position): Promise<readonly string[]> {
      await assertKnows('orders', upTo)
      return orderIdsOfCustomer(views, customerId)
    },

    async unclaimedReservations(upTo: Position): Promise<readonly { orderId: string; claimAt: number }[]> {
      await assertKnows('reservations', upTo)
      const open: { orderId: string; claimAt: number }[] = []
      for await (const { orderId, claimAt } of reservationsToEnd(views, WHENEVER)) open.push({ orderId, claimAt })
      return open
    },
  }
}
