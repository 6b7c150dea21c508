import { isAmount, type Order, type OrderCreate, type OrderCreated } from '#contract/order.ts'
import { ApiError, Failure } from '../../api/client.ts'
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
  const { made } = draft
  const unpaid = made === null ? undefined : await shop.unpaid(made.orderId)
  if (unpaid !== undefined && made?.content === content) return { orderId: unpaid.id }
  const wanted = answer ?? (made?.isChanged === true && unpaid?.isBegun === false ? 'change' : undefined)
  if (unpaid !== undefined && wanted === undefined) return { unpaid }
  if (unpaid !== undefined && wanted === 'change') await shop.cancel(unpaid.id)
  const fresh =
    made === null ? await withoutLostOrder(draft, content, shop) : shop.save({ key: shop.newKey(), ...unmade })
  const body = fresh.attempt?.body ?? orderBody(fresh, totalAmount)
  shop.save({ attempt: { content, body } })
  try {
    const { id } = await shop.place(body, fresh.key)
    shop.save({ attempt: null, made: { content, orderId: id } })
    return { orderId: id }
  } catch (error) {
    // After a refusal nothing was placed; without an answer the same request must be repeated.
    if (error instanceof ApiError && error.status < 500) shop.save({ attempt: null })
    if (error instanceof ApiError && error.code === 'order/key-reused') shop.save({ key: shop.newKey() })
    // The repeated request had the old price; the buyer has since agreed to the new one.
    const isOldPrice =
      error instanceof ApiError && error.code === 'order/price-changed' && body.totalAmount !== totalAmount
    if (isOldPrice) return placeDraft({ ...fresh, attempt: null }, totalAmount, shop)
    throw error
  }
}

const unmade = { attempt: null, made: null } as const

/** Cancels the order of a request whose answer was lost before the draft was changed: the buyer has never seen it. */
async function withoutLostOrder(draft: Draft, content: string, shop: Shop): Promise<Draft> {
  if (draft.attempt === null || draft.attempt.content === content) return draft
  const orderId = await outcomeOf(draft, shop)
  const unpaid = orderId === undefined ? undefined : await shop.unpaid(orderId)
  if (unpaid?.isBegun === false) await shop.cancel(unpaid.id)
  return shop.save({ key: shop.newKey(), ...unmade })
}

/** Repeats the request that got no answer, to learn whether it placed an order. */
async function outcomeOf(draft: Draft, shop: Shop): Promise<string | undefined> {
  if (draft.attempt === null) return undefined
  try {
    return (await shop.place(draft.attempt.body, draft.key)).id
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
}
