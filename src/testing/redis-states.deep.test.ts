import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { expect, it, vi } from 'vitest'
import { redisMissing, redisServer } from '../engines/redis/testing/redis-server.ts'
import type { OwnServer } from '../ports/testing/own-server.ts'
import { ADMIN_PASSWORD, ask, placeOrder, startPayment } from './buyers.ts'
import { describeUnless } from './describe-unless.ts'
import { type ShopProcess, startShopProcess } from './shop-process.ts'

/** 60 s are promised; a busy machine gets more. */
const NOTICED_MS = 90_000
/** 30 s are promised. */
const QUEUED_AGAIN_MS = 90_000
const LOOK_MS = 200
/** Of the start and of the outage together. */
const LINES_MAX = 20
const TEST_MS = 400_000
const PASSWORD = 'secret'
const ALL_RIGHTS = ['on', 'resetkeys', '~*', '+@all', `>${PASSWORD}`]

interface Place {
  readonly server: OwnServer
  /** As the user `default`. */
  readonly admin: Redis
  readonly network: Network
}

interface State {
  readonly name: string
  readonly settings?: readonly string[]
  /** It is so before the shop starts. */
  readonly isFirst?: true
  /** It is so before the shop starts, and stays so. */
  readonly isForEver?: true
  readonly begin: (place: Place) => unknown
  readonly end: (place: Place) => unknown
}

const nothing = (): void => undefined

/** A restart forgets its users. */
async function startedAgain({ server, admin }: Place): Promise<void> {
  await server.start()
  await admin.call('ACL', 'SETUSER', 'shop', ...ALL_RIGHTS)
}

/** A user without some rights, and with them again. */
function withRights(name: string, ...rights: string[]): State {
  return {
    name,
    isFirst: true,
    begin: async ({ admin }) => admin.call('ACL', 'SETUSER', 'shop', ...rights),
    end: async ({ admin }) => admin.call('ACL', 'SETUSER', 'shop', ...ALL_RIGHTS),
  }
}

const states: readonly State[] = [
  withRights(
    'a user with keys of the shop only and without INFO',
    'resetkeys',
    '~coinshop-*',
    '-@admin',
    '-@dangerous',
  ),
  {
    name: 'a server without INFO',
    settings: ['--rename-command', 'INFO', ''],
    isForEver: true,
    begin: nothing,
    end: nothing,
  },
  withRights('a user without blocking commands', '-@blocking'),
  withRights('a user without scripts', '-@scripting'),
  withRights('a user with the right to some keys', 'resetkeys', '~*:types'),
  {
    name: 'a connection that dies in silence',
    begin: ({ network }) => network.lose(),
    end: ({ network }) => network.restore(),
  },
  {
    name: 'a primary that became a replica',
    begin: async ({ admin }) => admin.replicaof('127.0.0.1', 1),
    end: async ({ admin }) => admin.replicaof('NO', 'ONE'),
  },
  {
    name: 'full memory',
    begin: async ({ admin }) => admin.config('SET', 'maxmemory', '1'),
    end: async ({ admin }) => admin.config('SET', 'maxmemory', '0'),
  },
  {
    name: 'a snapshot that cannot be written',
    begin: async ({ admin }) => {
      rmSync(await snapshotOf(admin), { recursive: true, force: true })
      mkdirSync(await snapshotOf(admin))
      await admin.config('SET', 'save', '3600 1')
      await admin.bgsave()
      await until('a snapshot has failed', async () => (await admin.info()).includes('rdb_last_bgsave_status:err'))
    },
    end: async ({ admin }) => {
      rmSync(await snapshotOf(admin), { recursive: true })
      await admin.bgsave()
    },
  },
  {
    name: 'queues paused in a dashboard',
    begin: async ({ admin }) => {
      for (const key of await admin.keys('coinshop-*:meta')) await admin.hset(key, 'paused', 1)
    },
    end: nothing,
  },
  {
    name: '10,000 left jobs of a type that nobody takes',
    begin: async ({ admin }) => {
      const [types = ''] = await admin.keys('coinshop-*:types')
      await admin.sadd(types, 'left')
      await admin.lpush(types.replace(/types$/, 'left:wait'), ...Array.from({ length: 10_000 }, (_, index) => index))
    },
    end: nothing,
  },
  {
    name: 'a node of a cluster',
    settings: ['--cluster-enabled', 'yes'],
    isForEver: true,
    begin: nothing,
    end: nothing,
  },
  {
    name: 'a frozen server',
    begin: ({ server }) => server.pause(),
    end: ({ server }) => server.resume(),
  },
  {
    name: 'a killed server',
    begin: async ({ server }) => server.kill(),
    end: startedAgain,
  },
  {
    name: 'a server that holds all clients back',
    begin: async ({ admin }) => admin.client('PAUSE', 3_600_000, 'ALL'),
    end: async (place) => {
      await place.server.kill()
      await startedAgain(place)
    },
  },
  {
    name: 'a password that changed',
    begin: async ({ admin }) => {
      await admin.call('ACL', 'SETUSER', 'shop', 'resetpass', '>another')
      await admin.client('KILL', 'USER', 'shop')
    },
    end: async ({ admin }) => admin.call('ACL', 'SETUSER', 'shop', ...ALL_RIGHTS),
  },
  {
    name: 'too many clients',
    begin: async ({ admin }) => {
      await admin.config('SET', 'maxclients', '1')
      await admin.client('KILL', 'USER', 'shop')
    },
    end: async ({ admin }) => admin.config('SET', 'maxclients', '10000'),
  },
  {
    name: 'a key of the queue that is of another type',
    begin: async ({ admin }) => {
      for (const key of await admin.keys('coinshop-*:types')) await admin.set(key, 'text')
    },
    end: async ({ admin }) => {
      for (const key of await admin.keys('coinshop-*:types')) await admin.del(key)
    },
  },
]

describeUnless(redisMissing, 'a shop whose Redis does not work', () => {
  vi.setConfig({ testTimeout: TEST_MS, maxConcurrency: 4 })

  it.concurrent.for(states)(
    'a payment is noticed: $name',
    async ({ name, settings, isFirst, isForEver, begin, end }, { onTestFinished }) => {
      const server = await redisServer(settings)
      onTestFinished(async () => server.remove())
      const admin = new Redis(server.url, { enableReadyCheck: false })
      admin.on('error', nothing)
      onTestFinished(() => admin.disconnect())
      await admin.call('ACL', 'SETUSER', 'shop', ...ALL_RIGHTS)
      const network = await networkTo(Number(new URL(server.url).port))
      onTestFinished(() => network.close())
      const place = { server, admin, network }
      if (isFirst) await begin(place)
      const folder = mkdtempSync(join(tmpdir(), 'coinshop-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const shop = await startShopProcess({
        DATA_DIR: folder,
        ADMIN_PASSWORD,
        SANDBOX_DELAY_MS: '50',
        REDIS_URL: `redis://shop:${PASSWORD}@127.0.0.1:${network.port}`,
      })
      onTestFinished(async () => shop.kill())
      if (!isFirst && !isForEver) await paid(shop, 'before')
      if (!isFirst) await begin(place)
      const brokenAt = performance.now()
      await paid(shop, 'meanwhile')
      const noticedMs = performance.now() - brokenAt
      expect((await ask(shop.url, 'GET', '/healthz')).status).toBe(200)

      if (!isForEver) {
        await end(place)
        await until('jobs go by the queue', async () => byQueue(shop, admin), QUEUED_AGAIN_MS)
      }
      expect(shop.output.length).toBeLessThan(LINES_MAX)
      const backMs = performance.now() - brokenAt - noticedMs
      await begin(place)
      expect(await shop.stop()).toBe(0)
      process.stdout.write(
        `${name}: noticed after ${seconds(noticedMs)}, by the queue again after ${seconds(backMs)}, ${shop.output.length} lines\n`,
      )
    },
  )
})

let buyers = 0

/** Resolves when an order that is placed and paid now is completed. */
async function paid(shop: ShopProcess, buyer: string): Promise<void> {
  buyers += 1
  const { body } = await placeOrder(shop.url, `${buyer}-${buyers}`)
  const id = String(body['id'])
  await startPayment(shop.url, id)
  const isCompleted = async () => (await ask(shop.url, 'GET', `/api/orders/${id}`)).body['status'] === 'completed'
  await until('the order is completed', isCompleted)
}

/** Whether the next payment is checked by a job of the server. */
async function byQueue(shop: ShopProcess, admin: Redis): Promise<boolean> {
  const key = (await admin.keys('coinshop-*:check-payments-newest:events'))[0] ?? ''
  const taken = async () =>
    (await admin.xrevrange(key, '+', '-', 'COUNT', 100)).filter(([, of]) => of.includes('active'))
  const [before] = await taken()
  await paid(shop, 'after')
  return (await taken())[0]?.[0] !== before?.[0]
}

async function snapshotOf(admin: Redis): Promise<string> {
  const [, folder] = await admin.config('GET', 'dir')
  return `${folder}/dump.rdb`
}

type Network = Awaited<ReturnType<typeof networkTo>>

/** A way to a server that can lose every packet of the connections it has. */
async function networkTo(port: number) {
  const lost = new Set<Socket>()
  const open = new Set<Socket>()
  let isDown = false
  const server = createServer((client) => {
    open.add(client)
    client.on('error', nothing)
    if (isDown) return void lost.add(client)
    const there = connect(port, '127.0.0.1')
    there.on('error', () => client.destroy())
    there.on('close', () => !lost.has(client) && client.destroy())
    client.on('close', () => there.destroy())
    client.on('data', (data) => !lost.has(client) && there.write(data))
    there.on('data', (data) => !lost.has(client) && client.write(data))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('it has no port')
  return {
    port: address.port,
    lose() {
      isDown = true
      for (const client of open) lost.add(client)
    },
    restore: () => void (isDown = false),
    close() {
      for (const client of open) client.destroy()
      server.close()
    },
  }
}

async function until(what: string, check: () => Promise<boolean>, ms = NOTICED_MS): Promise<void> {
  const begunAt = performance.now()
  while (!(await check())) {
    if (performance.now() - begunAt > ms) throw new Error(`${what}: not within ${seconds(ms)}`)
    await pause(LOOK_MS)
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
