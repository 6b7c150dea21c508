import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { withDatabase } from '../../src/engines/mongodb/testing/databases.ts'
import { NowPaymentsDouble } from '../../src/payments/nowpayments/testing/nowpayments-double.ts'
import { provisionWith } from '../../src/testing/engine-sets.ts'
import { endAtExit } from '../../bench/leftovers.ts'
import { type MeasuredShop, startMeasuredShop } from '../../bench/measured-shop.ts'
import type { Script } from './scripts.ts'

/** Variables of the servers' addresses. */
export const serverUrls = ['EVENTSTOREDB_URL', 'MONGODB_URL', 'VAULT_URL', 'REDIS_URL'] as const

/** A new shop to load. */
export interface LoadedShop extends MeasuredShop {
  /** Where its data is stored. */
  readonly env: Readonly<Record<string, string>>
  /** The payment provider; undefined in the sandbox. */
  readonly double: NowPaymentsDouble | undefined
  /** Deletes the data. */
  remove(): Promise<void>
}

/** `servers`: addresses by variable; none for one process on its own files. */
export async function startLoadedShop(
  { env: scriptEnv, isLive }: Script,
  servers: Readonly<Record<string, string>>,
): Promise<LoadedShop> {
  const place = await provisionWith(withOwnLog(servers))
  const { DATA_DIR = '' } = place.env
  const forget = endAtExit(() => rmSync(DATA_DIR, { recursive: true, force: true, maxRetries: 3 }))
  const double = isLive ? await new NowPaymentsDouble().listen() : undefined
  const payments = double ? { PAYMENTS: 'live', ...double.env } : { PAYMENTS: 'sandbox', SANDBOX_DELAY_MS: '0' }
  const roles = Object.keys(servers).length === 0 ? undefined : ['api', 'projector', 'worker']
  const shop = await startMeasuredShop({ ...place.env, ...payments, ...scriptEnv }, { roles })
  await shop.ready()
  return {
    ...shop,
    env: place.env,
    double,
    async remove() {
      await double?.stop()
      await place.remove()
      forget()
    },
  }
}

/** Several shops can share an EventStoreDB by different names; streams are never deleted there. */
function withOwnLog(servers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { EVENTSTOREDB_URL: url } = servers
  if (url === undefined) return servers
  return { ...servers, EVENTSTOREDB_URL: withDatabase(url, `load_${randomBytes(8).toString('hex')}`) }
}
