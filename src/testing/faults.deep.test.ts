import { setTimeout as pause } from 'node:timers/promises'
import { outcomeOf } from '../domain/order/order-state.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { redisMissing } from '../engines/redis/testing/redis-server.ts'
import { serverMissing } from '../engines/mongodb/testing/document-server.ts'
import { auditShop } from './audit-shop.ts'
import { ask, asOwner, setStock } from './buyers.ts'
import { describeEach, describeUnless } from './describe-unless.ts'
import { type Buying, startBuying } from './faults/buying.ts'
import { faultsOf } from './faults/faults.ts'
import { type Parts, startParts } from './faults/parts.ts'
import type { Missing } from '../ports/testing/missing.ts'
import type { ServerUrl } from './own-servers.ts'
import { sizeOf } from './tier.ts'

const isNight = sizeOf({ fast: false, deep: false, night: true })
const WAITED_MS = 180_000
const ORDERS_PER_SECOND = 5
const QUIET_MS = 2_000
const LOOKED_EVERY_MS = 200
/** Of the orders that were placed after a fault, so many are asked for. */
const LOOKED_AT = 5
const STOCK = 1_000_000
const AT_REST = { timeout: 240_000, interval: 1_000 }
const FAULT_TIMEOUT_MS = 400_000

const shops: readonly {
  readonly name: string
  readonly servers: readonly ServerUrl[]
  /** Those that are tried by day, since other suites do not have them. */
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

function isChosen(fault: string, few: readonly string[]): boolean {
  return isNight || few.includes(fault)
}

describeEach(shops, 'a shop of three processes', ({ name, servers, few }) => {
  let parts: Parts
  let buying: Buying
  let owner: Record<string, string>
  const now = { mayRefuse: false, mayBeAway: true }

  beforeAll(async () => {
    parts = await startParts(servers)
    await setStock(parts.url, STOCK)
    owner = await asOwner(parts.url)
    buying = startBuying(parts.url, {
      ordersPerSecond: ORDERS_PER_SECOND,
      owner,
      expected: { mayRefuse: () => now.mayRefuse, mayBeAway: () => now.mayBeAway },
    })
    report(`${name}, undisturbed`, await backAfter(0), countsSince({ away: 0, refused: 0 }))
  }, FAULT_TIMEOUT_MS)

  afterAll(async () => {
    await buying?.giveUp()
    await parts?.remove()
  }, FAULT_TIMEOUT_MS)

  const faults = faultsOf(servers).filter(({ name: fault }) => isChosen(fault, few))
  for (const fault of faults)
    describeUnless(fault.missing, `a ${fault.name}`, () => {
      it('is over soon', { timeout: FAULT_TIMEOUT_MS }, async () => {
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

  it('has lost nothing', { timeout: 600_000 }, async () => {
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

  /** How long it takes until one of the first orders that were placed after `sinceMs` is completed. */
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
