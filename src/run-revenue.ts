import { parentPort, workerData } from 'node:worker_threads'
import { yieldToBuyers } from './history-thread.ts'
import { openEventStore } from './log-engines.ts'
import { readRevenue } from './history/revenue.ts'
import type { RevenueStart } from './start-revenue.ts'

/* The thread of `revenueReader`: adds up the log once, and ends. */

yieldToBuyers()
const { config } = workerData as RevenueStart
const store = await openEventStore(config, { isReadOnly: true })
try {
  const moment = { position: await store.head() }
  parentPort?.postMessage(await readRevenue(store, { moment, timeZone: config.SHOP_TIME_ZONE }))
} finally {
  await store.close()
}
