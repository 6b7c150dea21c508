import { expect, it } from 'vitest'
import { Unreachable } from '../../api/client.ts'
import { type Draft, newDraft } from './draft.ts'
import { placeDraft, type Shop } from './place-draft.ts'

const typed: Draft = {
  ...newDraft,
  quantity: '5',
  customerEmail: 'a@b',
  discordUsername: 'ann',
  marketIds: ['11111111'],
}

interface MadeOrder {
  readonly id: string
  readonly quantity: number
  isCancelled: boolean
  /** As far as its payment is: begun, or with money seen. */
  payment?: 'started' | 'seen'
}

/** A shop that answers by key, as the real one does, and loses the answers that it is told to lose. */
function shopThat({ losesAnswers = 0 } = {}) {
  const orders = new Map<string, MadeOrder>()
  let draft = typed
  let keys = 0
  let lost = 0
  const shop: Shop = {
    place: async (body, key) => {
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
    unpaid: async (orderId) => {
      const order = [...orders.values()].find(({ id }) => id === orderId)
      if (order === undefined || order.isCancelled || order.payment === 'seen') return undefined
      return { id: orderId, orderNumber: 'N', pokecoinAmount: order.quantity, isBegun: order.payment === 'started' }
    },
    save: (change) => (draft = { ...draft, ...change }),
    newKey: () => `key-${(keys += 1)}`,
  }
  const place = async (change: Partial<Draft> = {}, answer?: 'keep' | 'change') =>
    placeDraft(shop.save(change), '0.25', shop, answer)
  const placed = async (change: Partial<Draft> = {}, answer?: 'keep' | 'change') => {
    const made = await place(change, answer)
    if (!('orderId' in made)) throw new Error('nothing was placed')
    return made.orderId
  }
  /** As the order's own Back does. */
  const goBack = () => shop.save({ made: { ...draft.made, isChanged: true } as Draft['made'] })
  const pay = (orderId: string, payment: MadeOrder['payment']) => {
    for (const order of orders.values()) if (order.id === orderId && payment !== undefined) order.payment = payment
  }
  const open = () => [...orders.values()].filter((order) => !order.isCancelled)
  return { shop, place, placed, goBack, pay, open, draft: () => draft }
}

it('makes one order of a draft, however often it is sent', async () => {
  const { placed, open } = shopThat()
  expect(await placed()).toBe(await placed())
  expect(open()).toHaveLength(1)
})

it('finds the order again whose answer was lost', async () => {
  const { place, open } = shopThat({ losesAnswers: 1 })
  await expect(place()).rejects.toThrow(Unreachable)
  await place()
  expect(open()).toHaveLength(1)
})

it.for([
  { what: 'content', change: { quantity: '7' }, total: '0.25' },
  { what: 'total', change: {}, total: '0.30' },
])('asks under another key for another $what', async ({ change, total }) => {
  const { shop, place, draft } = shopThat({ losesAnswers: 1 })
  await expect(place()).rejects.toThrow(Unreachable)
  const before = draft().sent?.key
  await placeDraft(shop.save(change), total, {
    ...shop,
    place: async (body, key) => {
      expect(key).not.toBe(before)
      return shop.place(body, key)
    },
  })
})

it('gives an order back that the buyer goes back from to change it', async () => {
  const { placed, goBack, open } = shopThat()
  const first = await placed()
  goBack()
  const second = await placed({ quantity: '7' })
  expect(second).not.toBe(first)
  expect(open()).toMatchObject([{ id: second, quantity: 7 }])
})

it('asks what becomes of an unpaid order when a changed draft comes from elsewhere', async () => {
  const { place, placed, open } = shopThat()
  const first = await placed()
  expect(await place({ quantity: '7' })).toMatchObject({ unpaid: { id: first, isBegun: false } })
  expect(open()).toMatchObject([{ id: first, quantity: 5 }])
})

it('asks even the buyer who goes back, once a payment was started', async () => {
  const { place, placed, goBack, pay, open } = shopThat()
  const first = await placed()
  pay(first, 'started')
  goBack()
  expect(await place({ quantity: '7' })).toMatchObject({ unpaid: { id: first, isBegun: true } })
  expect(open()).toHaveLength(1)
})

it('keeps the unpaid order and places another, or changes it, as the buyer answers', async () => {
  for (const [answer, quantities] of [
    ['keep', [5, 7]],
    ['change', [7]],
  ] as const) {
    const { placed, pay, open } = shopThat()
    pay(await placed(), 'started')
    await placed({ quantity: '7' }, answer)
    expect(open().map((order) => order.quantity)).toEqual(quantities)
  }
})

it.for(['5', '7'])('buys %sM with a new key after an order of 5M was paid', async (quantity) => {
  const { placed, pay, open } = shopThat()
  const first = await placed()
  pay(first, 'seen')
  expect(await placed({ quantity })).not.toBe(first)
  expect(open()).toHaveLength(2)
})

it('makes a new order of a draft whose order was cancelled', async () => {
  const { placed, shop, open } = shopThat()
  await shop.cancel(await placed())
  await placed()
  expect(open()).toHaveLength(1)
})

it.for(['', 'NaN', 'Infinity', 'free'])('orders nothing for a total of %j', async (total) => {
  const { shop, open } = shopThat()
  await expect(placeDraft(typed, total, shop)).rejects.toThrow('Invalid total amount')
  expect(open()).toEqual([])
})
