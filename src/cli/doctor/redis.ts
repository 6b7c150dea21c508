import { Redis } from 'ioredis'
import { redisTrouble, unsupported } from '../../engines/redis/trouble.ts'
import { ASK_MS, clockOf, type Finding } from './finding.ts'

const MEMORY_SHARE_MAX = 0.9
/** Beside the keys of shops, and allowed by the same rights. */
const KEY = 'coinshop-doctor'
const KEY_MS = 10_000

/** Losing jobs is fine, since the sweep finds them again; but evicting single keys breaks the queue. */
export async function lookAtRedis(url: string): Promise<Omit<Finding, 'part'>> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: ASK_MS / 2,
    commandTimeout: ASK_MS / 2,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    // It needs INFO, which not every user may call.
    enableReadyCheck: false,
  })
  let failure: Error | undefined
  client.on('error', (error: Error) => {
    failure = error
  })
  try {
    await client.connect()
    const info = factsOf(await client.info().catch(() => ''))
    const isTold = info.size > 0
    const server = `Redis ${info.get('redis_version') ?? '(version unknown)'} at ${client.options.host}:${client.options.port}`
    const refusal = unsupportedBy(info) ?? (await refusalOf(client))
    if (refusal !== undefined) return { facts: server, must: refusal }
    const before = Date.now()
    const [seconds = 0, microseconds = 0] = (await client.time()).map(Number)
    const clock = clockOf(seconds * 1_000 + microseconds / 1_000, before)
    const policy = info.get('maxmemory_policy') ?? 'unknown'
    const isKept = info.get('aof_enabled') === '1'
    const facts = [
      server,
      isTold ? `appendonly ${isKept ? 'yes' : 'no'}` : 'its settings are not known',
      `maxmemory-policy ${policy}`,
      clock.facts,
    ]
    const unkept = 'jobs are lost when it restarts, and found again by the sweep: set appendonly yes'
    const untold = 'its user may not read its settings: allow INFO by +info, or see that maxmemory-policy is noeviction'
    return {
      facts: facts.join(', '),
      must: mustOf(info, policy) ?? clock.must,
      note: isTold ? (isKept ? undefined : unkept) : untold,
    }
  } catch (error) {
    throw failure ?? error
  } finally {
    client.disconnect()
  }
}

function unsupportedBy(info: ReadonlyMap<string, string>): string | undefined {
  const mode = info.get('redis_mode')
  return mode === 'cluster' || mode === 'sentinel' ? unsupported[mode] : undefined
}

/** Tries each kind of call that the shop makes, on a key of its own. Returns the trouble of the first that is refused. */
async function refusalOf(client: Redis): Promise<string | undefined> {
  const calls = [
    async () => client.set(KEY, '1', 'PX', KEY_MS),
    async () => client.eval("return redis.call('incr', KEYS[1])", 1, KEY),
    async () => client.bzpopmin(`${KEY}:waiting`, 0.01),
    async () => client.xadd(`${KEY}:events`, 'MAXLEN', 1, '*', 'is', 'tried'),
    async () => client.del(KEY, `${KEY}:events`),
  ]
  for (const call of calls)
    try {
      await call()
    } catch (error) {
      return redisTrouble(error)
    }
  return undefined
}

function mustOf(info: ReadonlyMap<string, string>, policy: string): string | undefined {
  if (policy !== 'noeviction' && policy !== 'unknown') return 'it may evict jobs: set maxmemory-policy noeviction'
  if (info.get('aof_last_write_status') === 'err') return 'it cannot write its file: make room on its disk'
  const max = Number(info.get('maxmemory') ?? 0)
  if (max > 0 && Number(info.get('used_memory') ?? 0) > max * MEMORY_SHARE_MAX)
    return 'its memory is nearly full: raise maxmemory'
  return undefined
}

function factsOf(info: string): Map<string, string> {
  const lines = info.split(/\r?\n/).filter((line) => line.includes(':'))
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]))
}
