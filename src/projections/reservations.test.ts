import { expect, it } from 'vitest'
import type { ShopEvent } from '../domain/events.ts'
import {
  approved,
  cancelled,
  completed,
  deleted,
  expired,
  minute,
  orderId,
  placed,
  preOrderReserved,
  reinstated,
} from '../domain/testing/order-samples.ts'
import { reservationsProjection } from './reservations.ts'
import { bodiesAfter } from '../projector/testing/clean-fold.ts'

const after = (...events: readonly ShopEvent[]) => bodiesAfter(reservationsProjection, ...events).get(orderId)

function reserved(serial: number, at = minute(0), quantityM = 200): ShopEvent {
  return { type: 'StockReserved', data: { orderId, claimAt: serial === 7 ? 0 : 3, serial, quantityM, at } }
}
function ended(type: 'StockReleased' | 'StockCommitted', serial: number): ShopEvent {
  return { type, data: { orderId, serial, quantityM: 200, at: minute(99) } }
}

const nothing = { orderId, open: [], heldSerial: null, claimed: [], releasedAt: null, dueAt: null }

it('a reservation after StockReserved is due a minute later', () => {
  expect(after(reserved(7))).toMatchObject({
    open: [{ serial: 7, claimAt: 0, quantityM: 200, reservedAt: minute(0) }],
    dueAt: minute(1),
  })
})

it('OrderPlaced holds the reservation that it names', () => {
  expect(after(reserved(7), placed())).toMatchObject({ heldSerial: 7, dueAt: null })
})

it.for([
  ['OrderExpired', expired(minute(60))] as const,
  ['OrderCancelled', cancelled(minute(60))] as const,
  ['OrderCompleted', completed({ at: minute(60) })] as const,
  ['OrderDeleted', deleted({ at: minute(60) })] as const,
])('%s makes the held reservation due at once', ([, event]) => {
  expect(after(reserved(7), placed(), event)).toMatchObject({ heldSerial: null, dueAt: minute(60) })
})

it.for(['StockReleased', 'StockCommitted'] as const)('%s leaves nothing due', (type) => {
  expect(after(reserved(7), placed(), expired(), ended(type, 7))).toEqual(nothing)
  expect(after(reserved(7), ended(type, 7))).toEqual(nothing)
})

it('StockReleased of another reservation keeps the held one', () => {
  const events = [reserved(7), placed(), reserved(8, minute(5)), ended('StockReleased', 8)]
  expect(after(...events)).toMatchObject({ open: [{ serial: 7 }], heldSerial: 7, dueAt: null })
})

it.for([
  ['OrderReinstated', reinstated(9)] as const,
  ['OrderApproved', approved(9)] as const,
  ['PreOrderReserved', preOrderReserved(9)] as const,
])('%s holds the reservation that it names instead', ([, event]) => {
  const ended7 = [reserved(7), placed(), expired(), ended('StockReleased', 7), reserved(9, minute(80))]
  expect(after(...ended7)).toMatchObject({ dueAt: minute(81) })
  expect(after(...ended7, event)).toMatchObject({ heldSerial: 9, dueAt: null })
})

it('PreOrderReserved makes the earlier reservation due at once', () => {
  const events = [reserved(7, minute(0), 0), placed({ preOrder: true }), reserved(9, minute(70))]
  expect(after(...events, preOrderReserved(9, minute(71)))).toMatchObject({ heldSerial: 9, dueAt: minute(71) })
})

it('OrderApproved without a reservation keeps the held one', () => {
  expect(after(reserved(7), placed(), approved())).toMatchObject({ heldSerial: 7, dueAt: null })
})
