import { Redis, type RedisOptions } from 'ioredis'
import { backOffMs } from '../../ports/back-off.ts'

/** Timeout after which a server counts as away. */
const SILENT_MS = 2_000
const CONNECT_MS = 2_000
const RECONNECT_MS = 100
const RECONNECT_MS_MAX = 2_000
const KEEP_ALIVE_MS = 10_000

/** Connections that report an outage once, and never as an unhandled error. */
interface RedisConnections {
  /** For calls, which fail fast. */
  readonly calls: Redis
  /** For workers, whose commands wait until the server is back. */
  forWork(): Redis
  end(): void
}

export function redisConnections(options: {
  readonly url: string
  /** Called once per outage. */
  readonly onAway: (error: Error) => void
}): RedisConnections {
  const { url, onAway } = options
  const opened: Redis[] = []
  let work: Redis | undefined
  let isAway = false

  function track(client: Redis): Redis {
    opened.push(client)
    client.on('error', (error: Error) => {
      if (!isAway) onAway(error)
      isAway = true
    })
    client.on('ready', () => {
      isAway = false
    })
    return client
  }

  const calls = track(
    new Redis(url, {
      ...shared,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      commandTimeout: SILENT_MS,
      // Otherwise commands to a hanging server would pile up until it answers.
      socketTimeout: SILENT_MS,
    }),
  )

  /** BullMQ duplicates the given connection for every worker. */
  function trackDuplicates(client: Redis): Redis {
    const duplicate = client.duplicate.bind(client)
    return Object.assign(track(client), {
      duplicate: (override?: Partial<RedisOptions>) => trackDuplicates(duplicate(override)),
    })
  }

  return {
    calls,
    forWork: () => (work ??= trackDuplicates(new Redis(url, { ...shared, maxRetriesPerRequest: null }))),
    end() {
      for (const client of opened) client.disconnect()
    },
  }
}

const shared = {
  connectTimeout: CONNECT_MS,
  keepAlive: KEEP_ALIVE_MS,
  retryStrategy: (times: number) => backOffMs(times, { from: RECONNECT_MS, max: RECONNECT_MS_MAX }, Math.random),
} satisfies RedisOptions
