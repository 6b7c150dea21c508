import type { Round } from '../figures.ts'
import { eventCount, wipeViews } from '../folders.ts'
import type { Options } from '../options.ts'
import { startBenchShop } from '../processes.ts'
import { percentile } from '../statistics.ts'
import { measureLists } from './lists.ts'

const ANALYTICS_REQUESTS = 80

/** On a seeded log of `orders` orders: all views from nothing, then the order list and the analytics, then another start. */
export async function measureLog(
  root: string,
  { profile }: Options,
  { folder, orders }: { folder: string; orders: number },
): Promise<Round> {
  wipeViews(folder)
  const events = eventCount(folder)
  const shop = await startBenchShop(root, folder, { profile })
  const beganAt = performance.now()
  const round: Record<string, number> = {}
  try {
    await shop.caughtUp()
    round[`rebuild-${orders}`] = (1_000 * events) / (performance.now() - beganAt)
    await shop.atRest()
    const { slowestP95, middleP50 } = await measureLists(shop)
    round[`lists-${orders}`] = slowestP95
    round[`lists-middle-${orders}`] = middleP50
    const delays: number[] = []
    for (let index = 0; index < ANALYTICS_REQUESTS; index += 1) {
      const sentAt = performance.now()
      await shop.staff('/api/admin/analytics')
      delays.push(performance.now() - sentAt)
    }
    round[`analytics-${orders}`] = percentile(delays, 0.95)
    round[`memory-${orders}`] = shop.peakMegabytes()
  } finally {
    await shop.stop()
  }
  return { ...round, [`start-${orders}`]: await firstAnswerMs(root, folder) }
}

/** From the start of the process to its first answer. */
async function firstAnswerMs(root: string, folder: string): Promise<number> {
  const beganAt = performance.now()
  const shop = await startBenchShop(root, folder, { profile: undefined })
  try {
    const answer = await fetch(`${shop.url}/api/pricing`)
    await answer.text()
    if (answer.status !== 200) throw new Error(`GET /api/pricing: ${answer.status}`)
    return performance.now() - beganAt
  } finally {
    await shop.stop()
  }
}
