import { drive, type Load } from './load.ts'
import { JSON_HEADERS, orderBody, orderIdIn, placing } from './orders.ts'
import { type BenchShop, processorNs, raiseStock, startBenchShop } from './processes.ts'

/** The requests of buyers, and the simplest one. */
export const requests = [
  { name: 'healthz', title: 'GET /healthz', scenario: 'reads' },
  { name: 'pricing', title: 'GET /api/pricing', scenario: 'reads' },
  { name: 'settings', title: 'GET /api/payment-settings', scenario: 'reads' },
  { name: 'order', title: 'GET /api/orders/:id', scenario: 'reads' },
  { name: 'place', title: 'POST /api/orders', scenario: 'place' },
] as const
export type RequestName = (typeof requests)[number]['name']

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
  readonly folder: string
  readonly orderId: string
  /** The ids of all orders that it has taken. */
  readonly acknowledged: string[]
}

export async function measuredShop(root: string, folder: string, node = process.execPath): Promise<MeasuredShop> {
  const shop = await startBenchShop(root, folder, { node })
  await raiseStock(shop)
  const placed = await fetch(`${shop.url}/api/orders`, { method: 'POST', body: orderBody(), headers: JSON_HEADERS })
  const orderId = orderIdIn(await placed.text())
  return { ...shop, folder, orderId, acknowledged: [orderId] }
}

export interface Cost {
  /** Microseconds of processor time per request, all threads. Unlike its speed, they hardly depend on what else the machine does. */
  readonly us: number
  readonly perSecond: number
}

/** What a server takes for a GET. */
export async function costOf(server: Server, path: string, amount = READS): Promise<Cost> {
  return taken(server, { url: `${server.url}${path}`, amount })
}

/** The same for a request to a shop; for an order until its views show it. */
export async function costFor(shop: MeasuredShop, name: RequestName, times = 1): Promise<Cost> {
  if (name !== 'place') return costOf(shop, pathOf(name, shop), READS * times)
  const load = { url: shop.url, amount: ORDERS * times, requests: [placing(shop.acknowledged)] }
  return taken(shop, load, async () => shop.caughtUp())
}

export async function warmUp(
  hello: Server,
  shops: readonly MeasuredShop[],
  names: readonly RequestName[],
): Promise<void> {
  await costOf(hello, '', READS * WARM_UP_TIMES)
  for (const shop of shops) for (const name of names) await costFor(shop, name, WARM_UP_TIMES)
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

async function taken({ pid }: Server, load: Load, after = async (): Promise<void> => undefined): Promise<Cost> {
  const before = processorNs(pid)
  const { answered, perSecond } = await drive(load)
  await after()
  return { us: (processorNs(pid) - before) / 1_000 / answered, perSecond }
}
