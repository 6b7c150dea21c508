import { isAmount, type Order, type OrderCreate, type OrderCreated } from '#contract/order.ts'
import { Failure } from '../../api/client.ts'
import { contentOf, type Draft, orderBody } from './draft.ts'

/** An order that can still be paid and cancelled. */
export interface UnpaidOrder extends Pick<Order, 'id' | 'orderNumber' | 'pokecoinAmount'> {
  /** A payment was started: money may be on its way. */
  readonly isBegun: boolean
}

export interface Shop {
  place: (body: OrderCreate, key: string) => Promise<OrderCreated>
  cancel: (orderId: string) => Promise<void>
  /** Undefined once money was seen, or the order has ended. */
  unpaid: (orderId: string) => Promise<UnpaidOrder | undefined>
  save: (change: Partial<Draft>) => Draft
  newKey: () => string
}

/** What becomes of an unpaid order when its draft is changed. */
export type Answer = 'keep' | 'change'

/** The order of the draft, or the unpaid one that the buyer has to be asked about. */
export type Placed = { readonly orderId: string } | { readonly unpaid: UnpaidOrder }

/**
 * Makes one order of the draft, however often it is called. Once that order holds money or has ended, the next call makes another. A changed draft
 * replaces an unpaid order only as the buyer says. Throws what the shop refused.
 */
export async function placeDraft(draft: Draft, totalAmount: string, shop: Shop, answer?: Answer): Promise<Placed> {
  if (!isAmount(totalAmount)) throw new Failure('Invalid total amount')
  const content = contentOf(draft)
  const { made, sent } = draft
  const unpaid = made === null ? undefined : await shop.unpaid(made.orderId)
  if (unpaid !== undefined && made?.content === content) return { orderId: unpaid.id }
  const wanted = answer ?? (made?.isChanged === true && unpaid?.isBegun === false ? 'change' : undefined)
  if (unpaid !== undefined && wanted === undefined) return { unpaid }
  if (unpaid !== undefined && wanted === 'change') await shop.cancel(unpaid.id)
  // The same key again where the answer was lost, so that the shop answers the order that it has made.
  const isSentAgain = made === null && sent?.content === content && sent.totalAmount === totalAmount
  const key = isSentAgain ? sent.key : shop.newKey()
  shop.save({ sent: { content, totalAmount, key }, made: null })
  const { id } = await shop.place(orderBody(draft, totalAmount), key)
  shop.save({ sent: null, made: { content, orderId: id } })
  return { orderId: id }
}
