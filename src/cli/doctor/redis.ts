import { Redis } from 'ioredis'
import { ASK_MS, clockOf, type Finding } from './finding.ts'

const MEMORY_SHARE_MAX = 0.9

/** Losing jobs is fine, since the sweep finds them again; but evicting single keys breaks the queue. */
export async function lookAtRedis(url: string): Promise<Omit<Finding, 'part'>> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: ASK_MS / 2,
    commandTimeout: ASK_MS / 2,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let failure: Error | undefined
  client.on('error', (error: Error) => {
    failure = error
  })
  try {
    await client.connect()
    const before = Date.now()
    const [seconds = 0, microseconds = 0] = (await client.time()).map(Number)
    const clock = clockOf(seconds * 1_000 + microseconds / 1_000, before)
    const info = factsOf(await client.info())
    const policy = info.get('maxmemory_policy') ?? 'unknown'
    const isKept = info.get('aof_enabled') === '1'
    return {
      facts: [
        `Redis ${info.get('redis_version') ?? '(version unknown)'} at ${client.options.host}:${client.options.port}`,
        `appendonly ${isKept ? 'yes' : 'no'}`,
        `maxmemory-policy ${policy}`,
        clock.facts,
      ].join(', '),
      must: mustOf(info, policy) ?? clock.must,
      note: isKept ? undefined : 'jobs are lost when it restarts, and found again by the sweep: set appendonly yes',
    }
  } catch (error) {
    throw failure ?? error
  } finally {
    client.disconnect()
  }
}

function mustOf(info: ReadonlyMap<string, string>, policy: string): string | undefined {
  if (policy !== 'noeviction' && policy !== 'unknown') return 'it may evict jobs: set maxmemory-policy noeviction'
  if (info.get('aof_last_write_status') === 'err') return 'it cannot write its file: make room on its disk'
  if (info.get('role') === 'slave') return 'this is a replica, which takes no writes: set REDIS_URL to its primary'
  const max = Number(info.get('maxmemory') ?? 0)
  if (max > 0 && Number(info.get('used_memory') ?? 0) > max * MEMORY_SHARE_MAX)
    return 'its memory is nearly full: raise maxmemory'
  return undefined
}

function factsOf(info: string): Map<string, string> {
  const lines = info.split(/\r?\n/).filter((line) => line.includes(':'))
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]))
}
