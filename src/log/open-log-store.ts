import type { Config } from '../config.ts'
import { categories } from '../domain/stream-names.ts'
import { openEventStore, type Opening } from '../engines/open-engines.ts'

/** Opens the event store of the configured log; on a shared server, it shows only this shop's streams. */
export async function openLogStore(config: Config, options: Opening = {}) {
  return openEventStore(config, { ...options, categories })
}
