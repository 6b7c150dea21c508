import { Redis } from 'ioredis'
import { startRedis } from '../../job-queue/testing/redis-server.ts'
import { documentServer } from '../../mongodb/testing/document-server.ts'
import { ADMIN_PASSWORD } from '../buyers.ts'
import { provisionWith, type ShopEnvironment } from '../engine-sets.ts'
import { freePort } from '../free-port.ts'
import { type ShopProcess, startShopProcess } from '../shop-process.ts'

/** A process of the shop or a server of its engines. */
export interface Part {
  readonly name: string
  start(): Promise<void>
  /** SIGTERM; rejects where it does not end in order. */
  stop(): Promise<void>
  /** SIGKILL */
  kill(): Promise<void>
  /** SIGSTOP */
  pause(): void
  /** SIGCONT */
  resume(): void
}

export interface Parts {
  readonly url: string
  /** Of all processes, as an audit beside them needs it. */
  readonly env: Record<string, string>
  readonly shop: readonly Part[]
  readonly servers: readonly Part[]
  /** Deletes every key of Redis. */
  readonly flushRedis: () => Promise<void>
  readonly remove: () => Promise<void>
}

const ROLES = ['api', 'projector', 'worker']

/** Three processes, on files that they share or on servers of their own. */
export async function startParts({ isEmbedded }: { isEmbedded: boolean }): Promise<Parts> {
  const engines = isEmbedded ? await embedded() : await onServers()
  const { place, servers } = engines
  const port = await freePort()
  const shop = ROLES.map((role) => shopPart(role, place, role === 'api' ? String(port) : '0'))
  const remove = async (): Promise<void> => {
    await Promise.all(shop.map(async (part) => part.kill()))
    await engines.remove()
  }
  try {
    await Promise.all(shop.map(async (part) => part.start()))
  } catch (error) {
    await remove()
    throw error
  }
  return {
    url: `http://127.0.0.1:${port}`,
    env: place.env,
    shop,
    servers,
    flushRedis: engines.flushRedis,
    remove,
  }
}

type PlacedEngines = Pick<Parts, 'servers' | 'flushRedis' | 'remove'> & { readonly place: ShopEnvironment }

async function embedded(): Promise<PlacedEngines> {
  const place = await provisionWith({})
  return { place, servers: [], flushRedis: async () => undefined, remove: () => place.remove() }
}

async function onServers(): Promise<PlacedEngines> {
  const [redis, views, vault] = await Promise.all([startRedis(), documentServer(), documentServer()])
  const place = await provisionWith({
    REDIS_URL: redis.url,
    MONGODB_URL: `${views.url}/views`,
    VAULT_URL: `${vault.url}/vault`,
  })
  return {
    place,
    servers: [
      { name: "the views' server", ...views },
      { name: "the vault's server", ...vault },
      { name: 'redis', ...redis },
    ],
    async flushRedis() {
      const client = new Redis(redis.url)
      await client.flushall()
      client.disconnect()
    },
    async remove() {
      // A server that is down keeps its database, and loses it with its files.
      await Promise.allSettled([place.remove()])
      await Promise.all([redis.end(), views.remove(), vault.remove()])
    },
  }
}

function shopPart(role: string, place: ShopEnvironment, port: string): Part {
  let running: ShopProcess | undefined
  return {
    name: role,
    async start() {
      running = await startShopProcess({
        ...place.env,
        ROLES: role,
        PORT: port,
        ADMIN_PASSWORD,
        SANDBOX_DELAY_MS: '50',
      })
    },
    async stop() {
      const code = await running?.stop()
      if (code !== 0) throw new Error(`${role} ended with ${code}: ${running?.output.join('\n')}`)
    },
    kill: async () => running?.kill(),
    pause: () => running?.pause(),
    resume: () => running?.resume(),
  }
}
