import type { Probe } from './api/api.ts'
import type { EventLog } from './event-store/event-log.ts'
import type { Views } from './projections/views.ts'
import type { Vault } from './vault/vault.ts'

/** A view that is further behind the log than this, for as long, is not fit to be read. */
const BEHIND_MS = 1_500

/** Why this process cannot serve, part by part; asked by `/readyz`. Lag is measured against the log's own head. */
export function probesOf(parts: {
  log: EventLog
  vault: Vault
  views: Views
  viewNames: readonly string[]
  /** Of this process, where it has one. */
  projector: { trouble(): string | undefined } | undefined
}): Record<string, Probe> {
  const { log, vault, views, viewNames, projector } = parts
  return {
    async log() {
      await log.head()
      return undefined
    },
    async vault() {
      await vault.keysOf([])
      return undefined
    },
    async projector() {
      return projector?.trouble()
    },
    async views() {
      for (const name of viewNames) await views.collection(name)
      return (await views.waitFor(await log.head(), BEHIND_MS)) ? undefined : 'behind the log'
    },
  }
}
