import { drive, type Load } from '../load/load.ts'
import { idIn, orderBody } from '../load/orders.ts'
import type { Subject } from '../notebook.ts'
import type { BenchShop } from '../shop/bench-shop.ts'
import { type Bench, CONNECTIONS, helloId } from './bench.ts'

const WARM_UP_SECONDS = 1
const warmedUp = new Set<string>()

/** The bare server, at each number of connections that something is compared at. */
export async function measureHelloWorld(
  { options, notebook, hello }: Bench,
  connections: readonly number[],
): Promise<void> {
  for (const count of connections) {
    const subject = { id: helloId(count), name: `hello-world, ${connectionsText(count)}`, unit: 'requests' }
    const result = await warmDrive({ url: hello.url, connections: count, until: { seconds: options.seconds } })
    notebook.note(subject, result)
  }
}

/** What everybody asks for. */
export async function measureReads(bench: Bench, shop: BenchShop): Promise<void> {
  const { options, notebook } = bench
  const headers = { 'content-type': 'application/json' }
  const placed = await fetch(`${shop.url}/api/orders`, { method: 'POST', body: orderBody(), headers })
  const orderId = idIn(await placed.text(), 'id')
  const paths = [
    { id: 'pricing', name: 'GET /api/pricing', path: '/api/pricing' },
    { id: 'settings', name: 'GET /api/payment-settings', path: '/api/payment-settings' },
    { id: 'order', name: 'GET /api/orders/:id', path: `/api/orders/${orderId}` },
  ]
  for (const { id, name, path } of paths) {
    const subject: Subject = { id, name, unit: 'requests', base: helloId(CONNECTIONS) }
    const load = { url: `${shop.url}${path}`, connections: CONNECTIONS, until: { seconds: options.seconds } }
    notebook.note(subject, { ...(await warmDrive(load)), ...shop.memory() })
  }
}

/** Whatever is asked for the first time is compiled first. */
async function warmDrive(load: Load) {
  if (!warmedUp.has(load.url)) await drive({ ...load, until: { seconds: WARM_UP_SECONDS } })
  warmedUp.add(load.url)
  const { perSecond, p50, p95, p99 } = await drive(load)
  return { perSecond, p50, p95, p99 }
}

export function connectionsText(count: number): string {
  return count === 1 ? '1 connection' : `${count} connections`
}
