import type { OrderEvent } from '../domain/order/events.ts'
import { outdatedSerials, type PlacedOrder } from '../domain/order/order-state.ts'
import type { OrderCommand } from '../domain/order/order.ts'
import { reservationFor } from '../domain/inventory/inventory.ts'
import type { Caller } from '../event-store/event-log.ts'
import { AppendConflict } from '../event-store/event-store.ts'
import type { Handled } from './handle-command.ts'
import { findPlacedOrder, handleOrder } from './handle-order.ts'
import { callerFor, nowText, type Shop, ShopBusy } from './shop.ts'

/** Reserve and claim are tried this often in one go, then later. */
const CLAIMS_MAX = 3

/**
 * Reserves an order's coins again and claims them in the order's stream at the very revision that the reservation names. `claim` makes the claiming command
 * from the serial, or undefined when, as the order stands now, nothing is to be reserved. Throws `inventory/insufficient-stock` when it cannot.
 */
export async function reserveForOrder(
  shop: Shop,
  caller: Caller,
  request: {
    orderId: string
    claim: (order: PlacedOrder, at: string) => ((serial: number) => OrderCommand) | undefined
  },
): Promise<Handled<PlacedOrder, OrderEvent>> {
  const { orderId, claim } = request
  for (let turn = 0; turn < CLAIMS_MAX; turn += 1) {
    const { state: order, revision, position } = await findPlacedOrder(shop, orderId)
    const at = nowText(shop)
    const command = claim(order, at)
    if (!command) return { state: order, events: [], revision, position }
    const step = callerFor(caller, `claim-${turn}`)
    const claimAt = order.next
    const { quantityM } = order.placed
    // A crash after this leaves a reservation without its claim: `end-abandoned-reservations` fences and releases it.
    const reserved = await shop.hot.changeStock(
      {
        type: 'ReserveStock',
        orderId,
        claimAt,
        quantityM,
        outdatedSerials: outdatedSerials(order),
        openMax: shop.policy.openOrdersMax,
        at,
      },
      step,
    )
    const serial = reservationFor(reserved.state, { orderId, claimAt })?.serial
    if (serial === undefined) continue
    try {
      return await handleOrder(shop, { orderId, command: command(serial), caller: step, atRevision: revision })
    } catch (error) {
      // What was reserved for a claim that cannot stand any more is released by the sweep.
      if (!(error instanceof AppendConflict)) throw error
    }
  }
  throw new ShopBusy(`order-${orderId} is changed by too many at once`)
}
