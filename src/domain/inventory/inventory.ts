import type { Decider } from '../decider.ts'
import { PersistentMap } from '../persistent-map.ts'
import { Refusal } from '../refusal.ts'
import type { InventoryEvent } from './events.ts'

export type InventoryCommand =
  | { type: 'OpenInventory'; quantityM: number; at: string }
  | { type: 'AdjustStock'; differenceM: number; editKey: string | null; adminId: string; at: string }
  | {
      type: 'ReserveStock'
      orderId: string
      claimAt: number
      quantityM: number
      /** This order's earlier reservations that it no longer uses: released in the same append. */
      outdatedSerials: readonly number[]
      openMax: number
      /** What they are called, for a refusal. */
      coins: string
      at: string
    }
  | { type: 'ReleaseStock' | 'CommitStock'; serial: number; at: string }
  | { type: 'SkipSerials'; lastSerial: number; at: string }

export type Reservation = Readonly<Extract<InventoryEvent, { type: 'StockReserved' }>['data']>

/** Pre-orders' share of `openMax`: stock does not limit their number, and they must leave room for orders from stock. */
const PRE_ORDERS_SHARE = 0.5
/** Edit keys kept: a retry comes within minutes, before a hundred other edits. */
export const EDIT_KEYS_MAX = 100

export interface Inventory {
  readonly isOpen: boolean
  /** Quantity that can still be bought. */
  readonly freeM: number
  /** Quantity in open reservations. */
  readonly openM: number
  /** Open reservations of quantity 0: waiting pre-orders. */
  readonly openPreOrders: number
  readonly lastSerial: number
  /** Open reservations by serial, without ended ones. */
  readonly open: PersistentMap<number, Reservation>
  /** Serials of an order's open reservations. */
  readonly serialsOf: PersistentMap<string, readonly number[]>
  readonly editKeys: readonly string[]
}

const initial: Inventory = {
  isOpen: false,
  freeM: 0,
  openM: 0,
  openPreOrders: 0,
  lastSerial: 0,
  open: new PersistentMap(),
  serialsOf: new PersistentMap(),
  editKeys: [],
}

/** The order's open reservation for this claim. */
export function reservationFor(
  inventory: Inventory,
  claim: { orderId: string; claimAt: number },
): Reservation | undefined {
  for (const serial of inventory.serialsOf.get(claim.orderId) ?? []) {
    const reservation = inventory.open.get(serial)
    if (reservation?.claimAt === claim.claimAt) return reservation
  }
  return undefined
}

function decide(command: InventoryCommand, inventory: Inventory): InventoryEvent[] {
  switch (command.type) {
    case 'OpenInventory':
      if (inventory.isOpen) return []
      return [{ type: 'StockSet', data: { quantityM: command.quantityM, at: command.at } }]

    case 'AdjustStock': {
      const { differenceM, editKey, adminId, at } = command
      if (differenceM === 0 || (editKey !== null && inventory.editKeys.includes(editKey))) return []
      if (inventory.freeM + differenceM < 0)
        throw new Refusal(
          'inventory/below-zero',
          `Only ${inventory.freeM}M are in stock; it cannot be lowered by ${-differenceM}M.`,
          { currentStock: inventory.freeM },
        )
      return [{ type: 'StockAdjusted', data: { differenceM, editKey, adminId, at } }]
    }

    case 'ReserveStock':
      return reserve(command, inventory)

    case 'ReleaseStock':
    case 'CommitStock': {
      const reservation = inventory.open.get(command.serial)
      const type = command.type === 'CommitStock' ? 'StockCommitted' : 'StockReleased'
      return reservation ? [endEvent(type, reservation, command.at)] : []
    }

    case 'SkipSerials': {
      const { lastSerial, at } = command
      return lastSerial > inventory.lastSerial ? [{ type: 'SerialsSkipped', data: { lastSerial, at } }] : []
    }
  }
}

function reserve(command: Extract<InventoryCommand, { type: 'ReserveStock' }>, inventory: Inventory): InventoryEvent[] {
  const { orderId, claimAt, quantityM, at } = command
  const existing = reservationFor(inventory, { orderId, claimAt })
  if (existing) {
    if (existing.quantityM === quantityM) return []
    throw new Refusal('order/busy', 'This order is being worked on. Try again in a moment.')
  }
  const outdated = command.outdatedSerials.flatMap((serial) => inventory.open.get(serial) ?? [])
  const freeM = outdated.reduce((sum, reservation) => sum + reservation.quantityM, inventory.freeM)
  if (quantityM > freeM) throw tooLittleStock(freeM, command.coins)
  // An order that replaces its one reservation is exempt: a paid pre-order must not wait for others to end.
  const isReplacement = inventory.serialsOf.get(orderId)?.length === 1
  const isFull = !isReplacement && inventory.open.size - outdated.length >= command.openMax
  const isPreOrder = quantityM === 0
  const preOrdersMax = Math.ceil(command.openMax * PRE_ORDERS_SHARE)
  if (isFull || (isPreOrder && inventory.openPreOrders >= preOrdersMax))
    throw new Refusal('inventory/too-many-open', 'The shop has too many open orders. Try again in a few minutes.')
  return [
    ...outdated.map((reservation) => endEvent('StockReleased', reservation, at)),
    { type: 'StockReserved', data: { orderId, claimAt, serial: inventory.lastSerial + 1, quantityM, at } },
  ]
}

/** `coins`: what they are called. */
export function tooLittleStock(freeM: number, coins: string): Refusal {
  return new Refusal('inventory/insufficient-stock', `Only ${freeM}M ${coins} available in stock`, {
    currentStock: freeM,
  })
}

function endEvent(
  type: 'StockReleased' | 'StockCommitted',
  { serial, orderId, quantityM }: Reservation,
  at: string,
): InventoryEvent {
  return { type, data: { serial, orderId, quantityM, at } }
}

function evolve(inventory: Inventory, event: InventoryEvent): Inventory {
  switch (event.type) {
    case 'StockSet':
      return { ...inventory, isOpen: true, freeM: inventory.freeM + event.data.quantityM }
    case 'StockAdjusted': {
      const { differenceM, editKey } = event.data
      const editKeys = editKey === null ? inventory.editKeys : [...inventory.editKeys, editKey].slice(-EDIT_KEYS_MAX)
      return { ...inventory, freeM: inventory.freeM + differenceM, editKeys }
    }
    case 'StockReserved': {
      const { orderId, serial, quantityM } = event.data
      return {
        ...inventory,
        freeM: inventory.freeM - quantityM,
        openM: inventory.openM + quantityM,
        openPreOrders: inventory.openPreOrders + (quantityM === 0 ? 1 : 0),
        lastSerial: serial,
        open: inventory.open.with(serial, event.data),
        serialsOf: inventory.serialsOf.with(orderId, [...(inventory.serialsOf.get(orderId) ?? []), serial]),
      }
    }
    case 'SerialsSkipped':
      return { ...inventory, lastSerial: Math.max(inventory.lastSerial, event.data.lastSerial) }
    case 'StockReleased':
      return { ...withoutReservation(inventory, event.data), freeM: inventory.freeM + event.data.quantityM }
    case 'StockCommitted':
      return withoutReservation(inventory, event.data)
  }
}

function withoutReservation(
  inventory: Inventory,
  { serial, orderId, quantityM }: { serial: number; orderId: string; quantityM: number },
): Inventory {
  const left = (inventory.serialsOf.get(orderId) ?? []).filter((other) => other !== serial)
  return {
    ...inventory,
    openM: inventory.openM - quantityM,
    openPreOrders: inventory.openPreOrders - (quantityM === 0 ? 1 : 0),
    open: inventory.open.without(serial),
    serialsOf: left.length === 0 ? inventory.serialsOf.without(orderId) : inventory.serialsOf.with(orderId, left),
  }
}

export const inventory: Decider<InventoryCommand, Inventory, InventoryEvent> = { initial, decide, evolve }
