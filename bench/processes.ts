import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { startShopProcess } from '../src/testing/shop-process.ts'
import { endWithBench } from './leftovers.ts'
import { JSON_HEADERS } from './orders.ts'

const HELLO_WORLD = fileURLToPath(new URL('hello-world.ts', import.meta.url))
const PASSWORD = 'a long password for the bench'
const STOCK_M = 500_000_000
/** Longer than any load, so that no order expires. */
const ORDER_TTL_MINUTES = '600'
const START_TIMEOUT_MS = 600_000
const CAUGHT_UP_TIMEOUT_MS = 1_800_000
const CAUGHT_UP_POLL_MS = 20
const REST_POLL_MS = 2_000
const REST_POLLS_MAX = 90
/** Processor time in one poll: an idle shop needs less for its sweeps. */
const REST_NS = 300e6

/** A shop in a process of its own, with staff access. */
export interface BenchShop {
  readonly url: string
  readonly pid: number
  /** A GET as staff; the parsed body. */
  staff<Body>(path: string): Promise<Body>
  /** Resolves when all views show the whole log. */
  caughtUp(): Promise<void>
  /** Resolves when the work that follows a start is done, three minutes at most. */
  atRest(): Promise<void>
  stop(): Promise<void>
}

/** Starts the shop of the checkout at `root`. */
export async function startBenchShop(root: string, dataDir: string, { node }: { node: string }): Promise<BenchShop> {
  const shop = await startShopProcess(
    { DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, ORDER_TTL_MINUTES },
    { root: pathToFileURL(`${root}/`), startTimeoutMs: START_TIMEOUT_MS, node },
  )
  // It leads a process group of its own, which gets none of the bench's signals.
  const forget = endWithBench(() => process.kill(-shop.pid, 'SIGKILL'))
  let authorization: string | undefined

  return {
    url: shop.url,
    pid: shop.pid,
    async staff(path) {
      authorization ??= `Bearer ${await tokenOf(shop.url)}`
      return send(`${shop.url}${path}`, { headers: { authorization } })
    },
    caughtUp: async () => caughtUp(shop.url),
    atRest: async () => atRest(shop.pid),
    async stop() {
      forget()
      const code = await shop.stop()
      if (code !== 0) throw new Error(`the shop ended with exit code ${code}:\n${shop.output.join('\n')}`)
    },
  }
}

/** The stock of a new shop would not last through a load. */
export async function raiseStock({ url }: BenchShop): Promise<void> {
  const headers = { authorization: `Bearer ${await tokenOf(url)}`, ...JSON_HEADERS }
  const body = JSON.stringify({ currentStock: STOCK_M })
  await send(`${url}/api/payment-settings`, { method: 'PATCH', body, headers })
}

async function tokenOf(url: string): Promise<string> {
  const body = JSON.stringify({ email: 'owner@localhost', password: PASSWORD })
  const login = { method: 'POST', body, headers: JSON_HEADERS }
  return (await send<{ token: string }>(`${url}/api/admin/login`, login)).token
}

async function caughtUp(url: string): Promise<void> {
  const deadline = performance.now() + CAUGHT_UP_TIMEOUT_MS
  for (;;) {
    const answer = await fetch(`${url}/readyz`)
    const body = await answer.text()
    if (answer.ok) return
    if (performance.now() > deadline) throw new Error(`the views have not caught up: ${body}`)
    await pause(CAUGHT_UP_POLL_MS)
  }
}

async function atRest(pid: number): Promise<void> {
  let before = processorNs(pid)
  for (let poll = 0; poll < REST_POLLS_MAX; poll += 1) {
    await pause(REST_POLL_MS)
    const now = processorNs(pid)
    if (!(now - before >= REST_NS)) return
    before = now
  }
}

/** Processor time of all threads of a process. NaN where the system does not say it. */
export function processorNs(pid: number): number {
  if (!existsSync('/proc/self/schedstat')) return Number.NaN
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, thread) => sum + threadNs(`/proc/${pid}/task/${thread}/schedstat`), 0)
}

function threadNs(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ', 1)[0])
  } catch {
    // It has just ended.
    return 0
  }
}

/** The JSON of an answer. Throws on any but 2xx. */
async function send<Body>(url: string, request: RequestInit): Promise<Body> {
  const answer = await fetch(url, request)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${request.method ?? 'GET'} ${url}: ${answer.status} ${text}`)
  return JSON.parse(text) as Body
}

/** The server that everything is measured against, on the same Node. */
export async function startHelloWorld(node = process.execPath): Promise<{ url: string; pid: number; stop(): void }> {
  const child: ChildProcess = spawn(node, [HELLO_WORLD], { stdio: ['ignore', 'pipe', 'inherit'] })
  const forget = endWithBench(() => void child.kill('SIGKILL'))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`hello-world did not start (exit code ${code})`)))
    if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve)
  })
  return {
    url,
    pid: child.pid ?? Number.NaN,
    stop() {
      child.kill()
      forget()
    },
  }
}
