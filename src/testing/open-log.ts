import { join } from 'node:path'
import { type EventLog, eventLog } from '../event-store/event-log.ts'
import { sqliteEventStore } from '../event-store/sqlite-event-store.ts'
import { sqliteVault } from '../vault/sqlite-vault.ts'
import { systemClock } from '../system.ts'
import { EVENTS_FILE, VAULT_FILE } from '../engines.ts'

/** The log of a DATA_DIR, beside whatever process is using it. */
export function openLog(dataDir: string): { log: EventLog; close(): Promise<void> } {
  const store = sqliteEventStore(join(dataDir, EVENTS_FILE))
  const vault = sqliteVault(join(dataDir, VAULT_FILE))
  return {
    log: eventLog({ store, vault, sleep: systemClock.sleep }),
    close: async () => {
      await store.close()
      await vault.close()
    },
  }
}
