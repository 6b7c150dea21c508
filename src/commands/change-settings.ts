import { settings as settingsDecider, type SettingsCommand } from '../domain/settings/settings.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Caller } from '../log/event-log.ts'
import { AppendConflict, type Position } from '../engines/event-store/event-store.ts'
import { handleInMemory } from '../shop/handle-command.ts'
import { nowText, type CommandContext } from '../shop/command-context.ts'

/** Changes the shop's settings, if they are still at `seenRevision` (if given) or already as asked, as after a repeat. */
export async function changeSettings(
  context: CommandContext,
  caller: Caller,
  request: { changes: SettingsCommand['changes']; adminId: string | null; seenRevision: number | undefined },
): Promise<{ position: Position }> {
  const { changes, adminId, seenRevision } = request
  const { settings } = context.hot
  const command = { type: 'ChangeSettings', changes, adminId, at: nowText(context) } as const
  try {
    return await handleInMemory(context, settings, settingsDecider, {
      command,
      caller,
      ...(seenRevision === undefined ? {} : { atRevision: seenRevision }),
    })
  } catch (error) {
    if (!(error instanceof AppendConflict)) throw error
    await settings.refresh()
    if (settingsDecider.decide(command, settings.state).length > 0) throw changedElsewhere()
    return settings
  }
}

/** Throws unless the settings are still at `seenRevision` (if given). */
export async function assertSettingsSeen(context: CommandContext, seenRevision: number | undefined): Promise<void> {
  if (seenRevision === undefined) return
  await context.hot.settings.refresh()
  if (context.hot.settings.revision !== seenRevision) throw changedElsewhere()
}

function changedElsewhere(): Refusal {
  return new Refusal('settings/changed', 'The settings were changed by somebody else just now.')
}
