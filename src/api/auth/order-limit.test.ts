import { describe, expect, it } from 'vitest'
import { memoryLimiter } from './limit.ts'
import { orderLimit } from './order-limit.ts'

const HERE = ['192.0.2.1'] as const
const wanted = { emailHmac: 'h', quantityM: 1, freeM: 1_000, ids: 1 }
const orderOf = ({ emailHmac, quantityM, freeM, ids }: typeof wanted) => ({
  emailHmac,
  marketIds: Array.from({ length: ids }, () => ({ marketId: '12345678', amountM: 1 })),
  request: { quantityM },
  offer: { freeM },
})

const ofSite = (number: number) =>
  ({ networks: [`2001:db8:1:${number}`, `2001:db8:1:${number % 16}/56`, '2001:db8:1/48'] }) as const

function limited() {
  const limit = orderLimit(memoryLimiter, { orderTtlMinutes: 60 })
  /** Answers whether it is a large hold. */
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

describe('unpaid orders', () => {
  it('are not counted where none was placed', async () => {
    const { limit, place } = limited()
    for (let tries = 0; tries < 20; tries += 1) (await limit.take(HERE, orderOf(wanted))).release()
    for (const id of ['1', '2', '3', '4', '5']) await place(id)
    await expect(place('6')).rejects.toThrow('too many unpaid orders')
  })

  it('release each permit once', async () => {
    const { limit, place } = limited()
    for (const id of ['1', '2', '3', '4', '5']) await place(id)
    for (const id of ['1', '1', 'unknown']) limit.onEvent('OrderCancelled', id)
    await place('6')
    await expect(place('7')).rejects.toThrow('too many unpaid orders')
  })

  it('of a /48 are counted together, however many /64 they come from', async () => {
    const { place } = limited()
    let refused = 0
    for (let number = 0; number < 900; number += 1)
      await place(`${number}`, { emailHmac: `${number}`, ...ofSite(number) }).catch(() => (refused += 1))
    expect(refused).toBeGreaterThanOrEqual(100)
  })
})

describe('orders placed', () => {
  it('cost by their market ids: one of a thousand a minute', async () => {
    const { limit, place } = limited()
    await place('1', { ids: 1_000 })
    await place('2', { ids: 19 })
    limit.onEvent('OrderCancelled', '1')
    await expect(place('3', { ids: 1_000 })).rejects.toMatchObject({ code: 'request/too-many' })
  })
})

describe('large orders', () => {
  it('above a quarter of what could be bought are held for a quarter of the time', async () => {
    const { place } = limited()
    expect(await place('1', { quantityM: 250 })).toBe(false)
    // 750M are left, and 250M held: of 1,000M nothing of the quarter is left.
    expect(await place('2', { quantityM: 1, freeM: 750 })).toBe(true)
    expect(await place('3', { quantityM: 251, networks: ['198.51.100.7'] })).toBe(true)
  })

  it('of 100M are never large, and pre-orders count as others do', async () => {
    const { place } = limited()
    expect(await place('1', { quantityM: 100, freeM: 100 })).toBe(false)
    expect(await place('2', { quantityM: 101, freeM: 0, networks: ['198.51.100.7'] })).toBe(true)
  })

  it('with one order that ended unpaid stay below the share for a day, and are shown how much they can have', async () => {
    const { limit, place } = limited()
    await place('1', { quantityM: 1_000 })
    // Money that does not cover it.
    limit.onEvent('PaymentReceived', '1')
    limit.onEvent('OrderExpired', '1')
    await expect(place('2', { quantityM: 251 })).rejects.toMatchObject({
      code: 'order/share-exceeded',
      message: expect.stringContaining('up to 250M'),
      details: { availableM: 250, retryAfterS: 24 * 3_600 },
    })
    expect(await place('3', { quantityM: 250 })).toBe(false)
  })

  it('are not limited after one was covered, and not by the first two that a changed draft cancels', async () => {
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
})
