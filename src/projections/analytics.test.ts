import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ShopEvent } from '../domain/events.ts'
import { completed, deleted, placed, refunded } from '../domain/testing/order-samples.ts'
import { analyticsOf, analyticsProjection, readRevenue } from './analytics.ts'
import { bodiesAfter } from '../projector/testing/clean-fold.ts'
import { salesHistories } from './testing/histories.ts'
import { viewsAfter } from '../projector/testing/views-after.ts'

const projection = analyticsProjection({ timeZone: 'Asia/Kolkata' })
const after = (...events: readonly ShopEvent[]) => Object.fromEntries(bodiesAfter(projection, ...events))
// Already February in Kolkata.
const at = '2026-01-31T18:30:00.000Z'

it('OrderPlaced counts an order and no money', () => {
  expect(after(placed(), placed({ orderId: 'another' }))).toEqual({
    totals: { orders: 2, revenueCents: 0, coinsM: 0 },
  })
})

it("OrderCompleted counts money, coins and customer, on the day in the shop's time zone and under its method", () => {
  expect(after(placed(), completed({ at }))).toEqual({
    totals: { orders: 1, revenueCents: 1000, coinsM: 200 },
    'day-2026-02-01': { day: '2026-02-01', revenueCents: 1000, completedOrders: 1 },
    'month-2026-02': { month: '2026-02', revenueCents: 1000, completedOrders: 1 },
    'method-crypto': { method: 'crypto', revenueCents: 1000, completedOrders: 1 },
    'customer-customer-1': { completedOrders: 1, isCustomer: true },
  })
  expect(Object.keys(after(placed(), completed({ paymentMethod: null })))).toContain('method-none')
})

it('OrderCompleted counts a customer once', () => {
  const another = { orderId: 'another' }
  expect(after(placed(), completed(), placed(another), completed(another))).toMatchObject({
    totals: { orders: 2, revenueCents: 2000 },
    'customer-customer-1': { completedOrders: 2, isCustomer: true },
  })
})

it('RefundRecorded subtracts on the day of the refund and keeps coins and customer', () => {
  const march = '2026-03-15T00:00:00.000Z'
  const refund = refunded(400, { revenueCents: 400, at: march })
  expect(after(placed(), completed({ at }), refund)).toEqual({
    totals: { orders: 1, revenueCents: 600, coinsM: 200 },
    'day-2026-02-01': { day: '2026-02-01', revenueCents: 1000, completedOrders: 1 },
    'month-2026-02': { month: '2026-02', revenueCents: 1000, completedOrders: 1 },
    'day-2026-03-15': { day: '2026-03-15', revenueCents: -400, completedOrders: 0 },
    'month-2026-03': { month: '2026-03', revenueCents: -400, completedOrders: 0 },
    'method-crypto': { method: 'crypto', revenueCents: 600, completedOrders: 1 },
    'customer-customer-1': { completedOrders: 1, isCustomer: true },
  })
  expect(after(placed(), completed({ at }), refund, deleted({ completedAt: at, totalCents: 600 }))['totals']).toEqual({
    orders: 0,
    revenueCents: 0,
    coinsM: 0,
  })
})

it('RefundRecorded changes nothing when the money never was revenue', () => {
  expect(after(placed(), refunded(1000, { endsOrder: true }))).toEqual({
    totals: { orders: 1, revenueCents: 0, coinsM: 0 },
  })
})

it('OrderDeleted subtracts a pending order and no money', () => {
  expect(after(placed(), deleted())).toEqual({ totals: { orders: 0, revenueCents: 0, coinsM: 0 } })
})

it('OrderDeleted subtracts a completed order on the day of its completion', () => {
  const march = '2026-03-15T00:00:00.000Z'
  expect(after(placed(), completed({ at }), deleted({ completedAt: at, at: march }))).toEqual({
    totals: { orders: 0, revenueCents: 0, coinsM: 0 },
    'day-2026-02-01': { day: '2026-02-01', revenueCents: 0, completedOrders: 0 },
    'month-2026-02': { month: '2026-02', revenueCents: 0, completedOrders: 0 },
    'method-crypto': { method: 'crypto', revenueCents: 0, completedOrders: 0 },
    'customer-customer-1': { completedOrders: 0, isCustomer: false },
  })
})

it('customers are counted again only when the views have moved', async () => {
  let counts = 0
  let position = '1'
  const views = await viewsAfter(placed(), completed())
  // Counting takes no time, so the next count need not wait.
  const count = async () => (counts += 1)
  const read = analyticsOf({ ...views, position: async () => position, count })
  expect([(await read()).customers, (await read()).customers, counts]).toEqual([1, 1, 1])
  position = '2'
  await read()
  expect(counts).toBe(2)
})

it('the revenue has days with only refunds', async () => {
  const refund = refunded(400, { revenueCents: 400, at: '2026-03-15T00:00:00.000Z' })
  const { byDay } = await readRevenue(await viewsAfter(placed(), completed({ at }), refund))
  expect(byDay.map(({ revenueCents }) => revenueCents)).toEqual([1000, -400])
})

it('the revenue by month, by day and by method adds up to the total', async () => {
  await fc.assert(
    fc.asyncProperty(salesHistories, async (history) => {
      const views = await viewsAfter(...history)
      const { revenueCents, months } = await analyticsOf(views)()
      const { byDay, byMethod } = await readRevenue(views)
      for (const rows of [months, byDay, byMethod])
        expect(rows.reduce((sum, row) => sum + row.revenueCents, 0)).toBe(revenueCents)
    }),
    { numRuns: 30 },
  )
})
