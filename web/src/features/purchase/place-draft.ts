import { isAmount, type Order, type OrderCreate, type OrderCreated } from '#contract/order.ts'
import { Failure } from '../../api/client.ts'
import { contentOf, type Draft, orderBody } from './draft.ts'

/** An order that the buyer can still pay or cancel. */
export interface UnpaidOrder extends Pick<Order, 'id' | 'orderNumber' | 'pokecoinAmount'> {
  /** A payment was started, so money may be on its way. */
  readonly isStarted: boolean
}

export interface PlacingCalls {
  place: (body: OrderCreate, key: string) => Promise<OrderCreated>
  cancel: (orderId: string) => Promise<void>
  /** Undefined once money was seen or the order has ended. */
  unpaid: (orderId: string) => Promise<UnpaidOrder | undefined>
  save: (change: Partial<Draft>) => Draft
  newKey: () => string
}

/** Keeps the unpaid order of a changed draft, or replaces it. */
export type UnpaidChoice = 'keep' | 'change'

/** The placed order, or the unpaid order to ask the buyer about. */
export type Placed = { readonly orderId: string } | { readonly unpaid: UnpaidOrder }

/**
 * Places one order per draft, however often it is called. Once that order holds money or has ended, the next call
 * places another. A changed draft replaces an unpaid order only if the buyer says so.
 */
export async function placeDraft(
  draft: Draft,
  totalAmount: string,
  calls: PlacingCalls,
  choice?: UnpaidChoice,
): Promise<Placed> {
  if (!isAmount(totalAmount)) throw new Failure('Invalid total amount')
  const content = contentOf(draft)
  const { placed, sent } = draft
  const unpaid = placed === null ? undefined : await calls.unpaid(placed.orderId)
  if (unpaid !== undefined && placed?.content === content) return { orderId: unpaid.id }
  const wanted = choice ?? (placed?.isChanged === true && unpaid?.isStarted === false ? 'change' : undefined)
  if (unpaid !== undefined && wanted === undefined) return { unpaid }
  if (unpaid !== undefined && wanted === 'change') await calls.cancel(unpaid.id)
  // The same key if the response was lost, so that the shop returns the order it has placed.
  const isSentAgain = placed === null && sent?.content === content && sent.totalAmount === totalAmount
  const key = isSentAgain ? sent.key : calls.newKey()
  calls.save({ sent: { content, totalAmount, key }, placed: null })
  const { id } = await calls.place(orderBody(draft, totalAmount), key)
  calls.save({ sent: null, placed: { content, orderId: id } })
  return { orderId: id }
}
