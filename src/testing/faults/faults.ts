import { setTimeout as pause } from 'node:timers/promises'
import { ownServers, type ServerUrl } from '../own-servers.ts'
import type { Missing } from '../../ports/testing/missing.ts'
import type { Part, Parts } from './parts.ts'

const STOPPED_MS = 10_000

export interface Fault {
  readonly name: string
  /** Buyers' connections are refused or cut meanwhile. */
  readonly takesApi: boolean
  /** Orders are placed meanwhile: neither views nor queue are needed for that. */
  readonly sellsOn?: boolean
  /** Why it cannot be made to happen. */
  readonly missing?: Missing
  /** Resolves when all that was ended runs again. */
  happen(parts: Parts): Promise<void>
}

const SHOP = ['api', 'projector', 'worker']
const NOT_NEEDED_TO_SELL = new Set([ownServers.MONGODB_URL.name, ownServers.REDIS_URL.name])

/** Everything that befalls one part, and then the whole shop. */
export function faultsOf(servers: readonly ServerUrl[]): Fault[] {
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

/** `meanwhile` happens while all of them are down. */
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
