import { Refusal } from '../domain/refusal.ts'
import { DEFAULT_SETTINGS, DEFAULT_STOCK_M } from '../domain/settings/settings.ts'
import type { Caller } from '../log/event-log.ts'
import { NO_EVENTS } from '../engines/event-store/event-store.ts'
import { changeSettings } from './change-settings.ts'
import { callerFor, nowText, type CommandContext } from '../shop/command-context.ts'

/** Sets opening stock and settings at the first start; later starts change nothing. */
export async function initializeShop(context: CommandContext, caller: Caller): Promise<void> {
  const stock = { type: 'OpenInventory', quantityM: DEFAULT_STOCK_M, at: nowText(context) } as const
  await context.hot.changeStock(stock, callerFor(caller, 'stock'))
  // Only as the first event, so that the owner's settings are never overwritten.
  const request = { changes: DEFAULT_SETTINGS, adminId: null, seenRevision: NO_EVENTS }
  await changeSettings(context, callerFor(caller, 'settings'), request).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })
}
