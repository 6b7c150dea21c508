import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { approveOrder } from '../../src/commands/approve-order.ts'
import { ADMIN_ID } from '../../src/shop/hot/hot-states.ts'
import { placeOrder } from '../../src/commands/place-order.ts'
import { quoteBy } from '../../src/commands/quote-order.ts'
import { systemCaller } from '../../src/shop/shop.ts'
import { parseConfig } from '../../src/config.ts'
import { findOrder } from '../../src/projections/orders.ts'
import { shopProjections } from '../../src/projections/shop-projections.ts'
import { viewReader } from '../../src/projections/views.ts'
import { runShop } from '../../src/run-shop.ts'
import { systemRandom } from '../../src/system.ts'

/* A whole shop in this process, in which one order at a time is placed and looked for in the list's view. Prints the milliseconds in between as JSON. */

const WARM_UP = 50
/** So that the shop has nothing else to do. */
const REST_MS = 10
const TIMEOUT_MS = 10_000

const [dataDir = '', count = '100'] = process.argv.slice(2)
const config = parseConfig({
  DATA_DIR: dataDir,
  PORT: '0',
  RATE_LIMIT: 'off',
  DELIVERY: 'instant',
  ADMIN_PASSWORD: 'a password for the bench',
})
const running = await runShop(config, { logger: pino({ level: 'silent' }) })
const { shop, engines } = running
const projections = shopProjections({ timeZone: config.SHOP_TIME_ZONE })
const views = viewReader({ store: engines.views, projections, now: Date.now })
const { totalCents } = quoteBy(shop.hot.currentSettings(), 1)
try {
  await isVisible(await appended(-1))
  const delays: number[] = []
  for (let index = 0; index < WARM_UP + Number(count); index += 1) {
    const orderId = await appended(index)
    const appendedAt = performance.now()
    await isVisible(orderId)
    if (index >= WARM_UP) delays.push(performance.now() - appendedAt)
    // Its coins are wanted by the next buyers: a new shop has few.
    await approveOrder(shop, systemCaller(systemRandom), { orderId, adminId: ADMIN_ID })
    await pause(REST_MS)
  }
  process.stdout.write(JSON.stringify(delays))
} finally {
  await running.stop()
}

/** Resolves as soon as the order is in the log. */
async function appended(buyer: number): Promise<string> {
  const { order } = await placeOrder(shop, systemCaller(systemRandom), {
    idempotencyKey: undefined,
    customerEmail: `buyer${buyer}@example.test`,
    discordUsername: `buyer${buyer}`,
    marketId: '12345678',
    marketIds: undefined,
    quantityM: 1,
    totalCents,
    paymentMethod: 'crypto',
  })
  return order.placed.orderId
}

async function isVisible(orderId: string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS
  while (!(await looked(orderId))) {
    if (performance.now() > deadline) throw new Error('an order has not become visible')
    await nextTurn()
  }
}

/** The view is not there yet while it is being built for the first time. */
async function looked(orderId: string): Promise<boolean> {
  try {
    return (await findOrder(views, orderId)) !== undefined
  } catch (error) {
    if (error instanceof Error && error.name === 'ViewBehind') return false
    throw error
  }
}
