import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pino, { type Logger } from 'pino'
import { approveOrder } from '../commands/approve-order.ts'
import { orderRequest } from './test-shop.ts'
import { placeOrder } from '../commands/place-order.ts'
import { systemCaller } from '../shop/command-context.ts'
import { ADMIN_ID } from '../shop/hot/hot-states.ts'
import { parseConfig } from '../config.ts'
import { type RunningShop, runShop } from '../process/run-shop.ts'
import { orderStream } from '../domain/stream-names.ts'
import { listOrders } from '../projections/order-list.ts'
import { shapeOf } from '../projections/shape.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import { viewReader } from '../projector/view-reader.ts'
import { systemRandom } from '../process/system.ts'
import { METRICS_TOKEN } from './shop-process.ts'
import { VIEWS_FOLDER } from '../engines/open-engines.ts'

/** View files, relative to DATA_DIR: those with personal data, or the others. */
export function viewFiles(folder: string, of: 'people' | 'others'): string[] {
  const found = existsSync(join(folder, VIEWS_FOLDER)) ? readdirSync(join(folder, VIEWS_FOLDER)) : []
  const isOf = (name: string): boolean =>
    name.endsWith('.sqlite') && !name.startsWith('registry') && name.includes('-people') === (of === 'people')
  return found.filter(isOf).map((name) => join(VIEWS_FOLDER, name))
}

/** Starts a whole shop in this process, on the files of a folder. */
export async function runIn(
  folder: string,
  env: Record<string, string> = {},
  logger: Logger = pino({ level: 'silent' }),
): Promise<RunningShop> {
  const config = parseConfig({
    DATA_DIR: folder,
    PORT: '0',
    RATE_LIMIT: 'off',
    DELIVERY: 'instant',
    METRICS_TOKEN,
    SANDBOX_DELAY_MS: '0',
    ADMIN_PASSWORD: 'a long password for the test',
    ...env,
  })
  return runShop(config, { logger })
}

/** Places an order of one million; returns its id. */
export async function order({ context }: RunningShop, customerEmail: string): Promise<string> {
  const request = orderRequest({ customerEmail, quantityM: 1, totalCents: 5 })
  return (await placeOrder(context, systemCaller(systemRandom), request)).order.placed.orderId
}

export async function complete({ context }: RunningShop, orderId: string): Promise<void> {
  await approveOrder(context, systemCaller(systemRandom), { orderId, adminId: ADMIN_ID })
}

/** Starts a shop, does some work, and stops it. */
export async function during<T>(
  folder: string,
  work: (shop: RunningShop) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  const shop = await runIn(folder, env)
  try {
    return await work(shop)
  } finally {
    await shop.stop()
  }
}

/** The orders in its list, once the views have caught up. */
export async function listed({ engines }: RunningShop): Promise<string[]> {
  const timeZone = 'Asia/Kolkata'
  const projections = shopProjections({ timeZone })
  const views = viewReader({ store: engines.views, shape: shapeOf({ timeZone }), projections, now: Date.now })
  if (!(await views.waitFor(await engines.log.head(), 30_000))) throw new Error('the views stay behind the log')
  return (await listOrders(views, { limit: 100 })).orders.map(({ orderId }) => orderId)
}

export async function numberOf({ engines }: RunningShop, orderId: string): Promise<string> {
  const [placed] = await engines.log.readStream(orderStream(orderId))
  return placed?.type === 'OrderPlaced' ? placed.data.orderNumber : ''
}
