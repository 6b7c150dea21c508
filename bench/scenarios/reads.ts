import { drive } from '../load.ts'
import { JSON_HEADERS, orderBody, orderIdIn } from '../orders.ts'
import type { Scenario } from './scenario.ts'
import { withNewShop } from './scenario.ts'

const WARM_UP_SECONDS = 1

/** The most frequent requests. */
export const measureReads: Scenario = async (root, options) =>
  withNewShop(root, options, async ({ url }) => {
    const placed = await fetch(`${url}/api/orders`, { method: 'POST', body: orderBody(), headers: JSON_HEADERS })
    const orderId = orderIdIn(await placed.text())
    return {
      pricing: await requestsPerSecond(`${url}/api/pricing`, options.seconds),
      settings: await requestsPerSecond(`${url}/api/payment-settings`, options.seconds),
      order: await requestsPerSecond(`${url}/api/orders/${orderId}`, options.seconds),
    }
  })

/** Without the first second, in which its code is compiled. */
export async function requestsPerSecond(url: string, seconds: number): Promise<number> {
  await drive({ url, until: { seconds: WARM_UP_SECONDS } })
  return (await drive({ url, until: { seconds } })).perSecond
}
