import { isAmount, type OrderCreate, type OrderCreated } from '#contract/order.ts'
import { ApiError, Failure } from '../../api/client.ts'
import { contentOf, type Draft, orderBody } from './draft.ts'

export interface Shop {
  place: (body: OrderCreate, key: string) => Promise<OrderCreated>
  cancel: (orderId: string) => Promise<void>
  /** Whether the order can still be paid, or was. */
  stands: (orderId: string) => Promise<boolean>
  save: (change: Partial<Draft>) => Draft
  newKey: () => string
}

/**
 * Makes one order of the draft, however often it is called. A draft that was changed after an order was made of it
 * gives that order back first. Throws what the shop refused.
 */
export async function placeDraft(draft: Draft, totalAmount: string, shop: Shop): Promise<string> {
  if (!isAmount(totalAmount)) throw new Failure('Invalid total amount')
  const content = contentOf(draft)
  if (draft.made?.content === content && (await shop.stands(draft.made.orderId))) return draft.made.orderId
  const fresh = await withoutOldOrder(draft, content, shop)
  const body = fresh.attempt?.body ?? orderBody(fresh, totalAmount)
  shop.save({ attempt: { content, body } })
  try {
    const { id } = await shop.place(body, fresh.key)
    shop.save({ attempt: null, made: { content, orderId: id } })
    return id
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

async function withoutOldOrder(draft: Draft, content: string, shop: Shop): Promise<Draft> {
  if (draft.made === null && (draft.attempt === null || draft.attempt.content === content)) return draft
  const orderId = draft.made?.orderId ?? (await outcomeOf(draft, shop))
  if (orderId !== undefined) await cancelIfThere(orderId, shop)
  return shop.save({ key: shop.newKey(), attempt: null, made: null })
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

async function cancelIfThere(orderId: string, shop: Shop): Promise<void> {
  if (!(await shop.stands(orderId))) return
  await shop.cancel(orderId)
}
