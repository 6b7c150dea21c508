import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { isOpen, outcomeOf } from '../domain/order/order-state.ts'
import { auditShop } from './audit-shop.ts'
import { ADMIN_PASSWORD, ask, asOwner, placeOrder, setStock, startPayment } from './buyers.ts'
import { seededRandom } from '../ports/testing/clock.ts'
import { describeEach } from './describe-unless.ts'
import { engineSets, type ShopEnvironment } from './engine-sets.ts'
import { killStarted, type ShopProcess, startShopProcess } from './shop-process.ts'
import { sizeOf } from './tier.ts'

/** Decides when the shop is killed and which orders are read again. `CRASH_SEED` repeats a run. */
const SEED = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 1_000_000))
const ROUNDS = sizeOf({ fast: 20, deep: 20, night: 200 })
const BUYERS = 8
const STOCK = 1_000_000
const NEWEST = 200
const SHARE = 0.02
const PLACED = { timeout: 40_000, interval: 10 }

let serial = 0
let random = seededRandom(SEED)

interface Acknowledged {
  readonly id: string
  readonly orderNumber: string
  readonly email: string
  readonly quantity: number
  wasCancelled: boolean
  wasStarted: boolean
}

/** One shop is a single process on its own files; the others are three processes on servers that survive the kill. */
describeEach(engineSets, 'a shop that is killed at any moment', (engines) => {
  const { isEmbedded } = engines
  const roles = isEmbedded ? ['api,projector,worker'] : ['projector', 'worker', 'api']
  const rounds = isEmbedded ? ROUNDS : Math.ceil(ROUNDS / 4)

  const acknowledged = new Map<string, Acknowledged>()
  const started: Promise<ShopProcess>[] = []
  let place: ShopEnvironment

  beforeAll(async () => {
    process.stdout.write(`${engines.name}: CRASH_SEED=${SEED} gives the same kills\n`)
    random = seededRandom(SEED)
    place = await engines.provision()
  })

  afterEach(async () => killStarted(started), 60_000)

  afterAll(async () => {
    await place.remove()
  })

  async function start(): Promise<RunningParts> {
    const starting = roles.map(async (role) => startShopProcess({ ...environment(place), ROLES: role }))
    started.push(...starting)
    const parts = await Promise.all(starting)
    const url = parts.map((part) => part.url).join('')
    return {
      url,
      kill: async () => void (await Promise.all(parts.map(async (part) => part.kill()))),
      stop: async () => Promise.all(parts.map(async (part) => part.stop())),
    }
  }

  it(
    `a killed shop has every acknowledged order unchanged after each of ${rounds} restarts`,
    { timeout: rounds * 60_000 },
    async () => {
      const changed: string[] = []
      for (let round = 0; round < rounds; round += 1) {
        const shop = await start()
        if (round === 0) await setStock(shop.url, STOCK)
        changed.push(...(await changedOf(shop, someOf(acknowledged))))
        await buyUntilKilled(shop, acknowledged, { afterMs: 100 + random.fraction() * 900, orders: round + 2 })
        const { problems } = await auditShop(place.env, { atRest: false })
        expect(problems, `after round ${round}`).toEqual([])
      }
      expect(changed).toEqual([])
      expect(acknowledged.size).toBeGreaterThan(rounds)
    },
  )

  it('a killed shop comes to rest with balanced books and matching views', { timeout: 300_000 }, async () => {
    const shop = await start()
    expect(await changedOf(shop, [...acknowledged.values()])).toEqual([])
    const paid = [...acknowledged.values()].filter(({ wasStarted }) => wasStarted)
    const isAtRest = async () => openWork(place, paid)
    await expect.poll(isAtRest, { timeout: 240_000, interval: 1_000 }).toEqual([])
    expect(await shop.stop()).toEqual(roles.map(() => 0))
    const { problems, orders } = await auditShop(place.env)
    expect(problems).toEqual([])
    for (const { id, wasCancelled, wasStarted } of acknowledged.values()) {
      const order = orders.get(id)
      if (wasCancelled) expect(order && outcomeOf(order)).toBe('cancelled')
      else if (wasStarted) expect(order && outcomeOf(order)).toBe('completed')
      else expect(orders.has(id)).toBe(true)
    }
  })
})

interface RunningParts {
  readonly url: string
  kill(): Promise<void>
  /** Resolves with the exit codes. */
  stop(): Promise<(number | null)[]>
}

function environment(place: ShopEnvironment): Record<string, string> {
  return { ...place.env, SANDBOX_DELAY_MS: '50', ADMIN_PASSWORD, ORDER_TTL_MINUTES: '0.2' }
}

/** Buyers place, pay and cancel concurrently until all processes are killed: after `afterMs`, once `orders` were acknowledged in all. */
async function buyUntilKilled(
  shop: RunningParts,
  acknowledged: Map<string, Acknowledged>,
  { afterMs, orders }: { afterMs: number; orders: number },
): Promise<void> {
  const over = new AbortController()
  const buyers = Array.from({ length: BUYERS }, async () => {
    while (!over.signal.aborted) await buyOnce(shop, acknowledged).catch(() => undefined)
  })
  try {
    await pause(afterMs)
    // A busy machine may acknowledge none in that time, and killing an idle shop proves nothing.
    await expect.poll(() => acknowledged.size, PLACED).toBeGreaterThanOrEqual(orders)
  } finally {
    await shop.kill()
    over.abort()
    await Promise.all(buyers)
  }
}

async function buyOnce({ url }: RunningParts, acknowledged: Map<string, Acknowledged>): Promise<void> {
  serial += 1
  const mine = serial
  const quantity = 1 + (mine % 9)
  const { status, headers, body } = await placeOrder(url, `buyer-${mine}`, quantity)
  if (status !== 201) return
  const id = String(body['id'])
  const order: Acknowledged = {
    id,
    orderNumber: String(body['orderNumber']),
    email: `buyer-${mine}@example.test`,
    quantity,
    wasCancelled: false,
    wasStarted: false,
  }
  acknowledged.set(id, order)
  if (mine % 4 === 0) {
    const own = { body: {}, headers: { cookie: headers['set-cookie'] ?? '' } }
    order.wasCancelled = (await ask(url, 'POST', `/api/orders/${id}/cancel`, own)).status === 200
  } else order.wasStarted = (await startPayment(url, id, quantity)).status === 200
}

/** Returns the newest orders and a sample of the others. */
function someOf(acknowledged: ReadonlyMap<string, Acknowledged>): Acknowledged[] {
  const everything = [...acknowledged.values()]
  return everything.filter((_, index) => index >= everything.length - NEWEST || random.fraction() < SHARE)
}

/** Returns one line for each acknowledged order that is missing or has changed. */
async function changedOf({ url }: RunningParts, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const changed: string[] = []
  const headers = await asOwner(url)
  for (const { id, orderNumber, email, quantity, wasCancelled } of acknowledged) {
    const { status, body } = await ask(url, 'GET', `/api/orders/${id}`, { headers })
    const isSame =
      body['orderNumber'] === orderNumber &&
      body['customerEmail'] === email &&
      body['pokecoinAmount'] === quantity &&
      (!wasCancelled || body['status'] === 'failed')
    if (status !== 200) changed.push(`${id} answers ${status}`)
    else if (!isSame) changed.push(`${id} changed`)
  }
  return changed
}

/** Lists the work that is still open. An order that expired while all processes were down must still record its payment. */
async function openWork(place: ShopEnvironment, paid: readonly Acknowledged[]): Promise<string[]> {
  const { orders, problems } = await auditShop(place.env)
  const pending = [...orders.values()].filter(isOpen)
  const expired = paid.filter(({ id }) => {
    const order = orders.get(id)
    return order && outcomeOf(order) === 'expired'
  })
  return [
    ...problems,
    ...pending.map(({ placed, attempts }) => `${placed.orderId} is pending after ${attempts.length} attempts`),
    ...expired.map(({ id }) => `${id} is expired, and was paid`),
  ]
}
