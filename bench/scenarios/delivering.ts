import { setTimeout as pause } from 'node:timers/promises'
import { drive, type LoadResult, wholeWalks } from '../load/load.ts'
import { payingByCrypto, placing } from '../load/orders.ts'
import { balanceBooks } from '../shop/books.ts'
import { type BenchShop, raiseStock, startBenchShop } from '../shop/bench-shop.ts'
import { newFolder, removeFolder } from '../shop/folders.ts'
import { type Bench, CONNECTIONS, helloId, placeId } from './bench.ts'

export const DELIVER_ID = 'deliver'
/** Until then the compiler still works beside the shop. */
const WARM_UP_ORDERS = 3_900
/** So many orders as are placed in the asked time, within these bounds: each waits for a look of the sweep. */
const ORDERS_MIN = 500
const ORDERS_MAX = 6_000
const LOOK_EVERY_MS = 50
const DELIVERED_TIMEOUT_MS = 120_000

/**
 * From placed to delivered: every order is placed and its crypto payment started by the same connection, the sandbox's money arrives at once, the worker
 * finds it out, and the load ends when every view shows every order completed.
 */
export async function measureDelivering(bench: Bench): Promise<void> {
  const { notebook, options } = bench
  const folder = await newFolder()
  const shop = await startBenchShop(folder, { SANDBOX_DELAY_MS: '0' })
  const acknowledged: string[] = []
  let seconds = 0
  let memory = {}
  let count = 0
  try {
    await raiseStock(shop)
    await placeAndPay(shop, WARM_UP_ORDERS, acknowledged)
    await delivered(shop, acknowledged.length)
    const before = acknowledged.length
    const alone = notebook.last(placeId(CONNECTIONS))?.perSecond ?? ORDERS_MIN
    count = Math.min(Math.max(Math.round(alone * options.seconds), ORDERS_MIN), ORDERS_MAX)
    const { beganAt } = await placeAndPay(shop, count, acknowledged)
    count = acknowledged.length - before
    await delivered(shop, acknowledged.length)
    seconds = (performance.now() - beganAt) / 1_000
    memory = shop.memory()
  } finally {
    await shop.stop()
  }
  const audit = await balanceBooks(folder, { acknowledged, atRest: true })
  await removeFolder(folder)
  const name = 'placed to delivered, every view caught up'
  const subject = { id: DELIVER_ID, name, unit: 'orders', base: helloId(CONNECTIONS) }
  notebook.note(subject, { perSecond: count / seconds, ...audit.deliveryMs, ...memory })
  const confirming = { id: 'confirm', name: 'payments confirmed by the worker meanwhile', unit: 'payments' }
  const { confirmationsPerSecond: perSecond } = audit
  if (perSecond !== undefined) notebook.note({ ...confirming, base: helloId(CONNECTIONS) }, { perSecond })
}

async function placeAndPay(shop: BenchShop, count: number, acknowledged: string[]): Promise<LoadResult> {
  const requests = [placing((orderId) => acknowledged.push(orderId)), payingByCrypto]
  const amount = wholeWalks(count, { connections: CONNECTIONS, requestsEach: requests.length })
  return drive({ url: shop.url, connections: CONNECTIONS, until: { amount }, requests })
}

/** Waits until so many orders are completed, and every view has seen the whole log. */
export async function delivered(shop: BenchShop, count: number): Promise<void> {
  const deadline = performance.now() + DELIVERED_TIMEOUT_MS
  for (;;) {
    const completed = await completedCount(shop)
    if (completed >= count) break
    if (performance.now() > deadline) throw new Error(`only ${completed} of ${count} orders were delivered in time`)
    await pause(LOOK_EVERY_MS)
  }
  await shop.caughtUp()
}

/** Every order of a load has a buyer of its own, and customers are those with a completed one. */
async function completedCount(shop: BenchShop): Promise<number> {
  const { totalCustomers } = await shop.staff<{ totalCustomers: number }>('/api/admin/analytics')
  return totalCustomers
}
