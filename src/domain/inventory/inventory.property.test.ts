import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inventoryHistories } from '../testing/arbitraries.ts'
import type { InventoryEvent } from './events.ts'
import type { Inventory } from './inventory.ts'

const openM = (state: Inventory) => [...state.open.values()].reduce((sum, { quantityM }) => sum + quantityM, 0)

function total(events: readonly InventoryEvent[], amountOf: (event: InventoryEvent) => number): number {
  return events.reduce((sum, event) => sum + amountOf(event), 0)
}

const putIn = (event: InventoryEvent) =>
  event.type === 'StockSet' ? event.data.quantityM : event.type === 'StockAdjusted' ? event.data.differenceM : 0
const takenOut = (event: InventoryEvent) => (event.type === 'StockCommitted' ? event.data.quantityM : 0)

it('loses no coin and makes none: free, open and committed are what was put in, and free is never below zero', () =>
  fc.assert(
    fc.property(inventoryHistories, ({ steps }) => {
      const events: InventoryEvent[] = []
      for (const { events: added, after } of steps) {
        events.push(...added)
        expect(after.freeM).toBeGreaterThanOrEqual(0)
        expect(after.freeM + openM(after) + total(events, takenOut)).toBe(total(events, putIn))
        expect(after.openM).toBe(openM(after))
        expect(after.openPreOrders).toBe([...after.open.values()].filter(({ quantityM }) => quantityM === 0).length)
      }
    }),
    { numRuns: 300 },
  ))

it('gives every reservation a serial of its own, and ends it once', () =>
  fc.assert(
    fc.property(inventoryHistories, ({ events }) => {
      const open = new Map<number, string>()
      let last = 0
      for (const event of events) {
        if (event.type === 'StockReserved') {
          expect(event.data.serial).toBe(last + 1)
          last = event.data.serial
          open.set(last, event.data.orderId)
        } else if (event.type === 'StockReleased' || event.type === 'StockCommitted') {
          expect(open.get(event.data.serial)).toBe(event.data.orderId)
          open.delete(event.data.serial)
        }
      }
    }),
  ))

it('knows the open reservations of each order, one for a claim, and no more than it may', () =>
  fc.assert(
    fc.property(inventoryHistories, ({ steps }) => {
      for (const { after } of steps) {
        const open = [...after.open.values()]
        // Six orders, each with one more that is to take the place of what it has.
        expect(open.length).toBeLessThanOrEqual(2 * 6)
        expect(new Set(open.map(({ orderId, claimAt }) => `${orderId}/${claimAt}`)).size).toBe(open.length)
        for (const orderId of ['order-1', 'order-2', 'order-3', 'order-4']) {
          const serials = open.filter((reservation) => reservation.orderId === orderId).map(({ serial }) => serial)
          expect([...(after.serialsOf.get(orderId) ?? [])].sort((one, other) => one - other)).toStrictEqual(
            serials.sort((one, other) => one - other),
          )
        }
      }
    }),
  ))
