import type { Position } from '../event-store/event-store.ts'
import { orderIdsOfCustomer } from './orders.ts'
import { reservationsToEnd } from './reservations.ts'
import { ViewBehind, type Views } from './views.ts'

const SEEN_TIMEOUT_MS = 5_000
/** Sorts after every time. */
const END_OF_TIME = '9999'

/** A person's orders up to a position of the log, from the views: all of them, or an error. */
export function knownOrders(views: Views) {
  /** A view that lags, has broken documents, or was wiped meanwhile must not count as complete. */
  async function allThat<Known>(name: string, upTo: Position, read: () => Promise<Known>): Promise<Known> {
    if (!(await views.waitFor(upTo, SEEN_TIMEOUT_MS, [name]))) throw new ViewBehind(name)
    const collection = await views.collection(name)
    const broken = await views.store.countBroken(collection)
    if (broken > 0) throw new Error(`the view '${name}' could not read everything (${broken} documents are broken)`)
    const known = await read()
    if (!(await views.isStanding(collection))) throw new ViewBehind(name)
    return known
  }

  return {
    async orderIdsOf(customerId: string, upTo: Position): Promise<readonly string[]> {
      return allThat('orders', upTo, async () => orderIdsOfCustomer(views, customerId))
    },

    async unclaimedReservations(upTo: Position): Promise<readonly { orderId: string; claimAt: number }[]> {
      return allThat('reservations', upTo, async () => {
        const open: { orderId: string; claimAt: number }[] = []
        for await (const { orderId, claimAt } of reservationsToEnd(views, END_OF_TIME)) open.push({ orderId, claimAt })
        return open
      })
    },
  }
}
