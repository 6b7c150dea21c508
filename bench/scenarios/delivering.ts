import { setTimeout as pause } from 'node:timers/promises'
import { balanceBooks } from '../folders.ts'
import { CONNECTIONS, drive, type LoadResult } from '../load.ts'
import { payingByCrypto, placing } from '../orders.ts'
import { type BenchShop, raiseStock } from '../processes.ts'
import { type Scenario, withNewShop } from './scenario.ts'

const WARM_UP_ORDERS = 3_900
const ORDERS_PER_SECOND_ASKED = 2_000
/** Each payment waits for its turn in a sweep of the worker. */
const ORDERS_MAX = 6_000
const POLL_MS = 50
const DELIVERED_TIMEOUT_MS = 120_000

/** Every order is placed and its payment started, the sandbox pays at once, the worker finds it out; ends when all views show every order completed. */
export const measureDelivering: Scenario = async (root, options) => {
  const acknowledged: string[] = []
  return withNewShop(
    root,
    options,
    async (shop) => {
      await raiseStock(shop)
      await placeAndPay(shop, WARM_UP_ORDERS, acknowledged)
      await delivered(shop, acknowledged.length)
      const before = acknowledged.length
      const count = Math.min(ORDERS_PER_SECOND_ASKED * options.seconds, ORDERS_MAX)
      const { beganAt } = await placeAndPay(shop, count, acknowledged)
      await delivered(shop, acknowledged.length)
      const seconds = (performance.now() - beganAt) / 1_000
      return { deliver: (acknowledged.length - before) / seconds, 'deliver-memory': shop.peakMegabytes() }
    },
    { env: { SANDBOX_DELAY_MS: '0' }, after: async (folder) => balanceBooks(folder, acknowledged) },
  )
}

/** Places so many orders, and some more for equal turns of all connections, and starts the payment of each. */
export async function placeAndPay({ url }: BenchShop, count: number, acknowledged: string[]): Promise<LoadResult> {
  const requests = [placing(acknowledged), payingByCrypto]
  // Every connection ends after a payment, never between an order and its payment.
  const amount = Math.ceil(count / CONNECTIONS) * CONNECTIONS * requests.length
  return drive({ url, until: { amount }, requests })
}

/** Resolves when all views show so many completed orders. */
export async function delivered(shop: BenchShop, count: number): Promise<void> {
  const deadline = performance.now() + DELIVERED_TIMEOUT_MS
  for (;;) {
    // Each order has a buyer of its own, and a customer is a buyer with a completed order.
    const { totalCustomers } = await shop.staff<{ totalCustomers: number }>('/api/admin/analytics')
    if (totalCustomers >= count) return shop.caughtUp()
    if (performance.now() > deadline)
      throw new Error(`only ${totalCustomers} of ${count} orders were delivered in time`)
    await pause(POLL_MS)
  }
}
