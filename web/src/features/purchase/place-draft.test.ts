import { expect, it } from 'vitest'
import { ApiError, Unreachable } from '../../api/client.ts'
import { type Draft, newDraft } from './draft.ts'
import { placeDraft, type Shop } from './place-draft.ts'

const typed: Draft = {
  ...newDraft('key-0'),
  quantity: '5',
  customerEmail: 'a@b',
  discordUsername: 'ann',
  marketIds: ['11111111'],
}

/** A shop that answers by key, as the real one does, and loses the answers that it is told to lose. */
function shopThat({ losesAnswers = 0, refuses }: { losesAnswers?: number; refuses?: ApiError } = {}) {
  const orders = new Map<string, { id: string; quantity: number; isCancelled: boolean }>()
  let draft = typed
  let keys = 0
  let lost = 0
  const shop: Shop = {
    place: async (body, key) => {
      if (refuses !== undefined) throw refuses
      const order = orders.get(key) ?? { id: `order-${orders.size}`, quantity: body.pokecoinAmount, isCancelled: false }
      orders.set(key, order)
      if (lost < losesAnswers) {
        lost += 1
        throw new Unreachable('lost')
      }
      return { id: order.id, orderNumber: 'N', status: 'pending', paymentStatus: 'pending' }
    },
    cancel: async (orderId) => {
      for (const order of orders.values()) if (order.id === orderId) order.isCancelled = true
    },
    stands: async (orderId) => [...orders.values()].some((order) => order.id === orderId && !order.isCancelled),
    save: (change) => (draft = { ...draft, ...change }),
    newKey: () => `key-${(keys += 1)}`,
  }
  const place = async (change: Partial<Draft> = {}) => placeDraft(shop.save(change), '0.25', shop)
  return { shop, place, open: () => [...orders.values()].filter((order) => !order.isCancelled), draft: () => draft }
}

it('makes one order of a draft, however often it is sent', async () => {
  const { place, open } = shopThat()
  expect(await place()).toBe(await place())
  expect(open()).toHaveLength(1)
})

it('finds the order again whose answer was lost', async () => {
  const { place, open } = shopThat({ losesAnswers: 1 })
  await expect(place()).rejects.toThrow(Unreachable)
  await place()
  expect(open()).toHaveLength(1)
})

it('sends the very same request again, even when the price has moved in between', async () => {
  const { shop, draft } = shopThat({ losesAnswers: 1 })
  await expect(placeDraft(draft(), '0.25', shop)).rejects.toThrow(Unreachable)
  const sent = draft().attempt?.body
  await expect(
    placeDraft(draft(), '0.30', { ...shop, place: async (body) => expect.fail(JSON.stringify(body)) }),
  ).rejects.toThrow(JSON.stringify(sent))
})

it('gives an order back when the draft is changed after it', async () => {
  const { place, open } = shopThat()
  const first = await place()
  const second = await place({ quantity: '7' })
  expect(second).not.toBe(first)
  expect(open()).toMatchObject([{ id: second, quantity: 7 }])
})

it('gives an order back whose answer was lost before the draft was changed', async () => {
  const { place, open } = shopThat({ losesAnswers: 1 })
  await expect(place()).rejects.toThrow(Unreachable)
  await place({ quantity: '7' })
  expect(open()).toMatchObject([{ quantity: 7 }])
})

it('makes a new order of a draft whose order was cancelled', async () => {
  const { place, shop, open } = shopThat()
  await shop.cancel(await place())
  await place()
  expect(open()).toHaveLength(1)
})

it('forgets a request that was refused, and passes the refusal on', async () => {
  const refuses = new ApiError(409, '{"code":"order/price-changed"}', 'Conflict')
  const { place, draft } = shopThat({ refuses })
  await expect(place()).rejects.toBe(refuses)
  expect(draft().attempt).toBeNull()
})

it('takes a new key when the shop says that the old one was used for something else', async () => {
  const { place, draft } = shopThat({ refuses: new ApiError(409, '{"code":"order/key-reused"}', 'Conflict') })
  await expect(place()).rejects.toThrow('key-reused')
  expect(draft().key).toBe('key-1')
})

it.for(['', 'NaN', 'Infinity', 'free'])('orders nothing for a total of %j', async (total) => {
  const { shop, open } = shopThat()
  await expect(placeDraft(typed, total, shop)).rejects.toThrow('Invalid total amount')
  expect(open()).toEqual([])
})
