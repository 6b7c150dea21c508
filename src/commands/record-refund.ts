import type { PlacedOrderCommand } from '../domain/order/commands.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Caller } from '../log/event-log.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import { findPlacedOrder, handleOrder } from '../shop/handle-order.ts'
import { sealText } from '../shop/read-history.ts'
import type { CommandContext } from '../shop/command-context.ts'

type Recorded = Pick<PlacedOrderCommand<'RecordRefund'>, 'amountCents' | 'receiptId' | 'reason' | 'coinsGiven'>

export interface RefundRequest {
  readonly orderId: string
  readonly adminId: string
  readonly idempotencyKey: string | undefined
  /** As staff saw it. */
  readonly revision: number
  readonly refund: Recorded & { readonly whereTo: string | null }
}

/**
 * Records a refund that staff made at the provider; refused if anything was added since this revision. The shop itself sends none. A repeat
 * with the same key, or at the same revision, adds nothing.
 */
export async function recordRefund(
  context: CommandContext,
  caller: Caller,
  request: RefundRequest,
): Promise<{ order: PlacedOrder; position: Position }> {
  const { orderId, adminId, idempotencyKey, revision, refund } = request
  const said = idempotencyKey === undefined ? `revision/${revision}` : `key/${idempotencyKey}`
  const refundId = context.keys.fingerprint(`refund/${orderId}/${said}`)
  const requestHash = context.keys.fingerprint(JSON.stringify(refund))
  const before = await replayOf(context, orderId, { refundId, requestHash })
  if (before.isReplay) return before
  const noted = { of: refundId, leaveOut: 'where the money went' }
  const whereTo =
    refund.whereTo === null ? null : await sealText(context, before.order, { ...noted, text: refund.whereTo })
  const facts = { ...refund, refundId, requestHash, whereTo, adminId }
  try {
    const command = { type: 'RecordRefund', ...facts } as const
    const { state, position } = await handleOrder(context, caller, { orderId, command, asSeen: revision })
    return { order: state, position }
  } catch (error) {
    // A repeat of the request may have won.
    const after = error instanceof Refusal && (await replayOf(context, orderId, { refundId, requestHash }))
    if (after && after.isReplay) return after
    throw error
  }
}

/** The order, and whether it has this refund; refuses an id that another refund has. */
async function replayOf(
  context: CommandContext,
  orderId: string,
  { refundId, requestHash }: { refundId: string; requestHash: string },
): Promise<{ order: PlacedOrder; position: Position; isReplay: boolean }> {
  const { state: order, position } = await findPlacedOrder(context, orderId)
  const recorded = order.refunds.find((refund) => refund.refundId === refundId)
  if (recorded && recorded.requestHash !== requestHash)
    throw new Refusal('order/changed', 'Another refund was noted since you looked at this order. Look again.')
  return { order, position, isReplay: recorded !== undefined }
}
