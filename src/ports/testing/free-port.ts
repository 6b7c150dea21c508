import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Above 10080, the highest port that `fetch` refuses to ask. */
const LOWEST = 10_081
/** Below the ports that systems give to outgoing connections, one of which could take it before its server does. */
const HIGHEST = 32_767
const TRIES_MAX = 100

/** A free port of this machine, for a server that starts soon or again and again. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`none of ${TRIES_MAX} ports between ${LOWEST} and ${HIGHEST} is free`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
