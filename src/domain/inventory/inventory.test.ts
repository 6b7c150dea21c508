import { describe, expect, it } from 'vitest'
import { fold } from '../decider.ts'
import { given as givenDecider } from '../testing/given.ts'
import type { InventoryEvent } from './events.ts'
import { EDIT_KEYS_MAX, IN_PLACE_MAX, inventory, reservationFor } from './inventory.ts'

const given = givenDecider(inventory)

const at = '2026-03-01T12:00:00.000Z'
const adminId = 'owner'

const stockSet = (quantityM: number): InventoryEvent => ({ type: 'StockSet', data: { quantityM, at } })
const adjusted = (differenceM: number, editKey: string | null = null): InventoryEvent => ({
  type: 'StockAdjusted',
  data: { differenceM, editKey, adminId, at },
})
const reserved = (serial: number, quantityM: number, orderId = `order-${serial}`, claimAt = 0): InventoryEvent => ({
  type: 'StockReserved',
  data: { orderId, claimAt, serial, quantityM, at },
})
const released = (serial: number, quantityM: number, orderId = `order-${serial}`): InventoryEvent => ({
  type: 'StockReleased',
  data: { serial, orderId, quantityM, at },
})
const committed = (serial: number, quantityM: number): InventoryEvent => ({
  type: 'StockCommitted',
  data: { serial, orderId: `order-${serial}`, quantityM, at },
})

const adjust = (differenceM: number, editKey: string | null = null) =>
  ({ type: 'AdjustStock', differenceM, editKey, adminId, at }) as const
const reserve = (orderId: string, quantityM: number, more: { claimAt?: number; outdatedSerials?: number[] } = {}) =>
  ({ type: 'ReserveStock', orderId, quantityM, claimAt: 0, outdatedSerials: [], openMax: 3, at, ...more }) as const
const release = (serial: number) => ({ type: 'ReleaseStock', serial, at }) as const
const commit = (serial: number) => ({ type: 'CommitStock', serial, at }) as const

describe('the stock', () => {
  it('is opened', () => given().when({ type: 'OpenInventory', quantityM: 1000, at }).emits(stockSet(1000)))
  it('is opened once', () => given(stockSet(1000)).when({ type: 'OpenInventory', quantityM: 500, at }).changesNothing())
  it('is edited by differences', () => {
    given(stockSet(1000)).when(adjust(-1000)).emits(adjusted(-1000))
    given(stockSet(1000)).when(adjust(500, 'edit-1')).emits(adjusted(500, 'edit-1'))
  })
  it('is edited once under one key', () =>
    given(stockSet(1000), adjusted(500, 'edit-1')).when(adjust(500, 'edit-1')).changesNothing())
  it('is not edited by nothing', () => given(stockSet(1000)).when(adjust(0, 'edit-1')).changesNothing())
  it('never falls below zero, nor below what is promised', () => {
    given(stockSet(10)).when(adjust(-11)).refuses('inventory/below-zero')
    given(stockSet(10), reserved(1, 6)).when(adjust(-5)).refuses('inventory/below-zero')
    given(stockSet(10), reserved(1, 6)).when(adjust(-4)).emits(adjusted(-4))
  })
  it('remembers the last edit keys', () => {
    const edits = Array.from({ length: EDIT_KEYS_MAX + 1 }, (_, index) => adjusted(1, `edit-${index}`))
    const { editKeys } = fold(inventory, [stockSet(1), ...edits])
    expect(editKeys).toHaveLength(EDIT_KEYS_MAX)
    expect(editKeys.at(-1)).toBe(`edit-${EDIT_KEYS_MAX}`)
  })
})

describe('reserving', () => {
  it('takes the next serial', () => {
    given(stockSet(10)).when(reserve('order-1', 10)).emits(reserved(1, 10))
    given(stockSet(10), reserved(1, 4), released(1, 4)).when(reserve('order-2', 10)).emits(reserved(2, 10))
  })
  it('refuses what is not there', () => {
    given(stockSet(10)).when(reserve('order-1', 11)).refuses('inventory/insufficient-stock')
    given(stockSet(10), reserved(1, 6)).when(reserve('order-2', 5)).refuses('inventory/insufficient-stock')
    given(stockSet(10), reserved(1, 6), committed(1, 6))
      .when(reserve('order-2', 5))
      .refuses('inventory/insufficient-stock')
  })
  it('takes a serial for a pre-order even when nothing is there', () =>
    given(stockSet(0)).when(reserve('order-1', 0)).emits(reserved(1, 0)))
  it('keeps to the reservation that is open for the claim', () =>
    given(stockSet(10), reserved(1, 10)).when(reserve('order-1', 10)).changesNothing())
  it('refuses another quantity for the same claim', () =>
    given(stockSet(10), reserved(1, 4)).when(reserve('order-1', 5)).refuses('order/busy'))
  it('reserves again for another claim of the same order', () =>
    given(stockSet(10), reserved(1, 4))
      .when(reserve('order-1', 4, { claimAt: 3 }))
      .emits(reserved(2, 4, 'order-1', 3)))
  it('gives back what an earlier claim held, in the same append', () =>
    given(stockSet(10), reserved(1, 10))
      .when(reserve('order-1', 10, { claimAt: 3, outdatedSerials: [1] }))
      .emits(released(1, 10), reserved(2, 10, 'order-1', 3)))
  it('puts one reservation in the place of another above the bound, but only so many', () => {
    const held = (count: number) =>
      Array.from({ length: count }, (_, index) => reserved(index + 1, 0, index < 2 ? `order-${index}` : 'others'))
    const above = held(3 + IN_PLACE_MAX - 1)
    given(stockSet(10), ...above)
      .when(reserve('order-1', 5, { claimAt: 3 }))
      .emits(reserved(3 + IN_PLACE_MAX, 5, 'order-1', 3))
    given(stockSet(10), ...held(3 + IN_PLACE_MAX))
      .when(reserve('order-1', 5, { claimAt: 3 }))
      .refuses('inventory/too-many-open')
  })
  it('gives back nothing that has ended already', () =>
    given(stockSet(20), reserved(1, 10), committed(1, 10))
      .when(reserve('order-1', 10, { claimAt: 3, outdatedSerials: [1] }))
      .emits(reserved(2, 10, 'order-1', 3)))
  it('gives back nothing when it is refused', () =>
    given(stockSet(10), reserved(1, 4))
      .when(reserve('order-1', 11, { claimAt: 3, outdatedSerials: [1] }))
      .refuses('inventory/insufficient-stock'))
  it('lets a paid pre-order take its coins while as many as may be are open', () =>
    given(stockSet(10), reserved(1, 0, 'order-1'), reserved(2, 1, 'order-2'), reserved(3, 1, 'order-3'))
      .when(reserve('order-1', 4, { claimAt: 3 }))
      .emits(reserved(4, 4, 'order-1', 3)))
  it('leaves half of the places to those who buy from stock, however many pre-orders wait', () => {
    const two = [stockSet(10), reserved(1, 0, 'order-1'), reserved(2, 0, 'order-2')]
    given(...two)
      .when(reserve('order-3', 0))
      .refuses('inventory/too-many-open')
    given(...two)
      .when(reserve('order-3', 1))
      .emits(reserved(3, 1, 'order-3'))
    given(...two, released(1, 0, 'order-1'))
      .when(reserve('order-3', 0))
      .emits(reserved(3, 0, 'order-3'))
  })
  it('keeps the open ones bounded, counting what it gives back', () => {
    const three = [stockSet(10), reserved(1, 1), reserved(2, 1), reserved(3, 1)]
    given(...three)
      .when(reserve('order-4', 1))
      .refuses('inventory/too-many-open')
    given(...three)
      .when(reserve('order-3', 1, { claimAt: 2, outdatedSerials: [3] }))
      .emits(released(3, 1), reserved(4, 1, 'order-3', 2))
  })
})

describe('skipping serials', () => {
  const skip = (lastSerial: number) => ({ type: 'SkipSerials', lastSerial, at }) as const
  const skipped = { type: 'SerialsSkipped', data: { lastSerial: 900, at } } as const

  it('gives none of them again', () => {
    given(stockSet(10), reserved(1, 4)).when(skip(900)).emits(skipped)
    given(stockSet(10), reserved(1, 4), skipped)
      .when(reserve('order-2', 1))
      .emits(reserved(901, 1, 'order-2'))
  })
  it('happens once, and never backward', () => {
    given(stockSet(10), skipped).when(skip(900)).changesNothing()
    given(stockSet(10), skipped).when(skip(5)).changesNothing()
  })
})

describe('ending a reservation', () => {
  const open = [stockSet(10), reserved(1, 4)]

  it('releases it', () =>
    given(...open)
      .when(release(1))
      .emits(released(1, 4)))
  it('commits it', () =>
    given(...open)
      .when(commit(1))
      .emits(committed(1, 4)))
  it('happens once, in one way', () => {
    given(...open, released(1, 4))
      .when(release(1))
      .changesNothing()
    given(...open, released(1, 4))
      .when(commit(1))
      .changesNothing()
    given(...open, committed(1, 4))
      .when(commit(1))
      .changesNothing()
    given(...open, committed(1, 4))
      .when(release(1))
      .changesNothing()
  })
  it('adds nothing for an unknown serial', () =>
    given(...open)
      .when(release(2))
      .changesNothing())
  it('gives coins back to be sold, or not', () => {
    expect(fold(inventory, [...open, released(1, 4)]).freeM).toBe(10)
    expect(fold(inventory, [...open, committed(1, 4)]).freeM).toBe(6)
  })
})

describe('finding a reservation', () => {
  const two = fold(inventory, [stockSet(10), reserved(1, 1, 'order-1', 0), reserved(2, 1, 'order-1', 3)])

  it('goes by order and claim', () => {
    expect(reservationFor(two, { orderId: 'order-1', claimAt: 0 })?.serial).toBe(1)
    expect(reservationFor(two, { orderId: 'order-1', claimAt: 3 })?.serial).toBe(2)
    expect(reservationFor(two, { orderId: 'order-1', claimAt: 1 })).toBeUndefined()
    expect(reservationFor(two, { orderId: 'order-2', claimAt: 0 })).toBeUndefined()
  })
  it('finds none that has ended, and forgets the order with its last', () => {
    const one = inventory.evolve(two, released(1, 1, 'order-1'))
    expect(reservationFor(one, { orderId: 'order-1', claimAt: 0 })).toBeUndefined()
    expect(reservationFor(one, { orderId: 'order-1', claimAt: 3 })?.serial).toBe(2)
    expect(inventory.evolve(one, released(2, 1, 'order-1')).serialsOf.size).toBe(0)
  })
})
