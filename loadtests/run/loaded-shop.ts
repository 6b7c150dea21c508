import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { endWithBench } from '../../bench/leftovers.ts'
import { withDatabase } from '../../src/mongodb/testing/databases.ts'
import { NowPaymentsDouble } from '../../src/payments/nowpayments/testing/nowpayments-double.ts'
import { ADMIN_PASSWORD } from '../../src/testing/buyers.ts'
import { provisionWith } from '../../src/testing/engine-sets.ts'
import { freePort } from '../../src/testing/free-port.ts'
import { type ShopProcess, startShopProcess } from '../../src/testing/shop-process.ts'
import type { Script } from './scripts.ts'

const ALL_ROLES = 'api,projector,worker'
const START_MS = 600_000
const POLL_MS = 100

/** Names of the servers' addresses. */
export const serverUrls = ['EVENTSTOREDB_URL', 'MONGODB_URL', 'VAULT_URL', 'REDIS_URL'] as const

/** A new shop, to be loaded. */
export interface LoadedShop {
  readonly url: string
  /** Where its data is. */
  readonly env: Readonly<Record<string, string>>
  /** Of the double at which it is paid; undefined in the sandbox. */
  readonly doubleUrl: string | undefined
  /** By method and kind; empty in the sandbox. */
  callsToProvider(): string
  /** Of all its processes. NaN where /proc is missing. */
  megabytes(): number
  /** Stops all processes gracefully; one sentence for each that failed to. */
  stop(): Promise<string[]>
  /** Kills what still runs, and deletes the data. */
  remove(): Promise<void>
}

/** `servers`: addresses by their names; none for one process on its own files. */
export async function startLoadedShop(
  { env: scriptEnv, isLive }: Script,
  servers: Readonly<Record<string, string>>,
): Promise<LoadedShop> {
  const place = await provisionWith(withLogOfItsOwn(servers))
  const double = isLive && (await new NowPaymentsDouble().listen())
  const parts: ShopProcess[] = []
  const forget = endWithBench(() => removeAtOnce(parts, place.env))
  const remove = async (): Promise<void> => {
    forget()
    await Promise.all(parts.map(async (part) => part.kill()))
    if (double) await double.stop()
    await place.remove()
  }
  try {
    const port = String(await freePort())
    const address = `http://127.0.0.1:${port}`
    const all = {
      ...place.env,
      // Where webhooks go.
      PUBLIC_URL: address,
      PAYMENTS: 'sandbox',
      ADMIN_PASSWORD,
      ORDER_TTL_MINUTES: '600',
      SANDBOX_DELAY_MS: '0',
      ...(double && { PAYMENTS: 'live', ...double.env }),
      ...scriptEnv,
    }
    const roles = Object.keys(servers).length === 0 ? [ALL_ROLES] : ALL_ROLES.split(',')
    for (const role of roles) {
      const own = { ...all, ROLES: role, ...(role.startsWith('api') && { PORT: port }) }
      parts.push(await startShopProcess(own, { startTimeoutMs: START_MS }))
    }
    await ready(address)
    return {
      url: address,
      env: place.env,
      doubleUrl: double ? double.origin : undefined,
      callsToProvider: () => (double ? callsOf(double) : ''),
      megabytes: () => parts.reduce((sum, { pid }) => sum + megabytesOf(pid), 0),
      stop: async () => (await Promise.all(parts.splice(0).map(stopped))).flat(),
      remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Several shops may be on one EventStoreDB, each by a name; streams are never deleted there. */
function withLogOfItsOwn(servers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { EVENTSTOREDB_URL: url } = servers
  if (url === undefined) return servers
  return { ...servers, EVENTSTOREDB_URL: withDatabase(url, `load_${randomBytes(8).toString('hex')}`) }
}

/** Each process leads a group of its own, which gets none of the runner's signals. */
function removeAtOnce(parts: readonly ShopProcess[], { DATA_DIR: folder }: Readonly<Record<string, string>>): void {
  for (const { pid } of parts) process.kill(-pid, 'SIGKILL')
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

function callsOf({ calls }: NowPaymentsDouble): string {
  const opened = calls.filter(({ method }) => method === 'POST').length
  return `${opened} calls that open a payment, ${calls.length - opened} others`
}

/** Every view shows the whole log. */
async function ready(url: string): Promise<void> {
  const deadline = performance.now() + START_MS
  for (;;) {
    const answer = await fetch(`${url}/readyz`)
    const body = await answer.text()
    if (answer.ok) return
    if (performance.now() > deadline) throw new Error(`the shop is not ready: ${body}`)
    await pause(POLL_MS)
  }
}

async function stopped(part: ShopProcess): Promise<string[]> {
  const code = await part.stop()
  return code === 0 ? [] : [`a process of the shop ended with exit code ${code}: ${part.output.join(' ')}`]
}

function megabytesOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
  } catch {
    return Number.NaN
  }
}
