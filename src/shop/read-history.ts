import { orderStream } from '../domain/stream-names.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import { type Buyer, type CustomerKeys, keysOf, openSealed } from '../log/event-log.ts'
import { Refusal } from '../domain/refusal.ts'
import { NONCE_BYTES, seal, SealBroken, unseal } from '../log/sealing.ts'
import type { CommandContext } from './command-context.ts'

export type { Buyer } from '../log/event-log.ts'

/** An order's sealed data, opened. */
export interface OpenedHistory {
  readonly buyer: Buyer
  /** Where the money of each refund went. */
  readonly refundsTo: readonly (string | null)[]
  /** Of the delivery; null if there is none. */
  readonly note: string | null
}

/** Opens the data of all these orders with one vault read. Damaged data of one order does not affect the others. */
export async function openedOrders(
  { vault }: Pick<CommandContext, 'vault'>,
  orders: readonly PlacedOrder[],
): Promise<{ order: PlacedOrder; opened: OpenedHistory }[]> {
  const customers = orders.map(({ placed }) => placed.customerId)
  const keys = await keysOf(vault, customers)
  return orders.map((order) => {
    const buyer = orUnreadable(() => openSealed(order.placed, keys))
    const refundsTo = order.refunds.map(({ refundId, whereTo }) =>
      whereTo === null ? null : orUnreadable(() => openText(order, keys, refundId, whereTo)),
    )
    const sealed = order.deliveryNote?.note
    const note = sealed === undefined ? null : orUnreadable(() => openText(order, keys, DELIVERY, sealed))
    return { order, opened: { buyer, refundsTo, note } }
  })
}

function openText(
  { placed: { orderId, customerId } }: PlacedOrder,
  keys: CustomerKeys,
  of: string,
  sealed: string,
): string {
  const key = keys.get(customerId) ?? 'unreadable'
  return typeof key === 'string' ? key : unseal(sealed, key, placeOf(orderId, of))
}

/** What the note of a delivery is sealed as. */
export const DELIVERY = 'delivery'

/** Binds a sealed text to a refund, by its id, or to the delivery: it cannot be opened as another's. */
function placeOf(orderId: string, of: string): string {
  return `${orderStream(orderId)}/${of}`
}

/** Seals a text of staff under the customer's key. */
export async function sealText(
  { vault, random }: Pick<CommandContext, 'vault' | 'random'>,
  { placed: { orderId, customerId } }: PlacedOrder,
  { of, text, leaveOut }: { of: string; text: string; leaveOut: string },
): Promise<string> {
  const key = (await vault.keysOf([customerId])).get(customerId)
  if (!(key instanceof Uint8Array))
    throw new Refusal(
      'order/buyer-unreadable',
      `This buyer was erased or cannot be read, so nothing more can be kept of them. Leave out ${leaveOut}.`,
    )
  return seal({ customerId, key }, text, placeOf(orderId, of), random.bytes(NONCE_BYTES))
}

function orUnreadable<Value>(open: () => Value): Value | 'unreadable' {
  try {
    return open()
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    return 'unreadable'
  }
}
