import { balanceBooks } from '../folders.ts'
import { drive, type LoadResult } from '../load.ts'
import { placing } from '../orders.ts'
import { type BenchShop, raiseStock } from '../processes.ts'
import { type Scenario, withNewShop } from './scenario.ts'

/** While V8 still optimizes, an order takes a sixth longer. */
const WARM_UP_ORDERS = 6_000
/** Their speed says how many orders take the asked time. */
export const TRIAL_ORDERS = 320
/** A shop accepts 20,000 open orders. */
export const OPEN_ORDERS_MAX = 19_000

/** Orders per second, each by a new buyer. */
export const measurePlacing: Scenario = async (root, options) => {
  const acknowledged: string[] = []
  return withNewShop(
    root,
    options,
    async (shop) => {
      await raiseStock(shop)
      await place(shop, WARM_UP_ORDERS, acknowledged)
      const trial = await place(shop, TRIAL_ORDERS, acknowledged)
      const amount = Math.min(Math.ceil(trial.perSecond * options.seconds), OPEN_ORDERS_MAX - acknowledged.length)
      const { perSecond, p99 } = await place(shop, amount, acknowledged)
      await shop.caughtUp()
      return { place: perSecond, 'place-p99': p99, 'place-memory': shop.peakMegabytes() }
    },
    { after: async (folder) => balanceBooks(folder, acknowledged) },
  )
}

export async function place({ url }: BenchShop, amount: number, acknowledged: string[]): Promise<LoadResult> {
  return drive({ url, until: { amount }, requests: [placing(acknowledged)] })
}
