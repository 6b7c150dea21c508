import { describe, expect, it } from 'vitest'
import type { ShopEvent } from '../domain/events.ts'
import { completed, deleted, placed, refunded } from '../domain/testing/order-samples.ts'
import { analyticsProjection } from './analytics.ts'
import { bodiesAfter } from './testing/clean-fold.ts'

const projection = analyticsProjection({ timeZone: 'Asia/Kolkata' })
const after = (...events: readonly ShopEvent[]) => Object.fromEntries(bodiesAfter(projection, ...events))
// In Kolkata it is February already.
const at = '2026-01-31T18:30:00.000Z'

describe('the analytics view', () => {
  it('OrderPlaced: counts an order, and no money', () => {
    expect(after(placed(), placed({ orderId: 'another' }))).toEqual({
      totals: { orders: 2, revenueCents: 0, coinsM: 0 },
    })
  })

  it("OrderCompleted: counts money, coins and customer, in the month of the shop's own clock", () => {
    expect(after(placed(), completed({ at }))).toEqual({
      totals: { orders: 1, revenueCents: 1000, coinsM: 200 },
      'month-2026-02': { month: '2026-02', revenueCents: 1000, completedOrders: 1 },
      'customer-customer-1': { completedOrders: 1 },
      customers: { count: 1 },
    })
  })

  it('OrderCompleted: counts a customer once, however often he buys', () => {
    const another = { orderId: 'another' }
    expect(after(placed(), completed(), placed(another), completed(another))).toMatchObject({
      totals: { orders: 2, revenueCents: 2000 },
      'customer-customer-1': { completedOrders: 2 },
      customers: { count: 1 },
    })
  })

  it("RefundRecorded: takes it from the refund's own month, and leaves coins and customer", () => {
    const march = '2026-03-15T00:00:00.000Z'
    const refund = refunded(400, { revenueCents: 400, at: march })
    expect(after(placed(), completed({ at }), refund)).toEqual({
      totals: { orders: 1, revenueCents: 600, coinsM: 200 },
      'month-2026-02': { month: '2026-02', revenueCents: 1000, completedOrders: 1 },
      'month-2026-03': { month: '2026-03', revenueCents: -400, completedOrders: 0 },
      'customer-customer-1': { completedOrders: 1 },
      customers: { count: 1 },
    })
    expect(after(placed(), completed({ at }), refund, deleted({ completedAt: at, totalCents: 600 }))['totals']).toEqual(
      { orders: 0, revenueCents: 0, coinsM: 0 },
    )
  })

  it('RefundRecorded: changes nothing where the money never was revenue', () => {
    expect(after(placed(), refunded(1000, { endsOrder: true }))).toEqual({
      totals: { orders: 1, revenueCents: 0, coinsM: 0 },
    })
  })

  it('OrderDeleted: takes a pending order off the count, and no money', () => {
    expect(after(placed(), deleted())).toEqual({ totals: { orders: 0, revenueCents: 0, coinsM: 0 } })
  })

  it('OrderDeleted: takes back what a completed order brought, in the month in which it came', () => {
    const march = '2026-03-15T00:00:00.000Z'
    expect(after(placed(), completed({ at }), deleted({ completedAt: at, at: march }))).toEqual({
      totals: { orders: 0, revenueCents: 0, coinsM: 0 },
      'month-2026-02': { month: '2026-02', revenueCents: 0, completedOrders: 0 },
      'customer-customer-1': { completedOrders: 0 },
      customers: { count: 0 },
    })
  })
})
