import type { AdminEvent } from '../../domain/admin/events.ts'
import { admin, type AdminState } from '../../domain/admin/admin.ts'
import type { InventoryEvent } from '../../domain/inventory/events.ts'
import { inventory, type Inventory, type InventoryCommand } from '../../domain/inventory/inventory.ts'
import { DEFAULT_SETTINGS, settings, type Settings, type SettingsState } from '../../domain/settings/settings.ts'
import type { SettingsEvent } from '../../domain/settings/events.ts'
import { catalogue, type Catalogue } from '../../domain/product/product.ts'
import type { ProductEvent } from '../../domain/product/events.ts'
import { adminStream, PRODUCTS_STREAM, SETTINGS_STREAM, STOCK_STREAM } from '../../domain/stream-names.ts'
import type { Caller, EventLog } from '../../log/event-log.ts'
import { singleWriter, type Written } from '../single-writer.ts'
import type { Clock, Random } from '../../ports/clock-and-random.ts'
import { HotStream } from './hot-stream.ts'
import { orderHistories, type OrderHistories } from './order-histories.ts'
import { SNAPSHOT_EVERY, readInventorySnapshot, writeInventorySnapshot } from './inventory-snapshot.ts'

/** One staff role, one account. */
export const ADMIN_ID = 'owner'
export const ADMIN_STREAM = adminStream(ADMIN_ID)

/** State that every request needs, folded in memory. */
export interface HotStates {
  readonly inventory: HotStream<Inventory, InventoryEvent>
  readonly settings: HotStream<SettingsState, SettingsEvent>
  readonly admin: HotStream<AdminState, AdminEvent>
  /** The API loads them before it listens; other roles do not need them. */
  readonly products: HotStream<Catalogue, ProductEvent>
  readonly orders: OrderHistories
  /** The shop's settings now; the defaults until the first start has stored them. */
  currentSettings(): Settings
  /** Decides on `stock-main` together with other waiting commands. */
  changeStock(command: InventoryCommand, caller: Caller): Promise<Written<Inventory, InventoryEvent>>
  /** Loads all states but the products; afterwards the follower keeps them current. */
  load(progress?: (text: string) => void): Promise<void>
}

export function hotStates(world: {
  readonly log: EventLog
  readonly clock: Clock
  readonly random: Random
  /** The file of the stock's snapshot, which speeds up the next start; undefined if there is no folder. */
  readonly stockFile?: string | undefined
}): HotStates {
  const { log, stockFile } = world
  const stock = new HotStream<Inventory, InventoryEvent>(log, STOCK_STREAM, inventory)
  const shopSettings = new HotStream<SettingsState, SettingsEvent>(log, SETTINGS_STREAM, settings)
  const staff = new HotStream<AdminState, AdminEvent>(log, ADMIN_STREAM, admin)
  const products = new HotStream<Catalogue, ProductEvent>(log, PRODUCTS_STREAM, catalogue)

  let sinceSnapshot = 0
  let isWriting = false
  const changeStock = singleWriter(world, inventory, { hot: stock, onAppended })

  function onAppended(events: number): void {
    sinceSnapshot += events
    if (stockFile === undefined || isWriting || sinceSnapshot < SNAPSHOT_EVERY) return
    sinceSnapshot = 0
    isWriting = true
    // A lost snapshot only slows down the next start.
    void writeInventorySnapshot(stockFile, log, stock)
      .catch(() => undefined)
      .finally(() => (isWriting = false))
  }

  return {
    inventory: stock,
    settings: shopSettings,
    admin: staff,
    products,
    orders: orderHistories(log),
    currentSettings: () => shopSettings.state ?? DEFAULT_SETTINGS,
    changeStock,
    async load(progress) {
      sinceSnapshot = await readInventorySnapshot(stockFile, log, stock, progress)
      await Promise.all([shopSettings.refresh(), staff.refresh()])
    },
  }
}
