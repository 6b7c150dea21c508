import { orderStream } from '../domain/stream-names.ts'
import { isOpen, outdatedSerials, type PlacedOrder } from '../domain/order/order-state.ts'
import { Refusal } from '../domain/refusal.ts'
import { type InventoryCommand, reservationFor } from '../domain/inventory/inventory.ts'
import type { Caller } from '../log/event-log.ts'
import { AppendConflict } from '../engines/event-store/event-store.ts'
import { findPlacedOrder, type HandledOrder, handleOrder, type OrderWish } from './handle-order.ts'
import { ShopBusy } from './shop-busy.ts'
import { wordsOf } from './shop-facts.ts'
import { callerFor, nowText, type CommandContext } from './command-context.ts'

/** Erasures in progress are few: each takes a minute at most. */
const ERASINGS_MAX = 1_000

/**
 * Attempts to reserve and claim. A reservation names the revision of the order's stream at which it will be claimed (`claimAt`). The sweep ends one that
 * stays unclaimed: it takes that revision with a fence (OrderAbandoned), so that no slow writer can claim afterwards.
 */
export const CLAIMS_MAX = 3

/**
 * Reserves an order's coins again and claims them in the order's stream at the revision that the reservation names. `claim`
 * returns the claiming command by serial, or undefined if none is needed any more. Throws `inventory/insufficient-stock`.
 */
export async function reserveForOrder(
  context: CommandContext,
  caller: Caller,
  request: {
    orderId: string
    claim: (order: PlacedOrder) => ((serial: number) => OrderWish) | undefined
  },
): Promise<HandledOrder> {
  const { orderId, claim } = request
  for (let turn = 0; turn < CLAIMS_MAX; turn += 1) {
    const { state: order, revision, position } = await findPlacedOrder(context, orderId)
    const command = claim(order)
    if (!command) return { state: order, events: [], revision, position }
    const step = callerFor(caller, `claim-${turn}`)
    const claimAt = order.next
    const { quantityM } = order.placed
    // A crash after this leaves a reservation without its claim: `end-abandoned-reservations` fences and releases it.
    const serial = await reserveSerial(context, step, {
      orderId,
      claimAt,
      // Paid or approved: OPEN_ORDERS_MAX only limits strangers' orders.
      openMax: Infinity,
      quantityM,
      outdatedSerials: outdatedSerials(order),
    })
    if (serial === undefined) continue
    // Read after reserving: an erasure that starts now waits for the claim and then finds an open order.
    await assertBuyerIsKnown(context, order)
    try {
      return await handleOrder(context, step, { orderId, command: command(serial), atRevision: revision })
    } catch (error) {
      // The sweep releases a reservation whose claim lost the race.
      if (!(error instanceof AppendConflict)) throw error
    }
  }
  throw new ShopBusy(`${orderStream(orderId)} is changed by too many at once`)
}

/** Reserves this claim's coins; returns the serial, undefined if the reservation has ended by now. */
export async function reserveSerial(
  context: CommandContext,
  caller: Caller,
  claim: Omit<Extract<InventoryCommand, { type: 'ReserveStock' }>, 'type' | 'at' | 'coins'>,
): Promise<number | undefined> {
  const { coins } = wordsOf(context)
  const command = { type: 'ReserveStock', ...claim, coins, at: nowText(context) } as const
  const { state } = await context.hot.changeStock(command, caller)
  return reservationFor(state, claim)?.serial
}

/** Throws for an ended order of an erased buyer: its coins would have no recipient. Only an open order stops an erasure. */
async function assertBuyerIsKnown(context: CommandContext, order: PlacedOrder): Promise<void> {
  if (isOpen(order)) return
  const { customerId } = order.placed
  const begun = await context.vault.detached({ before: Number.MAX_SAFE_INTEGER, limit: ERASINGS_MAX })
  const isErased = (await context.vault.keysOf([customerId])).get(customerId) === 'erased'
  if (isErased || begun.includes(customerId))
    throw new Refusal(
      'order/not-approvable',
      'The buyer of this order is being erased, so that it cannot be delivered.',
    )
}
