import { expect, it } from 'vitest'
import { memoryLimiter } from './limit.ts'
import { orderLimit } from './order-limit.ts'

const HERE = ['192.0.2.1'] as const
const wanted = { emailHmac: 'h', quantityM: 1, freeM: 1_000, ids: 1 }
const orderOf = ({ emailHmac, quantityM, freeM, ids }: typeof wanted) => ({
  emailHmac,
  marketIds: Array.from({ length: ids }, () => ({ marketId: '12345678', amountM: 1 })),
  quantityM,
  freeM,
})

const ofSite = (number: number) =>
  ({ networks: [`2001:db8:1:${number}`, `2001:db8:1:${number % 16}/56`, '2001:db8:1/48'] }) as const

function limited() {
  const limit = orderLimit(memoryLimiter, { ORDER_TTL_MINUTES: 60 })
  /** Returns whether the order is a large hold. */
  const place = async (
    orderId: string,
    { networks = HERE, ...changes }: Partial<typeof wanted> & { networks?: readonly [string, ...string[]] } = {},
  ) => {
    const taken = await limit.take(networks, orderOf({ ...wanted, ...changes }))
    taken.bindTo(orderId)
    return taken.isLargeHold
  }
  return { limit, place }
}

it('orders that were not placed do not count as unpaid', async () => {
  const { limit, place } = limited()
  for (let tries = 0; tries < 20; tries += 1) (await limit.take(HERE, orderOf(wanted))).release()
  for (const id of ['1', '2', '3', '4', '5']) await place(id)
  await expect(place('6')).rejects.toThrow('too many unpaid orders')
})

it('an unpaid order releases its permit once', async () => {
  const { limit, place } = limited()
  for (const id of ['1', '2', '3', '4', '5']) await place(id)
  for (const id of ['1', '1', 'unknown']) limit.onEvent('OrderCancelled', id)
  await place('6')
  await expect(place('7')).rejects.toThrow('too many unpaid orders')
})

it('unpaid orders of one /48 count together', async () => {
  const { place } = limited()
  let refused = 0
  for (let number = 0; number < 900; number += 1)
    await place(`${number}`, { emailHmac: `${number}`, ...ofSite(number) }).catch(() => (refused += 1))
  expect(refused).toBeGreaterThanOrEqual(100)
})

it('an address may place one order with a thousand market ids a minute', async () => {
  const { limit, place } = limited()
  await place('1', { ids: 1_000 })
  await place('2', { ids: 19 })
  limit.onEvent('OrderCancelled', '1')
  await expect(place('3', { ids: 1_000 })).rejects.toMatchObject({ code: 'request/too-many' })
})

it('an order of more than a quarter of the stock is a large hold', async () => {
  const { place } = limited()
  expect(await place('1', { quantityM: 250 })).toBe(false)
  // 750M are free and 250M held: the share, a quarter of 1,000M, is used up.
  expect(await place('2', { quantityM: 1, freeM: 750 })).toBe(true)
  expect(await place('3', { quantityM: 251, networks: ['198.51.100.7'] })).toBe(true)
})

it('an order of 100M is never a large hold, and pre-orders count as others do', async () => {
  const { place } = limited()
  expect(await place('1', { quantityM: 100, freeM: 100 })).toBe(false)
  expect(await place('2', { quantityM: 101, freeM: 0, networks: ['198.51.100.7'] })).toBe(true)
})

it('an address whose order expired unpaid may only order its share for a day', async () => {
  const { limit, place } = limited()
  await place('1', { quantityM: 1_000 })
  // Money that does not cover the order.
  limit.onEvent('PaymentReceived', '1')
  limit.onEvent('OrderExpired', '1')
  await expect(place('2', { quantityM: 251 })).rejects.toMatchObject({
    code: 'order/share-exceeded',
    message: expect.stringContaining('up to 250M'),
    details: { availableM: 250, retryAfterS: 24 * 3_600 },
  })
  expect(await place('3', { quantityM: 250 })).toBe(false)
})

it('an address may order more than its share after a paid order or two cancelled ones', async () => {
  const { limit, place } = limited()
  await place('1', { quantityM: 1_000 })
  limit.onEvent('OrderReady', '1')
  limit.onEvent('OrderExpired', '1')
  for (const id of ['2', '3', '4']) {
    expect(await place(id, { quantityM: 1_000 })).toBe(true)
    limit.onEvent('OrderCancelled', id)
  }
  await expect(place('5', { quantityM: 1_000 })).rejects.toMatchObject({ code: 'order/share-exceeded' })
})
