import { expect, it } from 'vitest'
import { Unreachable } from '../../api/client.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { placeDraft, type PlacingCalls } from './place-draft.ts'

const typed: Draft = {
  ...emptyDraft,
  quantity: '5',
  customerEmail: 'a@b',
  discordUsername: 'ann',
  marketIds: ['11111111'],
}

interface MadeOrder {
  readonly id: string
  readonly quantity: number
  isCancelled: boolean
  /** Whether a payment was started, or money was seen. */
  payment?: 'started' | 'seen'
}

/** A shop that is idempotent by key like the real one, and loses its first responses. */
function shopThat({ lostResponses = 0 } = {}) {
  const orders = new Map<string, MadeOrder>()
  let draft = typed
  let keys = 0
  let lost = 0
  const shop: PlacingCalls = {
    place: async (body, key) => {
      const order = orders.get(key) ?? { id: `order-${orders.size}`, quantity: body.pokecoinAmount, isCancelled: false }
      orders.set(key, order)
      if (lost < lostResponses) {
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
      return { id: orderId, orderNumber: 'N', pokecoinAmount: order.quantity, isStarted: order.payment === 'started' }
    },
    save: (change) => (draft = { ...draft, ...change }),
    newKey: () => `key-${(keys += 1)}`,
  }
  const place = async (change: Partial<Draft> = {}, answer?: 'keep' | 'change') =>
    placeDraft(shop.save(change), '0.25', shop, answer)
  const placed = async (change: Partial<Draft> = {}, answer?: 'keep' | 'change') => {
    const result = await place(change, answer)
    if (!('orderId' in result)) throw new Error('nothing was placed')
    return result.orderId
  }
  /** Like the Back link of the order. */
  const goBack = () => shop.save({ placed: { ...draft.placed, isChanged: true } as Draft['placed'] })
  const pay = (orderId: string, payment: MadeOrder['payment']) => {
    for (const order of orders.values()) if (order.id === orderId && payment !== undefined) order.payment = payment
  }
  const open = () => [...orders.values()].filter((order) => !order.isCancelled)
  return { shop, place, placed, goBack, pay, open, draft: () => draft }
}

it('a draft that is sent often makes one order', async () => {
  const { placed, open } = shopThat()
  expect(await placed()).toBe(await placed())
  expect(open()).toHaveLength(1)
})

it('a retry after a lost response returns the placed order', async () => {
  const { place, open } = shopThat({ lostResponses: 1 })
  await expect(place()).rejects.toThrow(Unreachable)
  await place()
  expect(open()).toHaveLength(1)
})

it.for([
  { what: 'content', change: { quantity: '7' }, total: '0.25' },
  { what: 'total', change: {}, total: '0.30' },
])('another $what is sent with another key', async ({ change, total }) => {
  const { shop, place, draft } = shopThat({ lostResponses: 1 })
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
  ['cancelled if the buyer goes back to change it', { isLeft: true }, '7', undefined, [7]],
  ['asked about if a changed draft comes from elsewhere', {}, '7', undefined, { isStarted: false }],
  [
    'asked about once a payment was started, even if the buyer goes back',
    { isLeft: true, payment: 'started' },
    '7',
    undefined,
    { isStarted: true },
  ],
  ['kept if the buyer says so', { payment: 'started' }, '7', 'keep', [5, 7]],
  ['replaced if the buyer says so', { payment: 'started' }, '7', 'change', [7]],
  ['followed by an equal order once it was paid', { payment: 'seen' }, '5', undefined, [5, 5]],
  ['followed by another order once it was paid', { payment: 'seen' }, '7', undefined, [5, 7]],
  ['placed again once it was cancelled', { isCancelled: true }, '5', undefined, [5]],
] as const)('an order of 5M is %s', async ([, before, quantity, answer, outcome]) => {
  const { shop, place, placed, goBack, pay, open } = shopThat()
  const first = await placed()
  if ('payment' in before) pay(first, before.payment)
  if ('isLeft' in before) goBack()
  if ('isCancelled' in before) await shop.cancel(first)
  const result = await place({ quantity }, answer)
  if ('isStarted' in outcome) expect(result).toMatchObject({ unpaid: { id: first, ...outcome } })
  const left = 'isStarted' in outcome ? [5] : outcome
  expect(open().map((order) => order.quantity)).toEqual(left)
})

it.for(['', 'NaN', 'Infinity', 'free'])('a total of %j places no order', async (total) => {
  const { shop, open } = shopThat()
  await expect(placeDraft(typed, total, shop)).rejects.toThrow('Invalid total amount')
  expect(open()).toEqual([])
})
