import { settings as settingsDecider, type SettingsCommand } from '../domain/settings/settings.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Caller } from '../engines/event-store/event-log.ts'
import { AppendConflict, type Position } from '../engines/event-store/event-store.ts'
import { handleInMemory } from '../shop/handle-command.ts'
import { nowText, type Shop } from '../shop/shop.ts'

/** Changes the shop's settings, if they are still at `seenRevision` (if given). */
export async function changeSettings(
  shop: Shop,
  caller: Caller,
  request: { changes: SettingsCommand['changes']; adminId: string | null; seenRevision: number | undefined },
): Promise<{ position: Position }> {
  const { changes, adminId, seenRevision } = request
  try {
    return await handleInMemory(shop, shop.hot.settings, settingsDecider, {
      command: { type: 'ChangeSettings', changes, adminId, at: nowText(shop) },
      caller,
      ...(seenRevision === undefined ? {} : { atRevision: seenRevision }),
    })
  } catch (error) {
    if (!(error instanceof AppendConflict)) throw error
    await shop.hot.settings.refresh()
    throw new Refusal('settings/changed', 'The settings were changed by somebody else just now.')
  }
}
