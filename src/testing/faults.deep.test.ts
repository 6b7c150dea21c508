import { setTimeout as pause } from 'node:timers/promises'
import { outcomeOf } from '../domain/order/order-state.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { redisMissing } from '../engines/redis/testing/redis-server.ts'
import { serverMissing } from '../engines/mongodb/testing/document-server.ts'
import { auditShop } from './audit-shop.ts'
import { type Answer, ask, asOwner, placeOrder, setStock, startPayment } from './buyers.ts'
import { describeEach, describeUnless } from './describe-unless.ts'
import { type Part, type Parts, startParts } from './parts.ts'
import type { Missing } from '../ports/testing/missing.ts'
import { ownServers, type ServerUrl } from './own-servers.ts'
import { sizeOf } from './tier.ts'

const isNight = sizeOf({ fast: false, deep: false, night: true })
const WAITED_MS = 180_000
const ORDERS_PER_SECOND = 5
const AGAIN_MS = 1_000
const LISTED_EVERY_MS = 1_000
const STOPPED_MS = 10_000
const QUIET_MS = 2_000
const LOOKED_EVERY_MS = 200
/** How many of the orders placed after a fault are polled. */
const LOOKED_AT = 5
const STOCK = 1_000_000
const AT_REST = { timeout: 240_000, interval: 1_000 }
const FAULT_TIMEOUT_MS = 400_000

const SHOP = ['api', 'projector', 'worker']
const NOT_NEEDED_TO_SELL = new Set([ownServers.MONGODB_URL.name, ownServers.REDIS_URL.name])

const shops: readonly {
  readonly name: string
  readonly servers: readonly ServerUrl[]
  /** Faults tested by day, because no other suite has them. */
  readonly few: readonly string[]
  readonly missing?: Missing
}[] = [
  { name: 'embedded engines', servers: [], few: ['KILL of worker', 'KILL of all'] },
  {
    name: 'MongoDB and Redis',
    servers: ['MONGODB_URL', 'VAULT_URL', 'REDIS_URL'],
    few: [
      'KILL of worker',
      "KILL of the views' server",
      "STOP of the views' server",
      "KILL of the vault's server",
      'STOP of redis',
    ],
    missing: serverMissing ?? redisMissing,
  },
  {
    name: 'EventStoreDB, MongoDB and Redis',
    servers: ['EVENTSTOREDB_URL', 'MONGODB_URL', 'VAULT_URL', 'REDIS_URL'],
    few: ["KILL of the log's server", 'FLUSHALL of redis with all killed'],
    missing: serverMissing ?? redisMissing,
  },
]

describeEach(shops, 'a shop of three processes', ({ name, servers, few }) => {
  let parts: Parts
  let buying: Buying
  let owner: Record<string, string>
  /** Expected failures: refused or broken connections, and 503 with Retry-After. */
  const now = { mayRefuse: false, mayBeAway: true }

  beforeAll(async () => {
    parts = await startParts(servers)
    await setStock(parts.url, STOCK)
    owner = await asOwner(parts.url)
    buying = startBuying(parts.url, owner, now)
    report(`${name}, undisturbed`, await backAfter(0), countsSince({ away: 0, refused: 0 }))
  }, FAULT_TIMEOUT_MS)

  afterAll(async () => {
    await buying?.giveUp()
    await parts?.remove()
  }, FAULT_TIMEOUT_MS)

  const faults = faultsOf(servers).filter((fault) => isNight || few.includes(fault.name))
  for (const fault of faults)
    describeUnless(fault.missing, `a ${fault.name}`, () => {
      it('the shop sells again soon after the fault', { timeout: FAULT_TIMEOUT_MS }, async () => {
        now.mayBeAway = false
        await pause(QUIET_MS)
        const before = { ...buying.counts }
        const known = buying.unexpected.length
        Object.assign(now, { mayBeAway: true, mayRefuse: fault.takesApi })
        const beganAt = performance.now()
        const placedBefore = placedCount()
        await fault.happen(parts)
        if (fault.sellsOn === true) expect(placedCount()).toBeGreaterThan(placedBefore)
        now.mayRefuse = false
        const overAt = performance.now()
        const backMs = await backAfter(overAt)
        report(`${name}, ${fault.name} for ${seconds(overAt - beganAt)}`, backMs, countsSince(before))
        expect(buying.unexpected.slice(known)).toEqual([])
        expect(backMs).toBeLessThan(WAITED_MS)
      })
    })

  it('the shop has lost nothing after all faults', { timeout: 600_000 }, async () => {
    await buying.end()
    const { orders } = buying
    await expect
      .poll(async () => {
        const audit = await auditShop(parts.env)
        const open = [...audit.orders.values()].filter((order) => outcomeOf(order) !== 'completed')
        return [...audit.problems, ...open.map(({ placed, life }) => `${placed.orderId} is ${life.kind}`)]
      }, AT_REST)
      .toEqual([])
    const audit = await auditShop(parts.env)
    expect([...audit.orders.keys()].toSorted()).toEqual(orders.map(({ id }) => id ?? '').toSorted())
    const { body } = await ask(parts.url, 'GET', '/api/payment-settings')
    expect(body['currentStock']).toBe(STOCK - orders.length)
    expect(buying.unexpected).toEqual([])
  })

  const placedCount = () => buying.orders.filter(({ id }) => id !== undefined).length

  /** Returns the time until one of the first orders placed after `sinceMs` is completed. */
  async function backAfter(sinceMs: number): Promise<number> {
    const beganAt = performance.now()
    while (performance.now() - beganAt < WAITED_MS) {
      const placed = buying.orders.filter(({ id, sentAt }) => id !== undefined && sentAt >= sinceMs)
      for (const { id } of placed.slice(0, LOOKED_AT)) {
        const answer = await ask(parts.url, 'GET', `/api/orders/${id}`).catch(() => undefined)
        if (answer?.body['status'] === 'completed') return performance.now() - beganAt
      }
      await pause(LOOKED_EVERY_MS)
    }
    return WAITED_MS
  }

  function countsSince(before: { away: number; refused: number }): string {
    const { away, refused } = buying.counts
    return `${away - before.away} answers 503, ${refused - before.refused} refused`
  }
})

function report(what: string, backMs: number, counts: string): void {
  process.stdout.write(`${what}: an order after ${seconds(backMs)}; ${counts}\n`)
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

interface Fault {
  readonly name: string
  /** Buyers' connections are refused or broken meanwhile. */
  readonly takesApi: boolean
  /** Orders are still accepted meanwhile: they need neither views nor queue. */
  readonly sellsOn?: boolean
  /** Why this machine cannot cause it. */
  readonly missing?: Missing
  /** Resolves when every stopped part runs again. */
  happen(parts: Parts): Promise<void>
}

/** Every fault of each part, then of the whole shop. */
function faultsOf(servers: readonly ServerUrl[]): Fault[] {
  return [
    ...SHOP.flatMap((name) => faultsOfPart(name)),
    ...servers.flatMap((server) => {
      const { name, missing } = ownServers[server]
      return faultsOfPart(name).map((fault) => ({ ...fault, missing }))
    }),
    allKilled(servers.includes('REDIS_URL')),
  ]
}

const ends = { TERM: async (part: Part) => part.stop(), KILL: async (part: Part) => part.kill() }

function faultsOfPart(part: string): Fault[] {
  const ended = Object.entries(ends).map(([signal, end]) => ({
    name: `${signal} of ${part}`,
    takesApi: part === 'api',
    happen: async (parts: Parts) => startedAgain([partOf(parts, part)], end),
  }))
  const stopped: Fault = {
    name: `STOP of ${part}`,
    takesApi: false,
    sellsOn: NOT_NEEDED_TO_SELL.has(part),
    async happen(parts) {
      const one = partOf(parts, part)
      one.pause()
      try {
        await pause(STOPPED_MS)
      } finally {
        one.resume()
      }
    },
  }
  return [...ended, stopped]
}

const allKilled = (isFlushed: boolean): Fault => ({
  name: isFlushed ? 'FLUSHALL of redis with all killed' : 'KILL of all',
  takesApi: true,
  happen: async ({ shop, flushRedis }) => startedAgain(shop, ends.KILL, isFlushed ? flushRedis : undefined),
})

/** `meanwhile` runs while all the parts are down. */
async function startedAgain(
  parts: readonly Part[],
  end: (part: Part) => Promise<void>,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<void> {
  await Promise.all(parts.map(end))
  await meanwhile()
  await Promise.all(parts.map(async (part) => part.start()))
}

function partOf({ shop, servers }: Parts, name: string): Part {
  const part = [...shop, ...servers].find((one) => one.name === name)
  if (!part) throw new TypeError(`there is no part ${name}`)
  return part
}

interface Bought {
  readonly buyer: string
  /** Time of the first attempt. */
  readonly sentAt: number
  /** Set once the order is acknowledged. */
  id: string | undefined
  isPaid: boolean
}

type Buying = ReturnType<typeof startBuying>

/** Buyers place and pay orders at a steady rate and retry with the same key; an owner polls the list. */
function startBuying(
  url: string,
  owner: Record<string, string>,
  now: { readonly mayRefuse: boolean; readonly mayBeAway: boolean },
) {
  const orders: Bought[] = []
  const unexpected: string[] = []
  const counts = { away: 0, refused: 0 }
  const ended = new AbortController()
  const givenUp = new AbortController()
  const buyers = new Set<Promise<void>>()

  /** Returns the response body; undefined if the call must be retried. */
  async function answerOf(what: string, asking: () => Promise<Answer>): Promise<Answer['body'] | undefined> {
    const mightRefuse = now.mayRefuse
    const mightBeAway = now.mayBeAway
    try {
      const { status, headers, body } = await asking()
      if (status === 200 || status === 201) return body
      const isDocumented = status === 503 && /^\d+$/.test(String(headers['retry-after']))
      if (isDocumented) counts.away += 1
      if (!isDocumented || !(mightBeAway || now.mayBeAway))
        unexpected.push(`${what}: ${status} ${String(body['code'])}`)
    } catch (error) {
      counts.refused += 1
      if (!mightRefuse && !now.mayRefuse) unexpected.push(`${what}: ${String(error)}`)
    }
    return undefined
  }

  async function untilAnswered(what: string, asking: () => Promise<Answer>): Promise<Answer['body'] | undefined> {
    while (!givenUp.signal.aborted) {
      const body = await answerOf(what, asking)
      if (body) return body
      await pause(AGAIN_MS)
    }
    return undefined
  }

  async function buy(order: Bought): Promise<void> {
    const placed = await untilAnswered(`placing ${order.buyer}`, async () => placeOrder(url, order.buyer))
    if (!placed) return
    const id = String(placed['id'])
    order.id = id
    order.isPaid = (await untilAnswered(`paying ${order.buyer}`, async () => startPayment(url, id))) !== undefined
  }

  async function sell(): Promise<void> {
    while (!ended.signal.aborted) {
      const order: Bought = { buyer: `buyer-${orders.length}`, sentAt: performance.now(), id: undefined, isPaid: false }
      orders.push(order)
      const buyer = buy(order).finally(() => buyers.delete(buyer))
      buyers.add(buyer)
      await pause(1_000 / ORDERS_PER_SECOND)
    }
  }

  async function look(): Promise<void> {
    while (!ended.signal.aborted) {
      await answerOf('the list', async () => ask(url, 'GET', '/api/orders?limit=10', { headers: owner }))
      await pause(LISTED_EVERY_MS)
    }
  }

  const running = Promise.all([sell(), look()])
  const end = async (): Promise<void> => {
    ended.abort()
    await running
    await Promise.all(buyers)
  }
  return {
    orders,
    /** Undocumented responses, and failures at other times than expected. */
    unexpected,
    /** Numbers of 503 responses and of refused connections. */
    counts,
    /** Accepts no new orders; resolves when all started ones are paid. */
    end,
    /** Like `end`, but abandons started orders. */
    async giveUp() {
      givenUp.abort()
      await end()
    },
  }
}
