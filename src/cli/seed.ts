import { parseConfig } from '../config.ts'
import { say } from './lines.ts'
import { progressOn } from './progress.ts'
import { firstPlacingMs } from './seeding/story-calendar.ts'
import { newShop } from './seeding/new-shop.ts'
import { seedOrders } from './seeding/seed-orders.ts'

export async function seed({ orders: count, seed }: { orders: number; seed: number }): Promise<void> {
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
  say(`${count} orders in ${config.DATA_DIR}, seed ${seed}, in ${seconds().toFixed(1)} s`)
}
