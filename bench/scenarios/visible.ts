import { setTimeout as pause } from 'node:timers/promises'
import { balanceBooks } from '../folders.ts'
import { JSON_HEADERS, orderBody, orderIdIn } from '../orders.ts'
import { raiseStock } from '../processes.ts'
import { percentile } from '../statistics.ts'
import { type Scenario, withNewShop } from './scenario.ts'

const ORDERS = 150
const WARM_UP = 50
/** Lets the shop finish its work on one order before the next. */
const REST_MS = 10

/** From the answer to POST (the order is in the log) to the answer to a GET of the list that shows it, with no other load. */
export const measureVisible: Scenario = async (root, options) => {
  const acknowledged: string[] = []
  return withNewShop(
    root,
    options,
    async (shop) => {
      await raiseStock(shop)
      const delays: number[] = []
      for (let index = 0; index < WARM_UP + ORDERS; index += 1) {
        const request = { method: 'POST', body: orderBody(), headers: JSON_HEADERS }
        const answer = await fetch(`${shop.url}/api/orders`, request)
        const orderId = orderIdIn(await answer.text())
        const appendedAt = performance.now()
        // The list waits until its view has reached this position.
        const headers = { 'x-position': answer.headers.get('x-position') ?? '' }
        const { orders } = await shop.staff<{ orders: { id: string }[] }>('/api/orders?limit=1', headers)
        if (orders[0]?.id !== orderId) throw new Error('the list does not show the order that was just placed')
        if (index >= WARM_UP) delays.push(performance.now() - appendedAt)
        acknowledged.push(orderId)
        await pause(REST_MS)
      }
      return { visible: percentile(delays, 0.95) }
    },
    { after: async (folder) => balanceBooks(folder, acknowledged) },
  )
}
