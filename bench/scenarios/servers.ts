import { MongoClient } from 'mongodb'
import { auditShop } from '../../src/testing/audit-shop.ts'
import { type EngineSet, engineSets, type ShopPlace } from '../../src/testing/engine-sets.ts'
import { startShopProcess } from '../../src/testing/shop-process.ts'
import { type BenchShop, raiseStock, startBenchShop } from '../shop/bench-shop.ts'
import { BooksDoNotBalance } from '../shop/books.ts'
import { wipeViews } from '../shop/folders.ts'
import { endWithBench } from '../shop/leftovers.ts'
import { type Bench, CONNECTIONS, helloId } from './bench.ts'
import { placeOrders } from './placing.ts'
import { connectionsText } from './reads.ts'

/** In each of two loads: the audit holds every view against the log. */
const ORDERS_MAX = 2_000

/** The same shop on its embedded engines and on servers: orders placed, views that were away catching up, and all of them made anew. */
export async function measureServers(bench: Bench): Promise<void> {
  const away = engineSets.find(({ missing }) => missing !== undefined)
  if (away) bench.say(`servers: left out, since ${away.missing ?? 'they are away'}`)
  else for (const engines of engineSets) await measureOn(bench, engines)
}

async function measureOn(bench: Bench, engines: EngineSet): Promise<void> {
  const place = await engines.place()
  const acknowledged: string[] = []
  const suffix = engines.isEmbedded ? 'embedded' : 'distributed'
  const subject = (id: string, what: string, unit: string) => ({
    id: `servers-${id}-${suffix}`,
    name: `${engines.name}: ${what}`,
    unit,
  })
  try {
    const whole = await startBenchShop(dataDir(place), place.env)
    await raiseStock(whole)
    const { perSecond, p50, p95, p99 } = await place64(bench, whole, acknowledged)
    const placing = subject('place', `POST /api/orders, ${connectionsText(CONNECTIONS)}`, 'orders')
    bench.notebook.note({ ...placing, base: helloId(CONNECTIONS) }, { perSecond, p50, p95, p99, ...whole.memory() })
    await whole.caughtUp()
    await whole.stop()

    bench.notebook.note(subject('catch-up', 'views catch up after an outage', 'events'), {
      perSecond: await catchingUp(bench, place, acknowledged),
    })

    await wipe(place)
    const { events } = await auditShop(place.env, { atRest: false })
    const again = await startBenchShop(dataDir(place), place.env)
    const seconds = await secondsOf(async () => again.caughtUp())
    await again.stop()
    bench.notebook.note(subject('rebuild', 'rebuild of all views', 'events'), { perSecond: events / seconds })
    await balance(place, acknowledged)
  } finally {
    await place.remove()
  }
}

/** Events a second from the moment at which a projector that hung goes on. */
async function catchingUp(bench: Bench, place: ShopPlace, acknowledged: string[]): Promise<number> {
  const selling = await startBenchShop(dataDir(place), { ...place.env, ROLES: 'api,worker' })
  const projector = await startShopProcess({ ...place.env, ROLES: 'projector' })
  const forget = endWithBench(() => process.kill(-projector.pid, 'SIGKILL'))
  try {
    await selling.caughtUp()
    const { events: before } = await auditShop(place.env, { atRest: false })
    projector.pause()
    await place64(bench, selling, acknowledged)
    const { events: after } = await auditShop(place.env, { atRest: false })
    const seconds = await secondsOf(async () => {
      projector.resume()
      await selling.caughtUp()
    })
    return (after - before) / seconds
  } finally {
    forget()
    await projector.kill()
    await selling.stop()
  }
}

async function place64({ options }: Bench, shop: BenchShop, acknowledged: string[]) {
  const load = { connections: CONNECTIONS, seconds: options.seconds, amountMax: ORDERS_MAX, acknowledged }
  return placeOrders(shop, load)
}

async function balance(place: ShopPlace, acknowledged: readonly string[]): Promise<void> {
  const { orders, problems } = await auditShop(place.env)
  const lost = acknowledged.filter((orderId) => !orders.has(orderId))
  const all = [...problems, ...lost.map((orderId) => `order ${orderId} was acknowledged and is not there`)]
  if (all.length > 0) throw new BooksDoNotBalance(`the books do not balance: ${all.slice(0, 10).join('\n')}`)
}

async function wipe(place: ShopPlace): Promise<void> {
  const url = place.env['MONGODB_URL']
  if (url === undefined) return wipeViews(dataDir(place))
  const client = await MongoClient.connect(url)
  await client.db().dropDatabase()
  await client.close()
}

function dataDir({ env }: ShopPlace): string {
  return env['DATA_DIR'] ?? ''
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const beganAt = performance.now()
  await work()
  return (performance.now() - beganAt) / 1_000
}
