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

it('the inventory loses and makes no coins: free, open and committed add up to what was put in, and free is never negative', () =>
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

it('each reservation has its own serial and ends once', () =>
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

it('the inventory knows the open reservations of each order, one per claim, within their limit', () =>
  fc.assert(
    fc.property(inventoryHistories, ({ steps }) => {
      for (const { after } of steps) {
        const open = [...after.open.values()]
        // Six may be open, and each may have one more that is to replace it.
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
