import { ADMIN_ID, STOCK_STREAM } from '../../shop/hot/hot-states.ts'
import { writeInventorySnapshot } from '../../shop/hot/inventory-snapshot.ts'
import { type Caller, nowText, type Shop, systemCaller } from '../../shop/shop.ts'
import type { InventoryEvent } from '../../domain/inventory/events.ts'
import {
  inventory as inventoryDecider,
  type InventoryCommand,
  reservationFor,
} from '../../domain/inventory/inventory.ts'
import { fateOf, type PlacedOrder } from '../../domain/order/order-state.ts'
import type { DecidedEvent } from '../../event-store/event-log.ts'
import type { Position } from '../../event-store/event-store.ts'
import { portions } from './portions.ts'

/** Well below what one append may hold in bytes. */
const EVENTS_PER_APPEND = 2_000
const RESTOCKED_BELOW_M = 1_000_000
const RESTOCKED_BY_M = 5_000_000

/** `stock-main` as its single writer keeps it, with what is not written yet. */
export class StockBook {
  private readonly shop: Shop
  private state
  private revision: number
  private reserved: DecidedEvent[] = []
  private ends: { command: InventoryCommand; caller: Caller }[] = []
  private position: Position

  constructor(shop: Shop) {
    this.shop = shop
    const { state, revision, position } = shop.hot.inventory
    this.state = state
    this.revision = revision
    this.position = position
  }

  restock(): void {
    if (this.state.freeM >= RESTOCKED_BELOW_M) return
    const at = nowText(this.shop)
    const command = { type: 'AdjustStock', differenceM: RESTOCKED_BY_M, editKey: null, adminId: ADMIN_ID, at } as const
    this.reserved.push(...this.decide(command, { ...systemCaller(this.shop.random), actor: 'staff' }))
  }

  reserve(
    claim: { orderId: string; quantityM: number; claimAt: number; outdatedSerials: readonly number[] },
    caller: Caller,
  ): number {
    const { openOrdersMax: openMax } = this.shop.policy
    const command = { type: 'ReserveStock', ...claim, openMax, at: nowText(this.shop) } as const
    this.reserved.push(...this.decide(command, { ...caller, actor: 'buyer' }))
    const reservation = reservationFor(this.state, claim)
    if (!reservation) throw new Error('what was just reserved is open')
    return reservation.serial
  }

  /** Notes how the reservations end that this order holds no longer. */
  follow(order: PlacedOrder, caller: Caller): void {
    const at = nowText(this.shop)
    for (const claim of order.claims) {
      const { serial } = claim
      if (!this.state.open.get(serial)) continue
      const fate = fateOf(order, claim)
      if (fate === 'commit') this.ends.push({ command: { type: 'CommitStock', serial, at }, caller })
      if (fate === 'release') this.ends.push({ command: { type: 'ReleaseStock', serial, at }, caller })
    }
  }

  async writeReserved(): Promise<void> {
    const events = this.reserved
    this.reserved = []
    await this.append(events)
  }

  async writeEnded(): Promise<void> {
    const events = this.ends.flatMap(({ command, caller }) => this.decide(command, caller))
    this.ends = []
    await this.append(events)
  }

  async snapshot(): Promise<void> {
    const { hot, log } = this.shop
    hot.inventory.restore(this.state, this.revision, this.position)
    await writeInventorySnapshot(log, hot.inventory)
  }

  private decide(command: InventoryCommand, caller: Caller): DecidedEvent[] {
    const events: InventoryEvent[] = inventoryDecider.decide(command, this.state)
    for (const event of events) this.state = inventoryDecider.evolve(this.state, event)
    return events.map((event) => ({ event, caller }))
  }

  private async append(events: readonly DecidedEvent[]): Promise<void> {
    const appends = portions(events, EVENTS_PER_APPEND).map(async (portion) => {
      const expected = this.revision
      this.revision += portion.length
      return this.shop.log.append(STOCK_STREAM, expected, portion)
    })
    for (const { position } of await Promise.all(appends)) this.position = position
  }
}
