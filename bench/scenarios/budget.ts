import { type Budget, budgetOf } from '../profile/budget.ts'
import { INSPECTED, profilerOf } from '../profile/inspector.ts'
import { balanceBooks } from '../shop/books.ts'
import { raiseStock, startBenchShop } from '../shop/bench-shop.ts'
import { newFolder, removeFolder } from '../shop/folders.ts'
import { type Bench, CONNECTIONS } from './bench.ts'
import { placeOrders, warmUp } from './placing.ts'
import { connectionsText } from './reads.ts'

const ORDERS_MAX = 8_000

/** A profile of the shop while orders are placed, at many connections and at one. Once: it is about shares, not about speed. */
export async function measureBudgets({ options }: Bench): Promise<Budget[]> {
  const folder = await newFolder()
  const shop = await startBenchShop(folder, { NODE_OPTIONS: INSPECTED })
  const acknowledged: string[] = []
  const budgets: Budget[] = []
  try {
    await raiseStock(shop)
    await warmUp(shop, acknowledged)
    const profiler = await profilerOf(shop.output)
    for (const connections of [CONNECTIONS, 1]) {
      await profiler.start()
      const load = { connections, seconds: options.seconds, amountMax: ORDERS_MAX, acknowledged }
      const before = acknowledged.length
      const beganAt = performance.now()
      await placeOrders(shop, load)
      const seconds = (performance.now() - beganAt) / 1_000
      const orders = acknowledged.length - before
      budgets.push(budgetOf(await profiler.stop(), { name: connectionsText(connections), orders, seconds }))
    }
    profiler.close()
  } finally {
    await shop.stop()
  }
  await balanceBooks(folder, { acknowledged, atRest: true })
  await removeFolder(folder)
  return budgets
}
