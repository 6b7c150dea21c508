import { Redis } from 'ioredis'
import { ADMIN_PASSWORD } from './buyers.ts'
import { provisionWith, type ShopEnvironment } from './engine-sets.ts'
import { freePort } from '../ports/testing/free-port.ts'
import type { OwnServer } from '../ports/testing/own-server.ts'
import { ownServers, type ServerUrl } from './own-servers.ts'
import { type ShopProcess, startShopProcess } from './shop-process.ts'

/** A process of the shop or a server of its engines. `stop` rejects if a process fails to shut down cleanly. */
export interface Part extends Omit<OwnServer, 'url' | 'remove'> {
  readonly name: string
}

export interface Parts {
  readonly url: string
  /** The variables that all processes share, e.g. for an audit. */
  readonly env: Record<string, string>
  readonly shop: readonly Part[]
  readonly servers: readonly Part[]
  /** Deletes every key of Redis. */
  readonly flushRedis: () => Promise<void>
  readonly remove: () => Promise<void>
}

const ROLES = ['api', 'projector', 'worker']

/** Starts three processes on their own servers, and on shared files for the other engines. */
export async function startParts(servers: readonly ServerUrl[]): Promise<Parts> {
  const engines = await startEngines(servers)
  const { place } = engines
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
    servers: engines.servers,
    flushRedis: engines.flushRedis,
    remove,
  }
}

type PlacedEngines = Pick<Parts, 'servers' | 'flushRedis' | 'remove'> & { readonly place: ShopEnvironment }

async function startEngines(servers: readonly ServerUrl[]): Promise<PlacedEngines> {
  const running = await Promise.all(
    servers.map(async (variable) => {
      const kind = ownServers[variable]
      return { variable, name: kind.name, ...(await kind.start()) }
    }),
  )
  const place = await provisionWith(Object.fromEntries(running.map(({ variable, url }) => [variable, url])))
  return {
    place,
    servers: running,
    async flushRedis() {
      const client = new Redis(place.env['REDIS_URL'] ?? '')
      await client.flushall()
      client.disconnect()
    },
    async remove() {
      // The database of a stopped server cannot be dropped, but its files are deleted.
      await Promise.allSettled([place.remove()])
      await Promise.all(running.map(async (server) => server.remove()))
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
