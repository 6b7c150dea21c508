import { settings as settingsDecider, DEFAULT_SETTINGS, DEFAULT_STOCK_M } from '../domain/settings/settings.ts'
import type { Caller } from '../event-store/event-log.ts'
import { AppendConflict, NO_EVENTS } from '../event-store/event-store.ts'
import { handleCommand } from '../shop/handle-command.ts'
import { SETTINGS_STREAM } from '../domain/stream-names.ts'
import { callerFor, nowText, type Shop } from '../shop/shop.ts'

/** Sets opening stock and settings at the first start; later starts change nothing. */
export async function openShop(shop: Shop, caller: Caller): Promise<void> {
  const at = nowText(shop)
  await shop.hot.changeStock({ type: 'OpenInventory', quantityM: DEFAULT_STOCK_M, at }, callerFor(caller, 'stock'))
  try {
    await handleCommand(shop, settingsDecider, {
      stream: SETTINGS_STREAM,
      read: async () => shop.hot.settings.refreshed(),
      command: { type: 'ChangeSettings', changes: DEFAULT_SETTINGS, adminId: null, at },
      caller: callerFor(caller, 'settings'),
      // Only as the first event, so that the owner's settings are never overwritten.
      atRevision: NO_EVENTS,
    })
  } catch (error) {
    if (!(error instanceof AppendConflict)) throw error
  }
  await shop.hot.settings.refresh()
}
