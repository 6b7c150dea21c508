import { readdirSync, readFileSync } from 'node:fs'
import { drive, type Load } from './load.ts'
import { JSON_HEADERS, orderBody, orderIdIn, placing } from './orders.ts'
import { type BenchShop, raiseStock, startBenchShop } from './processes.ts'

/** The requests of buyers, and the simplest one. */
export const requestNames = ['healthz', 'pricing', 'settings', 'order', 'place'] as const
export type RequestName = (typeof requestNames)[number]

const READS = 3_000
const ORDERS = 500
/** While V8 still optimizes, a request takes longer. */
const WARM_UP_TIMES = 4

interface Server {
  readonly url: string
  readonly pid: number
}

/** A shop whose requests are measured, with an order to read. */
export interface MeasuredShop extends BenchShop {
  readonly orderId: string
}

export async function measuredShop(root: string, folder: string, node = process.execPath): Promise<MeasuredShop> {
  const shop = await startBenchShop(root, folder, { node })
  await raiseStock(shop)
  const placed = await fetch(`${shop.url}/api/orders`, { method: 'POST', body: orderBody(), headers: JSON_HEADERS })
  return { ...shop, orderId: orderIdIn(await placed.text()) }
}

/** Microseconds of processor time that a server takes for a GET, all its threads. Unlike its speed, they hardly depend on what else the machine does. */
export async function microsecondsOf(server: Server, path: string, amount = READS): Promise<number> {
  return taken(server, { url: `${server.url}${path}`, until: { amount } })
}

/** The same for a request to a shop; for an order until its views show it. */
export async function microsecondsFor(shop: MeasuredShop, name: RequestName, times = 1): Promise<number> {
  if (name !== 'place') return microsecondsOf(shop, pathOf(name, shop), READS * times)
  const load = { url: shop.url, until: { amount: ORDERS * times }, requests: [placing([])] }
  return taken(shop, load, async () => shop.caughtUp())
}

export async function warmUp(
  hello: Server,
  shops: readonly MeasuredShop[],
  names: readonly RequestName[] = requestNames,
): Promise<void> {
  await microsecondsOf(hello, '', READS * WARM_UP_TIMES)
  for (const shop of shops) for (const name of names) await microsecondsFor(shop, name, WARM_UP_TIMES)
}

function pathOf(name: Exclude<RequestName, 'place'>, { orderId }: MeasuredShop): string {
  switch (name) {
    case 'healthz':
      return '/healthz'
    case 'pricing':
      return '/api/pricing'
    case 'settings':
      return '/api/payment-settings'
    case 'order':
      return `/api/orders/${orderId}`
  }
}

async function taken({ pid }: Server, load: Load, after = async (): Promise<void> => undefined): Promise<number> {
  const before = processorNs(pid)
  const { answered } = await drive(load)
  await after()
  return (processorNs(pid) - before) / 1_000 / answered
}

function processorNs(pid: number): number {
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
