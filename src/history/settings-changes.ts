import { type Settings, settings as settingsDecider, type SettingsState } from '../domain/settings/settings.ts'
import { changesBy } from '../domain/settings/setting-changes.ts'
import { SETTINGS_STREAM } from '../domain/stream-names.ts'
import type { Fold } from './fold-log.ts'

export type SettingValue = Settings[keyof Settings] | null

/** One setting that was changed, or set at the opening. */
export interface SettingChange {
  readonly at: string
  /** Null: the shop itself, at its opening. */
  readonly adminId: string | null
  readonly setting: string
  /** Null where it had none. */
  readonly from: SettingValue
  readonly to: SettingValue
  /** How many orders were placed at these settings, until the next change. */
  readonly orders: number
}

export interface SettingsFold extends Fold {
  /** Undefined before the opening. */
  now(): SettingsState
  /** In the order in which they were made. */
  changes(): readonly SettingChange[]
}

/** What staff changed, from what to what. */
export function settingsFold(): SettingsFold {
  const changes: (Omit<SettingChange, 'orders'> & { readonly revision: number })[] = []
  /** By the revision of the settings that they were placed at. */
  const ordersAt = new Map<number, number>()
  let state: SettingsState

  return {
    needs: ({ stream, type }) => stream === SETTINGS_STREAM || type === 'OrderPlaced',

    see(event) {
      if (event.type === 'OrderPlaced') {
        const { settingsRevision } = event.data
        ordersAt.set(settingsRevision, (ordersAt.get(settingsRevision) ?? 0) + 1)
      }
      if (event.type !== 'SettingsChanged') return
      for (const { from = null, to = null, ...change } of changesBy(event, state))
        changes.push({ revision: event.revision, ...change, from, to })
      state = settingsDecider.evolve(state, event)
    },

    now: () => state,

    changes: () => changes.map(({ revision, ...change }) => ({ ...change, orders: ordersAt.get(revision) ?? 0 })),
  }
}
