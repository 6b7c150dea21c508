import { join } from 'node:path'
import { assembleShop } from '../../process/assemble-shop.ts'
import { bindVault } from '../../commands/bind-vault.ts'
import type { Config } from '../../config.ts'
import { EVENTS_FILE, VAULT_FILE, VIEWS_FOLDER } from '../../engines/open-engines.ts'
import { sqliteEventStore } from '../../engines/event-store/sqlite-event-store.ts'
import { logAndKeys } from '../../shop/log-and-keys.ts'
import { type CommandContext, systemCaller } from '../../shop/command-context.ts'
import { systemClock } from '../../process/system.ts'
import { sqliteViewStore } from '../../engines/view-store/sqlite-view-store.ts'
import { worldOf } from '../../process/world.ts'
import { sqliteVault } from '../../engines/vault/sqlite-vault.ts'
import { ensureEmptyFolder, sync } from '../backup/folders.ts'
import { storyRandom } from './story-random.ts'
import { PAYMENT_MINUTES } from './stories.ts'

/** Large page cache, since the events of a large log are inserted all over its indexes. */
const CACHE_KIB = 524_288

export interface NewShop {
  readonly context: CommandContext
  readonly stockFile?: string
  /** Moves the clock of the shop, of its log and of its payments to this time, never back. */
  moveTo(ms: number): void
  close(): Promise<void>
}

/** Opens a shop with sandbox payments and its own clock in an empty folder. It has no owner's account: the first real start creates it. */
export async function newShop(config: Config, { seed, startMs }: { seed: number; startMs: number }): Promise<NewShop> {
  const { DATA_DIR: folder } = config
  ensureEmptyFolder(folder, 'set DATA_DIR to a new or empty folder')
  let nowMs = startMs
  const now = (): number => nowMs
  const clock = { now, sleep: systemClock.sleep }
  const random = storyRandom(seed, clock)
  // Without fsync: a folder damaged by a power cut can be generated again.
  const synchronous = 'OFF'
  const vault = sqliteVault(join(folder, VAULT_FILE), { synchronous })
  const store = sqliteEventStore(join(folder, EVENTS_FILE), { now, synchronous, cacheKib: CACHE_KIB })
  const { log, keys } = await logAndKeys({ store, vault }, { clock, random })
  await bindVault({ log, keys, clock }, systemCaller(random))
  // Views are not read here, so their files are not created.
  const views = sqliteViewStore(join(folder, VIEWS_FOLDER))
  const sandbox = { ...config, PAYMENTS: 'sandbox', SANDBOX_DELAY_MS: PAYMENT_MINUTES * 60_000 } as const
  const world = worldOf(sandbox, { clock, random })
  const assembled = assembleShop({ log, vault, keys, views }, world)
  await assembled.load()
  return {
    context: assembled.context,
    stockFile: world.stockFile,
    moveTo: (ms) => void (nowMs = Math.max(nowMs, ms)),
    async close() {
      await store.close()
      await vault.close()
      for (const file of [EVENTS_FILE, VAULT_FILE]) sync(join(folder, file))
    },
  }
}
