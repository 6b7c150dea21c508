import { drive, type LoadResult } from '../load/load.ts'
import { placing } from '../load/orders.ts'
import { balanceBooks } from '../shop/books.ts'
import { type BenchShop, raiseStock, startBenchShop } from '../shop/bench-shop.ts'
import { newFolder, removeFolder } from '../shop/folders.ts'
import { type Bench, CONNECTIONS, helloId, placeId } from './bench.ts'
import { connectionsText } from './reads.ts'

export const placeConnections = [1, 16, 64, 256]
/** Until then the compiler still works beside the shop, and an order costs a sixth more. */
const WARM_UP_ORDERS = 6_000
/** Orders are open until they are paid, and a shop takes 20,000 of these: so many are left for the loads that share one. */
const OPEN_ORDERS_MAX = 19_000
/** Tell how many orders a load of the asked length has. */
const TRIED_PER_CONNECTION = 5
const TRIED_MIN = 50

/** Orders a second at each number of connections, each load with new orders alone; 64 of them in a shop of their own. */
export async function measurePlacing(bench: Bench): Promise<void> {
  await inNewShop(bench, [CONNECTIONS])
  await inNewShop(
    bench,
    placeConnections.filter((count) => count !== CONNECTIONS),
  )
}

async function inNewShop(bench: Bench, connections: readonly number[]): Promise<void> {
  const folder = await newFolder()
  const shop = await startBenchShop(folder)
  const acknowledged: string[] = []
  try {
    await raiseStock(shop)
    await warmUp(shop, acknowledged)
    for (const count of connections) {
      const amountMax = Math.floor((OPEN_ORDERS_MAX - acknowledged.length) / connections.length)
      const result = await placeOrders(shop, {
        connections: count,
        seconds: bench.options.seconds,
        amountMax,
        acknowledged,
      })
      notePlacing(bench, count, result, shop)
    }
    await shop.caughtUp()
  } finally {
    await shop.stop()
  }
  await balanceBooks(folder, { acknowledged, atRest: true })
  await removeFolder(folder)
}

export function notePlacing({ notebook }: Bench, count: number, result: LoadResult, shop: BenchShop): void {
  const name = `POST /api/orders, ${connectionsText(count)}`
  const { perSecond, p50, p95, p99 } = result
  notebook.note(
    { id: placeId(count), name, unit: 'orders', base: helloId(count) },
    { perSecond, p50, p95, p99, ...shop.memory() },
  )
}

export async function warmUp(shop: BenchShop, acknowledged: string[]): Promise<void> {
  const requests = [placing((orderId) => acknowledged.push(orderId))]
  await drive({ url: shop.url, connections: CONNECTIONS, until: { amount: WARM_UP_ORDERS }, requests })
}

/** So many orders as take about `seconds`, at most `amountMax`, and every one waited for. */
export async function placeOrders(
  shop: BenchShop,
  load: { connections: number; seconds: number; amountMax: number; acknowledged: string[] },
): Promise<LoadResult> {
  const { connections, seconds, amountMax, acknowledged } = load
  const place = async (amount: number): Promise<LoadResult> =>
    drive({
      url: shop.url,
      connections,
      until: { amount },
      requests: [placing((orderId) => acknowledged.push(orderId))],
    })
  const tried = await place(Math.max(TRIED_MIN, connections * TRIED_PER_CONNECTION))
  const amount = Math.min(Math.ceil(tried.perSecond * seconds), amountMax - tried.answered)
  return place(Math.max(amount, connections))
}
