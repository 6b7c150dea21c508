import { describe, expect, it } from 'vitest'
import { fold } from '../decider.ts'
import { examplesOf } from '../testing/examples.ts'
import type { InventoryEvent } from './events.ts'
import { EDIT_KEYS_MAX, inventory } from './inventory.ts'

const { emits, ignores, refuses } = examplesOf(inventory)

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
  ({
    type: 'ReserveStock',
    orderId,
    quantityM,
    claimAt: 0,
    outdatedSerials: [],
    openMax: 3,
    coins: 'Gems',
    at,
    ...more,
  }) as const
const release = (serial: number) => ({ type: 'ReleaseStock', serial, at }) as const
const commit = (serial: number) => ({ type: 'CommitStock', serial, at }) as const

it('the stock is opened', () => emits([], { type: 'OpenInventory', quantityM: 1000, at }, stockSet(1000)))
it('the stock is opened only once', () => ignores([stockSet(1000)], { type: 'OpenInventory', quantityM: 500, at }))
it('the stock is edited by differences', () => {
  emits([stockSet(1000)], adjust(-1000), adjusted(-1000))
  emits([stockSet(1000)], adjust(500, 'edit-1'), adjusted(500, 'edit-1'))
})

it('a difference of zero is not recorded', () => ignores([stockSet(1000)], adjust(0, 'edit-1')))
it('the stock never falls below zero or below what is reserved', () => {
  refuses([stockSet(10)], adjust(-11), 'inventory/below-zero')
  refuses([stockSet(10), reserved(1, 6)], adjust(-5), 'inventory/below-zero')
  emits([stockSet(10), reserved(1, 6)], adjust(-4), adjusted(-4))
})

it('the inventory remembers the last edit keys', () => {
  const edits = Array.from({ length: EDIT_KEYS_MAX + 1 }, (_, index) => adjusted(1, `edit-${index}`))
  const { editKeys } = fold(inventory, [stockSet(1), ...edits])
  expect(editKeys).toHaveLength(EDIT_KEYS_MAX)
  expect(editKeys.at(-1)).toBe(`edit-${EDIT_KEYS_MAX}`)
})

it('a reservation gets the next serial', () => {
  emits([stockSet(10)], reserve('order-1', 10), reserved(1, 10))
  emits([stockSet(10), reserved(1, 4), released(1, 4)], reserve('order-2', 10), reserved(2, 10))
})

it('coins that are not in stock cannot be reserved', () => {
  refuses([stockSet(10)], reserve('order-1', 11), 'inventory/insufficient-stock')
  refuses([stockSet(10), reserved(1, 6)], reserve('order-2', 5), 'inventory/insufficient-stock')
  refuses([stockSet(10), reserved(1, 6), committed(1, 6)], reserve('order-2', 5), 'inventory/insufficient-stock')
})

it('a pre-order gets a serial even when nothing is in stock', () =>
  emits([stockSet(0)], reserve('order-1', 0), reserved(1, 0)))
it('the same claim cannot reserve another quantity', () =>
  refuses([stockSet(10), reserved(1, 4)], reserve('order-1', 5), 'order/busy'))
it('another claim of the same order reserves again', () =>
  emits([stockSet(10), reserved(1, 4)], reserve('order-1', 4, { claimAt: 3 }), reserved(2, 4, 'order-1', 3)))
it('a reservation releases what an earlier claim held in the same append', () =>
  emits(
    [stockSet(10), reserved(1, 10)],
    reserve('order-1', 10, { claimAt: 3, outdatedSerials: [1] }),
    released(1, 10),
    reserved(2, 10, 'order-1', 3),
  ))
it('a reservation may replace another of the same order above the limit', () => {
  const held = Array.from({ length: 200 }, (_, index) => reserved(index + 1, 0, index === 0 ? 'order-1' : 'others'))
  emits([stockSet(10), ...held], reserve('order-1', 5, { claimAt: 3 }), reserved(201, 5, 'order-1', 3))
  refuses([stockSet(10), ...held], reserve('order-2', 5, { claimAt: 3 }), 'inventory/too-many-open')
})

it('a reservation releases nothing that has already ended', () =>
  emits(
    [stockSet(20), reserved(1, 10), committed(1, 10)],
    reserve('order-1', 10, { claimAt: 3, outdatedSerials: [1] }),
    reserved(2, 10, 'order-1', 3),
  ))
it('a paid pre-order reserves its coins when the limit is reached', () =>
  emits(
    [stockSet(10), reserved(1, 0, 'order-1'), reserved(2, 1, 'order-2'), reserved(3, 1, 'order-3')],
    reserve('order-1', 4, { claimAt: 3 }),
    reserved(4, 4, 'order-1', 3),
  ))
it('pre-orders take at most half of the open reservations', () => {
  const two = [stockSet(10), reserved(1, 0, 'order-1'), reserved(2, 0, 'order-2')]
  refuses(two, reserve('order-3', 0), 'inventory/too-many-open')
  emits(two, reserve('order-3', 1), reserved(3, 1, 'order-3'))
  emits([...two, released(1, 0, 'order-1')], reserve('order-3', 0), reserved(3, 0, 'order-3'))
})

it('the limit of open reservations counts what a reservation releases', () => {
  const three = [stockSet(10), reserved(1, 1), reserved(2, 1), reserved(3, 1)]
  refuses(three, reserve('order-4', 1), 'inventory/too-many-open')
  emits(
    three,
    reserve('order-3', 1, { claimAt: 2, outdatedSerials: [3] }),
    released(3, 1),
    reserved(4, 1, 'order-3', 2),
  )
})

describe('skipping serials', () => {
  const skip = (lastSerial: number) => ({ type: 'SkipSerials', lastSerial, at }) as const
  const skipped = { type: 'SerialsSkipped', data: { lastSerial: 900, at } } as const

  it('skipped serials are never given', () => {
    emits([stockSet(10), reserved(1, 4)], skip(900), skipped)
    emits([stockSet(10), reserved(1, 4), skipped], reserve('order-2', 1), reserved(901, 1, 'order-2'))
  })
  it('serials are skipped once, and never backward', () => {
    ignores([stockSet(10), skipped], skip(900))
    ignores([stockSet(10), skipped], skip(5))
  })
})

describe('ending a reservation', () => {
  const open = [stockSet(10), reserved(1, 4)]

  it('a reservation can be released', () => emits(open, release(1), released(1, 4)))
  it('a reservation can be committed', () => emits(open, commit(1), committed(1, 4)))
  it('releasing an unknown serial adds nothing', () => ignores(open, release(2)))
})
