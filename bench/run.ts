import autocannon from 'autocannon'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type ShopProcess, startShopProcess } from '../src/testing/shop-process.ts'

const ROUNDS = 3
const SECONDS = 5
const PASSWORD = 'a long password for the bench'
const QUANTITY = 1
const TOTAL = '0.05'

interface Figure {
  readonly name: string
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly failed: number
}

const help = `npm run bench: orders/s and reads/s of the shop beside a bare Express hello-world, in one run on this machine.
Takes about ${Math.ceil((ROUNDS * 6 * (SECONDS + 1)) / 60)} minutes; medians of ${ROUNDS} rounds.`

if (process.argv.includes('--help')) say(help)
else await main()

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'coinshop-bench-'))
  const hello = await startHelloWorld()
  const shop = await startShopProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, ORDER_TTL_MINUTES: '600' })
  try {
    await raiseStock(shop)
    const orderId = await firstOrder(shop)
    const scenarios: [string, () => Promise<autocannon.Result>][] = [
      ['hello-world', async () => load(hello.url, 64)],
      ['GET pricing', async () => load(`${shop.url}/api/pricing`, 64)],
      ['GET payment-settings', async () => load(`${shop.url}/api/payment-settings`, 64)],
      ['GET order', async () => load(`${shop.url}/api/orders/${orderId}`, 64)],
      ['POST orders, 1 connection', async () => placeOrders(shop.url, 1)],
      ['POST orders, 64 connections', async () => placeOrders(shop.url, 64)],
    ]
    const rounds = new Map<string, Figure[]>()
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [name, run] of scenarios) {
        progress(`round ${round + 1} of ${ROUNDS}: ${name}`)
        rounds.set(name, [...(rounds.get(name) ?? []), figure(name, await run())])
      }
    report([...rounds.values()].map(medianOf))
  } finally {
    hello.child.kill()
    await shop.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function load(url: string, connections: number): Promise<autocannon.Result> {
  return autocannon({ url, connections, duration: SECONDS })
}

async function placeOrders(url: string, connections: number): Promise<autocannon.Result> {
  let buyer = 0
  return autocannon({
    url: `${url}/api/orders`,
    connections,
    duration: SECONDS,
    requests: [
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        setupRequest: (request) => {
          buyer += 1
          return { ...request, body: orderBody(`${process.pid}-${Date.now()}-${buyer}`) }
        },
      },
    ],
  })
}

function orderBody(buyer: string): string {
  return JSON.stringify({
    customerEmail: `${buyer}@example.test`,
    discordUsername: `buyer-${buyer}`,
    marketId: '12345678',
    pokecoinAmount: QUANTITY,
    totalAmount: TOTAL,
    paymentMethod: 'crypto',
  })
}

async function firstOrder(shop: ShopProcess): Promise<string> {
  const answer = await send(`${shop.url}/api/orders`, 'POST', orderBody('first'))
  return ((await answer.json()) as { id: string }).id
}

async function raiseStock(shop: ShopProcess): Promise<void> {
  const login = await send(
    `${shop.url}/api/admin/login`,
    'POST',
    JSON.stringify({ email: 'owner@localhost', password: PASSWORD }),
  )
  const { token } = (await login.json()) as { token: string }
  const body = JSON.stringify({ currentStock: 500_000_000 })
  await send(`${shop.url}/api/payment-settings`, 'PATCH', body, { authorization: `Bearer ${token}` })
}

async function send(
  url: string,
  method: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const answer = await fetch(url, { method, body, headers: { 'content-type': 'application/json', ...headers } })
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
  return answer
}

async function startHelloWorld(): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./hello-world.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = (await new Promise<[string]>((resolve) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve([line]))
  })) satisfies [string]
  return { url, child }
}

function figure(name: string, result: autocannon.Result): Figure {
  return {
    name,
    perSecond: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}

function medianOf(figures: readonly Figure[]): Figure {
  const sorted = [...figures].sort((one, other) => one.perSecond - other.perSecond)
  const median = sorted[Math.floor(sorted.length / 2)]
  if (!median) throw new Error('there is at least one round')
  return { ...median, failed: figures.reduce((sum, { failed }) => sum + failed, 0) }
}

function report(figures: readonly Figure[]): void {
  const base = figures[0]?.perSecond ?? 1
  say(
    `\n${cpus()[0]?.model ?? 'a processor'}, ${cpus().length} cores; Node ${process.version}; load and server share them`,
  )
  say(
    `${'what'.padEnd(30)}${'a second'.padStart(12)}${': hello'.padStart(10)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}${'failed'.padStart(9)}`,
  )
  for (const { name, perSecond, p50, p99, failed } of figures)
    say(
      `${name.padEnd(30)}${perSecond.toFixed(0).padStart(12)}${(perSecond / base).toFixed(3).padStart(10)}${String(p50).padStart(9)}${String(p99).padStart(9)}${String(failed).padStart(9)}`,
    )
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`)
}
