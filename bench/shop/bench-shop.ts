import { setTimeout as pause } from 'node:timers/promises'
import { type ShopProcess, startShopProcess } from '../../src/testing/shop-process.ts'
import { endWithBench } from './leftovers.ts'
import { residentMegabytes, watchMemory } from './memory.ts'
import { atRest } from './processor.ts'

const PASSWORD = 'a long password for the bench'
const STOCK_M = 500_000_000
/** No order of a load expires while it is measured. */
const ORDER_TTL_MINUTES = '600'
/** Without its snapshot, the stock of a large log takes a while to fold. */
const START_TIMEOUT_MS = 600_000
const LOOK_EVERY_MS = 20
const CAUGHT_UP_TIMEOUT_MS = 1_800_000
const TOLD_EVERY_MS = 30_000

/** A shop in a process of its own, with the owner logged in. */
export interface BenchShop {
  readonly url: string
  readonly output: readonly string[]
  /** A GET as staff; the parsed body. */
  staff<Body>(path: string, headers?: Readonly<Record<string, string>>): Promise<Body>
  /** Waits until every view has seen the whole log. */
  caughtUp(): Promise<void>
  /** Waits until it has done what every start leaves to be done, such as to ask about the payments of the last days. */
  settled(): Promise<void>
  /** The most memory that the process has had so far; nothing where the system does not tell. */
  memory(): { readonly megabytes?: number }
  /** Now. */
  residentMegabytes(): number | undefined
  stop(): Promise<void>
  kill(): Promise<void>
}

/** Starts the shop with all its roles and as `npm start` does, but for RATE_LIMIT and DELIVERY. */
export async function startBenchShop(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<BenchShop> {
  const shop = await startShopProcess(
    { DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, ORDER_TTL_MINUTES, RATE_LIMIT: 'off', DELIVERY: 'instant', ...env },
    { startTimeoutMs: START_TIMEOUT_MS },
  )
  const memory = watchMemory(shop.pid)
  // It leads a group of processes of its own, which no signal to the bench reaches.
  const forget = endWithBench(() => process.kill(-shop.pid, 'SIGKILL'))
  let token: string | undefined

  async function staff<Body>(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Body> {
    token ??= await logIn(shop)
    return send<Body>(`${shop.url}${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } })
  }

  return {
    url: shop.url,
    output: shop.output,
    staff,
    caughtUp: async () => caughtUp(shop.url),
    settled: async () => atRest(shop.pid),
    memory() {
      const megabytes = memory.peakMegabytes()
      return megabytes === undefined ? {} : { megabytes }
    },
    residentMegabytes: () => residentMegabytes(shop.pid),
    async stop() {
      memory.stop()
      forget()
      const code = await shop.stop()
      if (code !== 0) throw new Error(`the shop ended with exit code ${code}:\n${shop.output.join('\n')}`)
    },
    async kill() {
      memory.stop()
      forget()
      await shop.kill()
    },
  }
}

/** A new shop has little to sell. */
export async function raiseStock(shop: BenchShop): Promise<void> {
  const { token } = await login(shop.url)
  const body = JSON.stringify({ currentStock: STOCK_M })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  await send(`${shop.url}/api/payment-settings`, { method: 'PATCH', body, headers })
}

async function caughtUp(url: string): Promise<void> {
  const beganAt = performance.now()
  let toldAt = beganAt
  for (;;) {
    const answer = await fetch(`${url}/readyz`)
    const body = await answer.text()
    if (answer.ok) return
    const now = performance.now()
    if (now - beganAt > CAUGHT_UP_TIMEOUT_MS) throw new Error(`the views have not caught up: ${body}`)
    if (now - toldAt > TOLD_EVERY_MS) {
      toldAt = now
      process.stderr.write(`for ${Math.round((now - beganAt) / 1_000)} s the views have been catching up\n`)
    }
    await pause(LOOK_EVERY_MS)
  }
}

async function logIn({ url }: Pick<ShopProcess, 'url'>): Promise<string> {
  return (await login(url)).token
}

async function login(url: string): Promise<{ token: string }> {
  const body = JSON.stringify({ email: 'owner@localhost', password: PASSWORD })
  return send(`${url}/api/admin/login`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
}

/** The JSON of an answer. Throws on any but 2xx. */
export async function send<Body>(url: string, request: RequestInit = {}): Promise<Body> {
  const answer = await fetch(url, request)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${request.method ?? 'GET'} ${url}: ${answer.status} ${text}`)
  return JSON.parse(text) as Body
}
