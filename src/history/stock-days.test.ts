import { expect, it } from 'vitest'
import type { ShopEvent } from '../domain/events.ts'
import { recorded } from '../projections/testing/clean-fold.ts'
import { stockFold } from './stock-days.ts'

const first = '2026-01-31T18:00:00.000Z'
const next = '2026-01-31T18:30:00.000Z'
const reservation = { orderId: 'order-1', serial: 1, quantityM: 200 }

it('the stock of a day is what the decider has at its end in the time zone of the shop', () => {
  const events: ShopEvent[] = [
    { type: 'StockSet', data: { quantityM: 1000, at: first } },
    { type: 'StockReserved', data: { ...reservation, claimAt: 0, at: first } },
    { type: 'StockReserved', data: { ...reservation, serial: 2, claimAt: 2, at: next } },
    { type: 'StockCommitted', data: { ...reservation, at: next } },
    { type: 'StockAdjusted', data: { differenceM: -100, editKey: null, adminId: 'owner', at: next } },
    { type: 'StockReleased', data: { ...reservation, serial: 2, at: next } },
  ]
  const fold = stockFold({ timeZone: 'Asia/Kolkata' })
  for (const event of recorded(...events)) if (fold.needs(event)) fold.see(event)
  expect(fold.rows()).toEqual([
    { day: '2026-01-31', setM: 1000, soldM: 0, freeM: 800, reservedM: 200 },
    { day: '2026-02-01', setM: -100, soldM: 200, freeM: 700, reservedM: 0 },
  ])
  expect(fold.now()).toEqual({ freeM: 700, reservedM: 0 })
})
