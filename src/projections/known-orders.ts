import type { Reservation } from '../domain/inventory/inventory.ts'
import { fateOf, noOrder } from '../domain/order/order-state.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import { orderIdsOfCustomer, orderIn, ORDERS } from './orders.ts'
import { ViewBehind, type Views } from './shop-views.ts'

const SEEN_TIMEOUT_MS = 5_000
const RESERVATIONS_AT_ONCE = 500

/** A customer's orders in the views up to a position, and the claims that they show. Throws if orders may be missing. */
export function knownOrders(views: Views) {
  return {
    async orderIdsOf(customerId: string, upTo: Position): Promise<readonly string[]> {
      if (!(await views.waitFor(upTo, SEEN_TIMEOUT_MS))) throw new ViewBehind(ORDERS)
      const broken = await views.broken(ORDERS)
      if (broken.length > 0)
        throw new Error(`the view '${ORDERS}' could not read everything (${broken.length} documents are broken)`)
      return orderIdsOfCustomer(views, customerId)
    },

    async unclaimed(reservations: readonly Reservation[]): Promise<readonly Reservation[]> {
      const unclaimed: Reservation[] = []
      for (let from = 0; from < reservations.length; from += RESERVATIONS_AT_ONCE) {
        const fates = await reservationFates(views, reservations.slice(from, from + RESERVATIONS_AT_ONCE))
        unclaimed.push(...fates.flatMap(({ reservation, fate }) => (fate === 'fence' ? [reservation] : [])))
      }
      return unclaimed
    },
  }
}

/** What is to become of each reservation, as far as its order's document shows, which may lag behind its stream. */
export async function reservationFates(
  views: Pick<Views, 'load'>,
  reservations: readonly Reservation[],
): Promise<{ reservation: Reservation; fate: ReturnType<typeof fateOf> }[]> {
  const documents = await views.load(
    ORDERS,
    reservations.map(({ orderId }) => orderId),
  )
  return reservations.map((reservation) => {
    const body = documents.get(reservation.orderId)?.body
    return { reservation, fate: fateOf(body === undefined ? noOrder : orderIn(body).order, reservation) }
  })
}
