import { parentPort, workerData } from 'node:worker_threads'
import type { Folded } from './api/as-of/past-views.ts'
import { seldom, yieldToBuyers } from './history-thread.ts'
import { openEventStore } from './log-engines.ts'
import { readRevenue } from './history/revenue.ts'
import type { FromRevenue, RevenueStart } from './start-revenue.ts'

/* The thread of `revenueReader`: adds up the log once, and ends. */

yieldToBuyers()
const { config } = workerData as RevenueStart
const timeZone = config.SHOP_TIME_ZONE
const post = (message: FromRevenue): void => parentPort?.postMessage(message)
const store = await openEventStore(config, { isReadOnly: true })
try {
  const moment = { position: await store.head() }
  const onProgress = seldom((reached: Folded) => post({ kind: 'reached', reached }))
  post({ kind: 'added', rows: await readRevenue(store, { moment, timeZone, onProgress }) })
} finally {
  await store.close()
}
