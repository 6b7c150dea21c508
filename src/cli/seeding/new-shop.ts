import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { assembleShop } from '../../assemble-shop.ts'
import { bindVault } from '../../commands/bind-vault.ts'
import type { Config } from '../../config.ts'
import { CUSTOMERS_FILE, EVENTS_FILE, VAULT_FILE, VIEWS_FILE } from '../../engines.ts'
import { sqliteEventStore } from '../../event-store/sqlite-event-store.ts'
import type { PaymentProvider } from '../../payments/payment-provider.ts'
import type { Play } from '../../payments/sandbox-payment.ts'
import { providersFor } from '../../payment-providers.ts'
import { logAndKeys } from '../../shop/log-and-keys.ts'
import type { Random } from '../../shop/clock-and-random.ts'
import { type Shop, systemCaller } from '../../shop/shop.ts'
import { systemClock } from '../../system.ts'
import { sqliteViewStore } from '../../view-store/sqlite-view-store.ts'
import { worldOf } from '../../world.ts'
import { sqliteVault } from '../../vault/sqlite-vault.ts'
import { UsageError } from '../command-line.ts'
import { PAYMENT_MINUTES } from './stories.ts'

/** Large page cache: the indexes of a large log are written at many places. */
const CACHE_KIB = 524_288

/** The folder is not empty; nothing is ever overwritten. */
export class FolderInUse extends UsageError {
  override readonly name = 'FolderInUse'
}

export interface NewShop {
  readonly shop: Shop
  /** The same shop with a clock of its own, which may be ahead, and a sandbox with this behaviour; the log records the latest such time. */
  at(ms: number, play?: Play): Shop
  close(): Promise<void>
}

/** Opens a shop with sandbox payments in an empty folder, at a time of its own. The first start of the real one makes the owner's account. */
export async function newShop(
  config: Config,
  { random, startMs }: { random: Random; startMs: number },
): Promise<NewShop> {
  const { DATA_DIR: folder } = config
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (readdirSync(folder).length > 0)
    throw new FolderInUse(`${folder} is not empty; --data-dir takes a new or empty folder`)

  let nowMs = startMs
  const now = (): number => nowMs
  const clock = { now, sleep: systemClock.sleep }
  // Without fsync: a folder damaged by a power cut is generated again.
  const synchronous = 'OFF'
  const vault = sqliteVault(join(folder, VAULT_FILE), { synchronous })
  const store = sqliteEventStore(join(folder, EVENTS_FILE), { now, synchronous, cacheKib: CACHE_KIB })
  const { log, keys } = await logAndKeys({ store, vault }, { clock, random })
  await bindVault({ log, keys, clock }, systemCaller(random))
  // Views are not read here, so their files are not created.
  const views = sqliteViewStore({ views: join(folder, VIEWS_FILE), people: join(folder, CUSTOMERS_FILE) })
  const secret = keys.derived('sandbox')
  const sandbox = { ...config, PAYMENTS: 'sandbox', SANDBOX_DELAY_MS: PAYMENT_MINUTES * 60_000 } as const
  const world = worldOf({ ...sandbox, DELIVERY: 'instant' }, keys, { clock, random })
  const assembled = assembleShop({ log, vault, keys, views }, world)
  const { shop } = assembled
  await assembled.open()
  return {
    shop,
    at(ms, play = 'pay') {
      nowMs = Math.max(nowMs, ms)
      const clockAt = { ...clock, now: () => ms }
      const { paypal, crypto, upi } = providersFor(sandbox, secret, clockAt)
      const providers = { paypal: playing(paypal, play), crypto: playing(crypto, play), upi: playing(upi, play) }
      return { ...shop, clock: clockAt, providers }
    },
    async close() {
      await store.close()
      await vault.close()
      for (const file of [EVENTS_FILE, VAULT_FILE]) sync(join(folder, file))
    },
  }
}

/** The sandbox chooses its behaviour by the buyer's name, and made-up buyers have ordinary names. */
function playing<Provider extends PaymentProvider>(provider: Provider | undefined, play: Play): Provider | undefined {
  return (
    provider && {
      ...provider,
      create: async (request: Parameters<PaymentProvider['create']>[0]) =>
        provider.create({ ...request, customer: { ...request.customer, name: `sandbox-${play}` } }),
    }
  )
}

function sync(file: string): void {
  const descriptor = openSync(file, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
