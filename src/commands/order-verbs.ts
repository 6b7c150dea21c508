import type { PaymentMethod } from '../domain/payment-methods.ts'
import type { SettlementReason } from '../domain/words.ts'
import type { Caller } from '../log/event-log.ts'
import { isDeleted } from '../domain/order/order-state.ts'
import { findPlacedOrder, type HandledOrder, handleOrder } from '../shop/handle-order.ts'
import { DELIVERY, sealText } from '../shop/read-history.ts'
import { assertMethodOn, retryOnFreshState } from '../shop/providers.ts'
import type { CommandContext } from '../shop/command-context.ts'

interface OfOrder {
  readonly orderId: string
}

/** Cancels for the buyer, while no money was seen. */
export async function cancelOrder(
  context: CommandContext,
  caller: Caller,
  { orderId }: OfOrder,
): Promise<HandledOrder> {
  return handleOrder(context, caller, { orderId, command: { type: 'CancelOrder' } })
}

/** Expires an order past its deadline; one that is paid, busy, or has time left is not changed. */
export async function expireOrder(
  context: CommandContext,
  caller: Caller,
  { orderId }: OfOrder,
): Promise<HandledOrder> {
  return handleOrder(context, caller, { orderId, command: { type: 'ExpireOrder' } })
}

export async function choosePaymentMethod(
  context: CommandContext,
  caller: Caller,
  { orderId, paymentMethod }: OfOrder & { readonly paymentMethod: PaymentMethod },
): Promise<HandledOrder> {
  await retryOnFreshState(context, () => assertMethodOn(context, paymentMethod))
  return handleOrder(context, caller, { orderId, command: { type: 'ChoosePaymentMethod', paymentMethod } })
}

interface HandOver extends OfOrder {
  readonly note?: string | undefined
  readonly isNoteShown?: boolean | undefined
}

/** Completes an approved, or paid and unreversed, order whose coins staff gave; a repeat changes nothing, its note either. */
export async function markDelivered(
  context: CommandContext,
  caller: Caller,
  { orderId, note: text, isNoteShown }: HandOver,
): Promise<HandledOrder> {
  if (!text) return handleOrder(context, caller, { orderId, command: { type: 'MarkDelivered' } })
  const { state } = await findPlacedOrder(context, orderId)
  const note = await sealText(context, state, { of: DELIVERY, text, leaveOut: 'the note' })
  return handleOrder(context, caller, { orderId, command: { type: 'MarkDelivered', note, isNoteShown } })
}

/** Settles the causes that staff saw at this revision; refused if anything was added since. */
export async function settleAttention(
  context: CommandContext,
  caller: Caller,
  {
    orderId,
    revision,
    ...said
  }: OfOrder & { readonly adminId: string; readonly reason: SettlementReason; readonly revision: number },
): Promise<HandledOrder> {
  return handleOrder(context, caller, { orderId, command: { type: 'SettleAttention', ...said }, asSeen: revision })
}

/**
 * Takes an order off the shop's books. `coinsGiven` is required if the outcome of its delivery is unknown. With `revision`, refused if anything was
 * added since staff saw the order.
 */
export async function deleteOrder(
  context: CommandContext,
  caller: Caller,
  {
    orderId,
    revision,
    ...said
  }: OfOrder & {
    readonly adminId: string
    readonly coinsGiven: boolean | null
    readonly revision?: number | undefined
  },
): Promise<HandledOrder> {
  const command = { type: 'DeleteOrder', ...said } as const
  // A repeat finds the order deleted, which changes nothing.
  const isAsSeen = revision !== undefined && !isDeleted((await findPlacedOrder(context, orderId)).state)
  return handleOrder(context, caller, { orderId, command, ...(isAsSeen && { asSeen: revision }) })
}
