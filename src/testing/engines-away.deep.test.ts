import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import { afterEach, expect, it } from 'vitest'
import { controlMissing, someEventstoredb } from '../event-store/testing/eventstoredb-server.ts'
import { redisMissing, redisServer } from '../job-queue/testing/redis-server.ts'
import { documentServer, serverMissing } from '../mongodb/testing/document-server.ts'
import { auditShop } from './audit-shop.ts'
import { ADMIN_PASSWORD, ask, asOwner, placeOrder, setStock, startPayment } from './buyers.ts'
import { describeUnless } from './describe-unless.ts'
import { provisionWith } from './engine-sets.ts'
import type { OwnServer } from './own-server.ts'
import { type ShopProcess, startShopProcess } from './shop-process.ts'

const STOCK = 1_000_000
const BUYERS = 4
/** Orders that must be placed while an engine is away, and after it came back. */
const MEANWHILE = 10
const SOON = { timeout: 120_000, interval: 250 }
const AT_REST = { timeout: 300_000, interval: 1_000 }
const missing = serverMissing ?? redisMissing

interface Fault {
  readonly name: string
  readonly begin: () => Promise<void>
  readonly end: () => Promise<void>
  /** Lists and figures cannot be had meanwhile. */
  readonly takesViews: boolean
}

const ends: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
}, 120_000)

function later<Thing>(thing: Thing, end: (thing: Thing) => Promise<unknown>): Thing {
  ends.push(() => end(thing))
  return thing
}

async function startParts(env: Record<string, string>, roles: readonly string[]): Promise<ShopProcess[]> {
  const common = { ADMIN_PASSWORD, SANDBOX_DELAY_MS: '50', ORDER_TTL_MINUTES: '60', ...env }
  return Promise.all(
    roles.map(async (role) => later(await startShopProcess({ ...common, ROLES: role }), (part) => part.kill())),
  )
}

describeUnless(missing, 'a shop whose engines go away and come back', () => {
  it('sells on without views and queue, and has caught up when they are back', { timeout: 1_200_000 }, async () => {
    const redis = later(await redisServer(), (server) => server.remove())
    const documents = later(await documentServer(), (server) => server.remove())
    const shop = later(await provisionWith({ REDIS_URL: redis.url, MONGODB_URL: `${documents.url}/views` }), (place) =>
      place.remove(),
    )
    const [api] = (await startParts(shop.env, ['api', 'projector', 'worker'])) as [ShopProcess]
    await setStock(api.url, STOCK)
    const owner = await asOwner(api.url)
    await expect.poll(async () => listStatus(api.url, owner), SOON).toBe(200)

    const acknowledged: string[] = []
    const refused: string[] = []
    const over = new AbortController()
    const buyers = Array.from({ length: BUYERS }, async (_, buyer) => {
      for (let serial = 0; !over.signal.aborted; serial += 1) {
        const placed = await placeOrder(api.url, `buyer-${buyer}-${serial}`)
        if (placed.status === 201) acknowledged.push(String(placed.body['id']))
        else refused.push(`${placed.status} ${String(placed.body['code'])}`)
        if (serial % 3 === 0) await startPayment(api.url, String(placed.body['id']))
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    })
    later(over, async () => {
      over.abort()
      await Promise.allSettled(buyers)
    })
    const more = async (): Promise<void> => {
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length - before, SOON).toBeGreaterThan(MEANWHILE)
    }

    const views = String(shop.env['MONGODB_URL'])
    const faults: Fault[] = [
      { name: 'Redis hangs', begin: async () => redis.pause(), end: async () => redis.resume(), takesViews: false },
      { name: 'Redis dies', begin: async () => redis.kill(), end: async () => redis.start(), takesViews: false },
      { name: 'Redis is wiped', begin: async () => wipeRedis(redis.url), end: nothing, takesViews: false },
      {
        name: 'the views hang',
        begin: async () => documents.pause(),
        end: async () => documents.resume(),
        takesViews: true,
      },
      {
        name: 'the views die',
        begin: async () => documents.stop(),
        end: async () => documents.start(),
        takesViews: true,
      },
      { name: 'the views are wiped', begin: async () => wipeViews(views), end: nothing, takesViews: false },
    ]
    for (const { name, begin, end, takesViews } of faults) {
      await begin()
      await more()
      expect([name, (await ask(api.url, 'GET', '/api/pricing')).status]).toEqual([name, 200])
      if (takesViews) {
        const listed = await ask(api.url, 'GET', '/api/orders', { headers: owner })
        expect([name, listed.status, listed.headers['retry-after']]).toEqual([
          name,
          503,
          expect.stringMatching(/^\d+$/),
        ])
        expect([name, (await ask(api.url, 'GET', '/readyz')).status]).toEqual([name, 503])
        expect([name, (await ask(api.url, 'GET', '/healthz')).status]).toEqual([name, 200])
      }
      await end()
      await more()
      await expect.poll(async () => listStatus(api.url, owner), { ...SOON, message: name }).toBe(200)
    }

    over.abort()
    await Promise.all(buyers)
    expect(refused).toEqual([])
    await expect.poll(async () => (await auditShop(shop.env)).problems, AT_REST).toEqual([])
    const { orders } = await auditShop(shop.env)
    expect([...orders.keys()].toSorted()).toEqual(acknowledged.toSorted())
    const started = [...orders.values()].filter(({ attempts }) => attempts.some((attempt) => attempt.started))
    expect(started.length).toBeGreaterThan(MEANWHILE)
    await expect
      .poll(async () => {
        const now = (await auditShop(shop.env)).orders
        return started.filter(({ placed }) => now.get(placed.orderId)?.life.kind !== 'completed').length
      }, AT_REST)
      .toBe(0)
  })

  it('takes no order while the vault is away, says so, and still shows its prices', { timeout: 300_000 }, async () => {
    const documents = later(await documentServer(), (server) => server.remove())
    const shop = later(await provisionWith({ VAULT_URL: `${documents.url}/vault` }), (place) => place.remove())
    const [api] = (await startParts(shop.env, ['api,projector,worker'])) as [ShopProcess]
    expect((await placeOrder(api.url, 'before')).status).toBe(201)
    await documents.stop()
    const refused = await placeOrder(api.url, 'meanwhile')
    expect(refused.status).toBe(503)
    expect(refused.body).toMatchObject({ code: 'vault/away' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await ask(api.url, 'GET', '/api/pricing')).status).toBe(200)
    expect((await ask(api.url, 'GET', '/api/payment-settings')).status).toBe(200)
    await documents.start()
    await expect.poll(async () => (await placeOrder(api.url, 'meanwhile')).status, SOON).toBe(201)
    await expect.poll(async () => (await auditShop(shop.env)).problems, AT_REST).toEqual([])
  })
})

describeUnless(controlMissing, 'a shop whose log goes away and comes back', () => {
  it.for([
    { how: 'dies', begin: (log: OwnServer) => log.kill(), end: (log: OwnServer) => log.start() },
    {
      how: 'hangs',
      begin: async (log: OwnServer) => log.pause(),
      end: async (log: OwnServer) => log.resume(),
    },
  ])(
    'while it $how takes no order but shows what it knows, and then sells on by itself',
    { timeout: 300_000 },
    async ({ begin, end }) => {
      const log = later(await someEventstoredb(), (server) => server.remove())
      const shop = later(await provisionWith({ EVENTSTOREDB_URL: log.url }), (place) => place.remove())
      const [api] = (await startParts(shop.env, ['api,projector,worker'])) as [ShopProcess]
      const before = await placeOrder(api.url, 'before')
      expect(before.status).toBe(201)
      const path = `/api/orders/${String(before.body['id'])}`
      const owner = await asOwner(api.url)
      await expect.poll(async () => listStatus(api.url, owner), SOON).toBe(200)
      await begin(log)
      const refused = await placeOrder(api.url, 'meanwhile')
      expect([refused.status, refused.body['code']]).toEqual([503, 'event-store/away'])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      for (const shown of ['/api/pricing', '/api/payment-settings', '/api/products', '/healthz'])
        expect([shown, (await ask(api.url, 'GET', shown)).status]).toEqual([shown, 200])
      const known = await ask(api.url, 'GET', path)
      expect(known).toMatchObject({
        status: 200,
        body: { status: 'pending', isMasked: true, asOf: expect.any(String) },
      })
      for (const staffs of [path, '/api/orders', '/api/admin/analytics'])
        expect([staffs, (await ask(api.url, 'GET', staffs, { headers: owner })).status]).toEqual([staffs, 503])
      const ready = await ask(api.url, 'GET', '/readyz')
      expect(ready.status).toBe(503)
      expect(ready.body).toMatchObject({ reasons: { log: 'cannot be reached or used now' } })
      const line = /"engine":"log","reason":"[^"]+","msg":"an engine is away"/
      await expect.poll(() => api.output.filter((each) => line.test(each)), SOON).toHaveLength(1)
      await end(log)
      await expect.poll(async () => (await ask(api.url, 'GET', path)).body, SOON).not.toHaveProperty('asOf')
      await expect.poll(async () => (await placeOrder(api.url, 'meanwhile')).status, SOON).toBeLessThan(300)
      await expect.poll(async () => listStatus(api.url, owner), SOON).toBe(200)
      await expect.poll(async () => (await ask(api.url, 'GET', '/readyz')).status, SOON).toBe(200)
      await expect.poll(async () => (await auditShop(shop.env)).problems, AT_REST).toEqual([])
      expect((await auditShop(shop.env)).orders.size).toBe(2)
    },
  )
})

async function nothing(): Promise<void> {
  // It is over with.
}

async function listStatus(url: string, headers: Record<string, string>): Promise<number> {
  return (await ask(url, 'GET', '/api/orders', { headers })).status
}

async function wipeRedis(url: string): Promise<void> {
  const client = new Redis(url)
  await client.flushall()
  client.disconnect()
}

async function wipeViews(url: string): Promise<void> {
  const client = await MongoClient.connect(url)
  await client.db().dropDatabase()
  await client.close()
}
