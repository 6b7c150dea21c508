import { parseConfig } from '../config.ts'
import { runCommand, UsageError, wholeNumber } from './command-line.ts'
import { progressOn } from './progress.ts'
import { firstPlacingMs } from './seeding/calendar.ts'
import { newShop } from './seeding/new-shop.ts'
import { seedOrders } from './seeding/seed-orders.ts'

const ORDERS_MAX = 10_000_000
const SEED_MAX = 4_294_967_295
const SEED = 1

await runCommand({
  name: 'seed',
  does: 'fills a new shop with orders, to see it and to measure it at any size',
  options: {
    orders: wholeNumber('N', 'how many, 1 to 10,000,000', { min: 1, max: ORDERS_MAX }),
    seed: wholeNumber('N', `another shop for each, ${SEED} if not given`, { min: 0, max: SEED_MAX }),
  },
  notes: `DATA_DIR must be new or empty. The orders were placed over the last two years by made-up people who come back, paid in the sandbox by every method, and have ended in every way
that an order can end; the newest are still open. Prices, packs, products, stock and the way of handing over have changed meanwhile. All of it is done by the
shop's own commands, one after another. The same seed gives the same shop, but for its keys and the moment at which it ends. The views are built, and the
owner's account is made, when the shop is started.

Exit codes: 0 done, 1 it could not be done, 2 wrong usage.`,
  run: async ({ orders, seed = SEED }) => {
    if (orders === undefined) throw new UsageError('--orders N is missing')
    return seedShop(orders, seed)
  },
})

async function seedShop(count: number, seed: number): Promise<number> {
  const config = parseConfig(process.env)
  const beganAt = performance.now()
  const seconds = (): number => (performance.now() - beganAt) / 1_000
  const nowMs = Date.now()
  const seeded = await newShop(config, { seed, startMs: firstPlacingMs(nowMs) })
  const progress = progressOn()
  const onProgress = (placed: number): void =>
    progress.show(`${placed} of ${count} orders, ${Math.round(placed / seconds())} per second`)
  try {
    await seedOrders(seeded, { count, nowMs, onProgress })
  } finally {
    await seeded.close()
    progress.clear()
  }
  process.stdout.write(`${count} orders in ${config.DATA_DIR}, seed ${seed}, in ${seconds().toFixed(1)} s\n`)
  return 0
}
