import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isBoundTo } from '../../commands/bind-vault.ts'
import { hotStates } from '../../shop/hot/hot-states.ts'
import { shopKeys } from '../../shop/keys.ts'
import { openShop } from '../../commands/open-shop.ts'
import { type Random, systemCaller } from '../../shop/shop.ts'
import type { Config } from '../../config.ts'
import { EVENTS_FILE, VAULT_FILE } from '../../engines.ts'
import { eventLog } from '../../event-store/event-log.ts'
import { sandboxProviders } from '../../payments/sandbox.ts'
import { systemClock } from '../../system.ts'
import { sqliteVault } from '../../vault/sqlite-vault.ts'
import type { SeededShop } from './seed-orders.ts'
import { storeInThread } from './store-thread.ts'
import { PAYMENT_MINUTES } from './stories.ts'

/** The folder has something in it: nothing is ever written over. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

/** Opens a shop in an empty folder, at a time that only moves when it is told to. Its owner's account is made by the first start. */
export async function newShop(
  config: Config,
  { random, startMs }: { random: Random; startMs: number },
): Promise<SeededShop & { close(): Promise<void> }> {
  const { DATA_DIR: folder } = config
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (readdirSync(folder).length > 0)
    throw new FolderInUse(`${folder} is not empty; --data-dir takes a new or empty folder`)

  let nowMs = startMs
  const now = (): number => nowMs
  const clock = { now, sleep: systemClock.sleep }
  const vault = sqliteVault(join(folder, VAULT_FILE))
  const store = storeInThread(join(folder, EVENTS_FILE), { now })
  const log = eventLog({ store, vault, sleep: clock.sleep })
  const keys = await shopKeys(vault, (count) => random.bytes(count))
  await isBoundTo({ log, keys, clock }, systemCaller(random))
  const hot = hotStates({ log, clock, random })
  const providers = sandboxProviders({
    delayMs: PAYMENT_MINUTES * 60_000,
    now,
    shopName: config.SHOP_NAME,
    secret: keys.derived('sandbox'),
    inrPerUsd: config.paisePerUsd / 100,
  })
  const policy = {
    orderTtlMinutes: config.ORDER_TTL_MINUTES,
    openOrdersMax: config.OPEN_ORDERS_MAX,
    paisePerUsd: config.paisePerUsd,
    deliveryMode: 'instant',
    publicUrl: config.PUBLIC_URL,
    shopName: config.SHOP_NAME,
  } as const
  const shop = { log, vault, keys, hot, providers, policy, clock, random }
  await hot.load()
  await openShop(shop, systemCaller(random))
  return {
    shop,
    setTime: (ms) => {
      nowMs = ms
    },
    async close() {
      await store.close()
      await vault.close()
    },
  }
}
