import type { SettingsEvent } from './events.ts'
import { type Settings, settings as settingsDecider, type SettingsState } from './settings.ts'

export interface SettingChange {
  readonly setting: keyof Settings
  /** Undefined if it had no value. */
  readonly from: Settings[keyof Settings]
  readonly to: Settings[keyof Settings]
  /** Null for the shop itself, at its opening. */
  readonly adminId: string | null
  readonly at: string
}

/** Each change with its old and new value, in event order. */
export function settingChanges(events: readonly SettingsEvent[]): SettingChange[] {
  let state: SettingsState
  return events.flatMap((event) => {
    const changes = changesBy(event, state)
    state = settingsDecider.evolve(state, event)
    return changes
  })
}

/** One event's changes to the settings before it. */
function changesBy({ data }: SettingsEvent, before: SettingsState): SettingChange[] {
  const { changes, adminId, at } = data
  const names = Object.keys(changes) as (keyof Settings)[]
  return names.map((setting) => ({ setting, from: before?.[setting], to: changes[setting], adminId, at }))
}
