import { parseConfig } from '../config.ts'
import { systemRandom } from '../system.ts'
import { runCommand, text, UsageError, wholeNumber } from './command-line.ts'
import { progressOn } from './progress.ts'
import { newShop } from './seeding/new-shop.ts'
import { firstPlacingMs, seedOrders } from './seeding/seed-orders.ts'

const ORDERS_MAX = 10_000_000

await runCommand({
  name: 'seed',
  does: 'fills a new shop with orders, to see it and to measure it at any size',
  options: {
    orders: wholeNumber('N', 'how many, 1 to 10,000,000', { min: 1, max: ORDERS_MAX }),
    'data-dir': text('FOLDER', 'a new or empty folder (DATA_DIR, or ./data)'),
  },
  notes: `The orders were placed over the last two years by made-up people who come back, paid in the sandbox by every method, and have ended in every way
that an order can end; the newest are still open. All of it is done by the shop's own commands. The views are built, and the owner's account is made,
when the shop is started.

Exit codes: 0 done, 1 it could not be done, 2 wrong usage.`,
  run: async ({ orders, 'data-dir': folder }) => seed(orders, folder),
})

async function seed(count: number | undefined, folder: string | undefined): Promise<number> {
  if (count === undefined) throw new UsageError('--orders N is missing')
  const config = parseConfig({ ...process.env, ...(folder !== undefined && { DATA_DIR: folder }) })
  const beganAt = performance.now()
  const seconds = (): number => (performance.now() - beganAt) / 1_000
  const nowMs = Date.now()
  const seeded = await newShop(config, { random: systemRandom, startMs: firstPlacingMs(nowMs) })
  const progress = progressOn()
  const onProgress = (placed: number): void =>
    progress.show(`${placed} of ${count} orders, ${Math.round(placed / seconds())} per second`)
  try {
    await seedOrders(seeded, { count, nowMs, onProgress })
  } finally {
    await seeded.close()
    progress.clear()
  }
  process.stdout.write(`${count} orders in ${config.DATA_DIR}, in ${seconds().toFixed(1)} s\n`)
  return 0
}
