import { expect, it } from 'vitest'
import { Unreachable } from '../../api/client.ts'
import { type Draft, newDraft } from './draft.ts'
import { placeDraft, type PlacingCalls } from './place-draft.ts'

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
  const shop: PlacingCalls = {
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

it.for([
  ['given back where the buyer goes back to change it', { isLeft: true }, '7', undefined, [7]],
  ['asked about when a changed draft comes from elsewhere', {}, '7', undefined, { isBegun: false }],
  [
    'asked about, even where the buyer goes back, once a payment was started',
    { isLeft: true, payment: 'started' },
    '7',
    undefined,
    { isBegun: true },
  ],
  ['kept beside another', { payment: 'started' }, '7', 'keep', [5, 7]],
  ['changed', { payment: 'started' }, '7', 'change', [7]],
  ['followed by the same again once it was paid', { payment: 'seen' }, '5', undefined, [5, 5]],
  ['followed by another once it was paid', { payment: 'seen' }, '7', undefined, [5, 7]],
  ['made anew once it was cancelled', { isCancelled: true }, '5', undefined, [5]],
] as const)('an order of 5M is %s', async ([, before, quantity, answer, outcome]) => {
  const { shop, place, placed, goBack, pay, open } = shopThat()
  const first = await placed()
  if ('payment' in before) pay(first, before.payment)
  if ('isLeft' in before) goBack()
  if ('isCancelled' in before) await shop.cancel(first)
  const made = await place({ quantity }, answer)
  if ('isBegun' in outcome) expect(made).toMatchObject({ unpaid: { id: first, ...outcome } })
  const left = 'isBegun' in outcome ? [5] : outcome
  expect(open().map((order) => order.quantity)).toEqual(left)
})

it.for(['', 'NaN', 'Infinity', 'free'])('orders nothing for a total of %j', async (total) => {
  const { shop, open } = shopThat()
  await expect(placeDraft(typed, total, shop)).rejects.toThrow('Invalid total amount')
  expect(open()).toEqual([])
})
