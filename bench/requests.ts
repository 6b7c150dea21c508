import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { placeOrder, setStock } from '../src/testing/buyers.ts'
import { endAtExit, folderOfRun } from './leftovers.ts'
import { type MeasuredShop, processorNs, startMeasuredShop } from './measured-shop.ts'
import { payAll } from './pay.ts'

/** The requests of buyers, and the simplest one. */
export const requests = [
  { name: 'healthz', title: 'GET /healthz', scenario: 'reads', path: () => '/healthz' },
  { name: 'pricing', title: 'GET /api/pricing', scenario: 'reads', path: () => '/api/pricing' },
  { name: 'settings', title: 'GET /api/payment-settings', scenario: 'reads', path: () => '/api/payment-settings' },
  {
    name: 'order',
    title: 'GET /api/orders/:id',
    scenario: 'reads',
    path: (orderId: string) => `/api/orders/${orderId}`,
  },
  { name: 'place', title: 'POST /api/orders', scenario: 'place', path: undefined },
  { name: 'pay', title: 'an order paid and delivered', scenario: 'pay', path: undefined },
] as const
export type Request = (typeof requests)[number]

const HELLO_WORLD = fileURLToPath(new URL('hello-world.ts', import.meta.url))
const CONNECTIONS = 64
/** A server that has just started on a busy machine may be slow. */
const ANSWER_SECONDS = 60
/** How often autocannon checks whether a load is over. */
const SAMPLE_MS = 50
const READS = 3_000
const ORDERS = 500
const PAYMENTS = 100
/** While V8 still optimizes, a request takes longer. */
const WARM_UP_TIMES = 4
/** The stock of a new shop would not last through a load. */
const STOCK_M = 500_000_000

/** A server whose requests are measured. */
export interface BareServer {
  readonly url: string
  readonly pid: number
}

/** A shop whose requests are measured, with an order to read. */
export interface LoadedShop extends BareServer, Pick<MeasuredShop, 'ready' | 'stop'> {
  readonly folder: string
  /** The ids of all orders that it acknowledged. */
  readonly acknowledged: string[]
}

export async function startLoadedShop(folder: string, checkout?: { root: string; node: string }): Promise<LoadedShop> {
  const shop = await startMeasuredShop({ DATA_DIR: folder, SANDBOX_DELAY_MS: '0' }, checkout)
  await setStock(shop.url, STOCK_M)
  const { body } = await placeOrder(shop.url, 'first')
  return { ...shop, pid: shop.processes[0]?.pid ?? Number.NaN, folder, acknowledged: [String(body['id'])] }
}

/** The server that everything is measured against, on the same Node. */
export async function startHelloWorld(node = process.execPath): Promise<BareServer & { stop(): void }> {
  const child = spawn(node, [HELLO_WORLD, folderOfRun()], { stdio: ['ignore', 'pipe', 'inherit'] })
  endAtExit(() => void child.kill('SIGKILL'))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`hello-world did not start (exit code ${code})`)))
    createInterface({ input: child.stdout }).once('line', resolve)
  })
  return { url, pid: child.pid ?? Number.NaN, stop: () => void child.kill() }
}

export interface Cost {
  /** Microseconds of processor time per request, all threads. Unlike speed, they hardly depend on other work of the machine. */
  readonly us: number
  readonly perSecond: number
}

export interface Load {
  /** Factor of the usual number of requests. */
  readonly times?: number
  readonly connections?: number
}

/** The bare server's cost of a hello, or of stored events. */
export async function costOfHello(
  server: BareServer,
  { times = 1, connections = CONNECTIONS }: Load = {},
  path: '' | '/stored' = '',
): Promise<Cost> {
  return measure(server, { url: `${server.url}${path}`, amount: READS * times, connections })
}

/** A shop's cost of a request; of an order, or of paying one, until its views show it. */
export async function costOf(
  shop: LoadedShop,
  { name, path }: Request,
  { times = 1, connections = CONNECTIONS }: Load = {},
): Promise<Cost> {
  if (path) {
    const url = `${shop.url}${path(shop.acknowledged[0] ?? '')}`
    return measure(shop, { url, amount: READS * times, connections })
  }
  const load = { url: shop.url, amount: ORDERS * times, connections, requests: [placing(shop.acknowledged)] }
  if (name === 'place') return measure(shop, load, async () => shop.ready())
  const placed: string[] = []
  await drive({ ...load, amount: PAYMENTS * times, requests: [placing(placed)] })
  shop.acknowledged.push(...placed)
  await shop.ready()
  const before = processorNs(shop.pid)
  await payAll(shop.url, placed)
  await shop.ready()
  return { us: (processorNs(shop.pid) - before) / 1_000 / placed.length, perSecond: Number.NaN }
}

export async function warmUp(
  hello: BareServer,
  shops: readonly LoadedShop[],
  asked: readonly Request[],
): Promise<void> {
  await costOfHello(hello, { times: WARM_UP_TIMES })
  for (const shop of shops) for (const request of asked) await costOf(shop, request, { times: WARM_UP_TIMES })
}

interface Requests {
  readonly url: string
  readonly amount: number
  readonly connections: number
  readonly requests?: autocannon.Request[]
}

async function measure(
  { pid }: BareServer,
  load: Requests,
  after = async (): Promise<void> => undefined,
): Promise<Cost> {
  const before = processorNs(pid)
  const perSecond = await drive(load)
  await after()
  return { us: (processorNs(pid) - before) / 1_000 / load.amount, perSecond }
}

/** Sends `amount` requests and waits for all; returns how many per second. Throws if one was refused or not answered. */
async function drive(load: Requests): Promise<number> {
  const beganAt = performance.now()
  let lastAt = beganAt
  const options = { timeout: ANSWER_SECONDS, sampleInt: SAMPLE_MS }
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    autocannon({ ...options, ...load }, (error: unknown, ended) => (error ? reject(error) : resolve(ended))).on(
      'response',
      () => (lastAt = performance.now()),
    )
  })
  if (result['2xx'] === load.amount) return (1_000 * load.amount) / (lastAt - beganAt)
  const counts = `${result['2xx']} of ${load.amount} answered with 2xx, ${result.non2xx} otherwise, ${result.errors} not`
  throw new Error(`${load.url}: ${counts}`)
}

let buyers = 0

/** POST /api/orders, each by a new buyer; the ids of acknowledged orders are added to `acknowledged`. */
function placing(acknowledged: string[]): autocannon.Request {
  return {
    method: 'POST',
    path: '/api/orders',
    headers: { 'content-type': 'application/json' },
    setupRequest(request) {
      const buyer = `buyer-${(buyers += 1)}`
      const person = { customerEmail: `${buyer}@example.test`, discordUsername: buyer, marketId: '12345678' }
      const order = { ...person, pokecoinAmount: 1, totalAmount: '0.05', paymentMethod: 'crypto' }
      return { ...request, body: JSON.stringify(order) }
    },
    onResponse(status, body) {
      // By a regular expression: parsing every answer would take processor time from the server under load.
      const orderId = /"id":"([^"]+)"/.exec(body)?.[1]
      if (status === 201 && orderId !== undefined) acknowledged.push(orderId)
    },
  }
}
